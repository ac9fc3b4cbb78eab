//! [`Bash`]: the tool over a shell, and what it tells the model.

mod builder;
mod environment;
mod process;
mod processes;
mod protocol;
mod session;
mod settings;
mod shell;
mod tail;
mod worker;

use std::fmt;

use tokio::sync::Mutex;

pub use self::builder::BashBuilder;
pub use self::environment::looks_secret;
pub use self::process::BashProcess;
pub use self::shell::{CommandEnd, CommandOutput, Shell};
use crate::error::Error;
use crate::provider::anthropic::tools::{BASH_20250124, BashCommand};
use crate::tool::{Call, ProviderTool, Tool, ToolDefinition, ToolError, ToolFuture, ToolOutput};

/// A handler of the bash tool: a shell that stays the same from call to call.
///
/// ```
/// use haft::Toolkit;
/// use haft::handlers::Bash;
/// use haft::serde_json::json;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let kit: Toolkit = Toolkit::new().with(Bash::spawn()?)?;
/// kit.call("bash", json!({"command": "cd /; greet() { echo \"Hello from $PWD\"; }"})).await;
/// let result = kit.call("bash", json!({"command": "greet; false"})).await;
/// assert!(result.is_error());
/// assert_eq!(result.text(), "Error: Hello from /\n[exit code: 1]");
/// let result = kit.call("bash", json!({"restart": true})).await;
/// assert_eq!(result.text(), "bash session restarted");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **It confines nothing**: the model does what the program's user may do. Let the program ask a person
/// ([`with_definition`](Self::with_definition)), or put a [`Shell`] behind it that runs in a container.
///
/// # What the model gets
///
/// - Outputs and errors together, in their order, as text: bytes that are no UTF-8 are replaced, and the escape sequences
///   that colour terminals are taken out. Of long output the end is told (100 KiB), and how much was left out.
/// - An exit code other than 0 is an error result that tells it. So is a command that takes too long (120 seconds), and
///   a shell that was killed.
/// - Commands have no input: they read the end of a file at once. On Linux, where the program `setsid` is there, they have
///   no terminal either.
/// - Variables of the program whose names [look secret](looks_secret) are not in the environment.
///
/// # What lasts, and how long
///
/// - The directory, variables, functions, options, and files opened under numbers of their own last from call to call.
///   The numbers 0, 1, 2, 77 and 78 do not: `exec >file` holds to the end of its command.
/// - Background jobs run on when their command is over, and nobody waits for them. What they write later is told with the
///   next command's output.
/// - The shell, with its background jobs, ends by a restart, when a command takes too long, when the shell itself
///   exits (`exit`, `exec`, `set -e`), when the future of a call is dropped in the middle (a run that is cancelled), and
///   when the tool is dropped. The next call then begins with a new shell, and says so.
///
/// Calls of one turn run one after the other, in the order in which they came.
///
/// # Limits
///
/// All processes are killed that are in the shell's group. On Linux, so are those of its session, and those that
/// have a variable in their environment by which they are known, `HAFT_SHELL`: a process leaves by changing both, as
/// `env -i setsid` does. Where the program is killed itself and drops nothing, the shell ends when its command does, and
/// background jobs stay.
pub struct Bash<T = BashProcess> {
    kind: ProviderTool<BashCommand>,
    definition: ToolDefinition,
    shell: Mutex<T>,
}

/// What an API is told that does not define the tool itself.
const DESCRIPTION: &str = "Run a command in a bash shell. The shell stays the same from call to call: directory, variables, \
    functions and background jobs last. Commands have no input, and run to their end before the call ends; what takes long \
    is started in the background.";

impl Bash {
    /// A shell on this machine with the settings of [`builder`](Self::builder), under the name `bash`.
    ///
    /// # Errors
    /// Where there is no bash, or it does not work.
    pub fn spawn() -> Result<Self, Error> {
        Self::builder().spawn()
    }

    /// Settings for a shell on this machine.
    pub fn builder() -> BashBuilder {
        BashBuilder::new()
    }
}

impl<T: Shell> Bash<T> {
    /// Over a shell of one's own; see [`Shell`].
    ///
    /// # Errors
    /// None are known.
    pub fn new(shell: T) -> Result<Self, Error> {
        let kind = BASH_20250124;
        // Not exclusive: other tools may well run beside it, and its own calls are kept apart by the lock.
        let definition = kind.definition("bash", DESCRIPTION)?.exclusive(false);
        Ok(Self {
            kind,
            definition,
            shell: Mutex::new(shell),
        })
    }

    /// Under another name in the toolkit; on the wire it has the API's all the same.
    ///
    /// ```
    /// use haft::Tool;
    /// use haft::handlers::Bash;
    ///
    /// let shell = Bash::spawn()?.named("shell")?;
    /// assert_eq!(Tool::<()>::definition(&shell).name(), "shell");
    /// assert!(Bash::spawn()?.named("my shell").is_err());
    /// # Ok::<(), haft::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where the name is not 1 to 64 of `A-Z a-z 0-9 _ -`.
    pub fn named(mut self, name: impl Into<String>) -> Result<Self, Error> {
        self.definition = self.definition.renamed(name.into())?;
        Ok(self)
    }

    /// As the handler of another version of the tool, such as
    /// [`BASH_20241022`](crate::anthropic::tools::BASH_20241022).
    ///
    /// ```
    /// use haft::anthropic::tools::BASH_20241022;
    /// use haft::handlers::Bash;
    ///
    /// let bash = Bash::spawn()?.version(BASH_20241022);
    /// # Ok::<(), haft::Error>(())
    /// ```
    #[must_use]
    pub fn version(mut self, version: ProviderTool<BashCommand>) -> Self {
        // It cannot fail: the name is one.
        if let Ok(tool) = version.definition("bash", DESCRIPTION) {
            self.definition = self.definition.of_tool(&tool);
        }
        self.kind = version;
        self
    }

    /// With a definition that is changed.
    ///
    /// ```
    /// use haft::Tool;
    /// use haft::handlers::Bash;
    ///
    /// // A person is asked before a command runs.
    /// let bash = Bash::spawn()?.with_definition(|definition| definition.approval(true));
    /// assert!(Tool::<()>::definition(&bash).needs_approval());
    /// # Ok::<(), haft::Error>(())
    /// ```
    #[must_use]
    pub fn with_definition(
        mut self,
        change: impl FnOnce(ToolDefinition) -> ToolDefinition,
    ) -> Self {
        self.definition = change(self.definition);
        self
    }

    async fn obey(&self, command: BashCommand) -> Result<ToolOutput, ToolError> {
        let BashCommand::Run { command } = command else {
            self.shell.lock().await.restart().await?;
            return Ok(ToolOutput::text("bash session restarted"));
        };
        if command.is_empty() {
            return Err(ToolError::new("bash: command is required"));
        }
        // Fair: who comes first is first.
        let output = self.shell.lock().await.run(&command).await?;
        if output.is_success() {
            Ok(ToolOutput::text(output.to_string()))
        } else {
            Err(ToolError::new(output.to_string()))
        }
    }
}

impl<S, T: Shell> Tool<S> for Bash<T> {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        let command = self.kind.read(&call);
        Box::pin(async move { self.obey(command?).await })
    }
}

impl<T> fmt::Debug for Bash<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bash")
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}
