//! Random scripts: a model that answers anything, tools that do anything, a program that drives, drops, cancels, edits
//! and decides at random. What really happens is written down outside of the runner, and after each action all that
//! the design promises has to hold.
//!
//! `HAFT_SEED=n` plays one script only, and `HAFT_SCRIPTS=n` so many.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod cast;
mod drive;
mod edits;
mod ends;
mod executor;
mod history;
mod key;
mod meddler;
mod model;
mod plans;
mod program;
mod replies;
mod results;
mod starts;
mod tools;
mod wire;
mod world;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use self::world::Shared;

/// How many scripts are played.
const SCRIPTS: u64 = 24_000;
/// How many faults are told.
const FAULTS: usize = 3;

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// Plays a script; what is wrong with it.
fn fault(shared: &Shared) -> Option<String> {
    let played = catch_unwind(AssertUnwindSafe(|| program::play(shared)));
    let fault = shared.fault();
    fault.or_else(|| played.is_err().then(|| "it panics".to_owned()))
}

/// What is wrong with a script, and the script.
fn report(seed: u64) -> Option<String> {
    fault(&Shared::new(seed, false))?;
    // Once more, to be read.
    let shared = Shared::new(seed, true);
    let fault = fault(&shared).unwrap_or_else(|| "it was well the second time".to_owned());
    Some(format!("HAFT_SEED={seed}: {fault}\n{}", shared.log()))
}

#[test]
fn every_script_keeps_the_promises() {
    if let Some(seed) = number("HAFT_SEED") {
        return assert_eq!(report(seed), None, "{}", report(seed).unwrap_or_default());
    }
    let scripts = number("HAFT_SCRIPTS").unwrap_or(SCRIPTS);
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let reports: Vec<_> = thread::scope(|scope| {
        let played = (0..threads).map(|thread| {
            scope.spawn(move || {
                let seeds = (thread..scripts).step_by(threads as usize);
                seeds.filter_map(report).take(FAULTS).collect::<Vec<_>>()
            })
        });
        let played: Vec<_> = played.collect();
        played
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(reports.is_empty(), "{}", reports.join("\n\n"));
}
