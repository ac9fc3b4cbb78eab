//! Times a tool loop against the benchmarks' mock server: `loop_bench URL TURNS CALLS [stream]`.
//!
//! Prints `haft turns=N wall=S cpu=S`: the replies, and the seconds from before the first request to after the last,
//! wall time, and user and system time of this process.

use std::process::ExitCode;
use std::time::Instant;

use haft::anthropic::Anthropic;
use haft::{Error, Request, Runner, StreamExt, tool, toolkit};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// Adds two integers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let called = match args.as_slice() {
        [url, turns, calls] => url_and_numbers(url, turns, calls).map(|it| (it, false)),
        [url, turns, calls, stream] if stream == "stream" => {
            url_and_numbers(url, turns, calls).map(|it| (it, true))
        }
        _ => None,
    };
    let Some(((url, turns), streams)) = called else {
        eprintln!("usage: loop_bench URL TURNS CALLS [stream]");
        return ExitCode::from(2);
    };
    match run(url, turns, streams).await {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("loop_bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How many calls a turn has is the server's to say; here the number is only checked.
fn url_and_numbers<'a>(url: &'a str, turns: &str, calls: &str) -> Option<(&'a str, usize)> {
    let turns = turns.parse().ok()?;
    calls.parse::<usize>().ok().map(|_| (url, turns))
}

async fn run(url: &str, turns: usize, streams: bool) -> Result<String, Error> {
    let provider = Anthropic::builder().api_key("none").base_url(url).build()?;
    let request = Request::new("mock").max_tokens(1000).user("go");
    // One more than the server's turns, so that a server that never ends does not run for ever.
    let mut runner = Runner::new(provider, toolkit![add], request).max_iterations(turns + 2);
    let (begun, cpu) = (Instant::now(), cpu_seconds());
    if streams {
        let mut events = runner.all_streaming();
        while events.next().await.transpose()?.is_some() {}
    } else {
        runner.run_to_completion().await?;
    }
    let (wall, cpu) = (begun.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    Ok(format!(
        "haft turns={} wall={wall:.3} cpu={cpu:.3}",
        runner.iteration_count()
    ))
}

fn cpu_seconds() -> f64 {
    // It fails only for a pointer that is none, and this one is the library's own.
    getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
        seconds(usage.user_time()) + seconds(usage.system_time())
    })
}

#[allow(
    clippy::cast_precision_loss,
    reason = "a process runs far fewer than 2^53 seconds"
)]
fn seconds(time: TimeVal) -> f64 {
    time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
}
