//! What a vector of the Responses API must come to.

use haft::serde_json::{Value, json};
use haft::{Error, Reply, StopReason};
use haft_tests::equality::equal;

use crate::{is_told, without_nulls};

pub(crate) fn check(expected: &Value, got: Result<Reply, Error>) -> Result<(), String> {
    match (expected.get("error"), got) {
        (Some(_), Err(error)) => is_told(expected, &error),
        (Some(_), Ok(_)) => Err("a reply came".to_owned()),
        (None, Err(error)) => Err(format!("an error came: {error}")),
        (None, Ok(reply)) => check_reply(expected, &reply),
    }
}

fn check_reply(expected: &Value, reply: &Reply) -> Result<(), String> {
    let response = &expected["response"];
    let raw = reply.raw().to_value();
    equal(&without_nulls(response), &without_nulls(&raw)).map_err(|it| it.to_string())?;
    let items: Vec<_> = response["output"].as_array().unwrap().iter().collect();
    let calls = items.iter().filter(|item| {
        let kind = item["type"].as_str().unwrap();
        ["function_call", "shell_call", "apply_patch_call"].contains(&kind)
    });
    let neutral = json!({
        "id": reply.id(), "model": reply.model(), "blocks": reply.content().len(),
        "calls": reply.tool_calls().map(|call| call.id().to_owned()).collect::<Vec<_>>(),
        "output": reply.usage().output, "stop_reason": reply.stop_reason().as_str(),
    });
    let expected_neutral = json!({
        "id": response["id"], "model": response["model"], "blocks": items.len(),
        "calls": calls.map(|call| call["call_id"].clone()).collect::<Vec<_>>(),
        "output": response["usage"]["output_tokens"], "stop_reason": stop_reason(response),
    });
    equal(&expected_neutral, &neutral).map_err(|difference| format!("neutral: {difference}"))?;
    // A call that was cut off does not run: the reply is no tool use, and its input no object.
    let cut = expected["incomplete_calls"]
        .as_array()
        .into_iter()
        .flatten();
    for id in cut {
        let call = reply.tool_calls().find(|call| *id == *call.id()).unwrap();
        if call.input().is_object() || *reply.stop_reason() == StopReason::ToolUse {
            return Err(format!("the call {id} would run"));
        }
    }
    Ok(())
}

fn stop_reason(response: &Value) -> &'static str {
    if response["status"] == "incomplete" {
        return "max_tokens";
    }
    let items = response["output"].as_array().unwrap();
    let is_call = |item: &Value| item["call_id"].is_string();
    let is_refused = |item: &Value| item["content"][0]["type"] == "refusal";
    match (items.iter().any(is_call), items.iter().any(is_refused)) {
        (true, _) => "tool_use",
        (false, true) => "refusal",
        (false, false) => "end_turn",
    }
}
