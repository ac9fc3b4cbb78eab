//! What schemas come to.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Dialect, resolve};
use crate::__private::{Parameter, Parameters, define, parameter};

/// The property that a parameter of a type gets, and whether it is required.
fn property<T>(parameter: Parameter<T>) -> (Value, bool)
where
    (Parameter<T>, ()): Parameters,
{
    let definition = define("t", "A tool.", &(parameter, ()));
    let schema = definition.input_schema();
    (
        schema["properties"]["key"].clone(),
        schema["required"] == json!(["key"]),
    )
}

macro_rules! required {
    ($type:ty, $($expected:tt)+) => {
        assert_eq!(property(parameter::<$type>("key", "")), (json!($($expected)+), true))
    };
}

macro_rules! optional {
    ($type:ty, $($expected:tt)+) => {
        assert_eq!(property(parameter::<$type>("key", "")), (json!($($expected)+), false))
    };
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only their schemas are looked at")]
struct Point {
    x: i32,
    y: Option<i32>,
}

#[derive(Deserialize, JsonSchema)]
enum Units {
    Celsius,
    Fahrenheit,
}

/// How to go about it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// Quick.
    Fast,
    #[schemars(extend("x-haft" = true))]
    Slow,
    /// Thorough.
    Deep,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(dead_code, reason = "only their schemas are looked at")]
enum Shape {
    Circle { r: f64 },
    Square { side: f64, name: Option<String> },
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only their schemas are looked at")]
struct Node {
    value: i32,
    children: Vec<Self>,
}

#[test]
fn a_tool_without_parameters_takes_the_empty_object() {
    let definition = define("ping", "Ping.", &());
    assert_eq!(
        *definition.input_schema(),
        json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false})
    );
}

#[test]
fn scalars_keep_their_bounds_and_lose_rusts_formats() {
    required!(String, {"type": "string"});
    required!(bool, {"type": "boolean"});
    required!(f64, {"type": "number"});
    required!(i64, {"type": "integer"});
    required!(u8, {"type": "integer", "minimum": 0, "maximum": 255});
    required!(usize, {"type": "integer", "minimum": 0});
}

#[test]
fn an_optional_key_has_the_schema_of_its_type_and_no_null() {
    optional!(Option<String>, {"type": "string"});
    optional!(Option<Vec<String>>, {"type": "array", "items": {"type": "string"}});
    optional!(Option<Units>, {"type": "string", "enum": ["Celsius", "Fahrenheit"]});
    optional!(Option<Option<bool>>, {"type": "boolean"});
    optional!(Box<Option<i64>>, {"type": "integer"});
}

#[test]
fn fields_are_optional_at_every_depth() {
    let point = json!({
        "type": "object",
        "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
        "required": ["x"],
    });
    required!(Point, point);
    required!(Vec<Point>, {"type": "array", "items": point});
    optional!(Option<Point>, point);
}

#[test]
fn null_stays_where_it_cannot_be_left_out() {
    required!(Vec<Option<i64>>, {"type": "array", "items": {"type": ["integer", "null"]}});
}

#[test]
fn an_enum_is_flat_in_the_order_of_declaration_with_its_texts() {
    let mode = json!({
        "type": "string",
        "enum": ["fast", "slow", "deep"],
        "description": "How to go about it.\n- `fast`: Quick.\n- `deep`: Thorough.",
    });
    required!(Mode, mode);
    optional!(Option<Mode>, mode);
}

#[test]
fn a_tagged_union_is_any_of_its_shapes() {
    let (schema, _) = property(parameter::<Shape>("key", ""));
    let branches = schema["anyOf"].as_array().unwrap();
    assert!(schema.get("oneOf").is_none());
    assert_eq!(
        branches[0]["properties"]["kind"],
        json!({"type": "string", "const": "circle"})
    );
    assert_eq!(branches[0]["required"], json!(["kind", "r"]));
    assert_eq!(branches[1]["properties"]["name"], json!({"type": "string"}));
}

#[test]
fn text_at_the_parameter_wins_over_text_at_its_type() {
    let (schema, _) = property(parameter::<Mode>("key", "Which way."));
    assert_eq!(
        schema["description"],
        "Which way.\n- `fast`: Quick.\n- `deep`: Thorough."
    );
    let (schema, _) = property(parameter::<Option<Mode>>("key", "Which way."));
    assert_eq!(
        schema["description"],
        "Which way.\n- `fast`: Quick.\n- `deep`: Thorough."
    );
    let (schema, _) = property(parameter::<Point>("key", "Where."));
    assert_eq!(schema["description"], "Where.");
}

#[test]
fn a_recursive_type_is_defined_once_at_the_root() {
    let definition = define(
        "walk",
        "Walk.",
        &(
            parameter::<Node>("root", ""),
            (parameter::<Option<Node>>("next", ""), ()),
        ),
    );
    let schema = definition.input_schema();
    let mut references = Vec::new();
    collect_references(schema, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        assert!(
            resolve(schema, reference.as_str().unwrap()).is_some(),
            "{reference} of {schema:#}"
        );
    }
    assert!(!schema.to_string().contains("null"), "{schema:#}");
}

fn collect_references(schema: &Value, found: &mut Vec<Value>) {
    match schema {
        Value::Object(node) => {
            found.extend(node.get("$ref").cloned());
            node.values()
                .for_each(|child| collect_references(child, found));
        }
        Value::Array(list) => list
            .iter()
            .for_each(|child| collect_references(child, found)),
        _ => {}
    }
}

#[test]
fn a_property_may_be_named_like_a_keyword() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Keywords {
        format: String,
        title: Option<String>,
        properties: u8,
        required: bool,
        #[serde(rename = "oneOf")]
        one_of: Option<Vec<String>>,
        #[serde(rename = "type")]
        kind: String,
        default: Option<Mode>,
    }
    let (schema, _) = property(parameter::<Keywords>("key", ""));
    let keys: Vec<_> = schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(
        keys,
        [
            "format",
            "title",
            "properties",
            "required",
            "oneOf",
            "type",
            "default"
        ]
    );
    assert_eq!(
        schema["properties"]["oneOf"],
        json!({"type": "array", "items": {"type": "string"}})
    );
    assert_eq!(
        schema["required"],
        json!(["format", "properties", "required", "type"])
    );
}

#[test]
fn any_json_is_the_empty_schema_and_no_boolean() {
    required!(Value, {});
    required!(std::collections::BTreeMap<String, Value>, {"type": "object", "additionalProperties": {}});
}

#[test]
fn a_recursive_type_may_have_any_name() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Größe {
        next: Option<Box<Self>>,
    }

    let definition = define("t", "", &(parameter::<Größe>("a", ""), ()));
    let schema = definition.input_schema();
    let mut references = Vec::new();
    collect_references(schema, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let target = resolve(schema, reference.as_str().unwrap());
        assert_eq!(target, Some(&schema["$defs"]["Größe"]), "{reference}");
    }
    assert!(Dialect::Plain.is_narrow(schema), "{schema:#}");
}

#[test]
fn of_two_flattened_unions_both_hold() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    enum ByKey {
        P { p: u8 },
        Q { q: u8 },
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    #[allow(dead_code, reason = "only its schema is looked at")]
    enum Tagged {
        A { a: u8 },
        B { b: u8 },
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only its schema is looked at")]
    struct Both {
        #[serde(flatten)]
        first: ByKey,
        #[serde(flatten)]
        second: Tagged,
    }

    let (schema, _) = property(parameter::<Both>("key", ""));
    let parts = schema["allOf"].as_array().unwrap();
    let keys = |part: &Value| part["anyOf"][0]["required"].clone();
    assert_eq!(
        parts.iter().map(keys).collect::<Vec<_>>(),
        [json!(["p"]), json!(["kind", "a"])],
        "{schema:#}"
    );
}
