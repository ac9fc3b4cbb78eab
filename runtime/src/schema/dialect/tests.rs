//! What the dialects make of small schemas.

use serde_json::{Value, json};

use super::Dialect;

fn narrowed(dialect: Dialect, property: &Value) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {"it": property},
        "required": ["it"],
        "additionalProperties": false,
        "$defs": {"Text": {"type": "string", "description": "A text."}},
    });
    dialect.narrow(&mut schema);
    assert!(dialect.is_narrow(&schema), "{schema:#}");
    schema["properties"]["it"].take()
}

macro_rules! becomes {
    ($dialect:ident, $from:tt, $to:tt) => {
        assert_eq!(narrowed(Dialect::$dialect, &json!($from)), json!($to));
    };
}

#[test]
fn anthropic_keeps_its_subset() {
    becomes!(AnthropicStrict, {"type": "string", "format": "uuid"}, {"type": "string", "format": "uuid"});
    becomes!(
        AnthropicStrict,
        {"type": "string", "format": "ip", "pattern": r"\bx"},
        {"type": "string", "description": "Format: ip.\nMatches \\bx."}
    );
    becomes!(
        AnthropicStrict,
        {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 3, "maxItems": 5},
        {
            "type": "array",
            "items": {"type": "integer", "description": "At least 1."},
            "description": "3 to 5 items.",
            "minItems": 1,
        }
    );
    becomes!(
        AnthropicStrict,
        {"oneOf": [{"type": "string"}, {"const": 3}]},
        {"anyOf": [{"type": "string"}, {"const": 3}]}
    );
    becomes!(
        AnthropicStrict,
        {"$ref": "#/$defs/Text", "description": "Own text."},
        {"type": "string", "description": "Own text."}
    );
    becomes!(
        AnthropicStrict,
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        {
            "type": "array",
            "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "description": "Items in order: integer, string.\nExactly 2 items.",
            "minItems": 1,
        }
    );
}

#[test]
fn openai_gives_null_to_what_may_be_left_out() {
    becomes!(
        OpenAiStrict,
        {
            "type": "object",
            "properties": {
                "text": {"type": "string", "minLength": 2},
                "units": {"type": "string", "enum": ["c", "f"], "default": "c"},
                "tag": {"const": "a"},
                "list": {"type": "array", "items": {"type": "string"}, "description": "Some."},
                "either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
                "text_too": {"$ref": "#/$defs/Text"},
            },
        },
        {
            "type": "object",
            "properties": {
                "text": {"type": ["string", "null"], "description": "At least 2 characters."},
                "units": {"type": ["string", "null"], "enum": ["c", "f", null], "description": "Default: \"c\"."},
                "tag": {"type": ["string", "null"], "enum": ["a", null]},
                "list": {
                    "description": "Some.",
                    "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}],
                },
                "either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "null"}]},
                "text_too": {"anyOf": [{"$ref": "#/$defs/Text"}, {"type": "null"}]},
            },
            "required": ["text", "units", "tag", "list", "either", "text_too"],
            "additionalProperties": false,
        }
    );
}

#[test]
fn null_stands_once_wherever_it_is_listed() {
    becomes!(
        OpenAiStrict,
        {"type": "object", "properties": {
            "mixed": {"enum": ["a", null, 3, "b"]},
            "typed": {"type": ["string", "null"], "enum": ["a"]},
            "union": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Some."},
        }},
        {
            "type": "object",
            "properties": {
                "mixed": {"enum": ["a", null, 3, "b"], "type": ["string", "null", "integer"]},
                "typed": {"type": ["string", "null"], "enum": ["a", null]},
                "union": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Some."},
            },
            "additionalProperties": false,
            "required": ["mixed", "typed", "union"],
        }
    );
}

#[test]
fn gemini_has_no_null_lists_constants_or_references() {
    becomes!(Gemini, {"type": ["string", "null"]}, {"type": "string", "nullable": true});
    becomes!(
        Gemini,
        {"type": ["string", "integer"], "minimum": 1, "description": "Either."},
        {"description": "Either.", "anyOf": [{"type": "string"}, {"type": "integer", "minimum": 1}]}
    );
    becomes!(Gemini, {"type": "string", "const": "a"}, {"type": "string", "enum": ["a"]});
    becomes!(Gemini, {"enum": [1, 2]}, {"type": "integer", "description": "One of 1, 2."});
    becomes!(Gemini, {"$ref": "#/$defs/Text"}, {"type": "string", "description": "A text."});
    becomes!(
        Gemini,
        {"anyOf": [{"$ref": "#/$defs/Text"}, {"type": "null"}]},
        {"type": "string", "description": "A text.", "nullable": true}
    );
    becomes!(
        Gemini,
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "object", "description": "Keys of any name, each with: integer."}
    );
}

#[test]
fn an_all_of_is_one_object_or_stays() {
    let all_of = json!({"allOf": [
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}, "required": ["b"]},
    ]});
    let merged = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "required": ["a", "b"],
        "additionalProperties": false,
    });
    for dialect in [Dialect::AnthropicStrict, Dialect::OpenAiStrict] {
        assert_eq!(narrowed(dialect, &all_of), merged);
    }
    becomes!(
        AnthropicStrict,
        {"allOf": [{"type": "string"}, {"enum": ["a"]}]},
        {"allOf": [{"type": "string"}, {"enum": ["a"]}]}
    );
}

#[test]
fn definitions_that_use_each_other_twice_do_not_grow_without_end() {
    let mut schema = json!({"type": "object", "properties": {"it": {"$ref": "#/$defs/d0"}}});
    for at in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
        schema["$defs"][format!("d{at}")] =
            json!({"type": "object", "properties": {"a": next, "b": next}});
    }
    Dialect::Gemini.narrow(&mut schema);
    assert!(!Dialect::Gemini.is_narrow(&schema));
}

#[test]
fn a_union_within_all_of_beside_own_keys_is_a_fault() {
    let union =
        |key: &str| json!({"anyOf": [{"type": "object", "properties": {key: {"type": "string"}}}]});
    for dialect in [Dialect::AnthropicStrict, Dialect::OpenAiStrict] {
        let mut schema = json!({
            "type": "object",
            "properties": {"it": {
                "type": "object",
                "properties": {"own": {"type": "string"}},
                "required": ["own"],
                "allOf": [union("a"), union("b")],
            }},
            "required": ["it"],
        });
        dialect.narrow(&mut schema);
        let faults = super::check::in_subset(dialect, &schema);
        assert!(
            faults.iter().any(|fault| fault.starts_with(
                "$.properties.it.allOf: stands beside `properties`"
            )),
            "{faults:#?}"
        );
    }
}

#[test]
fn references_without_end_are_left() {
    let step = |at: usize| {
        let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
        let step =
            json!({"type": "object", "properties": {"n": next}, "additionalProperties": false});
        (format!("d{at}"), step)
    };
    let definitions: serde_json::Map<_, _> = (0..1000).map(step).collect();
    let mut schema = json!({
        "type": "object",
        "properties": {"it": {"$ref": "#/$defs/d0"}},
        "$defs": definitions,
    });
    Dialect::Gemini.narrow(&mut schema);
    assert!(!Dialect::Gemini.is_narrow(&schema));
}

#[test]
fn a_required_key_is_a_property() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a", "b"],
    });
    let definition = [json!({"name": "t", "parameters": schema})];
    let error = Dialect::Gemini.check(&definition).unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool `t` at $.required: `b` is no key of `properties`; leave it out, or add it there"
    );
}
