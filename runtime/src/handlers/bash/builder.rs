//! [`BashBuilder`]: the settings of a shell on this machine.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fmt, io};

use super::environment::{environment, looks_secret};
use super::settings::Settings;
use super::{Bash, BashProcess};
use crate::error::Error;

type IsWithheld = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// The settings of a [`Bash`] on this machine, from [`Bash::builder`].
///
/// ```
/// use std::time::Duration;
/// use haft::Toolkit;
/// use haft::handlers::{Bash, looks_secret};
/// use haft::serde_json::json;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let bash = Bash::builder()
///     .directory("/")
///     .timeout(Duration::from_secs(30))
///     .output_limit(20 << 10)
///     .env("DEPLOY_TOKEN", "only for tests")
///     .withhold(|name| looks_secret(name) || name.starts_with("MY_COMPANY_"))
///     .spawn()?;
/// let kit: Toolkit = Toolkit::new().with(bash)?;
/// let result = kit.call("bash", json!({"command": "pwd; echo $DEPLOY_TOKEN"})).await;
/// assert_eq!(result.text(), "/\nonly for tests");
/// # Ok::<(), haft::Error>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "it is started by `spawn`"]
pub struct BashBuilder {
    program: OsString,
    directory: Option<PathBuf>,
    timeout: Duration,
    output_limit: usize,
    given: Vec<(OsString, OsString)>,
    is_withheld: IsWithheld,
}

impl BashBuilder {
    pub(super) fn new() -> Self {
        Self {
            program: OsString::from("bash"),
            directory: None,
            timeout: Duration::from_secs(120),
            output_limit: 100 << 10,
            given: Vec::new(),
            is_withheld: Box::new(looks_secret),
        }
    }

    /// Which bash: a path, or a name that is looked up in `PATH`. `bash` by default.
    pub fn program(mut self, program: impl Into<OsString>) -> Self {
        self.program = program.into();
        self
    }

    /// Where each new shell begins: by default in the directory that the program is in when the shell is spawned.
    ///
    /// It confines nothing. A shell that must not reach other files runs in a container, behind a
    /// [`Shell`](super::Shell).
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// How long a command may take; 120 seconds by default. Then it is killed with the whole shell.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How many bytes of what a command writes the model is told, 100 KiB by default: the last ones. What is before them
    /// is read and left out, and the model is told how much it was.
    pub const fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// Sets a variable of the shell, whatever its name.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.given.push((name.into(), value.into()));
        self
    }

    /// Which of the program's own variables the shell is not given, by name; by default those of which [`looks_secret`]
    /// says so. It takes the place of that, so `|_| false` withholds nothing, and `|_| true` all that was not given by
    /// [`env`](Self::env): even `PATH`.
    pub fn withhold(mut self, is_withheld: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.is_withheld = Box::new(is_withheld);
        self
    }

    /// Starts the shell, with a tool over it.
    ///
    /// # Errors
    /// Where there is no bash, or it does not work, or the directory is none.
    pub fn spawn(self) -> Result<Bash, Error> {
        Bash::new(self.spawn_process()?)
    }

    /// Starts the shell without a tool, for a [`Shell`](super::Shell) of one's own around it.
    ///
    /// # Errors
    /// As [`spawn`](Self::spawn).
    pub fn spawn_process(self) -> Result<BashProcess, Error> {
        let settings = Settings {
            program: self.program,
            // The program may be elsewhere when the shell is started anew.
            directory: self.directory.or_else(|| env::current_dir().ok()),
            timeout: self.timeout,
            output_limit: self.output_limit,
            environment: environment(env::vars_os(), &*self.is_withheld, self.given),
        };
        BashProcess::start(settings).map_err(|error| {
            let message = match error.kind() {
                io::ErrorKind::NotADirectory => {
                    "bash was not started: its working directory is no directory"
                }
                _ => "bash could not be started: is it installed, and in `PATH`?",
            };
            Error::configuration(message).with_source(error)
        })
    }
}

impl fmt::Debug for BashBuilder {
    /// Without the values of variables.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BashBuilder")
            .field("program", &self.program)
            .field("directory", &self.directory)
            .field("timeout", &self.timeout)
            .field("output_limit", &self.output_limit)
            .finish_non_exhaustive()
    }
}
