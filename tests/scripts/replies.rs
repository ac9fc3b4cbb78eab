//! Draws what a provider answers: blocks, the reason of the end, and the events that tell them.

use std::collections::VecDeque;

use haft::serde_json::json;
use haft::{
    Api, Content, Message, RawJson, Reply, Role, StopReason, StreamEvent, StreamedBlock, ToolCall,
    Usage,
};

use crate::cast::{CAST, PICKY};
use crate::key::Key;
use crate::order::{delay_stops, interleave, with_waits};
use crate::world::{Ending, Plan, Record, Take, World};

/// One thing that a provider does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// It takes its time.
    Wait,
    Tell(StreamEvent),
    Fail,
}

/// What the provider does upon the request that was written down last.
pub(crate) fn draw(world: &mut World) -> VecDeque<Step> {
    let attempt = world.attempts.len() - 1;
    let is_streamed = world.attempts[attempt].is_streamed;
    let has_events = world.happens(if is_streamed { 85 } else { 10 });
    if world.is_finale {
        return last_words(world, attempt, has_events);
    }
    match world.random.u8(..100) {
        0..6 => return VecDeque::from([Step::Wait, Step::Fail]),
        6..8 => return VecDeque::new(),
        _ => {}
    }
    let mut steps = Vec::new();
    while has_events && world.speech.restarts && world.happens(5) {
        let (take, mut told, _) = draw_take(world, attempt);
        told.truncate(world.random.usize(..=told.len()));
        steps.extend(told);
        steps.push(Step::Tell(StreamEvent::Restart));
        world.attempts[attempt].takes.push(take);
    }
    let (take, mut told, content) = draw_take(world, attempt);
    world.attempts[attempt].takes.push(take);
    let usage = usage(world);
    let reply = reply(world, attempt, content, usage.clone());
    world.attempts[attempt].drawn = Some(reply.clone());
    cut_input(world, &reply, &mut told);
    if has_events {
        steps.extend(told);
        steps.push(Step::Tell(StreamEvent::Usage(usage)));
    }
    if world.happens(15) {
        steps.truncate(world.random.usize(..=steps.len()));
        steps.extend(world.random.bool().then_some(Step::Fail));
    } else {
        steps.push(Step::Tell(StreamEvent::Reply(reply)));
    }
    with_waits(world, steps)
}

/// A reply that ends the run.
fn last_words(world: &mut World, attempt: usize, has_events: bool) -> VecDeque<Step> {
    let key = Key {
        attempt,
        take: 0,
        block: 0,
    };
    let block = Content::text(format!("{key} bye"));
    let take = Take {
        blocks: vec![block.clone()],
        ..Take::default()
    };
    world.attempts[attempt].takes.push(take);
    let mut steps = VecDeque::new();
    if has_events {
        steps.extend(block_steps(0, &block));
    }
    let message = Message::new(Role::Assistant, vec![block]);
    let reply = Reply::new(message, StopReason::EndTurn).with_id(attempt.to_string());
    world.attempts[attempt].drawn = Some(reply.clone());
    steps.push_back(Step::Tell(StreamEvent::Reply(reply)));
    steps
}

fn usage(world: &mut World) -> Usage {
    let mut usage = Usage::default();
    usage.input = world.random.u64(..100);
    usage.output = world.random.u64(..100);
    usage
}

fn reply(world: &mut World, attempt: usize, content: Vec<Content>, usage: Usage) -> Reply {
    let has_calls = content.iter().any(|block| block.as_tool_call().is_some());
    let reason = stop_reason(world, has_calls);
    let reason = (world.speech.reason)(reason, has_calls);
    world.note(|| format!("  reply {attempt} will be {reason}: {}", brief(&content)));
    Reply::new(Message::new(Role::Assistant, content), reason)
        .with_id(attempt.to_string())
        .with_model("any")
        .with_usage(usage)
}

/// Blocks in one line.
pub(crate) fn brief(content: &[Content]) -> String {
    let word = |block: &Content| match block {
        Content::Text(text) => format!("{:?}", text.text),
        Content::Thinking(thinking) => format!("thinking {:?}", thinking.text),
        Content::ToolCall(call) => format!("{}({})={}", call.name(), call.input(), call.id()),
        Content::ToolResult(result) => format!("{}: {:?}", result.call_id(), result.text()),
        Content::Other(other) => other.kind.clone(),
        _ => "?".to_owned(),
    };
    content.iter().map(word).collect::<Vec<_>>().join(", ")
}

fn stop_reason(world: &mut World, has_calls: bool) -> StopReason {
    if world.mood.pauses && world.happens(85) {
        return StopReason::PauseTurn;
    }
    let most = if world.mood.few_ends { 400 } else { 100 };
    match world.random.u32(..most) {
        0..8 => StopReason::MaxTokens,
        8..14 => StopReason::PauseTurn,
        14..17 => StopReason::Compaction,
        17..22 => StopReason::Refusal,
        22..27 => StopReason::ContextFull,
        27..31 => StopReason::Other("out_of_ink".into()),
        31..35 => StopReason::EndTurn,
        35..37 => StopReason::StopSequence,
        37..40 => StopReason::ToolUse,
        _ if has_calls => StopReason::ToolUse,
        _ => StopReason::EndTurn,
    }
}

/// A reply from its begin: its blocks, the events that tell them, and its content as it is in the end.
fn draw_take(world: &mut World, attempt: usize) -> (Take, Vec<Step>, Vec<Content>) {
    let take = world.attempts[attempt].takes.len();
    let (mut blocks, mut steps, mut content) = (Vec::new(), Vec::new(), Vec::new());
    if world.random.bool() {
        steps.push(Step::Tell(StreamEvent::Usage(usage(world))));
    }
    let most = if world.mood.pauses { 2 } else { 6 };
    for _ in 0..world.random.usize(..most) {
        let key = Key {
            attempt,
            take,
            block: blocks.len(),
        };
        let drawn = match world.speech.is_loose {
            true => draw_block(world, key),
            false => draw_in_order(world, key, &blocks),
        };
        steps.extend(block_steps(key.block, &drawn));
        blocks.push(drawn.clone());
        content.push(drawn);
        if world.happens(3) && world.speech.sets_aside {
            set_aside(&world.speech.api, &mut content);
            match world.speech.is_wired {
                true => fall_back(&mut steps, &mut blocks, &mut content),
                false => steps.push(Step::Tell(StreamEvent::SetAside)),
            }
        }
    }
    delay_stops(world, &mut steps);
    interleave(world, &mut steps);
    let take = Take {
        blocks,
        ..Take::default()
    };
    (take, steps, content)
}

/// Of a reply that is too long, the input of the last call may be cut off in its middle.
fn cut_input(world: &mut World, reply: &Reply, told: &mut Vec<Step>) {
    let last = reply.content().len().checked_sub(1);
    let is_call = |at: &usize| reply.content()[*at].as_tool_call().is_some();
    let Some(at) = last.filter(is_call) else {
        return;
    };
    let is_cut = *reply.stop_reason() == StopReason::MaxTokens;
    if !is_cut || !world.speech.is_wired || world.happens(40) {
        return;
    }
    let is_part = |step: &Step| matches!(step, Step::Tell(StreamEvent::InputDelta { index, .. }) if *index == at);
    if let Some(second) = told.iter().rposition(is_part) {
        told.remove(second);
    }
    let take = world.attempts.last_mut().and_then(|it| it.takes.last_mut());
    take.unwrap().cut = Some(at);
}

/// Calls so far are no calls any more.
fn set_aside(api: &Api, content: &mut [Content]) {
    for block in content {
        if let Some(call) = block.as_tool_call() {
            let json = json!({"type": "tool_use", "input": call.input()});
            *block = Content::other(api.clone(), json.into());
        }
    }
}

/// The block by which an API says that another model takes over.
fn fall_back(steps: &mut Vec<Step>, blocks: &mut Vec<Content>, content: &mut Vec<Content>) {
    let json = json!({"type": "fallback", "from": {"model": "any"}, "to": {"model": "any"}});
    let block = Content::other(Api::ANTHROPIC_MESSAGES, json.into());
    let mut told = block_steps(blocks.len(), &block);
    told.insert(1, Step::Tell(StreamEvent::SetAside));
    steps.extend(told);
    blocks.push(block.clone());
    content.push(block);
}

/// A block where there is one text and one chain of thought, both before the calls.
fn draw_in_order(world: &mut World, key: Key, before: &[Content]) -> Content {
    let drawn = draw_block(world, key);
    let is_thought = |block: &Content| matches!(block, Content::Thinking(_));
    let fits = match &drawn {
        Content::Text(text) => !text.text.is_empty() && before.iter().all(is_thought),
        Content::Thinking(_) => before.is_empty(),
        other => other.as_tool_call().is_some(),
    };
    if fits { drawn } else { draw_call(world, key) }
}

fn draw_block(world: &mut World, key: Key) -> Content {
    if world.mood.loops && key.block > 0 && world.random.bool() {
        let id = format!("c{}", key.block);
        return Content::ToolCall(ToolCall::new(id, PICKY, json!({"same": true}).into()));
    }
    match world.random.u8(..100) {
        0..20 => Content::text(format!("{key} says something")),
        20..23 => Content::text(["", " "][world.random.usize(..2)]),
        23..30 => Content::thinking(format!("{key} thinks")),
        30..36 => {
            let kind = ["quantum", "server_tool_use"][world.random.usize(..2)];
            let json = json!({"type": kind, "key": key.to_string()});
            Content::other(world.speech.api.clone(), json.into())
        }
        _ if world.mood.pauses => Content::text(format!("{key} says something")),
        _ => draw_call(world, key),
    }
}

fn draw_call(world: &mut World, key: Key) -> Content {
    let part = CAST[world.random.usize(..CAST.len())];
    let input = match world.random.u8(..100) {
        0..84 => json!({"key": key.to_string()}),
        84..92 => json!({"wrong": key.to_string()}),
        92..96 => json!(key.to_string()),
        _ => json!([key.to_string()]),
    };
    // Servers use ids again.
    let id = match world.random.bool() {
        true => format!("c{}", key.block),
        false => format!("call_{key}"),
    };
    let record = Record {
        part,
        id: id.clone(),
        is_good: input.get("key").is_some(),
        plan: draw_plan(world),
        turn: None,
        was_left: false,
        runs: Vec::new(),
        before: Vec::new(),
        recovered: Vec::new(),
        after: Vec::new(),
        decided: Vec::new(),
        is_answered: false,
        told: None,
    };
    world.calls.insert(key, record);
    Content::ToolCall(ToolCall::new(id, part.name, RawJson::from_value(&input)))
}

fn draw_plan(world: &mut World) -> Plan {
    let ending = match world.random.u8(..100) {
        0..62 => Ending::Done,
        62..72 => Ending::Nothing,
        72..82 => Ending::Failed,
        82..88 => Ending::Complained,
        88..95 => Ending::Panicked,
        _ => Ending::PanickedAtOnce,
    };
    let most = if world.happens(20) { 30 } else { 4 };
    Plan {
        waits: world.random.usize(..most),
        ending,
        has_progress: world.happens(20),
        is_watchful: world.happens(20),
    }
}

/// A text in two parts.
pub(crate) fn halves(text: &str) -> [&str; 2] {
    let (first, second) = text.split_at(text.len() / 2);
    [first, second]
}

/// A block as a stream tells it.
fn block_steps(index: usize, block: &Content) -> Vec<Step> {
    let (begun, parts) = match block {
        Content::Text(text) => {
            let parts = halves(&text.text).map(str::to_owned);
            let parts = parts.map(|text| StreamEvent::TextDelta { index, text });
            (Content::text(""), Vec::from(parts))
        }
        Content::ToolCall(call) => {
            let parts = halves(call.input().as_str()).map(str::to_owned);
            let parts = parts.map(|json| StreamEvent::InputDelta { index, json });
            let empty = ToolCall::new(call.id(), call.name(), RawJson::empty_object());
            (Content::ToolCall(empty), Vec::from(parts))
        }
        other => (other.clone(), Vec::new()),
    };
    let begun = StreamEvent::BlockStart {
        index,
        content: begun,
    };
    let whole = StreamEvent::BlockStop(StreamedBlock::new(index, block.clone()));
    let events = [begun].into_iter().chain(parts).chain([whole]);
    events.map(Step::Tell).collect()
}
