//! Schemas and inputs with which a walk could go on for ever, or for longer than anyone waits.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::{UNFINISHED, walk};

/// All problems. It takes milliseconds, or what grows with the square of the input or faster is minutes.
#[track_caller]
fn problems(schema: &Value, value: &Value) -> String {
    let start = Instant::now();
    let walked = walk(schema, &value.to_string()).unwrap();
    assert!(start.elapsed() < Duration::from_secs(10));
    match walked.problems.is_empty() {
        true => String::new(),
        false => walked.problems.into_error().message().to_owned(),
    }
}

fn with_definition(definition: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/T"}},
        "$defs": {"T": definition}
    })
}

fn nested(depth: usize) -> Value {
    json!({"x": (0..depth).fold(json!({}), |inner, _| json!({"next": inner}))})
}

#[test]
fn a_schema_that_asks_for_itself_is_left() {
    let itself = json!({"$ref": "#/$defs/T"});
    for definition in [
        json!({"allOf": [itself]}),
        json!({"anyOf": [itself]}),
        json!({"oneOf": [itself, itself]}),
        json!({"not": itself}),
        json!({"if": itself}),
        json!({"dependentSchemas": {"next": itself}}),
    ] {
        let schema = with_definition(&definition);
        assert_eq!(problems(&schema, &nested(1)), UNFINISHED, "{definition}");
    }
    let schema = with_definition(&json!({"anyOf": [itself]}));
    assert_eq!(problems(&schema, &json!({"x": null})), "");
}

#[test]
fn alternatives_in_one_another_take_no_longer_than_others() {
    let next = json!({"next": {"$ref": "#/$defs/T"}});
    let branch = json!({"type": "object", "properties": next});
    let needs = |key| json!({"type": "object", "properties": next, "required": [key]});
    for definition in [
        json!({"anyOf": [needs("a"), needs("b")]}),
        json!({"oneOf": [branch, branch]}),
        json!({"allOf": [branch, branch]}),
        json!({"if": branch, "then": branch}),
        json!({"not": {"anyOf": [needs("a"), needs("b")]}, "properties": next}),
    ] {
        let schema = with_definition(&definition);
        assert_eq!(problems(&schema, &nested(20)), UNFINISHED, "{definition}");
    }
}

#[test]
fn many_keys_and_items_take_their_number() {
    let many = 20_000;
    let keys = || (0..many).map(|at| format!("key{at}"));
    let properties: Map<_, _> = keys().map(|key| (key, json!({"type": "null"}))).collect();
    let schema = json!({
        "properties": properties,
        "required": keys().collect::<Vec<_>>(),
        "additionalProperties": false
    });
    let nulls: Map<_, _> = keys().map(|key| (key, Value::Null)).collect();
    assert_eq!(problems(&schema, &Value::Object(nulls)), "");
    let others: Map<_, _> = keys().map(|key| (format!("_{key}"), Value::Null)).collect();
    let told = problems(&schema, &Value::Object(others));
    assert!(told.ends_with("and 39980 more"), "{told}");

    let schema = json!({"properties": {"x": {"type": "array", "uniqueItems": true}}});
    let items: Vec<_> = (0..many).chain([5]).collect();
    assert_eq!(
        problems(&schema, &json!({"x": items})),
        "x[20000]: is the same as [5]; each item may be there once"
    );
}

#[test]
fn an_argument_that_has_keys_twice_hides_no_other() {
    let schema = json!({"properties": {"a": {}, "b": {"properties": {"a": {"type": "integer"}}}}});
    let text = r#"{"a": {"c": [{"d": 1, "d": 2}]}, "b": {"a": null}}"#;
    let walked = walk(&schema, text).unwrap();
    assert_eq!(
        walked.problems.into_error().message(),
        "a.c[0]: the key `d` is there twice"
    );
}

#[test]
fn a_branch_is_chosen_by_its_keys_before_it_is_walked() {
    let branch = |key: &str| {
        json!({
            "type": "object",
            "properties": {key: {"type": "integer"}, "next": {"$ref": "#/$defs/T"}},
            "required": [key],
            "additionalProperties": false
        })
    };
    let schema = with_definition(&json!({"anyOf": [branch("a"), branch("b"), branch("c")]}));
    let nested = |last: Value| (0..100).fold(last, |inner, _| json!({"c": 1, "next": inner}));
    assert_eq!(
        problems(&schema, &json!({"x": nested(json!({"b": 1}))})),
        ""
    );
    let told = problems(&schema, &json!({"x": nested(json!({"b": "1"}))}));
    assert!(
        told.ends_with("next.b: expected an integer, got the string \"1\""),
        "{told}"
    );
}
