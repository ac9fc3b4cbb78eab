// A tool under a condition is there, all of it, when the condition holds.
#![deny(warnings)]

use haft::{Toolkit, tool, toolkit};

/// Run a program.
#[tool]
#[cfg(all())]
async fn run() {}

/// Run a program there, too.
#[tool]
#[cfg(any())]
#[cfg(all())]
async fn run(there: Missing) {}

#[cfg(all())]
/// Stop it.
#[tool]
async fn stop() {}

#[cfg(any())]
#[tool]
async fn stop() {}

/// Wait for it.
#[tool]
#[cfg_attr(all(), must_use)]
async fn wait() -> u8 {
    1
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![run, stop, wait];
    assert_eq!(kit.len(), 3);
    run().await;
    stop().await;
    assert_eq!(wait().await, 1);
}
