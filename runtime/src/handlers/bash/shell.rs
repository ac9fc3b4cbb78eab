//! [`Shell`]: what can stand behind the bash tool, and what it says of a command.

use std::future::Future;
use std::time::Duration;

use crate::tool::ToolError;

/// A shell that stays the same from command to command, wherever it is: on this machine, in a container, far away.
///
/// The tool over it, [`Bash::new`](super::Bash::new), runs one command at a time and writes what the model reads.
///
/// ```
/// use haft::handlers::{Bash, CommandEnd, CommandOutput, Shell};
/// use haft::serde_json::json;
/// use haft::{ToolError, Toolkit};
///
/// /// A shell that only knows how to say no.
/// #[derive(Default)]
/// struct Grumpy {
///     commands: usize,
/// }
///
/// impl Shell for Grumpy {
///     async fn run(&mut self, command: &str) -> Result<CommandOutput, ToolError> {
///         self.commands += 1;
///         let output = format!("{command}? No, for the {}. time!", self.commands);
///         Ok(CommandOutput::new(output, CommandEnd::Exited(1)))
///     }
///
///     async fn restart(&mut self) -> Result<(), ToolError> {
///         *self = Self::default();
///         Ok(())
///     }
/// }
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let kit: Toolkit = Toolkit::new().with(Bash::new(Grumpy::default())?)?;
/// let result = kit.call("bash", json!({"command": "ls"})).await;
/// assert_eq!(result.text(), "Error: ls? No, for the 1. time!\n[exit code: 1]");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Shell: Send {
    /// Runs a command to its end, or to that of its time.
    ///
    /// The future may be dropped at any point, when the run is cancelled. The command should not run on then, and the next
    /// one must not read its output.
    ///
    /// # Errors
    /// Where the command could not be run. That a command failed is no error, but an exit code.
    fn run(
        &mut self,
        command: &str,
    ) -> impl Future<Output = Result<CommandOutput, ToolError>> + Send;

    /// Ends the shell and all that it runs, and begins with a new one.
    ///
    /// # Errors
    /// Where there is no new one to be had.
    fn restart(&mut self) -> impl Future<Output = Result<(), ToolError>> + Send;
}

/// What a command came to.
///
/// ```
/// use haft::handlers::{CommandEnd, CommandOutput};
///
/// let output = CommandOutput::new("hello", CommandEnd::Exited(0));
/// assert_eq!((output.output(), output.end()), ("hello", &CommandEnd::Exited(0)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutput {
    output: String,
    end: CommandEnd,
    omitted: u64,
    is_in_new_shell: bool,
}

/// How a command ended. All but the first also end the shell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandEnd {
    /// With this exit code; 0 is success.
    Exited(i32),
    /// It took longer than this, and was killed.
    TimedOut(Duration),
    /// The shell itself ended, with this exit code: by `exit`, or since another program took its place.
    ShellExited(i32),
    /// The shell itself was killed by this signal.
    ShellKilled(i32),
}

impl CommandOutput {
    /// What it wrote, outputs and errors in their order, and how it ended.
    #[must_use]
    pub fn new(output: impl Into<String>, end: CommandEnd) -> Self {
        Self {
            output: output.into(),
            end,
            omitted: 0,
            is_in_new_shell: false,
        }
    }

    /// With the number of bytes before the output that are left out, since it was too long.
    ///
    /// ```
    /// use haft::handlers::{CommandEnd, CommandOutput};
    ///
    /// let output = CommandOutput::new("the end", CommandEnd::Exited(0)).omitted(1000);
    /// assert_eq!(output.to_string(), "[output truncated: the first 1000 bytes are left out]\nthe end");
    /// ```
    #[must_use]
    pub const fn omitted(mut self, bytes: u64) -> Self {
        self.omitted = bytes;
        self
    }

    /// As the first in a new shell that the model did not ask for: it is told that the old one's state is gone.
    #[must_use]
    pub const fn in_new_shell(mut self) -> Self {
        self.is_in_new_shell = true;
        self
    }

    /// What it wrote.
    #[must_use]
    pub fn output(&self) -> &str {
        &self.output
    }

    /// How it ended.
    #[must_use]
    pub const fn end(&self) -> &CommandEnd {
        &self.end
    }

    /// Whether it ended as it should.
    ///
    /// ```
    /// use haft::handlers::{CommandEnd, CommandOutput};
    ///
    /// assert!(CommandOutput::new("", CommandEnd::Exited(0)).is_success());
    /// assert!(!CommandOutput::new("", CommandEnd::ShellKilled(9)).is_success());
    /// ```
    #[must_use]
    pub const fn is_success(&self) -> bool {
        matches!(self.end, CommandEnd::Exited(0) | CommandEnd::ShellExited(0))
    }
}

/// What is gone with a shell, for the model.
const NEXT: &str = "the next command begins in a new shell, without the directory, variables and functions of this one";

/// What the model reads.
impl std::fmt::Display for CommandOutput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_in_new_shell {
            f.write_str("[this is a new shell: the directory, variables and functions of the last one are lost]\n")?;
        }
        if self.omitted > 0 {
            writeln!(
                f,
                "[output truncated: the first {} bytes are left out]",
                self.omitted
            )?;
        }
        f.write_str(&self.output)?;
        if self.end == CommandEnd::Exited(0) {
            return Ok(());
        }
        if !self.output.is_empty() && !self.output.ends_with('\n') {
            f.write_str("\n")?;
        }
        match &self.end {
            CommandEnd::Exited(code) => write!(f, "[exit code: {code}]"),
            CommandEnd::TimedOut(limit) => write!(
                f,
                "[bash command timed out after {limit:?}; it was killed, and with it the shell and its background jobs; \
                 {NEXT}]"
            ),
            CommandEnd::ShellExited(code) => {
                write!(f, "[the shell ended with exit code {code}; {NEXT}]")
            }
            CommandEnd::ShellKilled(signal) => {
                write!(f, "[the shell was killed by signal {signal}; {NEXT}]")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(output: &str, end: CommandEnd) -> String {
        CommandOutput::new(output, end).to_string()
    }

    #[test]
    fn each_end_is_told() {
        assert_eq!(told("a", CommandEnd::Exited(0)), "a");
        assert_eq!(told("", CommandEnd::Exited(0)), "");
        assert_eq!(told("", CommandEnd::Exited(2)), "[exit code: 2]");
        assert_eq!(told("a", CommandEnd::Exited(2)), "a\n[exit code: 2]");
        let limit = Duration::from_secs(120);
        assert_eq!(
            told("a", CommandEnd::TimedOut(limit)),
            format!(
                "a\n[bash command timed out after 120s; it was killed, and with it the shell and its background jobs; \
                 {NEXT}]"
            )
        );
        assert_eq!(
            told("", CommandEnd::ShellExited(0)),
            format!("[the shell ended with exit code 0; {NEXT}]")
        );
        assert_eq!(
            told("", CommandEnd::ShellKilled(9)),
            format!("[the shell was killed by signal 9; {NEXT}]")
        );
    }

    #[test]
    fn a_new_shell_and_what_is_left_out_stand_before_the_output() {
        let output = CommandOutput::new("a", CommandEnd::Exited(1))
            .omitted(7)
            .in_new_shell();
        assert_eq!(
            output.to_string(),
            "[this is a new shell: the directory, variables and functions of the last one are lost]\n\
             [output truncated: the first 7 bytes are left out]\na\n[exit code: 1]"
        );
    }
}
