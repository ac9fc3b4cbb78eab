//! The two shell tools: what the model runs, and what came of it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::client;
use crate::tool::{Field, IntoToolOutput, ProviderTool, ToolError, ToolOutput, infallible};

/// Commands that the program runs on its own machine.
///
/// ```
/// use haft::openai::tools::{CommandOutput, SHELL, ShellCommands, ShellOutput};
/// use haft::tool;
///
/// /// Run commands in a container.
/// #[tool(provider = SHELL, approval)]
/// async fn run(commands: ShellCommands) -> ShellOutput {
///     let run = |command: &String| CommandOutput::exited(0, format!("ran {command}"), "");
///     ShellOutput::new(commands.commands.iter().map(run))
/// }
/// ```
pub const SHELL: ProviderTool<ShellCommands> =
    client("shell", "shell").with_field("environment", Field::Json(r#"{"type":"local"}"#));

/// One command at a time, as `codex-mini` knows it.
///
/// ```
/// use haft::openai::tools::{LOCAL_SHELL, LocalShellAction};
/// use haft::tool;
///
/// /// Run a program.
/// #[tool(provider = LOCAL_SHELL, approval)]
/// async fn run(action: LocalShellAction) -> Result<String, String> {
///     match action {
///         LocalShellAction::Exec { command, .. } => Ok(format!("ran {}", command.join(" "))),
///         _ => Err("there is no such action here".to_owned()),
///     }
/// }
/// ```
pub const LOCAL_SHELL: ProviderTool<LocalShellAction> = client("local_shell", "local_shell");

/// What the model wants to be run.
///
/// ```
/// use haft::openai::tools::ShellCommands;
///
/// let commands = r#"{"commands": ["ls", "pwd"], "timeout_ms": 1000}"#;
/// let commands: ShellCommands = haft::serde_json::from_str(commands)?;
/// assert_eq!((commands.commands.len(), commands.timeout_ms), (2, Some(1000)));
/// # Ok::<(), haft::serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", deny_unknown_fields)]
#[non_exhaustive]
pub struct ShellCommands {
    /// The commands, each for a shell. They may run beside each other; what came of them is told in this order.
    pub commands: Vec<String>,
    /// How long all of them may take, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// How many characters of their output are wanted at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_length: Option<u64>,
}

/// What the model wants to be run, by the older tool: see [`LOCAL_SHELL`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    crate = "::serde",
    tag = "type",
    rename_all = "snake_case",
    deny_unknown_fields
)]
#[non_exhaustive]
pub enum LocalShellAction {
    /// Run a program.
    Exec {
        /// The program and its arguments.
        command: Vec<String>,
        /// Variables of its environment.
        #[serde(default)]
        #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
        env: BTreeMap<String, String>,
        /// How long it may take, in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
        /// As whom it runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
        /// Where it runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        working_directory: Option<String>,
    },
}

/// What came of the commands of a [`SHELL`] call: one entry for each, in their order.
///
/// ```
/// use haft::openai::tools::{CommandOutput, ShellOutput};
///
/// let output = ShellOutput::new([
///     CommandOutput::exited(0, "a.txt\n", ""),
///     CommandOutput::timed_out("", ""),
/// ]);
/// assert_eq!(output.commands().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellOutput(Vec<CommandOutput>);

impl ShellOutput {
    /// Of these commands.
    pub fn new(commands: impl IntoIterator<Item = CommandOutput>) -> Self {
        Self(commands.into_iter().collect())
    }

    /// One for each command.
    #[must_use]
    pub fn commands(&self) -> &[CommandOutput] {
        &self.0
    }
}

/// What came of one command.
///
/// ```
/// use haft::openai::tools::{CommandOutcome, CommandOutput};
///
/// let output = CommandOutput::exited(2, "", "no such file");
/// assert!(matches!(output.outcome, CommandOutcome::Exit { exit_code: 2 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommandOutput {
    /// What it wrote.
    pub stdout: String,
    /// What it wrote of failures.
    pub stderr: String,
    /// How it ended.
    pub outcome: CommandOutcome,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CommandOutcome {
    /// By itself.
    Exit {
        /// Its code; 0 for success.
        exit_code: i32,
    },
    /// It took too long, and was stopped.
    Timeout,
}

impl CommandOutput {
    /// Of a command that ended by itself.
    pub fn exited(exit_code: i32, stdout: impl Into<String>, stderr: impl Into<String>) -> Self {
        Self {
            stdout: stdout.into(),
            stderr: stderr.into(),
            outcome: CommandOutcome::Exit { exit_code },
        }
    }

    /// Of a command that was stopped, since it took too long.
    pub fn timed_out(stdout: impl Into<String>, stderr: impl Into<String>) -> Self {
        Self {
            stdout: stdout.into(),
            stderr: stderr.into(),
            outcome: CommandOutcome::Timeout,
        }
    }
}

/// As its API has it; as JSON for others.
impl IntoToolOutput for ShellOutput {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        let output = json!({ "output": self.0 });
        Ok(ToolOutput::text(output.to_string()).with_structured(output))
    }
}

infallible! { [] ShellOutput }
