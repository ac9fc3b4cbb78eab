//! What a vector of chat completions must come to.

use haft::serde_json::{self, Value, json};
use haft::{Content, Error, Reply, StopReason};
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
    let completion = &expected["completion"];
    let raw = reply.raw().to_value();
    equal(&without_nulls(completion), &without_nulls(&raw)).map_err(|it| it.to_string())?;
    let message = &completion["choices"][0]["message"];
    let cut: Vec<_> = expected["incomplete_calls"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    let calls = calls.map(|call| {
        let text = call["function"]["arguments"].as_str().unwrap();
        let input: Value = serde_json::from_str(text).unwrap_or_default();
        json!([call["id"], call["function"]["name"], input])
    });
    let thinking = |block: &Content| match block {
        Content::Thinking(thinking) => Some(thinking.text.clone()),
        _ => None,
    };
    let got = json!({
        "id": reply.id(), "model": reply.model(), "text": reply.text(),
        "calls": reply.tool_calls().map(|it| json!([it.id(), it.name(), it.input().to_value()])).collect::<Vec<_>>(),
        "thinking": reply.content().iter().filter_map(thinking).collect::<String>(),
        "input": reply.usage().input, "output": reply.usage().output,
    });
    let thought = ["reasoning_content", "reasoning"]
        .iter()
        .find_map(|key| message[*key].as_str());
    let expected = json!({
        "id": completion["id"], "model": completion["model"],
        "text": message["content"].as_str().unwrap_or_default(), "calls": calls.collect::<Vec<_>>(),
        "thinking": thought.unwrap_or_default(),
        "input": completion["usage"]["prompt_tokens"].as_u64().unwrap_or_default(),
        "output": completion["usage"]["completion_tokens"].as_u64().unwrap_or_default(),
    });
    equal(&expected, &got).map_err(|difference| format!("neutral: {difference}"))?;
    // A call that was cut off does not run: the reply is no tool use, and its input no object.
    for id in cut {
        let call = reply.tool_calls().find(|call| *id == *call.id()).unwrap();
        if call.input().is_object() || *reply.stop_reason() == StopReason::ToolUse {
            return Err(format!("the call {id} would run"));
        }
    }
    Ok(())
}
