//! What a repaired history is, for some histories and for any.

use std::collections::HashSet;

use fastrand::Rng;

use super::super::Checked;
use super::*;
use crate::api::Api;
use crate::json::RawJson;
use crate::message::Native;

fn call(id: &str) -> ToolCall {
    ToolCall::new(id, "look", RawJson::empty_object())
}

fn result(id: &str, text: &str) -> Content {
    Content::ToolResult(ToolResult::new(&call(id), vec![Content::text(text)]))
}

fn lost(id: &str) -> Content {
    Content::ToolResult(ToolResult::error(
        &call(id),
        "Error: Tool 'look' was interrupted; whether it took effect is unknown",
    ))
}

fn calls(ids: &[&str]) -> Message {
    let calls = ids.iter().map(|id| Content::ToolCall(call(id)));
    Message::new(Role::Assistant, calls.collect())
}

fn user(content: &[Content]) -> Message {
    Message::new(Role::User, content.to_vec())
}

/// A message that came from an API: each block tells which one of the content it is.
fn came(role: Role, content: Vec<Content>) -> Message {
    let native = Native {
        api: Api::TESTING,
        model: "m".to_owned(),
        frame: Some(RawJson::empty_object()),
        blocks: content.iter().map(block).collect(),
    };
    Message::with_native(role, content, Some(native))
}

fn block(content: &Content) -> RawJson {
    RawJson::from_value(&format!("{content:?}").into())
}

#[test]
fn what_can_be_sent_is_returned_as_it_is() {
    let history = [
        Message::new(Role::System, vec![Content::text("Be brief.")]),
        Message::user("a"),
        came(Role::Assistant, calls(&["1", "2"]).content().to_vec()),
        user(&[result("2", "b"), result("1", "a"), Content::text("c")]),
        calls(&["1"]),
        user(&[result("1", "d")]),
        Message::assistant("e"),
        Message::user("f"),
        Message::user(" g "),
    ];
    Checked::default().check(&history).unwrap();
    let repaired = repair(history.clone());
    assert_eq!(repaired.len(), history.len());
    assert!(
        repaired
            .iter()
            .zip(&history)
            .all(|(one, other)| one.is_same(other))
    );
    assert!(repair([]).is_empty());
}

#[test]
fn a_call_without_a_result_is_answered() {
    let told = |history: Vec<Message>| repair(history);
    assert_eq!(
        told(vec![calls(&["1"])]),
        [calls(&["1"]), user(&[lost("1")])]
    );
    assert_eq!(
        told(vec![calls(&["1", "2"]), user(&[result("2", "b")])]),
        [calls(&["1", "2"]), user(&[lost("1"), result("2", "b")])]
    );
    assert_eq!(
        told(vec![calls(&["1"]), Message::assistant("b")]),
        [calls(&["1"]), user(&[lost("1")]), Message::assistant("b")]
    );
}

#[test]
fn results_are_moved_behind_their_calls() {
    let answered = [
        calls(&["1", "2"]),
        user(&[result("1", "a"), result("2", "b")]),
    ];
    for spread in [
        vec![user(&[result("1", "a")]), user(&[result("2", "b")])],
        vec![user(&[result("2", "b")]), user(&[result("1", "a")])],
        vec![
            user(&[]),
            Message::assistant(""),
            user(answered[1].content()),
        ],
        vec![Message::new(
            Role::Assistant,
            answered[1].content().to_vec(),
        )],
        vec![Message::new(Role::System, answered[1].content().to_vec())],
    ] {
        assert_eq!(
            repair([vec![calls(&["1", "2"])], spread].concat()),
            answered
        );
    }
    let late = [
        calls(&["1"]),
        Message::user("b"),
        Message::assistant("c"),
        user(&[result("1", "a"), Content::text("d")]),
    ];
    let expected = [
        calls(&["1"]),
        user(&[result("1", "a"), Content::text("b")]),
        Message::assistant("c"),
        Message::user("d"),
    ];
    assert_eq!(repair(late), expected);
}

#[test]
fn what_cannot_be_paired_is_left_out() {
    assert_eq!(
        repair([
            user(&[result("1", "a")]),
            Message::user("b"),
            user(calls(&["1"]).content())
        ]),
        [Message::user("b")]
    );
    assert_eq!(
        repair([
            calls(&["1", "1"]),
            user(&[result("1", "a"), result("1", "b")])
        ]),
        [calls(&["1"]), user(&[result("1", "a")])]
    );
    assert_eq!(
        repair([
            calls(&["1"]),
            user(&[result("1", "a")]),
            user(&[result("1", "b")])
        ]),
        [calls(&["1"]), user(&[result("1", "a")])]
    );
    let again = [calls(&["1"]), calls(&["1"]), user(&[result("1", "a")])];
    let expected = [
        calls(&["1"]),
        user(&[lost("1")]),
        calls(&["1"]),
        user(&[result("1", "a")]),
    ];
    assert_eq!(repair(again), expected);
}

#[test]
fn what_is_blank_is_left_out() {
    let spoken =
        |texts: &[&str]| user(&texts.iter().copied().map(Content::text).collect::<Vec<_>>());
    assert_eq!(
        repair([
            spoken(&[""]),
            spoken(&[" ", "\n"]),
            spoken(&["a", "", " "]),
            spoken(&[])
        ]),
        [spoken(&["a", " "])]
    );
}

#[test]
fn blocks_that_stay_keep_the_form_they_came_in() {
    let cut = came(
        Role::Assistant,
        vec![
            Content::text("a"),
            Content::text(""),
            Content::ToolCall(call("1")),
        ],
    );
    let turned = came(Role::User, vec![Content::text("b"), result("1", "c")]);
    let repaired = repair([cut.clone(), turned.clone()]);
    assert_eq!(repaired.len(), 2);
    assert_eq!(
        repaired[1].content(),
        [result("1", "c"), Content::text("b")]
    );
    for message in &repaired {
        let native = message.native(&Api::TESTING).unwrap();
        assert!(native.frame.is_some());
        let blocks: Vec<_> = message.content().iter().map(block).collect();
        assert_eq!(native.blocks, blocks);
    }
    let repaired = repair([cut, Message::user("d"), turned]);
    assert!(
        repaired[1].native(&Api::TESTING).is_none(),
        "it has taken something in"
    );
}

fn any_block(random: &mut Rng) -> Content {
    let id = random.choice(["1", "2", "3"]).unwrap();
    match random.u8(..8) {
        0 => Content::text(random.choice(["", " ", "\n"]).unwrap()),
        1 => Content::text(format!("text {}", random.u16(..))),
        2 => Content::image_url(format!("image {}", random.u16(..))),
        3..=5 => Content::ToolCall(call(id)),
        _ => result(id, &format!("result {}", random.u16(..))),
    }
}

/// Mostly calls of the model and results of the user, so that many fit.
fn any_message(random: &mut Rng) -> Message {
    let role = *random
        .choice(&[Role::User, Role::Assistant, Role::System])
        .unwrap();
    let is_usual = random.u8(..4) > 0;
    let role = if is_usual && role == Role::System {
        Role::User
    } else {
        role
    };
    let fits = |block: &Content| match role {
        Role::Assistant => block.as_tool_result().is_none(),
        _ => block.as_tool_call().is_none(),
    };
    let length = random.usize(..5);
    let mut content = Vec::new();
    while content.len() < length {
        content.extend(Some(any_block(random)).filter(|block| !is_usual || fits(block)));
    }
    if random.bool() {
        came(role, content)
    } else {
        Message::new(role, content)
    }
}

/// What repair neither drops nor adds.
fn words(messages: &[Message]) -> Vec<&Content> {
    let is_moved =
        |block: &&Content| block.as_tool_call().is_some() || block.as_tool_result().is_some();
    let sent = messages
        .iter()
        .flat_map(|message| sendable(message.content()));
    sent.map(|(_, block)| block)
        .filter(|block| !is_moved(block))
        .collect()
}

fn ids(message: &Message) -> Vec<&str> {
    message.tool_calls().map(ToolCall::id).collect()
}

/// The ids of the calls that are the model's, of each message.
fn asked(messages: &[Message]) -> Vec<Vec<&str>> {
    let spoken = messages
        .iter()
        .filter(|message| message.role() == Role::Assistant);
    let distinct = spoken.map(|message| {
        let mut seen = HashSet::new();
        let mut ids = ids(message);
        ids.retain(|id| seen.insert(*id));
        ids
    });
    distinct.filter(|ids| !ids.is_empty()).collect()
}

/// What holds for each message and the one before it.
fn is_in_order(before: Option<&Message>, message: &Message) -> bool {
    let open: HashSet<_> = before.into_iter().flat_map(ids).collect();
    let is_result = |block: &Content| block.as_tool_result().is_some();
    let (first, rest) = message
        .content()
        .split_at(open.len().min(message.content().len()));
    let answered: HashSet<_> = message.tool_results().map(ToolResult::call_id).collect();
    let sent = sendable(message.content()).count();
    sent > 0
        && sent == message.content().len()
        && answered == open
        && first.iter().all(is_result)
        && !rest.iter().any(is_result)
        && message.native(&Api::TESTING).is_none_or(|native| {
            native.blocks == message.content().iter().map(block).collect::<Vec<_>>()
        })
}

#[test]
fn any_history_can_be_sent_once_it_is_repaired() {
    let first = fastrand::u64(..);
    let mut untouched = 0;
    for seed in (0..5000).map(|case| first.wrapping_add(case)) {
        let mut random = Rng::with_seed(seed);
        let length = random.usize(..10);
        let history: Vec<_> = (0..length).map(|_| any_message(&mut random)).collect();
        let repaired = repair(history.clone());
        Checked::default()
            .check(&repaired)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{history:#?}"));
        let before = std::iter::once(None).chain(repaired.iter().map(Some));
        let mut pairs = before.zip(&repaired);
        assert!(
            pairs.all(|(before, message)| is_in_order(before, message)),
            "seed {seed}: {repaired:#?}"
        );
        assert!(
            repaired.last().is_none_or(|last| ids(last).is_empty()),
            "seed {seed}"
        );
        assert_eq!(words(&history), words(&repaired), "seed {seed}");
        assert_eq!(asked(&history), asked(&repaired), "seed {seed}");
        let given: Vec<_> = history.iter().flat_map(Message::tool_results).collect();
        let mut results = repaired.iter().flat_map(Message::tool_results);
        assert!(
            results.all(|result| result.is_error() || given.contains(&result)),
            "seed {seed}"
        );
        let again = repair(repaired.clone());
        let same = again
            .iter()
            .zip(&repaired)
            .all(|(one, other)| one.is_same(other));
        assert!(
            same && again.len() == repaired.len(),
            "seed {seed}: {repaired:#?}"
        );
        let kept = repaired
            .iter()
            .filter(|message| history.iter().any(|it| it.is_same(message)));
        untouched += kept.count();
    }
    assert!(untouched > 1000, "messages that are in order stay");
}
