//! Random walks over all that a program can do with a runner: every request is one that an API
//! takes, and no call runs twice.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{
    Call, Content, Decision, ErrorKind, Message, Request, Role, Runner, StopReason, Tool,
    ToolDefinition, ToolError, ToolFuture, ToolOutput, Toolkit,
};

/// How often each call ran, by turn and id.
type Runs = Arc<Mutex<HashMap<String, usize>>>;

/// A tool that yields some times, and then gives a result, fails or panics.
struct Odd {
    definition: ToolDefinition,
    runs: Runs,
}

impl<S> Tool<S> for Odd {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: Call<'a, S>) -> ToolFuture<'a> {
        let key = format!("{}/{}", call.context().turn(), call.context().call_id());
        *self.runs.lock().unwrap().entry(key).or_default() += 1;
        let kind = call.input().len() % 4;
        Box::pin(async move {
            for _ in 0..kind {
                tokio::task::yield_now().await;
            }
            match kind {
                0 => Err(ToolError::new("no luck")),
                1 => Ok(ToolOutput::default()),
                _ => Ok(ToolOutput::text("ok")),
            }
        })
    }
}

fn tool(name: &str) -> ToolDefinition {
    ToolDefinition::new(name, "Odd.", json!({"type": "object"})).unwrap()
}

fn reply(random: &mut fastrand::Rng) -> ScriptedReply {
    let mut reply = ScriptedReply::new();
    for _ in 0..random.usize(0..4) {
        reply = match random.u8(0..4) {
            0 => reply.text(["", " ", "word"][random.usize(0..3)]),
            1 => reply.call("ask", json!({})),
            2 => reply.call("nobody", json!({})),
            _ => reply.call("odd", json!("x".repeat(random.usize(0..8)))),
        };
    }
    match random.u8(0..10) {
        0 => reply.stop_reason(StopReason::MaxTokens),
        1 => reply.stop_reason(StopReason::PauseTurn),
        2 => reply.stop_reason(StopReason::Refusal),
        3 => reply.stop_reason(StopReason::EndTurn),
        4 => reply.stop_reason(StopReason::ContextFull),
        5 => reply.stop_reason(StopReason::Compaction),
        6 => reply.stop_reason(StopReason::Other("odd".into())),
        _ => reply,
    }
}

/// Polls a future some times, then drops it.
async fn poll_some<F: Future>(future: F, times: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    for _ in 0..times {
        let polled = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await;
        if let Poll::Ready(output) = polled {
            return Some(output);
        }
    }
    None
}

async fn step(runner: &mut Runner, random: &mut fastrand::Rng) {
    match random.u8(0..14) {
        // Only the scripted server fails: a history that the runner refuses would be its own doing.
        0..5 => {
            let kind = runner.next_message().await.err().map(|error| error.kind());
            assert!(
                matches!(kind, None | Some(ErrorKind::Api | ErrorKind::Script)),
                "{kind:?}"
            );
        }
        5 => drop(poll_some(runner.next_message(), random.usize(0..4)).await),
        6 => drop(poll_some(runner.run_calls(), random.usize(0..4)).await),
        7 => drop(runner.run_calls().await),
        8 => runner.append_messages([Message::user("more")]),
        9 => runner.set_max_iterations(random.usize(0..30)),
        // Not the results, without which the calls before them could not be sent.
        10 => {
            let messages = &mut runner.request_mut().messages;
            if messages
                .last()
                .is_some_and(|last| last.tool_results().next().is_none())
            {
                messages.pop();
            }
        }
        11 => runner.request_mut().messages.push(Message::user("edited")),
        12 => {
            let shown = runner.messages();
            check(&shown, "messages()");
            runner.request_mut().messages = shown;
        }
        _ => {
            let calls: Vec<_> = runner
                .last_message()
                .iter()
                .flat_map(|reply| reply.tool_calls())
                .map(|call| call.id().to_owned())
                .collect();
            for id in calls {
                let _ = runner.decide(&id, Decision::Deny("no".into()));
            }
        }
    }
}

/// Each call is answered once, in the messages right behind it, and nothing else is.
fn check(messages: &[Message], place: &str) {
    let mut open: Vec<String> = Vec::new();
    for message in messages.iter().filter(|message| !message.is_empty()) {
        let results: Vec<_> = message
            .tool_results()
            .map(|result| result.call_id().to_owned())
            .collect();
        assert!(
            !results.is_empty() || open.is_empty(),
            "{place}: unanswered {open:?} in {messages:#?}"
        );
        for id in results {
            let at = open.iter().position(|call| *call == id);
            assert_eq!(message.role(), Role::User);
            open.remove(at.unwrap_or_else(|| {
                panic!("{place}: {id} is answered and not asked in {messages:#?}")
            }));
        }
        open.extend(message.tool_calls().map(|call| call.id().to_owned()));
    }
    assert!(
        open.is_empty(),
        "{place}: unanswered {open:?} in {messages:#?}"
    );
}

async fn walk(seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut model = ScriptedModel::new();
    for _ in 0..random.usize(1..20) {
        model = if random.u8(0..8) == 0 {
            model.fails(529, "busy")
        } else {
            model.reply(reply(&mut random))
        };
    }
    let runs = Runs::default();
    let odd = Odd {
        definition: tool("odd"),
        runs: Arc::clone(&runs),
    };
    let kit = Toolkit::new().with(odd).unwrap();
    let request = Request::new("any")
        .message(Message::new(Role::User, vec![Content::text("go")]))
        .tool(tool("ask"));
    let mut runner = Runner::new(model.clone(), kit, request);
    for _ in 0..random.usize(1..40) {
        step(&mut runner, &mut random).await;
    }
    for (at, request) in model.requests().iter().enumerate() {
        check(&request.messages, &format!("seed {seed}, request {at}"));
    }
    for (call, times) in runs.lock().unwrap().iter() {
        assert_eq!(*times, 1, "seed {seed}: {call} ran {times} times");
    }
}

#[tokio::test]
async fn no_walk_leads_to_a_bad_request_or_a_second_run() {
    for seed in 0..20_000 {
        walk(seed).await;
    }
}
