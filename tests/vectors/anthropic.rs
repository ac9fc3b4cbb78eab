//! What a vector of the Messages API must come to.

use std::collections::BTreeMap;

use haft::serde_json::value::RawValue;
use haft::serde_json::{Value, json};
use haft::{Content, Error, ErrorKind, Reply};
use haft_tests::equality::equal;

use crate::without_nulls;

pub(crate) fn check(expected: &Value, got: Result<Reply, Error>) -> Result<(), String> {
    match (expected.get("message"), got) {
        (Some(message), Ok(reply)) => check_reply(expected, message, &reply),
        (None, Err(error)) => check_error(expected, &error),
        (Some(_), Err(error)) => Err(format!("an error came: {error}")),
        (None, Ok(_)) => Err("a reply came".to_owned()),
    }
}

fn check_reply(expected: &Value, message: &Value, reply: &Reply) -> Result<(), String> {
    let slips = slips(expected);
    same(message, reply, &slips)?;
    for (at, raw) in expected["raw_inputs"].as_object().into_iter().flatten() {
        let (at, raw) = (at.parse::<usize>().unwrap(), raw.as_str().unwrap());
        let block = &reply.content()[at];
        let got = raw_input(block);
        if got != if raw.is_empty() { "{}" } else { raw } {
            return Err(format!("content[{at}] has the input {got}"));
        }
        if let Some(call) = block.as_tool_call()
            && call.input().is_json() == slips.contains(&at)
        {
            return Err(format!("content[{at}] is not told from a whole input"));
        }
    }
    Ok(())
}

/// The places of calls whose input is no JSON.
fn slips(expected: &Value) -> Vec<usize> {
    let lists = ["incomplete_inputs", "invalid_inputs"].map(|key| expected[key].as_array());
    let places = lists.into_iter().flatten().flatten();
    places
        .map(|at| usize::try_from(at.as_u64().unwrap()).unwrap())
        .collect()
}

fn raw_input(block: &Content) -> String {
    match block {
        Content::ToolCall(call) => call.input().as_str().to_owned(),
        Content::Other(other) => {
            let fields: BTreeMap<String, Box<RawValue>> = other.json.decode().unwrap();
            fields["input"].get().to_owned()
        }
        _ => String::new(),
    }
}

fn check_error(expected: &Value, error: &Error) -> Result<(), String> {
    let kind = expected["error"]["type"].as_str().unwrap();
    if kind == "truncated_stream" {
        assert_eq!(error.kind(), ErrorKind::Protocol);
    } else {
        let got = (error.provider_message(), error.request_id());
        let fields = &expected["error"];
        assert_eq!(
            got,
            (fields["message"].as_str(), fields["request_id"].as_str())
        );
        assert!(error.to_string().contains(kind), "{error}");
    }
    assert!(error.is_retryable(), "{error}");
    let partial = error
        .partial_reply()
        .ok_or("nothing is there of the reply")?;
    same(&expected["partial"], partial, &[])
}

/// Whether a reply is the expected message, in its raw and its neutral form.
fn same(expected: &Value, reply: &Reply, slips: &[usize]) -> Result<(), String> {
    let (expected, got) = (
        plain(expected, slips),
        plain(&reply.raw().to_value(), slips),
    );
    equal(&expected, &got).map_err(|difference| difference.to_string())?;
    let texts = expected["content"].as_array().into_iter().flatten();
    let text: String = texts
        .filter(|block| block["type"] == "text")
        .filter_map(|block| block["text"].as_str())
        .collect();
    let neutral = json!({
        "id": reply.id(), "model": reply.model(), "text": reply.text(),
        "blocks": reply.content().len(), "output": reply.usage().output,
    });
    let blocks = expected["content"].as_array().map_or(0, Vec::len);
    let expected = json!({
        "id": expected["id"], "model": expected["model"], "text": text,
        "blocks": blocks, "output": expected["usage"]["output_tokens"],
    });
    equal(&expected, &neutral).map_err(|difference| format!("neutral: {difference}"))
}

/// A message without what does not count.
fn plain(message: &Value, slips: &[usize]) -> Value {
    let mut message = without_nulls(message);
    let blocks = message["content"].as_array_mut().into_iter().flatten();
    for (at, block) in blocks.enumerate() {
        let block = block.as_object_mut().unwrap();
        if slips.contains(&at) {
            block.shift_remove("input");
        }
        if block.get("citations") == Some(&json!([])) {
            block.shift_remove("citations");
        }
    }
    message
}
