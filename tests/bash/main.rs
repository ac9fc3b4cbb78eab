//! The ready handler of the bash tool: what a model reads, what lasts, what ends it, and what tries to break it.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]
#![cfg(target_os = "linux")]

mod attacks;
mod ends;
mod output;
mod state;

use std::time::{Duration, Instant};
use std::{fs, thread};

use haft::handlers::{Bash, BashBuilder};
use haft::serde_json::json;
use haft::{ToolResult, Toolkit};

/// Longer than anything takes here that goes well, on a machine that is busy too.
const LONG: Duration = Duration::from_secs(60);

/// What the next command is told where the shell is another one.
const NEW: &str =
    "[this is a new shell: the directory, variables and functions of the last one are lost]\n";
/// How an end of the shell goes on.
const NEXT: &str = "the next command begins in a new shell, without the directory, variables and functions of this one]";

/// A tool in a toolkit, for short calls.
struct Shell(Toolkit);

impl Shell {
    fn new() -> Self {
        Self::of(Bash::builder().timeout(LONG))
    }

    fn of(builder: BashBuilder) -> Self {
        let bash = builder.spawn().unwrap();
        Self(Toolkit::new().with(bash).unwrap())
    }

    async fn call(&self, command: &str) -> ToolResult {
        self.0.call("bash", json!({"command": command})).await
    }

    /// Of a command that succeeds.
    async fn run(&self, command: &str) -> String {
        let result = self.call(command).await;
        assert!(!result.is_error(), "{command}: {}", result.text());
        result.text()
    }

    /// Of a command that does not, without the `Error: ` before it.
    async fn fail(&self, command: &str) -> String {
        let result = self.call(command).await;
        assert!(result.is_error(), "{command}: {}", result.text());
        result.text().strip_prefix("Error: ").unwrap().to_owned()
    }
}

/// Looks again and again, until it is so.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Whether the process is there, and not only its number, which whoever started it has not asked for yet.
fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    stat.is_ok_and(|stat| {
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        !fields.starts_with(['Z', 'X'])
    })
}

#[track_caller]
fn assert_dead(pids: &str) {
    assert!(!pids.trim().is_empty());
    for pid in pids.split_whitespace() {
        assert!(pid.parse::<u32>().is_ok(), "{pids}");
        wait_until(&format!("{pid} is dead"), || !is_alive(pid));
    }
}
