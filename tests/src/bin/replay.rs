//! Plays recorded conversations: `replay [--base-url URL] [--other-mode] [--json] PATH...`.
//!
//! With `--other-mode` a loop's turns are streamed where they were recorded whole, and whole where they were streamed.
//!
//! For each recording it prints `ok NAME`, `FAIL NAME: what differed` or `skip NAME: why`, with `--json` also a line of
//! JSON with the outcome and the last reply, and in the end `N passed, M failed, K skipped`. It exits with 1 if any
//! failed, and with 2 if it was called wrong.

use std::process::ExitCode;

use haft_tests::play::{Mode, Played, Verdict, play};
use haft_tests::recording::{LoadError, Recording, load_each};
use serde_json::json;

const USAGE: &str = "usage: replay [--base-url URL] [--other-mode] [--json] PATH...";

/// How the program was called.
struct Options {
    base_url: Option<String>,
    mode: Mode,
    json: bool,
    paths: Vec<String>,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            base_url: None,
            mode: Mode::Recorded,
            json: false,
            paths: Vec::new(),
        };
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--base-url" => {
                    options.base_url = Some(args.next().ok_or("--base-url takes a URL")?)
                }
                "--other-mode" => options.mode = Mode::Other,
                "--json" => options.json = true,
                "--help" => return Err("plays recorded conversations".to_owned()),
                flag if flag.starts_with("--") => return Err(format!("there is no option {flag}")),
                _ => options.paths.push(arg),
            }
        }
        if options.paths.is_empty() {
            Err("no PATH is given".to_owned())
        } else {
            Ok(options)
        }
    }

    fn recordings(&self) -> Result<Vec<Result<Recording, LoadError>>, String> {
        let mut all = Vec::new();
        for path in &self.paths {
            all.extend(load_each(path).map_err(|error| error.to_string())?);
        }
        Ok(all)
    }
}

#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Counts {
    fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed(_) => self.failed += 1,
            Verdict::Skipped(_) => self.skipped += 1,
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let called = Options::parse(std::env::args().skip(1));
    let (options, recordings) =
        match called.and_then(|options| options.recordings().map(|all| (options, all))) {
            Ok(called) => called,
            Err(reason) => {
                eprintln!("replay: {reason}\n{USAGE}");
                return ExitCode::from(2);
            }
        };
    let mut counts = Counts::default();
    for recording in &recordings {
        let played = match recording {
            Ok(recording) => play(recording, options.mode, options.base_url.as_deref()).await,
            Err(error) => Played::unreadable(error),
        };
        print_played(&played, options.json);
        counts.add(&played.verdict);
    }
    println!(
        "{} passed, {} failed, {} skipped",
        counts.passed, counts.failed, counts.skipped
    );
    if counts.failed > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn print_played(played: &Played, as_json: bool) {
    let name = &played.name;
    match &played.verdict {
        Verdict::Passed => println!("ok {name}"),
        Verdict::Failed(reason) => println!("FAIL {name}: {reason}"),
        Verdict::Skipped(reason) => println!("skip {name}: {reason}"),
    }
    if as_json {
        println!(
            "{}",
            json!({"name": name, "outcome": played.outcome, "reply": played.reply})
        );
    }
}
