//! [`Settings`]: what a shell is started with, each time anew.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, io};

use super::processes::MARK;

/// What each shell of a tool begins with.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) program: OsString,
    pub(super) directory: Option<PathBuf>,
    pub(super) timeout: Duration,
    pub(super) output_limit: usize,
    /// All of it: nothing is inherited beside.
    pub(super) environment: Vec<(OsString, OsString)>,
}

/// The ends of pipes and of the socket that a shell gets.
pub(super) struct Ends {
    pub(super) script: Stdio,
    pub(super) output: Stdio,
    pub(super) control: Stdio,
}

impl Settings {
    /// The command that starts a shell which `mark` shows to be ours, in a group of its own.
    ///
    /// On Linux it begins a session too, by the program of that name, where there is one: then it has no terminal, so that
    /// a question for a password fails, in place of being asked for ever. The standard library has no such call.
    pub(super) fn command(&self, mark: &str, ends: Ends) -> Command {
        let mut command = if cfg!(target_os = "linux") && is_in_path("setsid") {
            let mut command = Command::new("setsid");
            command.arg(&self.program);
            command
        } else {
            let mut command = Command::new(&self.program);
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            command
        };
        // The shell opens its script by its path, and so has it apart from the input of commands.
        command.args(["--noprofile", "--norc", "/dev/fd/0"]);
        command.env_clear().envs(self.environment.iter().cloned());
        command.env(MARK, mark);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        let Ends {
            script,
            output,
            control,
        } = ends;
        command.stdin(script).stdout(output).stderr(control);
        command
    }

    /// # Errors
    /// Where no shell could begin there. (The error of starting one would not say whether it is that.)
    pub(super) fn check_directory(&self) -> io::Result<()> {
        match &self.directory {
            Some(directory) if !directory.is_dir() => Err(io::ErrorKind::NotADirectory.into()),
            _ => Ok(()),
        }
    }
}

fn is_in_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
