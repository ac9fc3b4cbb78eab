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

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use self::world::Shared;

/// How many scripts are played.
const SCRIPTS: u64 = 24_000;
/// How many faults are told by each thread.
const FAULTS: usize = 3;
/// The ends of runs and starts of calls that there are.
const KINDS: usize = 14;

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// Plays a script; what is wrong with it.
fn fault(shared: &Shared) -> Option<String> {
    let played = catch_unwind(AssertUnwindSafe(|| program::play(shared)));
    let fault = shared.fault();
    fault.or_else(|| played.is_err().then(|| "it panics".to_owned()))
}

/// What is wrong with a script, and the script; and what was seen in it.
fn report(seed: u64) -> (Option<String>, BTreeSet<&'static str>) {
    let shared = Shared::new(seed, false);
    if fault(&shared).is_none() {
        return (None, shared.seen());
    }
    // Once more, to be read.
    let shared = Shared::new(seed, true);
    let fault = fault(&shared).unwrap_or_else(|| "it was well the second time".to_owned());
    let report = format!("HAFT_SEED={seed}: {fault}\n{}", shared.log());
    (Some(report), shared.seen())
}

/// Plays each script of a thread; the reports, and what was seen.
fn play_all(seeds: impl Iterator<Item = u64>) -> (Vec<String>, BTreeMap<&'static str, usize>) {
    let (mut reports, mut seen) = (Vec::new(), BTreeMap::new());
    for seed in seeds {
        let (report, seen_now) = report(seed);
        reports.extend(report);
        for what in seen_now {
            *seen.entry(what).or_default() += 1;
        }
        if reports.len() >= FAULTS {
            break;
        }
    }
    (reports, seen)
}

#[test]
fn every_script_keeps_the_promises() {
    if let Some(seed) = number("HAFT_SEED") {
        let (report, _) = report(seed);
        return assert!(report.is_none(), "{}", report.unwrap_or_default());
    }
    let scripts = number("HAFT_SCRIPTS").unwrap_or(SCRIPTS);
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let (mut reports, mut seen) = (Vec::new(), BTreeMap::new());
    thread::scope(|scope| {
        let play = |thread| move || play_all((thread..scripts).step_by(threads as usize));
        let played: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(play(thread)))
            .collect();
        for thread in played {
            let (of_thread, seen_there) = thread.join().unwrap();
            reports.extend(of_thread);
            for (what, times) in seen_there {
                *seen.entry(what).or_insert(0) += times;
            }
        }
    });
    println!("in {scripts} scripts: {seen:?}");
    assert!(reports.is_empty(), "{}", reports.join("\n\n"));
    let is_dull = seen.len() < KINDS || seen.values().any(|times| *times * 1000 < scripts as usize);
    assert!(!is_dull || scripts < SCRIPTS, "dull scripts: {seen:?}");
}
