//! Histories, events and outcomes as lines, so that a test shows what it expects as it would be told.

use haft::testing::ScriptedModel;
use haft::{Content, End, Event, Message, Outcome, Request, Role, ToolCall, ToolResult};
use serde_json::json;

/// The conversation that the tests of the runner begin with.
#[must_use]
pub fn request() -> Request {
    Request::new("any").user("Go")
}

/// A model that calls these tools, and then is done.
#[must_use]
pub fn calls(names: &[&str]) -> ScriptedModel {
    let calls = names.iter().map(|name| (*name, json!({})));
    ScriptedModel::new().calls(calls).text("Done.")
}

/// What the calls of the first reply came to.
#[must_use]
pub fn results(messages: &[Message]) -> Vec<String> {
    let answers = messages
        .iter()
        .find(|it| it.tool_results().next().is_some());
    let results = answers.into_iter().flat_map(Message::tool_results);
    results.map(ToolResult::text).collect()
}

/// A history, one line a message: `user: Go`, `assistant: I will + call_1_1 count {}`, `user: call_1_1 = counted`.
#[must_use]
pub fn history(messages: &[Message]) -> Vec<String> {
    messages.iter().map(message).collect()
}

fn message(message: &Message) -> String {
    let role = match message.role() {
        Role::User => "user",
        Role::Assistant => "assistant",
        _ => "other",
    };
    let blocks: Vec<_> = message.content().iter().map(content).collect();
    format!("{role}: {}", blocks.join(" + "))
}

/// A block. An error is told from a text by its own first word.
fn content(block: &Content) -> String {
    match block {
        Content::Text(text) => text.text.clone(),
        Content::Thinking(thinking) => format!("({})", thinking.text),
        Content::ToolCall(call) => format!("{} {} {}", call.id(), call.name(), call.input()),
        Content::ToolResult(result) => format!("{} = {}", result.call_id(), result.text()),
        Content::Other(other) => format!("<{}>", other.kind),
        _ => "?".to_owned(),
    }
}

/// An outcome, with the ids of its calls.
#[must_use]
pub fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Completed => "completed".to_owned(),
        Outcome::Capped { pending } => format!("capped [{}]", ids(pending)),
        Outcome::Truncated { incomplete } => {
            format!("truncated [{}]", ids(incomplete.as_ref()))
        }
        Outcome::ContextFull => "context full".to_owned(),
        Outcome::Refused { started, .. } => format!("refused [{}]", ids(started)),
        Outcome::Paused => "paused".to_owned(),
        Outcome::AwaitingApproval { calls } => format!("awaiting [{}]", ids(calls)),
        Outcome::Cancelled => "cancelled".to_owned(),
        Outcome::Looping { call } => format!("looping [{}]", call.id()),
        Outcome::Unknown {
            stop_reason,
            pending,
        } => format!("{stop_reason} [{}]", ids(pending)),
        other => format!("{other:?}"),
    }
}

/// The ids of calls.
#[must_use]
pub fn ids<'a>(calls: impl IntoIterator<Item = &'a ToolCall>) -> String {
    let ids: Vec<_> = calls.into_iter().map(ToolCall::id).collect();
    ids.join(" ")
}

/// An event.
#[must_use]
pub fn event(event: &Event) -> String {
    match event {
        Event::Text(text) => format!("text {text:?}"),
        Event::Thinking(text) => format!("thinking {text:?}"),
        Event::CallStarted { call_id, name } => format!("call {call_id} {name}"),
        Event::CallInput { call_id, json } => format!("input {call_id} {json}"),
        Event::Restarted => "restarted".to_owned(),
        Event::ToolStarted(call) => format!("started {} {}", call.id(), call.input()),
        Event::ToolProgress { call_id, content } => {
            format!("progress {call_id} {}", self::content(content))
        }
        Event::ToolFinished(result) => format!("finished {} {}", result.call_id(), result.text()),
        Event::Reply(reply) => format!("reply {:?}", reply.text()),
        Event::End(end) => self::end(end),
        other => format!("{other:?}"),
    }
}

/// How a run ended, in two words.
#[must_use]
pub fn end(end: &End) -> String {
    format!("end {}", outcome(&end.outcome))
}
