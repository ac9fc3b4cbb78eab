//! What a reply comes to, and what is told of it while it arrives.

use serde_json::{Value, json};

use super::*;
use crate::message::{Content, StopReason};
use crate::toolkit::Names;

const ASKED: Asked<'static> = Asked {
    model: "asked",
    turn: 3,
    names: &Names::NONE,
};

fn response(status: &str, output: &Value) -> Value {
    json!({"id": "r", "object": "response", "model": "m", "status": status, "output": output,
        "usage": {"input_tokens": 7, "output_tokens": 5}})
}

fn created() -> Value {
    json!({"type": "response.created", "response": response("in_progress", &json!([]))})
}

fn completed(output: &Value) -> Value {
    json!({"type": "response.completed", "response": response("completed", output)})
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "it is called with what `json!` gives"
)]
fn of(kind: &str, index: u64, key: &str, value: Value) -> Value {
    json!({"type": format!("response.{kind}"), "output_index": index, key: value})
}

fn message(text: &str) -> Value {
    let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
    json!({"type": "message", "id": "msg", "role": "assistant", "status": "completed", "content": content})
}

fn call(id: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "f", "arguments": arguments})
}

/// Takes all events in; tells what they mean, and how the accumulator stands then.
fn add(events: &[Value]) -> (Vec<StreamEvent>, Result<(), Error>, Accumulator<'static>) {
    let (mut told, mut accumulator) = (Vec::new(), Accumulator::new(ASKED, None));
    for event in events {
        let data = Bytes::from(event.to_string());
        let added = match event::read(None, &data).unwrap().event() {
            Some(event) => accumulator.add(event, &mut told),
            None => Ok(()),
        };
        if added.is_err() {
            return (told, added, accumulator);
        }
    }
    (told, Ok(()), accumulator)
}

fn reply(events: &[Value]) -> (Reply, Vec<String>) {
    let (mut told, added, _) = add(events);
    added.unwrap();
    let Some(StreamEvent::Reply(reply)) = told.pop() else {
        panic!("no reply: {told:?}");
    };
    (reply, told.iter().map(line).collect())
}

fn line(event: &StreamEvent) -> String {
    match event {
        StreamEvent::BlockStart { index, content } => match content {
            Content::ToolCall(call) => format!("start {index} {}", call.id()),
            Content::Thinking(_) => format!("start {index} thinking"),
            Content::Text(_) => format!("start {index} text"),
            _ => format!("start {index} another"),
        },
        StreamEvent::TextDelta { index, text } | StreamEvent::ThinkingDelta { index, text } => {
            format!("part {index} {text:?}")
        }
        StreamEvent::InputDelta { index, json } => format!("input {index} {json}"),
        StreamEvent::BlockStop(block) => format!("stop {}", block.index()),
        StreamEvent::Usage(usage) => format!("usage {} {}", usage.input, usage.output),
        other => format!("{other:?}"),
    }
}

#[test]
fn each_part_is_told_as_it_comes_and_items_may_interleave() {
    let reasoning = json!({"type": "reasoning", "id": "rs", "encrypted_content": "x", "summary": [
        {"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}]});
    let begun = json!({"type": "reasoning", "id": "rs", "summary": []});
    let summary = |index: u64, text: &str| json!({"type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": index, "delta": text});
    let arguments =
        |index, part: &str| of("function_call_arguments.delta", index, "delta", json!(part));
    let output = json!([reasoning, call("a", r#"{"x":1}"#), call("b", "{}")]);
    let (reply, told) = reply(&[
        created(),
        of("output_item.added", 0, "item", begun),
        summary(0, "One."),
        summary(1, "Two."),
        of("output_item.done", 0, "item", reasoning.clone()),
        of("output_item.added", 1, "item", call("a", "")),
        of("output_item.added", 2, "item", call("b", "")),
        arguments(1, r#"{"x""#),
        arguments(2, "{}"),
        arguments(1, ":1}"),
        arguments(9, "of no item"),
        of("output_item.done", 2, "item", call("b", "{}")),
        of("output_item.done", 1, "item", call("a", r#"{"x":1}"#)),
        completed(&output),
    ]);
    let expected = [
        "usage 0 0",
        "start 0 thinking",
        "part 0 \"One.\"",
        "part 0 \"\\n\\nTwo.\"",
        "stop 0",
        "start 1 a",
        "start 2 b",
        r#"input 1 {"x""#,
        "input 2 {}",
        "input 1 :1}",
        "stop 2",
        "stop 1",
        "usage 7 5",
    ];
    assert_eq!(told, expected);
    assert_eq!(*reply.stop_reason(), StopReason::ToolUse);
    let native = reply.message().native(&super::super::API).unwrap();
    assert_eq!(native.blocks[0].to_value(), reasoning);
}

/// As llama.cpp has it.
#[test]
fn items_without_an_index_are_known_by_their_ids() {
    let of = |kind: &str, key: &str, value: Value| json!({"type": format!("response.{kind}"), key: value});
    let delta = |id: &str, part: &str| json!({"type": "response.function_call_arguments.delta", "item_id": id, "delta": part});
    let output = json!([call("a", "{}"), call("b", r#"{"x":1}"#)]);
    let (reply, told) = reply(&[
        of("output_item.added", "item", call("a", "")),
        of("output_item.added", "item", call("b", "")),
        delta("fc_b", r#"{"x":1}"#),
        delta("fc_a", "{}"),
        of("output_item.done", "item", call("a", "{}")),
        of("output_item.done", "item", call("b", r#"{"x":1}"#)),
        completed(&output),
    ]);
    assert_eq!(
        told[1..7],
        [
            "start 0 a",
            "start 1 b",
            r#"input 1 {"x":1}"#,
            "input 0 {}",
            "stop 0",
            "stop 1"
        ]
    );
    assert_eq!(reply.tool_calls().count(), 2);
}

#[test]
fn items_that_only_the_end_has_are_told_then() {
    let output = json!([message("Hi."), call("a", r#"{"x":1}"#)]);
    let (last, told) = reply(&[created(), completed(&output)]);
    assert_eq!(
        told[1..],
        [
            "start 0 text",
            "part 0 \"Hi.\"",
            "stop 0",
            "start 1 a",
            r#"input 1 {"x":1}"#,
            "stop 1",
            "usage 7 5"
        ]
    );
    assert_eq!(last.text(), "Hi.");
    // And those that it leaves out were told before.
    for nothing in [json!([]), Value::Null] {
        let (reply, _) = reply(&[
            created(),
            of("output_item.done", 3, "item", message("Hi.")),
            of("output_item.done", 7, "item", call("a", "{}")),
            completed(&nothing),
        ]);
        assert_eq!(
            (reply.text().as_str(), reply.tool_calls().count()),
            ("Hi.", 1)
        );
        assert_eq!(
            reply.raw().to_value()["output"],
            json!([message("Hi."), call("a", "{}")])
        );
    }
}

#[test]
fn an_incomplete_item_is_never_told_to_be_whole() {
    let mut cut = call("a", "{}");
    cut["status"] = json!("incomplete");
    let (_, told) = reply(&[
        of("output_item.added", 0, "item", call("a", "")),
        of("output_item.done", 0, "item", cut.clone()),
        completed(&json!([cut])),
    ]);
    assert_eq!(told, ["usage 0 0", "start 0 a", "usage 7 5"]);
}

#[test]
fn of_an_item_that_is_still_open_at_the_end_the_last_event_has_the_word() {
    let part = of(
        "function_call_arguments.delta",
        0,
        "delta",
        json!("{\"x\":"),
    );
    for output in [
        json!([call("a", r#"{"x":1}"#)]),
        json!([message("Hi."), call("a", r#"{"x":1}"#)]),
    ] {
        let (mut told, added, _) = add(&[
            of("output_item.added", 0, "item", call("a", "")),
            part.clone(),
            completed(&output),
        ]);
        added.unwrap();
        told.retain(|event| matches!(event, StreamEvent::BlockStop(_)));
        let StreamEvent::BlockStop(block) = &told[0] else {
            unreachable!("only these are kept");
        };
        let call = block.content().as_tool_call().unwrap();
        assert_eq!(call.input().as_str(), r#"{"x":1}"#);
    }
}

#[test]
fn a_text_whose_message_was_not_told_to_begin_is_kept() {
    let part = |part: &str| json!({"type": "response.output_text.delta", "delta": part});
    let (last, told) = reply(&[part("Hi"), part("."), completed(&json!([]))]);
    let expected = [
        "usage 0 0",
        "start 0 text",
        "part 0 \"Hi\"",
        "part 0 \".\"",
        "stop 0",
        "usage 7 5",
    ];
    assert_eq!(
        (last.text().as_str(), told),
        ("Hi.", expected.map(str::to_owned).to_vec())
    );
    // Where the last event has it, that counts, and nothing is told twice.
    let thought = json!({"type": "reasoning", "id": "rs", "summary": []});
    let output = json!([thought, message("Hi.")]);
    for begun in [part("Hi"), of("output_text.delta", 1, "delta", json!("Hi"))] {
        let (last, told) = reply(&[begun, completed(&output)]);
        assert_eq!(last.raw().to_value()["output"], output);
        let begin = |line: &&String| line.starts_with("part") || line.starts_with("start");
        assert_eq!(told.iter().filter(begin).count(), 4, "{told:?}");
    }
}

#[test]
fn a_stream_without_its_last_event_is_cut_and_what_is_there_is_kept() {
    let (_, added, mut accumulator) = add(&[
        created(),
        of("output_item.done", 0, "item", message("Hi.")),
        of("output_item.added", 1, "item", call("a", "")),
        of(
            "function_call_arguments.delta",
            1,
            "delta",
            json!("{\"x\":"),
        ),
    ]);
    added.unwrap();
    assert!(accumulator.finish(&mut Vec::new()).unwrap().is_none());
    let partial = accumulator.partial().unwrap();
    assert_eq!((partial.text().as_str(), partial.id()), ("Hi.", "r"));
    assert!(!partial.tool_calls().next().unwrap().input().is_json());
}

#[test]
fn what_ends_otherwise_is_told_so() {
    let incomplete = |reason: &str| {
        let mut response = response("incomplete", &json!([message("Hi.")]));
        response["incomplete_details"] = json!({"reason": reason});
        json!({"type": "response.incomplete", "response": response})
    };
    for (reason, stop) in [
        ("max_output_tokens", StopReason::MaxTokens),
        ("content_filter", StopReason::Refusal),
        ("steered", StopReason::Other("steered".to_owned())),
    ] {
        assert_eq!(
            *reply(&[created(), incomplete(reason)]).0.stop_reason(),
            stop
        );
    }
    let mut cut = call("a", "{\"x\":");
    cut["status"] = json!("incomplete");
    let (reply, _) = reply(&[created(), completed(&json!([cut]))]);
    assert_eq!(
        *reply.stop_reason(),
        StopReason::MaxTokens,
        "an incomplete item does not run"
    );
}

#[test]
fn arguments_may_be_an_object_and_go_back_as_text() {
    let mut odd = call("a", "");
    odd["arguments"] = json!({"x": 1});
    let (reply, _) = reply(&[created(), completed(&json!([odd]))]);
    let call = reply.tool_calls().next().unwrap();
    assert_eq!(call.input().as_str(), r#"{"x":1}"#);
    let native = reply.message().native(&super::super::API).unwrap();
    assert_eq!(native.blocks[0].to_value()["arguments"], r#"{"x":1}"#);
}

#[test]
fn ids_may_be_numbers_and_calls_of_the_same_id_get_their_own() {
    let mut numbered = call("a", "{}");
    (numbered["id"], numbered["call_id"]) = (json!(1), json!(7));
    let delta =
        json!({"type": "response.function_call_arguments.delta", "item_id": 1, "delta": "{}"});
    let begun = json!({"type": "response.output_item.added", "item": numbered});
    let (last, told) = reply(&[begun, delta, completed(&json!([numbered]))]);
    assert_eq!(told[1..3], ["start 0 7", "input 0 {}"]);
    assert_eq!(last.tool_calls().next().unwrap().id(), "7");

    let mut again = call("a", r#"{"x":1}"#);
    again["id"] = json!("fc_again");
    let output = json!([call("a", "{}"), again]);
    let (last, told) = reply(&[
        of("output_item.done", 0, "item", call("a", "{}")),
        of("output_item.added", 1, "item", again.clone()),
        of("output_item.done", 1, "item", again),
        completed(&output),
    ]);
    let ids: Vec<_> = last.tool_calls().map(|call| call.id().to_owned()).collect();
    assert_eq!(ids, ["a", "call_3_1"]);
    assert!(told.contains(&"start 1 call_3_1".to_owned()), "{told:?}");
    let native = last.message().native(&super::super::API).unwrap();
    assert_eq!(native.blocks[1].to_value()["call_id"], "call_3_1");
}

#[test]
fn failures_of_each_form_are_known() {
    for data in [
        json!({"type": "error", "code": "c", "message": "m"}),
        json!({"type": "error", "error": {"message": "m"}}),
        json!({"type": "response.failed", "response": {"error": {"message": "m"}}}),
        json!({"error": {"message": "m"}}),
    ] {
        let read = event::read(None, &Bytes::from(data.to_string()));
        assert!(matches!(read, Ok(Frames::Failed)), "{data}");
    }
    for data in [
        "[DONE]",
        r#"{"type":"response.brand_new","output_index":"x"}"#,
        "{}",
    ] {
        let read = event::read(None, &Bytes::from(data.to_owned()));
        assert!(matches!(read, Ok(Frames::Nothing)), "{data}");
    }
    let missing = event::read(
        None,
        &Bytes::from_static(br#"{"type":"response.completed"}"#),
    );
    assert_eq!(
        missing.unwrap_err().to_string(),
        "the stream has a `response.completed` event without `response`"
    );
}

#[test]
fn an_item_that_begins_without_what_it_must_have_is_read_where_it_ends() {
    let mut begun = call("a", "");
    begun.as_object_mut().unwrap().remove("name");
    let (reply, told) = reply(&[
        created(),
        of("output_item.added", 0, "item", begun),
        of(
            "function_call_arguments.delta",
            0,
            "delta",
            json!("{\"x\":1}"),
        ),
        of("output_item.done", 0, "item", call("a", "{\"x\":1}")),
        completed(&json!([call("a", "{\"x\":1}")])),
    ]);
    assert_eq!(reply.tool_calls().count(), 1);
    assert!(told.contains(&"stop 0".to_owned()), "{told:?}");
    let nameless = json!({"type": "function_call", "call_id": "a", "arguments": "{}"});
    let (_, added, _) = add(&[created(), of("output_item.done", 0, "item", nameless)]);
    added.unwrap_err();
}
