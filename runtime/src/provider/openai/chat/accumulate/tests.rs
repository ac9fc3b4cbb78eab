//! What a reply comes to, and what is told of it while it arrives.

use super::*;
use crate::error::ErrorKind;
use crate::json::RawJson;
use crate::message::StopReason;
use crate::message::{Content, ToolCall};
use crate::provider::openai::chat::content;
use crate::toolkit::Names;

const ASKED: Asked<'static> = Asked {
    model: "asked",
    turn: 3,
    names: &Names::NONE,
};

/// A chunk with this delta and reason.
fn chunk(delta: &str, reason: &str) -> String {
    format!(
        r#"{{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#
    )
}

fn part(delta: &str) -> String {
    chunk(delta, "null")
}

fn call(delta: &str) -> String {
    part(&format!(r#"{{"tool_calls":[{delta}]}}"#))
}

fn end(reason: &str) -> String {
    chunk("{}", reason)
}

const DONE: &str = "[DONE]";

/// Takes all chunks in; tells what they mean, and how the accumulator stands then.
fn add(chunks: &[impl AsRef<str>]) -> (Vec<StreamEvent>, Result<(), Error>, Accumulator<'static>) {
    let (mut told, mut accumulator) = (Vec::new(), Accumulator::new(ASKED, None));
    for data in chunks {
        let data = Bytes::from(data.as_ref().to_owned());
        let Frames::Event(event) = chunk::read(None, &data).unwrap() else {
            panic!("no chunk: {data:?}");
        };
        let added = accumulator.add(event, &mut told);
        if added.is_err() {
            return (told, added, accumulator);
        }
    }
    (told, Ok(()), accumulator)
}

/// The reply that chunks come to, and each event before it, in a word and a text.
fn reply(chunks: &[impl AsRef<str>]) -> (Reply, Vec<String>) {
    let (mut told, added, _) = add(chunks);
    added.unwrap();
    let Some(StreamEvent::Reply(reply)) = told.pop() else {
        panic!("no reply: {told:?}");
    };
    (reply, told.iter().map(line).collect())
}

fn line(event: &StreamEvent) -> String {
    match event {
        StreamEvent::BlockStart { index, content } => match content {
            Content::ToolCall(call) => format!("start {index} {} {}", call.id(), call.name()),
            Content::Thinking(_) => format!("start {index} thinking"),
            _ => format!("start {index} text"),
        },
        StreamEvent::TextDelta { index, text } | StreamEvent::ThinkingDelta { index, text } => {
            format!("part {index} {text}")
        }
        StreamEvent::InputDelta { index, json } => format!("input {index} {json}"),
        StreamEvent::BlockStop(block) => format!("stop {}", block.index()),
        StreamEvent::Usage(usage) => format!("usage {} {}", usage.input, usage.output),
        other => format!("{other:?}"),
    }
}

fn calls(reply: &Reply) -> Vec<String> {
    let call = |call: &ToolCall| format!("{} {} {}", call.id(), call.name(), call.input());
    reply.tool_calls().map(call).collect()
}

#[test]
fn each_part_is_told_as_it_comes() {
    let (reply, told) = reply(&[
        part(r#"{"role":"assistant","content":""}"#),
        part(r#"{"reasoning_content":"Hm"}"#),
        part(r#"{"reasoning_content":"."}"#),
        part(r#"{"content":"Let me"}"#),
        part(r#"{"content":" see."}"#),
        call(r#"{"index":0,"id":"a","function":{"name":"f","arguments":""}}"#),
        call(r#"{"index":0,"function":{"arguments":"{\"x\":"}}"#),
        call(r#"{"index":0,"function":{"arguments":"1}"}}"#),
        call(r#"{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}"#),
        end("\"tool_calls\""),
        r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5}}"#.to_owned(),
        DONE.to_owned(),
    ]);
    let expected = [
        "usage 0 0",
        "start 0 thinking",
        "part 0 Hm",
        "part 0 .",
        "start 1 text",
        "part 1 Let me",
        "part 1  see.",
        "start 2 a f",
        r#"input 2 {"x":"#,
        "input 2 1}",
        // The model has moved on from the first call once the second begins.
        "start 3 b g",
        "input 3 {}",
        "stop 2",
        "usage 7 5",
        "stop 3",
        "stop 0",
        "stop 1",
    ];
    assert_eq!(told, expected);
    assert_eq!(calls(&reply), [r#"a f {"x":1}"#, "b g {}"]);
    assert_eq!(
        (reply.text().as_str(), reply.id(), reply.model()),
        ("Let me see.", "c", "m")
    );
    assert_eq!((reply.usage().input, reply.usage().output), (7, 5));
    assert_eq!(*reply.stop_reason(), StopReason::ToolUse);
}

#[test]
fn blocks_stand_in_the_order_in_which_they_began() {
    let (reply, _) = reply(&[
        call(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#),
        part(r#"{"content":"So."}"#),
        part(r#"{"reasoning":"Hm."}"#),
        end("\"stop\""),
        DONE.to_owned(),
    ]);
    let kinds = reply.content().iter().map(|block| match block {
        Content::ToolCall(_) => "call",
        Content::Text(_) => "text",
        Content::Thinking(_) => "thinking",
        _ => "another",
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["call", "text", "thinking"]);
    let native = reply
        .message()
        .native(&crate::api::Api::OPENAI_CHAT)
        .unwrap();
    assert_eq!(native.blocks[1].as_str(), "\"So.\"");
}

#[test]
fn ids_that_are_missing_or_twice_are_made() {
    for id in [r#""id":"","#, r#""id":null,"#, ""] {
        let whole = format!(r#"{{{id}"function":{{"name":"f","arguments":"{{}}"}}}}"#);
        let (reply, told) = reply(&[call(&whole), call(&whole), end("null"), DONE.to_owned()]);
        assert_eq!(calls(&reply), ["call00300 f {}", "call00301 f {}"], "{id}");
        assert!(told.contains(&"start 1 call00301 f".to_owned()), "{told:?}");
    }
    let of = |index: u8| {
        call(&format!(
            r#"{{"index":{index},"id":"a","function":{{"name":"f","arguments":"{{}}"}}}}"#
        ))
    };
    let (reply, _) = reply(&[of(0), of(1), end("\"stop\""), DONE.to_owned()]);
    assert_eq!(calls(&reply), ["a f {}", "call00301 f {}"]);
}

#[test]
fn arguments_come_in_every_way() {
    for (parts, input) in [
        (&[r#"{"name":"f","arguments":{"x":1}}"#][..], r#"{"x":1}"#),
        (&[r#"{"name":"f","arguments":null}"#], "{}"),
        (&[r#"{"name":"f"}"#], "{}"),
        (
            &[
                r#"{"name":"f","arguments":"null"}"#,
                r#"{"arguments":"{\"x\":1}"}"#,
            ],
            r#"{"x":1}"#,
        ),
        (
            &[
                r#"{"arguments":"{\"x\""}"#,
                r#"{"name":"f","arguments":":1}"}"#,
            ],
            r#"{"x":1}"#,
        ),
        (&[r#"{"name":"f","arguments":"{\"x\":"}"#], r#"{"x":"#),
    ] {
        let mut chunks: Vec<_> = parts
            .iter()
            .map(|part| call(&format!(r#"{{"index":0,"id":"a","function":{part}}}"#)))
            .collect();
        chunks.extend([end("\"tool_calls\""), DONE.to_owned()]);
        let (reply, told) = reply(&chunks);
        assert_eq!(calls(&reply), [format!("a f {input}")], "{parts:?}");
        let joined: String = told
            .iter()
            .filter_map(|line| line.strip_prefix("input 0 "))
            .collect();
        assert!(
            joined == input || (joined.is_empty() && input == "{}"),
            "{parts:?}: {joined}"
        );
    }
}

#[test]
fn a_call_without_a_name_breaks_the_reply() {
    let (_, added, _) = add(&[
        call(r#"{"index":0,"id":"a","function":{"arguments":"{}"}}"#),
        end("\"tool_calls\""),
        DONE.to_owned(),
    ]);
    let error = added.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert_eq!(error.to_string(), "tool_calls[0]: a call without a `name`");
}

#[test]
fn a_stream_ends_with_done_or_behind_its_reason() {
    let (_, added, mut accumulator) = add(&[part(r#"{"content":"Hi"}"#)]);
    added.unwrap();
    assert!(
        accumulator.finish(&mut Vec::new()).unwrap().is_none(),
        "cut"
    );
    for (reason, reply) in [("\"stop\"", true), ("\"\"", false), ("null", false)] {
        let (_, _, mut accumulator) = add(&[part(r#"{"content":"Hi"}"#), end(reason)]);
        let mut told = Vec::new();
        let finished = accumulator.finish(&mut told).unwrap();
        assert_eq!(finished.is_some(), reply, "{reason}");
        assert_eq!(
            told.len(),
            usize::from(reply),
            "its block is told: {reason}"
        );
    }
    let (reply, _) = reply(&[part(r#"{"content":"Hi"}"#), DONE.to_owned()]);
    assert_eq!(
        (reply.text().as_str(), reply.stop_reason()),
        ("Hi", &StopReason::EndTurn)
    );
}

#[test]
fn what_is_there_of_a_cut_reply_is_kept() {
    let (_, _, mut accumulator) = add(&[
        part(r#"{"content":"Let me"}"#),
        call(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}"#),
    ]);
    let partial = accumulator.partial().unwrap();
    assert_eq!(
        (partial.text().as_str(), partial.tool_calls().count()),
        ("Let me", 1)
    );
    assert!(!partial.tool_calls().next().unwrap().input().is_json());
    assert!(accumulator.partial().is_none());
}

#[test]
fn a_refusal_is_no_text() {
    let (reply, _) = reply(&[
        part(r#"{"refusal":"I can"}"#),
        part(r#"{"refusal":"not."}"#),
        end("\"stop\""),
        DONE.to_owned(),
    ]);
    assert_eq!(*reply.stop_reason(), StopReason::Refusal);
    assert_eq!(
        reply.refusal().unwrap().explanation.as_deref(),
        Some("I cannot.")
    );
    assert!(reply.content().is_empty());
}

#[test]
fn details_of_reasoning_are_put_together_again() {
    let detail = |detail: &str| part(&format!(r#"{{"reasoning_details":[{detail}]}}"#));
    let (reply, told) = reply(&[
        detail(r#"{"type":"reasoning.text","index":0,"text":"I "}"#),
        detail(r#"{"type":"reasoning.text","index":0,"text":"see.","signature":"sig"}"#),
        detail(r#"{"type":"reasoning.encrypted","index":1,"data":"xyz"}"#),
        end("\"stop\""),
        DONE.to_owned(),
    ]);
    let raw = reply.raw().to_value();
    assert_eq!(
        raw["choices"][0]["message"]["reasoning_details"],
        serde_json::json!([
            {"type": "reasoning.text", "index": 0, "signature": "sig", "text": "I see."},
            {"type": "reasoning.encrypted", "index": 1, "data": "xyz"},
        ])
    );
    assert_eq!(told[1..4], ["start 0 thinking", "part 0 I ", "part 0 see."]);
}

#[test]
fn failures_of_all_servers_are_known() {
    for (name, data) in [
        (None, r#"{"error":{"message":"x","code":500}}"#),
        (None, r#"{"error":"x"}"#),
        (Some("error"), "x"),
        (None, r#"{"choices":[],"error":{"message":"x"}}"#),
    ] {
        let read = chunk::read(name, &Bytes::from(data.to_owned()));
        assert!(matches!(read, Ok(Frames::Failed)), "{data}");
    }
    chunk::read(None, &Bytes::from_static(b"{")).unwrap_err();
}

#[test]
fn a_call_without_a_name_yet_takes_nothing_from_what_is_there() {
    let (_, added, mut accumulator) = add(&[
        part(r#"{"content":"Let me"}"#),
        call(r#"{"index":0,"id":"a"}"#),
        call(r#"{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}"#),
    ]);
    added.unwrap();
    let partial = accumulator.partial().unwrap();
    assert_eq!(partial.text(), "Let me");
    assert_eq!(calls(&partial), ["b g {}"]);
}

#[test]
fn a_detail_that_is_none_takes_no_place() {
    let (reply, _) = reply(&[
        part(r#"{"reasoning_details":["x"]}"#),
        part(r#"{"content":"So."}"#),
        end("\"stop\""),
        DONE.to_owned(),
    ]);
    assert_eq!(reply.text(), "So.");
    assert_eq!(reply.content().len(), 1);
}

#[test]
fn thinking_among_the_parts_is_streamed_and_stays_there() {
    let thinking = r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}]}"#;
    let native = |reply: &Reply, at: usize| {
        let native = reply.message().native(&crate::api::Api::OPENAI_CHAT);
        native.unwrap().blocks[at].to_value()
    };
    let thought =
        serde_json::json!({"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]});
    let (with_text, told) = reply(&[
        part(thinking),
        part(r#"{"content":"So."}"#),
        end("\"stop\""),
        DONE.to_owned(),
    ]);
    assert_eq!(told[1..3], ["start 0 thinking", "part 0 Hm."]);
    assert_eq!(with_text.text(), "So.");
    assert_eq!(
        native(&with_text, 1),
        serde_json::json!([thought, {"type": "text", "text": "So."}])
    );
    let (with_call, _) = reply(&[
        part(thinking),
        call(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#),
        end("\"tool_calls\""),
        DONE.to_owned(),
    ]);
    assert_eq!(with_call.content().len(), 2);
    assert_eq!(calls(&with_call), ["a f {}"]);
    assert_eq!(
        native(&with_call, 0),
        serde_json::json!({"content": [thought]})
    );
}

#[test]
fn a_reason_may_be_in_capitals() {
    let call = call(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#);
    for (begin, reason, expected) in [
        (part(r#"{"content":"Hi"}"#), "STOP", StopReason::EndTurn),
        (
            part(r#"{"content":"Hi"}"#),
            "TOOL_CALLS",
            StopReason::EndTurn,
        ),
        (call.clone(), "TOOL_CALLS", StopReason::ToolUse),
        (call, "LENGTH", StopReason::MaxTokens),
        (
            part(r#"{"content":"Hi"}"#),
            "Unheard",
            StopReason::Other("Unheard".to_owned()),
        ),
    ] {
        let (reply, _) = reply(&[begin, end(&format!("\"{reason}\"")), DONE.to_owned()]);
        assert_eq!(*reply.stop_reason(), expected, "{reason}");
    }
}

#[test]
fn an_id_may_be_a_number() {
    let (streamed, told) = reply(&[
        call(r#"{"index":0,"id":7,"function":{"name":"f","arguments":"{"}}"#),
        call(r#"{"index":0,"id":7,"function":{"arguments":"}"}}"#),
        end("\"tool_calls\""),
        DONE.to_owned(),
    ]);
    assert!(told.contains(&"start 0 7 f".to_owned()), "{told:?}");
    let message =
        r#"{"tool_calls":[{"id":7,"type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    let plain = content::turn(&RawJson::from_text(message.to_owned()), ASKED).unwrap();
    let read = plain.blocks.content[0].as_tool_call().unwrap();
    assert_eq!(calls(&streamed), ["7 f {}"]);
    assert_eq!((read.id(), read.name()), ("7", "f"));
    let sent = plain.blocks.native[0].to_value();
    assert_eq!(sent["id"], "7", "what goes back is text");
}
