//! Measures the memory of runs that wait: `runs_bench [COUNT [stream]]`, by default 10,000.
//!
//! Each run is a task that waits for a slow tool, driven plainly or as a stream. Prints
//! `haft runs=N bytes_per_run=B`: how much the process has grown until all wait, divided by their number. The model is
//! in the process, so no connection is counted.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use haft::serde_json::json;
use haft::{
    Api, Content, Error, Message, ModelCall, Provider, RawJson, Reply, ReplyStream, Request, Role,
    Runner, StopReason, StreamExt, ToolCall, Toolkit, tool, toolkit,
};
use tokio::sync::Semaphore;

/// A model that calls the tool once.
#[derive(Clone, Debug)]
struct CallsOnce;

impl Provider for CallsOnce {
    fn api(&self) -> Api {
        Api::TESTING
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        let reply = if call.turn() == 0 {
            let input = RawJson::from(json!({"minutes": 5}));
            let content = vec![Content::ToolCall(ToolCall::new("call_1", "wait", input))];
            Reply::new(Message::new(Role::Assistant, content), StopReason::ToolUse)
        } else {
            Reply::new(Message::assistant("Done."), StopReason::EndTurn)
        };
        ReplyStream::from_future(async { Ok(reply) })
    }
}

/// What all runs share: those that wait are counted, and let go together.
struct Gate {
    waiting: AtomicUsize,
    open: Semaphore,
}

/// Wait for something slow.
#[tool]
async fn wait(gate: &Gate, minutes: u32) -> String {
    gate.waiting.fetch_add(1, Ordering::SeqCst);
    let _open = gate.open.acquire().await;
    format!("waited {minutes} minutes")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (count, streams) = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => (Some(10_000), false),
        [count] => (count.parse().ok(), false),
        [count, "stream"] => (count.parse().ok(), true),
        _ => (None, false),
    };
    let Some(count) = count.filter(|count| *count > 0) else {
        eprintln!("usage: runs_bench [COUNT [stream]]");
        return ExitCode::from(2);
    };
    match measure(count, streams).await {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("runs_bench: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(count: usize, streams: bool) -> Result<String, Box<dyn std::error::Error>> {
    let gate = Arc::new(Gate {
        waiting: AtomicUsize::new(0),
        open: Semaphore::new(0),
    });
    let kit: Toolkit = toolkit![wait].with_shared_state(Arc::clone(&gate));
    // What is made once in a process is not counted: a run before all others makes it.
    gate.open.add_permits(1);
    run(kit.clone(), streams).await?;
    gate.open.forget_permits(1);
    gate.waiting.store(0, Ordering::SeqCst);

    let before = resident()?;
    let runs: Vec<_> = (0..count)
        .map(|_| tokio::spawn(run(kit.clone(), streams)))
        .collect();
    while gate.waiting.load(Ordering::SeqCst) < count {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let bytes = resident()?.saturating_sub(before);
    gate.open.add_permits(count);
    for run in runs {
        run.await??;
    }
    Ok(format!("haft runs={count} bytes_per_run={}", bytes / count))
}

async fn run(kit: Toolkit, streams: bool) -> Result<(), Error> {
    let request = Request::new("any").user("Wait.");
    let mut runner = Runner::new(CallsOnce, kit, request);
    if streams {
        let mut events = runner.all_streaming();
        while events.next().await.transpose()?.is_some() {}
        Ok(())
    } else {
        runner.run_to_completion().await.map(drop)
    }
}

/// The memory that the process has, in bytes.
fn resident() -> Result<usize, Box<dyn std::error::Error>> {
    const PAGE: usize = 4096;
    let pages = std::fs::read_to_string("/proc/self/statm")?;
    let pages = pages
        .split(' ')
        .nth(1)
        .ok_or("statm has no second number")?;
    Ok(pages.parse::<usize>()? * PAGE)
}
