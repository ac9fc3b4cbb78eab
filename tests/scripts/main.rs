//! Random scripts: a model that answers anything, tools that do anything, a program that drives, drops, cancels, edits
//! and decides at random. What really happens is written down outside of the runner, and after each action all that
//! the design promises has to hold.
//!
//! The model is in the process, where it says what no API can say at such a rate; or it is reached over HTTP through the
//! provider of an API, by a test for each (`http`), and says what that API can say (`speech`).
//!
//! `HAFT_SEED=n` plays one script only, and `HAFT_SCRIPTS=n` so many, of each test: name one to choose how it is played, as
//! in `HAFT_SEED=7 cargo test -p haft-tests --test scripts over_anthropic`. Over HTTP, what comes together and what comes
//! later is not the same each time, so a seed may have to be played several times.
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
mod http;
mod key;
mod meddler;
mod model;
mod order;
mod plans;
mod program;
mod replies;
mod results;
mod speech;
mod starts;
mod told;
mod tools;
mod wire;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use self::http::{Line, Post, Wire};
use self::speech::Speech;
use self::world::Shared;

/// How many scripts are played.
const SCRIPTS: u64 = 24_000;
/// And over each API.
const SCRIPTS_OVER_HTTP: u64 = 1_000;
/// How many faults are told by each thread.
const FAULTS: usize = 3;

/// How often each thing was seen.
type Seen = BTreeMap<&'static str, usize>;

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// What scripts are played over.
#[derive(Clone, Copy)]
struct Stage<'a> {
    speech: &'static Speech,
    /// Over HTTP, with the API.
    over: Option<Over<'a>>,
    /// How many scripts are played.
    scripts: u64,
}

/// By which server and API a model is reached; which API may depend on the script.
#[derive(Clone, Copy)]
struct Over<'a> {
    post: &'a Post,
    wire: fn(u64) -> Wire,
}

impl Stage<'_> {
    /// Plays a script; what is wrong with it.
    fn fault(self, seed: u64, shared: &Shared) -> Option<String> {
        let line = self
            .over
            .map(|over| Line::new(over.post, (over.wire)(seed)));
        let line = line.map(Arc::new);
        let played = catch_unwind(AssertUnwindSafe(|| program::play(shared, line)));
        let fault = shared.fault();
        fault.or_else(|| played.is_err().then(|| "it panics".to_owned()))
    }

    /// What is wrong with a script, and the script; and what was seen in it.
    fn report(self, seed: u64) -> (Option<String>, BTreeSet<&'static str>) {
        let _entered = self.over.map(|over| over.post.runtime().enter());
        // What comes over HTTP comes at another moment each time, so that a fault may not be there the second time.
        let mut shared = Shared::new(seed, self.over.is_some(), self.speech);
        let Some(mut fault) = self.fault(seed, &shared) else {
            return (None, shared.seen());
        };
        if self.over.is_none() {
            // Once more, to be read.
            shared = Shared::new(seed, true, self.speech);
            let again = self.fault(seed, &shared);
            fault = again.unwrap_or_else(|| "it was well the second time".to_owned());
        }
        let report = format!("HAFT_SEED={seed}: {fault}\n{}", shared.log());
        (Some(report), shared.seen())
    }

    /// Plays each script of a thread; the reports, and what was seen.
    fn play_all(self, seeds: impl Iterator<Item = u64>) -> (Vec<String>, Seen) {
        let (mut reports, mut seen) = (Vec::new(), BTreeMap::new());
        for seed in seeds {
            let (report, seen_now) = self.report(seed);
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

    /// Plays all scripts, or those that the environment says.
    fn play(self) {
        if let Some(seed) = number("HAFT_SEED") {
            let (report, _) = self.report(seed);
            return assert!(report.is_none(), "{}", report.unwrap_or_default());
        }
        let scripts = number("HAFT_SCRIPTS").unwrap_or(self.scripts);
        let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
        let (mut reports, mut seen) = (Vec::new(), BTreeMap::new());
        thread::scope(|scope| {
            let play = |thread| move || self.play_all((thread..scripts).step_by(threads as usize));
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
        let is_often = |times: &&usize| **times * 1000 >= scripts as usize;
        let is_dull = seen.values().filter(is_often).count() < self.speech.kinds;
        assert!(!is_dull || scripts < self.scripts, "dull scripts: {seen:?}");
    }
}

fn play_over(wire: fn(u64) -> Wire, speech: &'static Speech) {
    let post = &Post::open();
    let stage = Stage {
        speech,
        over: Some(Over { post, wire }),
        scripts: SCRIPTS_OVER_HTTP,
    };
    stage.play();
}

#[test]
fn every_script_keeps_the_promises() {
    let stage = Stage {
        speech: &speech::IN_PROCESS,
        over: None,
        scripts: SCRIPTS,
    };
    stage.play();
}

#[test]
fn every_script_over_anthropic_keeps_the_promises() {
    play_over(|_| Wire::Anthropic, &speech::ANTHROPIC);
}

#[test]
fn every_script_over_responses_keeps_the_promises() {
    play_over(|_| Wire::Responses, &speech::RESPONSES);
}

#[test]
fn every_script_over_stored_responses_keeps_the_promises() {
    play_over(|_| Wire::Previous, &speech::RESPONSES);
}

#[test]
fn every_script_over_chat_keeps_the_promises() {
    play_over(Wire::chat, &speech::CHAT);
}
