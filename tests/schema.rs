//! What types become in a schema, and that arguments are judged by it: RP-3 to RP-14 of the peers'
//! cases, and a snapshot of the schemas of many types.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod types;

use std::{env, fs};

use haft::serde_json::{self, Value, json};
use haft::{FunctionTool, Toolkit, argument, tool, toolkit};

use types::{Mode, Node, Point, Shape, Units};

/// The schema of the only property of a tool, with the definitions that it refers to.
fn schema_of(tool: &FunctionTool) -> Value {
    let whole = tool.definition().input_schema();
    let mut schema = whole["properties"]["x"].clone();
    if let Some(definitions) = whole.get("$defs") {
        schema["$defs"] = definitions.clone();
    }
    json!({"required": !whole["required"].as_array().unwrap().is_empty(), "schema": schema})
}

#[test]
fn each_type_has_its_schema() {
    let mut text = String::new();
    for (name, tool) in types::tools() {
        let schema = serde_json::to_string_pretty(&schema_of(&tool)).unwrap();
        text += &format!("{name}: {schema}\n");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/schemas.txt");
    if env::var_os("HAFT_BLESS").is_some() {
        fs::write(path, &text).unwrap();
    }
    let reviewed = fs::read_to_string(path).unwrap_or_default();
    assert!(
        text == reviewed,
        "the schemas differ; review them with HAFT_BLESS=1"
    );
    // What no type asks for stands nowhere.
    for unwanted in ["$schema", "oneOf\": [", "uint", "int32", "double", "x-haft"] {
        assert!(!text.contains(unwanted), "{unwanted}");
    }
}

/// The schema of an argument.
fn property(kit: &Toolkit, tool: &str, key: &str) -> Value {
    kit.get(tool).unwrap().definition().input_schema()["properties"][key].clone()
}

fn schema(kit: &Toolkit, tool: &str) -> Value {
    kit.get(tool).unwrap().definition().input_schema().clone()
}

async fn told(kit: &Toolkit, tool: &str, input: Value) -> String {
    kit.call(tool, input).await.text()
}

/// Search.
#[tool]
async fn search(q: String, tag: Option<String>) -> String {
    format!("{q} {tag:?}")
}

#[tokio::test]
async fn rp_3_an_optional_key_is_left_out_and_never_null() {
    let kit: Toolkit = toolkit![search];
    let schema = schema(&kit, "search");
    assert_eq!(schema["required"], json!(["q"]));
    assert_eq!(schema["properties"]["tag"], json!({"type": "string"}));
    assert!(!schema.to_string().contains("null"));
    for input in [json!({"q": "a"}), json!({"q": "a", "tag": null})] {
        assert_eq!(told(&kit, "search", input).await, "a None");
    }
}

/// Tell the temperature.
#[tool]
async fn temperature(city: String, unit: Option<Units>) -> String {
    format!("{city} {unit:?}")
}

#[tokio::test]
async fn rp_4_an_optional_enum_is_a_flat_list_without_null() {
    let kit: Toolkit = toolkit![temperature];
    assert_eq!(
        property(&kit, "temperature", "unit"),
        json!({"type": "string", "enum": ["celsius", "fahrenheit"], "description": "A unit."})
    );
    let input = json!({"city": "Rome", "unit": null});
    assert_eq!(told(&kit, "temperature", input).await, "Rome None");
    assert_eq!(
        told(&kit, "temperature", json!({"city": "Rome", "unit": "K"})).await,
        "Error: Invalid input for tool 'temperature': unit: expected one of \"celsius\", \"fahrenheit\", \
         got the string \"K\""
    );
}

/// Paint.
#[tool]
async fn paint(
    /// Wall colour
    color: Units,
    /// Where
    at: Point,
) -> String {
    format!("{color:?} {at:?}")
}

#[test]
fn rp_7_the_texts_of_parameters_stay() {
    let kit: Toolkit = toolkit![paint];
    assert_eq!(
        property(&kit, "paint", "color")["description"],
        "Wall colour"
    );
    assert_eq!(property(&kit, "paint", "at")["description"], "Where");
    assert!(!schema(&kit, "paint").to_string().contains("$ref"));
}

/// Go.
#[tool]
async fn go(mode: Mode) -> String {
    format!("{mode:?}")
}

#[test]
fn rp_8_a_documented_enum_is_one_flat_list_in_order() {
    let kit: Toolkit = toolkit![go];
    let mode = property(&kit, "go", "mode");
    assert_eq!(mode["enum"], json!(["Fast", "Slow", "Even"]));
    assert!(
        mode["description"]
            .as_str()
            .unwrap()
            .contains("`Fast`: quick")
    );
    assert!(!mode.to_string().contains("oneOf"));
}

/// Tell the area.
#[tool]
async fn area(shape: Shape) -> String {
    format!("{shape:?}")
}

#[tokio::test]
async fn rp_9_a_tagged_union_is_a_union_of_objects_under_its_property() {
    let kit: Toolkit = toolkit![area];
    assert_eq!(schema(&kit, "area")["type"], "object");
    let shape = property(&kit, "area", "shape");
    for branch in shape["anyOf"].as_array().unwrap() {
        assert_eq!(branch["type"], "object");
        assert_eq!(branch["properties"]["kind"]["type"], "string");
        assert!(branch["properties"]["kind"]["const"].is_string());
        assert_eq!(branch["required"][0], "kind");
        assert_eq!(branch["additionalProperties"], false);
    }
    let dot = json!({"shape": {"kind": "Dot", "r": 3}});
    assert_eq!(
        told(&kit, "area", dot).await,
        "Error: Invalid input for tool 'area': shape.r: unknown key; the only key is kind"
    );
}

/// Walk a tree.
#[tool]
async fn walk(root: Node) -> String {
    fn count(node: &Node) -> usize {
        1 + node.below.iter().map(count).sum::<usize>()
    }
    count(&root).to_string()
}

#[tokio::test]
async fn rp_10_a_recursive_type_is_defined_at_the_root() {
    let kit: Toolkit = toolkit![walk];
    let schema = schema(&kit, "walk");
    check_references(&schema, &schema);
    let leaf = json!({"v": 3, "below": []});
    let tree = json!({"v": 1, "below": [{"v": 2, "below": [leaf, leaf]}]});
    assert_eq!(told(&kit, "walk", json!({"root": tree})).await, "4");
    let tree = json!({"v": 1, "below": [{"v": 2, "below": [{"v": "3", "below": []}]}]});
    assert_eq!(
        told(&kit, "walk", json!({"root": tree})).await,
        "Error: Invalid input for tool 'walk': root.below[0].below[0].v: expected an integer, got the string \"3\""
    );
}

/// Every reference leads somewhere, from the root.
fn check_references(root: &Value, node: &Value) {
    if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
        let pointer = reference
            .strip_prefix('#')
            .expect("a reference starts at the root");
        assert!(root.pointer(pointer).is_some(), "{reference}");
    }
    match node {
        Value::Object(map) => map.values().for_each(|child| check_references(root, child)),
        Value::Array(list) => list.iter().for_each(|child| check_references(root, child)),
        _ => {}
    }
}

/// Find a route.
#[tool]
async fn route(from: Point, to: Vec<Point>) -> String {
    format!("{from:?} {to:?}")
}

#[test]
fn rp_11_properties_have_no_titles_dialects_or_definitions_of_their_own() {
    let kit: Toolkit = toolkit![route];
    let text = schema(&kit, "route").to_string();
    for unwanted in ["$schema", "title", "$defs", "$ref"] {
        assert!(!text.contains(unwanted), "{unwanted}");
    }
    let items = property(&kit, "route", "to")["items"]["properties"].clone();
    assert_eq!(items["x"]["type"], "integer");
    assert_eq!(items["y"], json!({"type": "integer"}));
}

/// Show a page.
#[tool]
#[allow(
    clippy::too_many_arguments,
    reason = "each is a keyword of JSON Schema"
)]
async fn page(
    offset: usize,
    size: u8,
    format: String,
    minimum: u8,
    title: String,
    r#type: String,
    properties: String,
    #[arg(rename = "oneOf")] one_of: String,
    default: String,
) -> usize {
    offset
        + usize::from(size + minimum)
        + [format, title, r#type, properties, one_of, default].len()
}

#[test]
fn rp_12_names_that_are_keywords_are_good_names() {
    let kit: Toolkit = toolkit![page];
    let schema = schema(&kit, "page");
    let keys = [
        "offset",
        "size",
        "format",
        "minimum",
        "title",
        "type",
        "properties",
        "oneOf",
        "default",
    ];
    assert_eq!(schema["required"], json!(keys));
    assert_eq!(
        schema["properties"]["offset"],
        json!({"type": "integer", "minimum": 0})
    );
    assert_eq!(
        schema["properties"]["size"],
        json!({"type": "integer", "minimum": 0, "maximum": 255})
    );
    for key in ["format", "title", "type", "properties", "oneOf", "default"] {
        assert_eq!(
            schema["properties"][key],
            json!({"type": "string"}),
            "{key}"
        );
    }
}

/// Keep a value.
#[tool]
async fn put(key: String, value: Value) -> String {
    format!("{key}={value}")
}

#[tokio::test]
async fn rp_13_any_value_has_an_empty_schema() {
    let kit: Toolkit = toolkit![put];
    assert_eq!(property(&kit, "put", "value"), json!({}));
    assert_eq!(
        told(&kit, "put", json!({"key": "a", "value": null})).await,
        "a=null"
    );
    assert_eq!(
        told(&kit, "put", json!({"key": "a"})).await,
        "Error: Invalid input for tool 'put': value: required, but missing"
    );
}

/// Run a command.
#[tool]
async fn shell(cmd: String, timeout: u64, zip: String) -> String {
    format!("{cmd} {timeout} {zip}")
}

#[tokio::test]
async fn rp_14_nothing_is_guessed() {
    let kit: Toolkit = toolkit![shell];
    assert_eq!(
        told(
            &kit,
            "shell",
            json!({"cmd": "ls", "timeout": "30", "zip": "020"})
        )
        .await,
        "Error: Invalid input for tool 'shell': timeout: expected an integer, got the string \"30\""
    );
    let input = json!({"cmd": "ls", "timeout": 30.0, "zip": "020"});
    assert_eq!(told(&kit, "shell", input).await, "ls 30 020");
}

#[argument]
struct Faulty {
    #[schemars(regex(pattern = "("))]
    pattern: String,
    #[schemars(range(min = 5, max = 3))]
    range: u8,
    #[serde(default)]
    #[schemars(length(min = 3))]
    text: String,
}

/// Take what can never be right.
#[tool]
async fn faulty(it: Faulty) -> usize {
    it.pattern.len() + usize::from(it.range) + it.text.len()
}

#[test]
fn a_test_finds_what_is_wrong_inside_of_types() {
    let error = haft::testing::check(&toolkit![faulty]).unwrap_err();
    let error = std::error::Error::source(&error).unwrap().to_string();
    for part in [
        "tool `faulty`",
        "$.properties.it.properties.pattern.pattern: `(` is no regular expression",
        "$.properties.it.properties.range.minimum: is above the `maximum`",
        "$.properties.it.properties.text.default: is not what its schema allows (must have at least 3 characters",
    ] {
        assert!(error.contains(part), "{part} is not in {error}");
    }
}
