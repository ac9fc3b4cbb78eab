//! What a reply comes to, and what is told of it while it arrives.

use std::time::{Duration, Instant};

use bytes::Bytes;

use super::*;
use crate::message::{StopReason, ToolCall, Usage};
use crate::provider::anthropic::{API, event};
use crate::toolkit::Names;

const ASKED: Asked<'static> = Asked {
    model: "asked",
    turn: 3,
    names: &Names::NONE,
};
const BEGIN: &str = r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"first","content":[],"stop_reason":null,"usage":{"input_tokens":4,"output_tokens":1}}}"#;
const LAST: &str =
    r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

fn start(index: u64, block: &str) -> String {
    format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
}

fn delta(index: u64, delta: &str) -> String {
    format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)
}

fn text(index: u64, text: &str) -> String {
    delta(
        index,
        &format!(r#"{{"type":"text_delta","text":{}}}"#, string(text)),
    )
}

fn input(index: u64, part: &str) -> String {
    let part = string(part);
    delta(
        index,
        &format!(r#"{{"type":"input_json_delta","partial_json":{part}}}"#),
    )
}

fn string(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn stop(index: u64) -> String {
    format!(r#"{{"type":"content_block_stop","index":{index}}}"#)
}

/// Takes all events in; tells what they mean, and how the accumulator stands then.
fn add(events: &[impl AsRef<str>]) -> (Vec<StreamEvent>, Result<(), Error>, Accumulator<'static>) {
    let (mut told, mut accumulator) = (Vec::new(), Accumulator::new(ASKED, None));
    for data in events {
        let data = Bytes::from(data.as_ref().to_owned());
        let event = event::read(None, &data).unwrap().event();
        let added = event.map_or(Ok(()), |event| accumulator.add(event, &mut told));
        if added.is_err() {
            return (told, added, accumulator);
        }
    }
    (told, Ok(()), accumulator)
}

fn framed(blocks: &[String]) -> Vec<String> {
    let before = [BEGIN.to_owned()];
    let after = [LAST.to_owned(), STOP.to_owned()];
    before.iter().chain(blocks).chain(&after).cloned().collect()
}

/// What is told of a whole reply with these events of blocks, and the reply.
fn reply(blocks: &[String]) -> (Vec<StreamEvent>, Reply) {
    let (mut told, added, _) = add(&framed(blocks));
    added.unwrap();
    match told.pop() {
        Some(StreamEvent::Reply(reply)) => (told, reply),
        other => panic!("no reply but {other:?}"),
    }
}

fn failure(events: &[impl AsRef<str>]) -> Error {
    add(events).1.unwrap_err()
}

fn natives(reply: &Reply) -> Vec<&str> {
    let native = reply.message().native(&API).unwrap();
    native.blocks.iter().map(RawJson::as_str).collect()
}

/// What is told, in short.
fn short(told: &[StreamEvent]) -> Vec<String> {
    told.iter()
        .map(|event| match event {
            StreamEvent::BlockStart { index, content } => match content {
                Content::ToolCall(call) => {
                    format!("{index} calls {} {}", call.id(), call.name())
                }
                Content::Text(text) => format!("{index} text {:?}", text.text),
                Content::Thinking(text) => format!("{index} thinking {:?}", text.text),
                Content::Other(other) => format!("{index} {}", other.kind),
                other => panic!("{other:?}"),
            },
            StreamEvent::TextDelta { index, text } => format!("{index} + {text}"),
            StreamEvent::ThinkingDelta { index, text } => format!("{index} thinks {text}"),
            StreamEvent::InputDelta { index, json } => format!("{index} input {json}"),
            StreamEvent::BlockStop(block) => format!("{} whole", block.index()),
            StreamEvent::SetAside => "set aside".to_owned(),
            StreamEvent::Restart => "restart".to_owned(),
            StreamEvent::Usage(usage) => format!("usage {} {}", usage.input, usage.output),
            StreamEvent::Reply(_) => "reply".to_owned(),
        })
        .collect()
}

#[test]
fn a_reply_is_told_as_it_arrives() {
    let (told, reply) = reply(&[
        start(0, r#"{"type":"thinking","thinking":"","signature":""}"#),
        delta(0, r#"{"type":"thinking_delta","thinking":"Well"}"#),
        delta(0, r#"{"type":"signature_delta","signature":"a"}"#),
        delta(0, r#"{"type":"signature_delta","signature":"b"}"#),
        stop(0),
        start(1, r#"{"type":"text","text":"He"}"#),
        text(1, "llo"),
        text(1, ""),
        stop(1),
        start(2, r#"{"type":"tool_use","id":"a","name":"t","input":{}}"#),
        input(2, "{\"n\":"),
        input(2, " 1}"),
        stop(2),
    ]);
    assert_eq!(
        short(&told),
        [
            "usage 4 1",
            "0 thinking \"\"",
            "0 thinks Well",
            "0 whole",
            "1 text \"\"",
            "1 + He",
            "1 + llo",
            "1 whole",
            "2 calls a t",
            "2 input {\"n\":",
            "2 input  1}",
            "2 whole",
            "usage 4 9",
        ]
    );
    assert_eq!(
        (reply.text().as_str(), reply.stop_reason()),
        ("Hello", &StopReason::ToolUse)
    );
    assert_eq!(
        reply.tool_calls().next().unwrap().input().as_str(),
        "{\"n\": 1}"
    );
    assert_eq!(
        reply.raw().as_str(),
        concat!(
            r#"{"id":"m","type":"message","role":"assistant","model":"first","content":["#,
            r#"{"type":"thinking","thinking":"Well","signature":"b"},{"type":"text","text":"Hello"},"#,
            r#"{"type":"tool_use","id":"a","name":"t","input":{"n": 1}}],"#,
            r#""stop_reason":"tool_use","usage":{"input_tokens":4,"output_tokens":9}}"#
        )
    );
}

#[test]
fn a_block_keeps_the_order_and_spelling_of_its_fields() {
    let (told, reply) = reply(&[
        start(
            0,
            r#"{"z":123456789012345678901234567890,"type":"tool_use","input": {} ,"id":"a","name":"t","caller":{"b":1.0,"a":2}}"#,
        ),
        input(0, r#"{"k" : 1e400, "n":999999999999999999999999999999}"#),
        stop(0),
    ]);
    assert_eq!(
        natives(&reply),
        [
            r#"{"z":123456789012345678901234567890,"type":"tool_use","input":{"k" : 1e400, "n":999999999999999999999999999999},"id":"a","name":"t","caller":{"b":1.0,"a":2}}"#
        ]
    );
    assert!(
        matches!(&told[3], StreamEvent::BlockStop(block) if block.content() == &reply.content()[0])
    );
}

#[test]
fn a_block_without_parts_is_a_slice_of_what_came() {
    let (mut told, mut accumulator) = (Vec::new(), Accumulator::new(ASKED, None));
    let data = Bytes::from(start(0, r#"{"type":"new_kind","n": 1}"#));
    for data in [Bytes::from(BEGIN), data.clone(), Bytes::from(stop(0))] {
        let event = event::read(None, &data).unwrap().event().unwrap();
        accumulator.add(event, &mut told).unwrap();
    }
    let Some(StreamEvent::BlockStop(block)) = told.last() else {
        panic!("{told:?}");
    };
    let Content::Other(other) = block.content() else {
        panic!("{block:?}");
    };
    assert_eq!(other.json.as_str(), r#"{"type":"new_kind","n": 1}"#);
    assert!(data.as_ptr_range().contains(&other.json.as_str().as_ptr()));
}

// RN-1 and RN-2.
#[test]
fn parts_of_an_input_win_over_that_of_the_start_and_empty_ones_are_none() {
    let call = |id: &str| {
        format!(r#"{{"type":"tool_use","id":"{id}","name":"t","input":{{"city":"Oslo"}}}}"#)
    };
    let (told, reply) = reply(&[
        start(0, &call("a")),
        input(0, ""),
        stop(0),
        start(1, &call("b")),
        input(1, "{}"),
        stop(1),
    ]);
    let inputs: Vec<_> = reply
        .tool_calls()
        .map(|call| call.input().as_str())
        .collect();
    assert_eq!(inputs, [r#"{"city":"Oslo"}"#, "{}"]);
    assert_eq!(
        short(&told)[1..6],
        [
            "0 calls a t",
            r#"0 input {"city":"Oslo"}"#,
            "0 whole",
            "1 calls b t",
            "1 input {}"
        ],
        "what is told of an input can be joined to the whole"
    );
}

#[test]
fn blocks_are_told_apart_by_their_index() {
    let (told, reply) = reply(&[
        start(1, r#"{"type":"text","text":""}"#),
        start(4, r#"{"type":"text","text":""}"#),
        text(4, "b"),
        text(1, "a"),
        text(9, "lost"),
        stop(4),
        stop(9),
        text(4, "late"),
        text(1, "c"),
        stop(1),
        start(1, r#"{"type":"text","text":"d"}"#),
        stop(1),
    ]);
    assert_eq!(
        short(&told)[1..8],
        [
            "0 text \"\"",
            "1 text \"\"",
            "1 + b",
            "0 + a",
            "1 whole",
            "0 + c",
            "0 whole"
        ]
    );
    assert_eq!(reply.text(), "acbd");
}

// T11.
#[test]
fn deltas_of_every_kind_find_their_field() {
    let (told, reply) = reply(&[
        start(0, r#"{"type":"text","text":"","citations":null}"#),
        delta(0, r#"{"type":"citations_delta","citation":{"n":1.0}}"#),
        delta(0, r#"{"type":"citations_delta","citation":{"n":2}}"#),
        delta(0, r#"{"type":"brand_new_delta","n":2}"#),
        input(0, "{}"),
        stop(0),
        start(1, r#"{"type":"compaction","content":null}"#),
        delta(
            1,
            r#"{"type":"compaction_delta","content":"all","encrypted_content":"e"}"#,
        ),
        stop(1),
        start(
            2,
            r#"{"type":"server_tool_use","id":"s","name":"w","input":{}}"#,
        ),
        input(2, r#"{"q":"a"}"#),
        stop(2),
        start(
            3,
            r#"{"type":"server_tool_use","id":"s","name":"w","input":{}}"#,
        ),
        input(3, r#"{"q":"a"#),
        stop(3),
        start(4, r#"{"type":"new_kind"}"#),
        text(4, "x"),
        stop(4),
    ]);
    assert_eq!(
        natives(&reply),
        [
            r#"{"type":"text","text":"","citations":[{"n":1.0},{"n":2}]}"#,
            r#"{"type":"compaction","content":"all","encrypted_content":"e"}"#,
            r#"{"type":"server_tool_use","id":"s","name":"w","input":{"q":"a"}}"#,
            r#"{"type":"server_tool_use","id":"s","name":"w","input":{}}"#,
            r#"{"type":"new_kind","text":"x"}"#,
        ]
    );
    assert!(!short(&told).iter().any(|event| event.contains("input")));
}

// RN-3, RN-4 and T13.
#[test]
fn an_input_that_is_no_json_is_kept_as_text_and_not_sent_back() {
    for slip in [
        r#"{"path":"a.t"#,
        r#"{"a":1,}"#,
        r#"{"a":1} x"#,
        r#"{},"name":"u""#,
    ] {
        let (_, reply) = reply(&[
            start(0, r#"{"type":"tool_use","id":"a","name":"t","input":{}}"#),
            input(0, slip),
            stop(0),
        ]);
        let call = reply.tool_calls().next().unwrap();
        assert_eq!((call.name(), call.input().as_str()), ("t", slip));
        assert!(!call.input().is_json());
        let block = reply.raw().to_value()["content"][0].clone();
        assert_eq!(block["input"], slip, "in the raw reply it is a string");
    }
}

// RN-9.
#[test]
fn calls_before_a_fallback_are_set_aside() {
    let call = |id: &str| format!(r#"{{"type":"tool_use","id":"{id}","name":"t","input":{{}}}}"#);
    let (told, reply) = reply(&[
        start(0, &call("a")),
        input(0, r#"{"cut"#),
        stop(0),
        start(1, &call("b")),
        start(
            2,
            r#"{"type":"fallback","from":{"model":"first"},"to":{"model":"second"}}"#,
        ),
        stop(2),
        stop(1),
        start(3, &call("a")),
        stop(3),
    ]);
    assert_eq!(short(&told)[5..7], ["set aside", "2 fallback"]);
    let late = told.iter().find_map(|event| match event {
        StreamEvent::BlockStop(block) if block.index() == 1 => Some(block),
        _ => None,
    });
    assert!(
        matches!(late.unwrap().content(), Content::Other(_)),
        "{late:?}"
    );
    assert_eq!(reply.model(), "second");
    assert_eq!(reply.tool_calls().count(), 1);
    assert_eq!(
        natives(&reply)[0],
        call("a"),
        "what was cut goes back as an empty object"
    );
}

// T10.
#[test]
fn usage_is_a_total_and_never_added() {
    let begin = r#"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":3,"output_tokens":1,"cache_read_input_tokens":2}}}"#;
    let more = r#"{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":5,"cache_read_input_tokens":null}}"#;
    let last = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9,"cache_read_input_tokens":0,"new":{}}}"#;
    let (told, added, _) = add(&[begin, more, last, STOP]);
    added.unwrap();
    assert_eq!(
        short(&told),
        ["usage 5 1", "usage 5 5", "usage 3 9", "reply"]
    );
    let Some(StreamEvent::Reply(reply)) = told.last() else {
        panic!("{told:?}");
    };
    assert_eq!(
        reply.usage().raw.as_ref().unwrap().as_str(),
        r#"{"input_tokens":3,"output_tokens":9,"cache_read_input_tokens":0,"new":{}}"#
    );
}

#[test]
fn usage_that_is_not_told_is_not_made_up() {
    let begin = r#"{"type":"message_start","message":{"content":[]}}"#;
    let last = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
    let (told, added, _) = add(&[begin, last, STOP]);
    added.unwrap();
    let Some(StreamEvent::Reply(reply)) = told.last() else {
        panic!("{told:?}");
    };
    assert_eq!(reply.usage(), &Usage::default());
    assert_eq!(
        reply.raw().as_str(),
        r#"{"content":[],"stop_reason":"end_turn"}"#
    );
}

#[test]
fn what_a_message_delta_tells_stands_in_the_reply() {
    let last = r#"{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"category":"cyber"},"container":{"id":"c"}},"usage":{}}"#;
    let more = r#"{"type":"message_delta","delta":{"stop_reason":null,"container":null},"context_management":{"n":1}}"#;
    let (told, added, _) = add(&[BEGIN, last, more, STOP]);
    added.unwrap();
    let Some(StreamEvent::Reply(reply)) = told.last() else {
        panic!("{told:?}");
    };
    assert_eq!(
        (reply.stop_reason(), reply.container()),
        (&StopReason::Refusal, Some("c"))
    );
    assert_eq!(reply.refusal().unwrap().category.as_deref(), Some("cyber"));
    assert_eq!(reply.raw().to_value()["context_management"]["n"], 1);
}

#[test]
fn a_second_begin_replaces_the_first_until_the_end() {
    let events = [
        BEGIN.to_owned(),
        start(0, r#"{"type":"text","text":"void"}"#),
        BEGIN.replace("\"m\"", "\"n\""),
        start(0, r#"{"type":"text","text":"Hi"}"#),
        stop(0),
        LAST.to_owned(),
        STOP.to_owned(),
        BEGIN.to_owned(),
        start(0, r#"{"type":"text"}"#),
    ];
    let (told, added, _) = add(&events);
    added.unwrap();
    assert_eq!(short(&told)[3..5], ["restart", "usage 4 1"]);
    let Some(StreamEvent::Reply(reply)) = told.last() else {
        panic!("{told:?}");
    };
    assert_eq!((reply.id(), reply.text().as_str()), ("n", "Hi"));
}

// T9.
#[test]
fn what_comes_before_the_begin_means_nothing() {
    let text = start(0, r#"{"type":"text","text":""}"#);
    let (told, added, mut accumulator) = add(&[&stop(0), LAST, &text, STOP]);
    added.unwrap();
    assert!(told.is_empty() && accumulator.partial().is_none());
    assert!(accumulator.finish(&mut Vec::new()).unwrap().is_none());
}

// RN-11.
#[test]
fn a_reply_needs_a_stop_reason_and_whole_blocks_but_no_last_word() {
    let open = start(0, r#"{"type":"text","text":""}"#);
    let (whole, _, mut accumulator) = add(&[BEGIN, LAST]);
    assert_eq!(short(&whole), ["usage 4 1", "usage 4 9"]);
    assert!(accumulator.finish(&mut Vec::new()).unwrap().is_some());
    for events in [&[BEGIN][..], &[BEGIN, &open, LAST]] {
        let (_, added, mut accumulator) = add(events);
        added.unwrap();
        assert!(accumulator.finish(&mut Vec::new()).unwrap().is_none());
        let stopped = failure(&[events, &[STOP]].concat());
        assert!(stopped.is_retryable(), "{stopped}");
    }
}

#[test]
fn a_cut_reply_is_there_in_part() {
    let events = [
        BEGIN.to_owned(),
        start(0, r#"{"type":"text","text":""}"#),
        start(1, r#"{"type":"tool_use","id":"a","name":"t","input":{}}"#),
        input(1, r#"{"n":"#),
        text(0, "Half"),
    ];
    let (_, added, mut accumulator) = add(&events);
    added.unwrap();
    let partial = accumulator.partial().unwrap();
    assert_eq!((partial.text().as_str(), partial.id()), ("Half", "m"));
    assert_eq!(
        partial.tool_calls().next().unwrap().input().as_str(),
        r#"{"n":"#
    );
    assert_eq!(partial.usage().input, 4);
}

#[test]
fn calls_of_servers_without_ids_get_some() {
    let call = r#"{"type":"tool_use","name":"t"}"#;
    let empty = r#"{"id":"","type":"tool_use","name":"t","input":{}}"#;
    let (told, reply) = reply(&[
        start(0, r#"{"type":"text","text":""}"#),
        stop(0),
        start(1, call),
        input(1, r#"{"n":1}"#),
        stop(1),
        start(2, empty),
        stop(2),
    ]);
    assert_eq!(short(&told)[3], "1 calls call_3_1 t");
    let ids: Vec<_> = reply.tool_calls().map(ToolCall::id).collect();
    assert_eq!(ids, ["call_3_1", "call_3_2"]);
    assert_eq!(
        natives(&reply)[1..],
        [
            r#"{"type":"tool_use","name":"t","id":"call_3_1","input":{"n":1}}"#,
            r#"{"id":"call_3_2","type":"tool_use","name":"t","input":{}}"#,
        ],
        "what is sent back has them too"
    );
}

#[test]
fn what_breaks_the_protocol_is_an_error_as_soon_as_it_is_seen() {
    let call = r#"{"type":"tool_use","id":"a","name":"t","input":{}}"#;
    let twice = [BEGIN, &start(0, call), &stop(0), &start(1, call), &stop(1)];
    assert_eq!(
        failure(&twice).to_string(),
        "two calls of the reply have the same id, so their results could not be told apart; the server that speaks this API is at fault"
    );
    let nameless = [BEGIN, &start(0, r#"{"type":"tool_use","id":"a"}"#)];
    assert_eq!(
        failure(&nameless).to_string(),
        "content[0]: a `tool_use` block without `name`"
    );
    let open = [BEGIN, &start(0, call), &start(0, call)];
    assert_eq!(
        failure(&open).to_string(),
        "content[1]: a block began before the one of its index ended"
    );
    let begin = [r#"{"type":"message_start","message":{"id":7}}"#];
    assert_eq!(
        failure(&begin).to_string(),
        "the reply begins with what is not the expected data at line 1 column 7"
    );
}

/// A call whose input of 50 bytes a part comes in so many parts.
fn long_call(parts: usize) -> Vec<String> {
    let part = "0123456789".repeat(5);
    let call = start(0, r#"{"type":"tool_use","id":"a","name":"t","input":{}}"#);
    let parts = std::iter::repeat_n(input(0, &part), parts);
    let text = [input(0, "{\"text\":\"")].into_iter().chain(parts);
    let whole = text.chain([input(0, "\"}"), stop(0)]);
    framed(&[call].into_iter().chain(whole).collect::<Vec<_>>())
}

/// How long it takes, at best: what else the machine does only adds to that. What is told is dropped, as a program
/// does that has seen it.
fn best(events: &[String], so_far: Duration) -> Duration {
    let data: Vec<_> = events.iter().cloned().map(Bytes::from).collect();
    let (mut told, mut accumulator) = (Vec::new(), Accumulator::new(ASKED, None));
    let begun = Instant::now();
    for data in &data {
        let event = event::read(None, data).unwrap().event().unwrap();
        told.clear();
        accumulator.add(event, &mut told).unwrap();
    }
    let took = begun.elapsed();
    assert!(matches!(told.last(), Some(StreamEvent::Reply(_))));
    took.min(so_far)
}

// RN-22.
/// By far: where each part costs what came before, eight times the length takes about 64 times as long.
#[test]
fn an_input_takes_time_by_its_length() {
    let (short, long) = (long_call(10_000), long_call(80_000));
    let (mut first, mut second) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        first = best(&short, first);
        second = best(&long, second);
    }
    assert!(
        second < first * 16,
        "0.5 MB take {first:?}, 4 MB {second:?}"
    );
}
