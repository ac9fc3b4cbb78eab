//! Writes request bodies in one way, so that what does not count does not differ.
//!
//! Out go nulls, `cache_control`, `stream: false` and `is_error: false`; a text becomes a list with one text block; the
//! arguments of a call become a JSON value. Schemas and arguments are the user's: nothing in them is touched, because a
//! property may be called `cache_control` and a default may be null.

use serde_json::{Map, Value, json};

use crate::recording::Api;

/// The body as it compares.
pub(crate) fn body(api: Api, body: &Value) -> Value {
    let mut body = value(api, body);
    if let Value::Object(fields) = &mut body {
        if fields.get("stream") == Some(&Value::Bool(false)) {
            fields.shift_remove("stream");
        }
        if api == Api::AnthropicMessages {
            as_blocks(fields, "system", "text");
        }
    }
    body
}

/// Any part of a body that is neither a schema nor the arguments of a call.
pub(crate) fn value(api: Api, value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements
            .iter()
            .map(|element| self::value(api, element))
            .collect(),
        Value::Object(fields) => Value::Object(object(api, fields)),
        other => other.clone(),
    }
}

fn object(api: Api, fields: &Map<String, Value>) -> Map<String, Value> {
    let mut kept = Map::new();
    for (key, field) in fields {
        let field = match key.as_str() {
            "input" if is_call(fields) => one_spelling(field),
            "arguments" => read_arguments(field),
            "cache_control" => continue,
            _ if field.is_null() => continue,
            "input_schema" | "input_examples" | "parameters" | "schema" => field.clone(),
            "is_error" if field == &Value::Bool(false) => continue,
            _ => value(api, field),
        };
        kept.insert(key.clone(), field);
    }
    if let Some(text_type) = text_type(api, &kept) {
        as_blocks(&mut kept, "content", text_type);
        as_blocks(&mut kept, "output", text_type);
    }
    kept
}

/// Whether this is a block `tool_use`, `server_tool_use`, `mcp_tool_use` or one to come.
fn is_call(fields: &Map<String, Value>) -> bool {
    type_of(fields).ends_with("tool_use")
}

/// The type of a text block in this object; `None` where a string is not short for blocks.
fn text_type(api: Api, fields: &Map<String, Value>) -> Option<&'static str> {
    let is_message = fields.contains_key("role");
    match api {
        Api::AnthropicMessages | Api::OpenaiChat => {
            (is_message || type_of(fields).ends_with("tool_result")).then_some("text")
        }
        Api::OpenaiResponses if fields.get("role") == Some(&json!("assistant")) => {
            Some("output_text")
        }
        Api::OpenaiResponses => {
            (is_message || type_of(fields).ends_with("_call_output")).then_some("input_text")
        }
    }
}

fn as_blocks(fields: &mut Map<String, Value>, key: &str, text_type: &str) {
    if let Some(field @ Value::String(_)) = fields.get_mut(key) {
        *field = json!([{"type": text_type, "text": field}]);
    }
}

/// The arguments of a call; "none" is spelled in several ways.
fn one_spelling(arguments: &Value) -> Value {
    match arguments {
        Value::Null => json!({}),
        Value::String(text) if text.is_empty() => json!({}),
        other => other.clone(),
    }
}

/// The arguments of a call that come as the text of JSON.
fn read_arguments(field: &Value) -> Value {
    let read = field
        .as_str()
        .and_then(|text| serde_json::from_str(text).ok());
    one_spelling(read.as_ref().unwrap_or(field))
}

fn type_of(fields: &Map<String, Value>) -> &str {
    fields
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anthropic(sent: &Value) -> Value {
        body(Api::AnthropicMessages, sent)
    }

    fn content(block: &Value) -> Value {
        let body = anthropic(&json!({"messages": [{"role": "assistant", "content": [block]}]}));
        body["messages"][0]["content"][0].clone()
    }

    #[test]
    fn nulls_and_cache_control_do_not_count() {
        let body = json!({"a": null, "cache_control": {"type": "ephemeral"},
            "b": [{"c": null, "cache_control": {}}, null]});
        assert_eq!(anthropic(&body), json!({"b": [{}, null]}));
    }

    #[test]
    fn a_property_may_be_called_cache_control() {
        let property = json!({"type": ["string", "null"], "default": null, "is_error": false});
        let schema = json!({"properties": {"cache_control": property}});
        let tools = json!({"tools": [{"name": "t", "input_schema": schema,
            "input_examples": [{"cache_control": null}]}]});
        assert_eq!(anthropic(&tools), tools);
        let format =
            json!({"output_config": {"format": {"type": "json_schema", "schema": schema}}});
        assert_eq!(anthropic(&format), format);
        let function = json!({"tools": [{"type": "function", "function": {"name": "t", "parameters": schema}}]});
        assert_eq!(body(Api::OpenaiChat, &function), function);
        for name in ["tool_use", "server_tool_use", "mcp_tool_use"] {
            let call = json!({"type": name, "input": {"cache_control": null, "content": "x", "role": "y"}});
            assert_eq!(content(&call), call);
        }
    }

    #[test]
    fn only_a_call_has_arguments_as_input() {
        let block = json!({"type": "other", "input": {"cache_control": null}});
        assert_eq!(content(&block), json!({"type": "other", "input": {}}));
    }

    #[test]
    fn all_spellings_of_no_arguments_are_the_same() {
        let none = json!({"type": "tool_use", "input": {}});
        for input in [json!(""), json!(null), json!({})] {
            assert_eq!(content(&json!({"type": "tool_use", "input": input})), none);
        }
        for arguments in [
            json!(""),
            json!(null),
            json!({}),
            json!("{}"),
            json!("null"),
        ] {
            assert_eq!(read_arguments(&arguments), json!({}));
        }
    }

    #[test]
    fn arguments_in_a_text_are_read_where_the_api_has_texts() {
        let chat = |arguments: &str| {
            let call = json!({"tool_calls": [{"function": {"name": "t", "arguments": arguments}}]});
            body(Api::OpenaiChat, &call)["tool_calls"][0]["function"]["arguments"].clone()
        };
        assert_eq!(chat("{\"a\": null}"), json!({"a": null}));
        assert_eq!(chat("{\"a\": "), json!("{\"a\": "));
        let call = json!({"type": "tool_use", "input": "{\"a\": 1}"});
        assert_eq!(content(&call), call);
    }

    #[test]
    fn a_text_is_one_text_block() {
        let blocks = json!([{"type": "text", "text": "x"}]);
        assert_eq!(
            anthropic(&json!({"system": "x"})),
            json!({"system": blocks})
        );
        assert_eq!(
            content(&json!({"type": "tool_result", "content": "x"}))["content"],
            blocks
        );
        let message = json!({"messages": [{"role": "user", "content": "x"}]});
        assert_eq!(
            anthropic(&message),
            json!({"messages": [{"role": "user", "content": blocks}]})
        );
        let output = json!({"input": [{"type": "function_call_output", "output": "x"}]});
        let expected = json!([{"type": "function_call_output", "output": [{"type": "input_text", "text": "x"}]}]);
        assert_eq!(body(Api::OpenaiResponses, &output)["input"], expected);
    }

    #[test]
    fn a_text_elsewhere_stays_one() {
        let block = json!({"type": "document", "source": {"type": "text", "content": "x"}});
        assert_eq!(content(&block), block);
    }

    #[test]
    fn a_flag_that_is_off_is_none_where_the_api_says_so() {
        assert_eq!(
            anthropic(&json!({"stream": false, "x": false})),
            json!({"x": false})
        );
        assert_eq!(anthropic(&json!({"stream": true})), json!({"stream": true}));
        assert_eq!(
            content(&json!({"type": "tool_result", "is_error": false})),
            json!({"type": "tool_result"})
        );
        assert_eq!(
            content(&json!({"type": "tool_result", "is_error": true}))["is_error"],
            true
        );
    }
}
