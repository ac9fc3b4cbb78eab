//! What haft says of arguments is what a validator of JSON Schema says, for random values of many
//! types: valid ones are read, and invalid ones refused, with a path.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    dead_code,
    reason = "a test states what holds; a panic is its report; types are read and not used"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use fastrand::Rng;
use haft::schemars::JsonSchema;
use haft::serde::de::DeserializeOwned;
use haft::serde_json::{Map, Value, json};
use haft::{FunctionTool, Nullable, Toolkit, argument};

#[argument]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Units {
    /// As most have it.
    Celsius,
    Fahrenheit,
}

#[argument]
#[derive(Debug)]
struct Point {
    x: i32,
    y: Option<i32>,
    #[schemars(length(min = 1, max = 3))]
    label: Option<String>,
}

#[argument]
#[derive(Debug)]
#[serde(tag = "kind")]
enum Shape {
    Circle { r: f64 },
    Square { side: f64, name: Option<String> },
    Dot,
}

#[argument]
#[derive(Debug)]
enum ByKey {
    A(u8),
    B { c: Option<u8> },
    C,
}

#[argument]
#[derive(Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    A(u8),
    B { c: u8 },
    C,
}

#[argument]
#[derive(Debug)]
#[serde(untagged)]
enum Untagged {
    Text(String),
    Number(i64),
    Point(Point),
}

#[argument]
#[derive(Debug)]
struct Node {
    v: i32,
    below: Vec<Self>,
    shape: Option<Shape>,
}

#[argument]
#[derive(Debug)]
struct Bounded {
    #[schemars(range(min = 1, max = 5))]
    n: u8,
    f: f64,
    #[schemars(regex(pattern = "^[a-z]*$"))]
    s: String,
    #[schemars(length(min = 1, max = 2))]
    l: Vec<Units>,
}

#[argument]
#[derive(Debug)]
struct One<T> {
    x: T,
}

/// Compares the two on random values of a type.
fn agree<T: DeserializeOwned + JsonSchema + Debug + Send + 'static>(name: &str) {
    let read = |one: One<T>| async move { format!("{one:?}") };
    let tool = FunctionTool::new::<One<T>, _>("t", "", read).unwrap();
    compare(name, tool);
}

/// Compares the two on random values of the schema of a property.
fn agree_on(schema: &Value) {
    let name = schema.to_string();
    let schema = json!({"type": "object", "properties": {"x": schema}, "required": ["x"]});
    let tool = FunctionTool::from_schema("t", "", schema, |_: Value| async { "read" }).unwrap();
    compare(&name, tool);
}

fn compare(name: &str, tool: FunctionTool) {
    let schema = tool.definition().input_schema().clone();
    let kit: Toolkit = Toolkit::new().with(tool).unwrap();
    let judge = jsonschema::validator_for(&schema).expect("the schema is one");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut random = Rng::with_seed(11);
    let mut counts = [0_usize; 2];
    for _ in 0..2000 {
        let mut value = instance(&schema, &schema, &mut random, 0);
        for _ in 0..random.usize(..3) {
            disturb(&mut value, &mut random);
        }
        // Null leaves out what may be left out, which a validator does not know.
        if !value.is_object() || has_null(&value) {
            continue;
        }
        let is_valid = judge.is_valid(&value);
        let result = runtime.block_on(kit.call("t", value.clone()));
        assert_eq!(
            !result.is_error(),
            is_valid,
            "{name}: {value}: {}",
            result.text()
        );
        if is_valid {
            // As `OpenAiStrict` has the model write it.
            let filled = with_nulls(&schema, &schema, &value);
            let same = runtime.block_on(kit.call("t", filled.clone()));
            assert_eq!(same.text(), result.text(), "{name}: {filled}");
        } else {
            let text = result.text();
            let problems = text
                .strip_prefix("Error: Invalid input for tool 't': ")
                .expect("a problem");
            for problem in problems.lines() {
                assert!(
                    problem.contains(": ") || problem.starts_with("and "),
                    "{problem}"
                );
                assert!(!problem.contains("line 1"), "{problem}");
            }
        }
        counts[usize::from(is_valid)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 50), "{name}: {counts:?}");
}

/// A value that fits a schema, mostly.
fn instance(root: &Value, schema: &Value, random: &mut Rng, depth: usize) -> Value {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap();
        return instance(root, target, random, depth + 1);
    }
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    for keyword in ["enum", "anyOf", "oneOf", "allOf"] {
        if let Some(Value::Array(choices)) = schema.get(keyword) {
            let choice = random.choice(choices).unwrap().clone();
            return match keyword {
                "enum" => choice,
                _ => instance(root, &choice, random, depth + 1),
            };
        }
    }
    let kinds = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.clone(),
        Some(kind) => vec![kind.clone()],
        None => vec![json!("integer"), json!("string"), json!("array")],
    };
    match random.choice(&kinds).unwrap().as_str().unwrap() {
        "object" => object(root, schema, random, depth),
        "array" => array(root, schema, random, depth),
        "string" => {
            let length = random.usize(..4);
            let letter = |_| if random.bool() { 'a' } else { 'ß' };
            Value::from((0..length).map(letter).collect::<String>())
        }
        "integer" => json!(random.i32(-3..9)),
        "number" => json!(f64::from(random.i32(-3..9)) / 2.0),
        "boolean" => json!(random.bool()),
        _ => Value::Null,
    }
}

fn object(root: &Value, schema: &Value, random: &mut Rng, depth: usize) -> Value {
    let mut object = Map::new();
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |key: &str| required.is_some_and(|keys| keys.iter().any(|name| name == key));
    for (key, property) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        if is_required(key) || (depth < 8 && random.bool()) {
            object.insert(key.clone(), instance(root, property, random, depth + 1));
        }
    }
    if let Some(more @ Value::Object(_)) = schema.get("additionalProperties") {
        for key in ["a", "b"] {
            if random.bool() {
                object.insert(key.to_owned(), instance(root, more, random, depth + 1));
            }
        }
    }
    Value::Object(object)
}

fn array(root: &Value, schema: &Value, random: &mut Rng, depth: usize) -> Value {
    if let Some(Value::Array(items)) = schema.get("prefixItems") {
        let items = items
            .iter()
            .map(|item| instance(root, item, random, depth + 1));
        return items.collect();
    }
    let any = json!({});
    let items = schema.get("items").unwrap_or(&any);
    let length = if depth > 8 { 0 } else { random.usize(..3) };
    (0..length)
        .map(|_| instance(root, items, random, depth + 1))
        .collect()
}

/// The value with null for each key that is left out. (Not inside of unions, of which it is not known
/// which branch is meant.)
fn with_nulls(root: &Value, schema: &Value, value: &Value) -> Value {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(reference.trim_start_matches('#')).unwrap();
        return with_nulls(root, target, value);
    }
    let any = json!({});
    match value {
        Value::Object(object) => {
            let mut filled = Map::new();
            let properties = schema.get("properties").and_then(Value::as_object);
            for (key, property) in properties.into_iter().flatten() {
                let value = object
                    .get(key)
                    .map(|value| with_nulls(root, property, value));
                filled.insert(key.clone(), value.unwrap_or(Value::Null));
            }
            for (key, value) in object {
                filled.entry(key.clone()).or_insert_with(|| value.clone());
            }
            Value::Object(filled)
        }
        Value::Array(items) => {
            let of = schema.get("items").unwrap_or(&any);
            items
                .iter()
                .map(|item| with_nulls(root, of, item))
                .collect()
        }
        other => other.clone(),
    }
}

/// Changes something somewhere.
fn disturb(value: &mut Value, random: &mut Rng) {
    match value {
        Value::Object(object) if !object.is_empty() && random.u8(..4) > 0 => {
            let at = random.usize(..object.len());
            let key = object.keys().nth(at).unwrap().clone();
            match random.u8(..6) {
                0 => drop(object.remove(&key)),
                1 => drop(object.insert("other".to_owned(), json!(1))),
                _ => disturb(object.get_mut(&key).unwrap(), random),
            }
        }
        Value::Array(items) if !items.is_empty() && random.u8(..4) > 0 => {
            let at = random.usize(..items.len());
            match random.u8(..4) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                _ => disturb(&mut items[at], random),
            }
        }
        Value::Number(number) if random.bool() && number.is_i64() => {
            *value = json!(number.as_f64().unwrap());
        }
        other => {
            let others = [
                json!("celsius"),
                json!("x"),
                json!(""),
                json!(3),
                json!(-1),
                json!(3.5),
                json!(300),
                json!(true),
                json!([]),
                json!([1, "a"]),
                json!({}),
                json!({"A": 1}),
                json!({"x": 1}),
                json!({"kind": "Dot"}),
                json!({"kind": "Circle", "r": 1}),
                json!({"t": "C"}),
            ];
            *other = random.choice(others).unwrap();
        }
    }
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(object) => object.values().any(has_null),
        _ => false,
    }
}

macro_rules! agree {
    ($($test:ident: $($type:ty),*;)*) => {
        $(#[test]
        fn $test() {
            $(agree::<$type>(stringify!($type));)*
        })*
    };
}

agree! {
    scalars: u8, i16, u32, i64, f64, bool, String, char;
    optional_ones: Option<u8>, Option<String>, Nullable<u8>, Option<Units>, Option<Point>;
    lists: Vec<u8>, Vec<Option<u8>>, BTreeSet<u8>, (u8, String), [u8; 2], Vec<Units>;
    maps: BTreeMap<String, u8>, BTreeMap<String, Vec<Point>>;
    enums: Units, Shape, ByKey, Adjacent, Untagged, Vec<Shape>;
    structs: Point, Node, Bounded, One<Bounded>;
}

#[test]
fn schemas_of_a_program() {
    let point =
        json!({"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]});
    for schema in [
        json!({"type": "integer", "not": {"const": 3}}),
        json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}, {"type": "string"}]}),
        json!({"oneOf": [point, {"type": "object", "properties": {"A": {"type": "integer"}}}]}),
        json!({"allOf": [point, {"type": "object", "properties": {"y": {"type": "string"}}}]}),
        json!({"type": "integer", "if": {"minimum": 3}, "then": {"multipleOf": 2}, "else": {"minimum": 0}}),
        json!({"type": "array", "contains": {"type": "string"}, "items": {"type": ["string", "integer"]}}),
        json!({"type": "array", "contains": {"type": "integer"}, "minContains": 2, "maxContains": 2,
               "items": {"type": ["string", "integer"]}}),
        json!({"type": "object", "additionalProperties": {"type": "integer"},
               "propertyNames": {"maxLength": 1}, "minProperties": 1}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
               "dependentRequired": {"a": ["b"]}}),
        json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
               "dependentSchemas": {"a": {"required": ["b"], "properties": {"b": {"minimum": 2}}}}}),
        json!({"type": "object", "patternProperties": {"^a": {"type": "integer"}},
               "additionalProperties": {"type": "string"}}),
        json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}}),
        json!({"$ref": "#/properties/x/$defs/A", "maxLength": 1.0, "$defs": {"A": {"type": "string"}}}),
        json!({"type": "integer", "anyOf": [true, {"minimum": 3}]}),
    ] {
        agree_on(&schema);
    }
}
