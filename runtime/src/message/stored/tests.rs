//! What is stored comes back as it was, and reads well.

use std::fmt::Debug;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::json;

use super::*;
use crate::message::Thinking;
use crate::message::{Document, Image, Refusal, Reply, ReplyParts, Source, StopReason, Usage};
use crate::request::{Request, ToolChoice};
use crate::tool::{ToolDefinition, ToolOutput};
use crate::toolkit::{Entry, RequestTool};

/// What a `Value` would lose: a long integer, `1.0`, a key twice, an order, an escape.
const EXACT: &str =
    r#"{"n": 123456789012345678901234567890, "f": 1.0, "b": 1, "a": "\u00e9", "b": 2}"#;

fn through_text<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).unwrap();
    let pretty = serde_json::to_string_pretty(value).unwrap();
    let again: T = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
    assert!(serde_json::from_str::<T>(&pretty).is_ok());
    again
}

fn through_value<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_value(serde_json::to_value(value).unwrap()).unwrap()
}

/// Reads the JSON, and expects that it is written so and comes back on each way.
#[track_caller]
fn is_stored<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: Value) {
    assert_eq!(serde_json::to_value(value).unwrap(), json);
    assert_eq!(through_text(value), *value);
    assert_eq!(through_value(value), *value);
    assert_eq!(serde_json::from_value::<T>(json).unwrap(), *value);
}

fn exact() -> RawJson {
    RawJson::parse(EXACT).unwrap()
}

fn call() -> ToolCall {
    ToolCall::new("a", "look", exact())
}

fn came() -> Message {
    let blocks = [
        r#"{"type":"thinking","thinking":"","signature":"c2ln"}"#,
        r#"{"type":"text","text":"Hi",  "n":123456789012345678901234567890}"#,
        r#"{"type":"found", "pages":[1.0, 1.0]}"#,
        r#"{"type":"tool_use","id":"a","name":"look","input":{"a":1,"a":2}}"#,
    ]
    .map(|text| RawJson::parse(text).unwrap());
    let content = vec![
        Content::Thinking(Thinking {
            text: String::new(),
        }),
        Content::text("Hi"),
        Content::other(Api::new("x"), blocks[2].clone()),
        Content::ToolCall(ToolCall::new("a", "look", exact())),
    ];
    let native = Native {
        api: Api::new("x"),
        model: "m".to_owned(),
        frame: Some(RawJson::parse(r#"{"clear_at": 1.0}"#).unwrap()),
        blocks: blocks.into(),
    };
    Message::with_native(Role::Assistant, content, Some(native))
}

#[test]
fn each_kind_of_content_is_stored() {
    is_stored(&Content::text("Hi"), json!({"text": "Hi"}));
    is_stored(
        &Content::Thinking(Thinking { text: "hm".into() }),
        json!({"thinking": "hm"}),
    );
    is_stored(
        &Content::image("image/png", "aGk="),
        json!({"image": {"source": {"base64": {"media_type": "image/png", "data": "aGk="}}}}),
    );
    for (source, stored) in [
        (Source::Url("u".into()), json!({"url": "u"})),
        (Source::File("f".into()), json!({"file": "f"})),
        (Source::Text("t".into()), json!({"text": "t"})),
    ] {
        let image = Image {
            source: source.clone(),
            options: BlockOptions::default(),
        };
        is_stored(&Content::Image(image), json!({"image": {"source": stored}}));
        let document = Document {
            source,
            title: Some("T".into()),
            options: BlockOptions::default(),
        };
        is_stored(
            &Content::Document(document),
            json!({"document": {"source": stored, "title": "T"}}),
        );
    }
    is_stored(
        &Content::search_result("s", "T", vec!["p".into()]),
        json!({"search_result": {"source": "s", "title": "T", "passages": ["p"]}}),
    );
    let other = RawJson::parse(r#"{"type":"k","v":[1]}"#).unwrap();
    is_stored(
        &Content::other(Api::new("x"), other),
        json!({"other": {"api": "x", "kind": "k", "json": {"type": "k", "v": [1]}}}),
    );
}

#[test]
fn raw_json_is_exact_through_text() {
    let content = vec![
        Content::ToolCall(call()),
        Content::other(Api::TESTING, exact()),
    ];
    let result = ToolResult::new(&call(), content.clone());
    let message = Message::new(Role::User, vec![Content::ToolResult(result)]);
    for again in [&message, &through_text(&message)] {
        let result = again.tool_results().next().unwrap();
        assert_eq!(
            result.content()[0].as_tool_call().unwrap().input().as_str(),
            EXACT
        );
        assert!(
            matches!(&result.content()[1], Content::Other(other) if other.json.as_str() == EXACT)
        );
    }
    let usage = Usage {
        raw: Some(exact()),
        ..Usage::default()
    };
    let parts = through_text(&Reply::from_parts(parts(usage)));
    assert_eq!(parts.usage().raw.as_ref().unwrap().as_str(), EXACT);
    assert_eq!(parts.raw().as_str(), EXACT);
}

#[test]
fn calls_are_stored_with_what_the_model_wrote() {
    is_stored(
        &ToolCall::from_text("1", "t", r#"{"a":1}"#),
        json!({"id": "1", "name": "t", "input": {"a": 1}}),
    );
    is_stored(
        &ToolCall::from_text("1", "t", "null"),
        json!({"id": "1", "name": "t", "input": null}),
    );
    for text in [r#"{"a":1,}"#, "", " ", "{", "\u{0}\u{fffd}"] {
        let call = ToolCall::from_text("1", "t", text);
        is_stored(&call, json!({"id": "1", "name": "t", "input_text": text}));
        assert!(!through_text(&call).input().is_json());
        assert_eq!(through_text(&call).input().as_str(), text);
    }
    let error = serde_json::from_str::<ToolCall>(r#"{"id":"1","name":"t"}"#).unwrap_err();
    assert!(error.to_string().starts_with("missing field `input`"));
}

#[test]
fn results_are_stored_with_all_parts() {
    is_stored(
        &ToolResult::with_parts(Identity::new("1", ""), Vec::new(), false),
        json!({"call_id": "1"}),
    );
    for structured in [json!({"n": [1, 2.5]}), Value::Null] {
        let result =
            ToolResult::error(&call(), "no").with_structured(Some(Box::new(structured.clone())));
        let stored = json!({
            "call_id": "a", "name": "look", "content": [{"text": "no"}], "structured": structured, "is_error": true
        });
        is_stored(&result, stored);
        let output = ToolOutput::text("no")
            .with_structured(structured.clone())
            .as_error();
        let stored =
            json!({"content": [{"text": "no"}], "structured": structured, "is_error": true});
        is_stored(&output, stored);
    }
    is_stored(&ToolOutput::default(), json!({}));
}

#[test]
fn what_is_nested_deep_does_not_hold_up_all_else() {
    let nested = |depth| (0..depth).fold(json!(1), |inner, _| json!([inner]));
    for (depth, expected) in [(120, nested(120)), (140, Value::Null)] {
        let result =
            ToolResult::new(&call(), Vec::new()).with_structured(Some(Box::new(nested(depth))));
        let message = Message::new(Role::User, vec![Content::ToolResult(result)]);
        let text = serde_json::to_string(&[[[[&message]]]]).unwrap();
        let [[[[again]]]]: [[[[Message; 1]; 1]; 1]; 1] = serde_json::from_str(&text).unwrap();
        let result = again.tool_results().next().unwrap();
        assert_eq!(result.structured(), Some(&expected));
    }
}

#[test]
fn a_message_keeps_the_form_it_came_in() {
    let message = came();
    let again = through_text(&message);
    assert_eq!(again, message);
    let (native, own) = (again.0.native.as_ref().unwrap(), message.0.native.as_ref());
    let own = own.unwrap();
    assert_eq!((&native.api, &native.model), (&own.api, &own.model));
    let text = |raw: &RawJson| raw.as_str().to_owned();
    assert_eq!(
        native.frame.as_ref().map(text),
        own.frame.as_ref().map(text)
    );
    let texts = |native: &Native| native.blocks.iter().map(text).collect::<Vec<_>>();
    assert_eq!(texts(native), texts(own));
    assert!(again.has_reasoning());
    assert_eq!(through_value(&message), message);
}

#[test]
fn a_large_block_is_stored_once() {
    let text = serde_json::to_string(&came()).unwrap();
    assert_eq!(text.matches("pages").count(), 1);
    assert!(
        text.contains(r#""native":{"api":"x","model":"m","frame":{"clear_at": 1.0},"blocks":[{"#)
    );
    is_stored(
        &Message::user("Hi"),
        json!({"role": "user", "content": [{"text": "Hi"}]}),
    );
}

#[test]
fn a_form_that_does_not_belong_to_its_content_is_refused() {
    let refused = |blocks: Value| {
        let native = json!({"api": "x", "model": "m", "blocks": blocks});
        let message = json!({"role": "user", "content": [{"text": "Hi"}], "native": native});
        serde_json::from_value::<Message>(message)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(json!([])),
        "`native` has 0 blocks for the 1 of `content`; take `native` out of a message whose content was changed"
    );
    assert_eq!(
        refused(json!([null])),
        "block 0 of `native` is null, and that of `content` is none of its API"
    );
}

#[test]
fn unknown_keys_are_passed_over_and_unknown_tags_are_told() {
    let message: Message = serde_json::from_value(json!({
        "role": "user",
        "newer": 1,
        "content": [
            {"text": {"text": "Hi", "newer": 1}},
            {"tool_call": {"id": "1", "name": "t", "input": {}, "newer": 1}},
            {"image": {"source": {"url": "u"}, "newer": 1}},
        ],
    }))
    .unwrap();
    assert_eq!(
        (message.text().as_str(), message.content().len()),
        ("Hi", 3)
    );
    let error = |json: Value| {
        serde_json::from_value::<Message>(json)
            .unwrap_err()
            .to_string()
    };
    assert!(
        error(json!({"role": "user", "content": [{"video": {}}]}))
            .starts_with("unknown variant `video`, expected one of `text`")
    );
    assert!(
        error(json!({"role": "critic", "content": []})).starts_with("unknown variant `critic`")
    );
}

fn parts(usage: Usage) -> ReplyParts {
    ReplyParts {
        message: came(),
        id: "r".to_owned(),
        model: "m".to_owned(),
        stop_reason: StopReason::Other("out_of_ink".to_owned()),
        refusal: Some(Refusal {
            category: Some("c".to_owned()),
            explanation: None,
        }),
        usage,
        request_id: Some("q".to_owned()),
        container: Some("container_1".to_owned()),
        raw: exact(),
    }
}

#[test]
fn a_reply_is_stored_with_all_parts() {
    let usage = Usage {
        input: u64::MAX,
        output: 2,
        raw: Some(RawJson::null()),
        ..Usage::default()
    };
    let reply = Reply::from_parts(parts(usage));
    assert_eq!(through_text(&reply), reply);
    assert_eq!(through_value(&reply), reply);
    let empty = Reply::empty();
    let usage = json!({"input": 0, "cache_read": 0, "cache_write": 0, "output": 0, "reasoning": 0});
    let message = json!({"role": "assistant", "content": []});
    is_stored(
        &empty,
        json!({"message": message, "stop_reason": "none", "usage": usage, "raw": {}}),
    );
}

#[test]
fn reasons_are_stored_as_their_words() {
    for word in [
        "end_turn",
        "tool_use",
        "max_tokens",
        "stop_sequence",
        "pause_turn",
        "compaction",
        "refusal",
        "model_context_window_exceeded",
        "out_of_ink",
    ] {
        let reason: StopReason = serde_json::from_value(json!(word)).unwrap();
        assert_eq!(matches!(reason, StopReason::Other(_)), word == "out_of_ink");
        is_stored(&reason, json!(word));
    }
}

fn definition() -> ToolDefinition {
    let schema =
        json!({"type": "object", "properties": {"b": {"minimum": 1.0}, "a": {"maximum": 1}}});
    ToolDefinition::new("look", "Look.", schema).unwrap()
}

#[test]
fn definitions_are_stored_as_they_were_checked() {
    is_stored(
        &ToolDefinition::new("t", "", json!({"type": "object"})).unwrap(),
        json!({"name": "t", "input_schema": {"type": "object"}}),
    );
    let full = definition()
        .with_title("Look")
        .with_output_schema(Value::Null)
        .read_only(true)
        .open_world(false)
        .exclusive(true)
        .approval(true)
        .with_timeout(Duration::new(30, 1))
        .strict(false)
        .option("cache_control", json!({"type": "ephemeral"}))
        .with_faults(vec!["$: odd".to_owned()]);
    is_stored(
        &full,
        json!({
            "name": "look",
            "title": "Look",
            "description": "Look.",
            "input_schema": {"type": "object", "properties": {"b": {"minimum": 1.0}, "a": {"maximum": 1}}},
            "output_schema": null,
            "hints": {"read_only": true, "open_world": false},
            "exclusive": true,
            "approval": true,
            "timeout": {"secs": 30, "nanos": 1},
            "strict": false,
            "options": {"cache_control": {"type": "ephemeral"}},
            "faults": ["$: odd"],
        }),
    );
}

#[test]
fn a_definition_of_a_function_is_stored_too() {
    let parameters = (crate::arguments::parameter::<u8>("n", ""), ());
    let typed = crate::tool::define("t", "Typed.", &parameters);
    assert!(typed.schema().shapes().is_some());
    for again in [through_text(&typed), through_value(&typed)] {
        assert_eq!(again, typed);
        assert!(!again.schema().is_given() && again.schema().shapes().is_none());
    }
}

#[test]
fn a_request_is_stored_with_all_fields() {
    let native = Entry::Native {
        api: Api::new("x"),
        name: "search".to_owned(),
        json: exact(),
    };
    let tools = [
        (Entry::Function(definition()), false),
        (Entry::Read(definition().strict(true)), true),
        (native, true),
    ];
    let request = Request::new("m")
        .max_tokens(7)
        .system("Be brief.")
        .user("Hi")
        .message(came())
        .tool_choice(ToolChoice::Tool("look".into()))
        .parallel_tool_calls(false)
        .stop_sequences(["STOP"])
        .option("metadata", json!({"b": null, "a": 1.0}));
    let request = tools
        .into_iter()
        .fold(request, |request, (entry, is_placeholder)| {
            request.with_tool(RequestTool {
                entry,
                is_placeholder,
            })
        });
    for again in [through_text(&request), through_value(&request)] {
        assert_eq!(again.model, "m");
        assert_eq!(again.max_tokens, Some(7));
        assert_eq!(again.system, request.system);
        assert_eq!(again.messages, request.messages);
        assert_eq!(again.tool_choice, request.tool_choice);
        assert_eq!(again.parallel_tool_calls, Some(false));
        assert_eq!(again.stop_sequences, ["STOP"]);
        assert_eq!(again.options, request.options);
        assert_eq!(again.tools[..2], request.tools[..2]);
    }
    let again = through_text(&request);
    assert!(matches!(&again.tools[2].entry, Entry::Native { json, .. } if json.as_str() == EXACT));
    assert_eq!(again.tools, request.tools);
    assert_eq!(
        serde_json::to_value(Request::new("m").user("Hi")).unwrap(),
        json!({"model": "m", "messages": [{"role": "user", "content": [{"text": "Hi"}]}]})
    );
}

#[test]
fn choices_are_stored_as_words() {
    is_stored(&ToolChoice::Auto, json!("auto"));
    is_stored(&ToolChoice::Any, json!("any"));
    is_stored(&ToolChoice::None, json!("none"));
    is_stored(&ToolChoice::Tool("t".into()), json!({"tool": "t"}));
}
