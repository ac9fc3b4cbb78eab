//! [`Log`]: tools that write down when they start and when they end.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use haft::{Call, Error, Tool, ToolDefinition, ToolFuture, ToolOutput, Toolkit};
use serde_json::json;
use tokio::time::{Instant, sleep};

/// What happened, in order, with the milliseconds since the log was begun.
#[derive(Clone, Debug)]
pub struct Log(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    begun: Instant,
    lines: Mutex<Vec<(u128, String)>>,
}

impl Default for Log {
    fn default() -> Self {
        Self(Arc::new(Inner {
            begun: Instant::now(),
            lines: Mutex::default(),
        }))
    }
}

impl Log {
    /// A log without lines.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a line.
    pub fn write(&self, line: impl Into<String>) {
        let at = self.0.begun.elapsed().as_millis();
        self.lock().push((at, line.into()));
    }

    /// The lines so far.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.lock().iter().map(|(_, line)| line.clone()).collect()
    }

    /// The lines so far, each with its time: `300 +count`.
    #[must_use]
    pub fn timed(&self) -> Vec<String> {
        let lines = self.lock();
        lines
            .iter()
            .map(|(at, line)| format!("{at} {line}"))
            .collect()
    }

    /// How often a line was written.
    #[must_use]
    pub fn count(&self, line: &str) -> usize {
        self.lock()
            .iter()
            .filter(|(_, other)| other == line)
            .count()
    }

    /// A tool that takes this long and tells `<name> done`. It writes `+name` when it starts, and `-name` at its end.
    ///
    /// # Errors
    /// Where the name does not fit.
    pub fn tool(&self, name: &str, time: Duration) -> Result<Logged, Error> {
        let definition = ToolDefinition::new(name, "Takes its time.", json!({"type": "object"}))?;
        Ok(Logged {
            definition,
            log: self.clone(),
            time,
            fails: false,
        })
    }

    /// A toolkit of tools that take no time.
    ///
    /// # Errors
    /// Where a name does not fit, or is there twice.
    pub fn toolkit(&self, names: &[&str]) -> Result<Toolkit, Error> {
        names.iter().try_fold(Toolkit::new(), |kit, name| {
            kit.with(self.tool(name, Duration::ZERO)?)
        })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(u128, String)>> {
        self.0.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A tool of a [`Log`].
#[derive(Debug)]
pub struct Logged {
    definition: ToolDefinition,
    log: Log,
    time: Duration,
    fails: bool,
}

impl Logged {
    /// With another definition, made of its own.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(ToolDefinition) -> ToolDefinition) -> Self {
        self.definition = change(self.definition);
        self
    }

    /// One that tells the error `no luck` at its end.
    #[must_use]
    pub const fn failing(mut self) -> Self {
        self.fails = true;
        self
    }
}

impl<S> Tool<S> for Logged {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, _: Call<'a, S>) -> ToolFuture<'a> {
        let name = self.definition.name();
        self.log.write(format!("+{name}"));
        Box::pin(async move {
            if !self.time.is_zero() {
                sleep(self.time).await;
            }
            self.log.write(format!("-{name}"));
            if self.fails {
                let told = ToolOutput::text("Error: no luck");
                return Ok(told.as_error());
            }
            Ok(ToolOutput::text(format!("{name} done")))
        })
    }
}
