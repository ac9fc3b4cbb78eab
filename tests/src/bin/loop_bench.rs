//! Times a tool loop against the benchmarks' mock server: `loop_bench URL TURNS CALLS [stream] [chat]`.
//!
//! With `chat` it asks by chat completions, at `URL/v1`, and else by the Messages API.
//!
//! Prints `haft turns=N wall=S cpu=S`: the replies, and the seconds from before the first request to after the last,
//! wall time, and user and system time of this process.

use std::process::ExitCode;
use std::time::Instant;

use haft::anthropic::Anthropic;
use haft::openai::Chat;
use haft::{Error, Provider, Request, Runner, StreamExt, tool, toolkit};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// Adds two integers.
#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// How the program was called.
struct Called {
    url: String,
    turns: usize,
    streams: bool,
    is_chat: bool,
}

impl Called {
    /// How many calls a turn has is the server's to say; here the number is only checked.
    fn parse(args: &[String]) -> Option<Self> {
        let [url, turns, calls, words @ ..] = args else {
            return None;
        };
        calls.parse::<usize>().ok()?;
        let is_known = |word: &String| matches!(word.as_str(), "stream" | "chat");
        words.iter().all(is_known).then_some(())?;
        let has = |word: &str| words.iter().any(|own| own == word);
        Some(Self {
            url: url.clone(),
            turns: turns.parse().ok()?,
            streams: has("stream"),
            is_chat: has("chat"),
        })
    }

    fn provider(&self) -> Result<Box<dyn Provider>, Error> {
        let url = &self.url;
        if self.is_chat {
            let builder = Chat::builder().base_url(format!("{url}/v1"));
            return Ok(Box::new(builder.build()?));
        }
        let builder = Anthropic::builder().api_key("none").base_url(url);
        Ok(Box::new(builder.build()?))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(called) = Called::parse(&args) else {
        eprintln!("usage: loop_bench URL TURNS CALLS [stream] [chat]");
        return ExitCode::from(2);
    };
    match run(&called).await {
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

async fn run(called: &Called) -> Result<String, Error> {
    let provider = called.provider()?;
    let request = Request::new("mock").max_tokens(1000).user("go");
    // One more than the server's turns, so that a server that never ends does not run for ever.
    let most = called.turns + 2;
    let mut runner = Runner::new(provider, toolkit![add], request).max_iterations(most);
    let (begun, cpu) = (Instant::now(), cpu_seconds());
    if called.streams {
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
