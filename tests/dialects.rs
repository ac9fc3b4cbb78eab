//! Dialects of schemas: what real APIs said to tool schemas, what the official SDKs make of small ones, and RP-5 of the
//! peers' cases.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    dead_code,
    reason = "a test states what holds; a panic is its report; types are told and not used"
)]

mod reference;

use std::error::Error as _;
use std::fs;

use haft::serde_json::{self, Value, json};
use haft::{Dialect, Error, ErrorKind, FunctionTool, Toolkit, argument, tool, toolkit};

use reference::{rows, strict_tool, text};

/// Every dialect that rewrites.
const NARROW: [Dialect; 3] = [
    Dialect::AnthropicStrict,
    Dialect::OpenAiStrict,
    Dialect::Gemini,
];

/// Refused as "too complex": within the limits that the API documents, so only the API can tell.
const TOO_COMPLEX: [&str; 2] = [
    "rig:tests/cassettes/anthropic/strict_schema_limits/sixteen_union_parameters_in_one_schema_hit_internal_limit.yaml",
    "rig:tests/cassettes/anthropic/strict_schema_limits/twenty_four_optional_parameters_in_one_schema_hit_internal_limit.yaml",
];

/// Accepted by another server behind OpenRouter, which does not look at `strict`: its objects are not closed, which
/// OpenAI refuses.
const NOT_OPENAI: [&str; 1] = [
    "pydantic-ai:tests/cassettes/test_ref_sibling_wire_contract/test_ref_sibling_wire_contract[qwen-nested-model].yaml",
];

/// All that an error says.
fn told(error: &Error) -> String {
    assert_eq!(error.kind(), ErrorKind::Definition);
    error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

/// A tool of a row as its API takes it.
fn on_the_wire(tool: &Value, key: &str) -> Value {
    json!({"type": tool["type"], "name": tool["name"], "strict": tool["strict"], key: tool["schema"]})
}

#[test]
fn apis_and_checkers_agree() {
    let Some(rows) = rows("apis_and_checkers_agree", "verdicts.json") else {
        return;
    };
    let (mut accepted, mut refused) = (0, 0);
    for row in &rows {
        let (dialect, key) = match text(row, "api") {
            "anthropic-messages" => (Dialect::AnthropicStrict, "input_schema"),
            _ => (Dialect::OpenAiStrict, "parameters"),
        };
        let all: Vec<_> = row["tools"].as_array().unwrap().iter().collect();
        let tools: Vec<_> = all.iter().map(|tool| on_the_wire(tool, key)).collect();
        let source = text(row, "source");
        let verdict = dialect.check(&tools);
        let listed = TOO_COMPLEX.contains(&source) || NOT_OPENAI.contains(&source);
        if listed {
            assert_ne!(
                verdict.is_ok(),
                row["accepted"] == true,
                "{source} need not be listed"
            );
            continue;
        }
        if row["accepted"] == true {
            assert!(verdict.is_ok(), "{source}: {}", told(&verdict.unwrap_err()));
            accepted += 1;
            // What fits a strict dialect fits any API.
            Dialect::Plain.check(&tools).unwrap();
            continue;
        }
        let reason = match text(row, "message") {
            message if message.contains("type: Field required") => "type: Field required",
            message if message.contains("Input should be 'object'") => {
                "type: Input should be 'object'"
            }
            message if message.contains("too many optional parameters (25)") => {
                "too many optional parameters (25) over the limit of 24"
            }
            message => panic!("{source}: a reason that is new: {message}"),
        };
        let error = told(&verdict.expect_err(source));
        assert!(error.contains(reason), "{source}: {error}");
        refused += 1;
    }
    assert!(
        accepted >= 65 && refused >= 4,
        "{accepted} accepted, {refused} refused"
    );
}

/// The schema that a tool has in a dialect.
fn schema_in(dialect: Dialect, tool: FunctionTool) -> Result<Value, Error> {
    let kit: Toolkit = Toolkit::new().with(tool)?;
    let definitions = kit.definitions_for(dialect)?;
    let [definition] = definitions.as_slice() else {
        panic!("one tool has one definition")
    };
    dialect.check(&definitions).unwrap();
    if dialect != Dialect::Gemini {
        assert_eq!(definition["strict"], true);
    }
    let schema = definition
        .get("input_schema")
        .unwrap_or(&definition["parameters"]);
    assert!(
        jsonschema::draft202012::meta::is_valid(schema),
        "{schema:#}"
    );
    Ok(schema.clone())
}

/// Where we differ from the SDKs' transform, on purpose: their text for the row, and ours.
const UNLIKE_THE_SDK: [(&str, &str); 3] = [
    // Python fails on any type list, TypeScript passes it on, and the API takes it.
    ("type array", "accepted"),
    // The SDKs make an object of it that can only be empty.
    (
        "free-form map",
        "a map with keys of any name is not part of Anthropic's strict schemas",
    ),
    // The SDKs fail only since the branch has no type, and so do we, for the branch.
    (
        "anyOf next to type object",
        "$.properties.it.anyOf[0].type: Field required",
    ),
];

#[test]
fn rewrites_accept_what_the_sdks_accept() {
    let Some(rows) = rows("rewrites_accept_what_the_sdks_accept", "sdk-transform.json") else {
        return;
    };
    for row in &rows {
        let name = text(row, "name");
        let ours = schema_in(Dialect::AnthropicStrict, strict_tool(&row["schema"]));
        let unlike = UNLIKE_THE_SDK.iter().find(|(row, _)| *row == name);
        match (unlike, ours) {
            (Some((_, "accepted")), Ok(_)) => {}
            (Some((_, reason)), Err(error)) => {
                assert!(told(&error).contains(reason), "{name}: {error}")
            }
            (Some(_), Ok(schema)) => panic!("{name}: {schema}"),
            (None, ours) => {
                let theirs = row["python"].get("ok").is_some();
                assert_eq!(ours.is_ok(), theirs, "{name}: {ours:?}");
            }
        }
        // In the other dialects, it is a schema or a fault.
        for dialect in [Dialect::OpenAiStrict, Dialect::Gemini] {
            if let Err(error) = schema_in(dialect, strict_tool(&row["schema"])) {
                assert!(told(&error).contains(" at $"), "{name}: {error}");
            }
        }
    }
}

#[test]
fn what_the_sdks_tell_in_braces_is_told_in_sentences() {
    let rows = [
        (
            json!({"type": "integer", "minimum": 1, "maximum": 10, "description": "A number"}),
            json!({"type": "integer", "description": "A number\nAt least 1, at most 10."}),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3, "uniqueItems": true}),
            json!({
                "type": "array", "items": {"type": "string"}, "minItems": 1,
                "description": "At most 3 items.\nNo item twice.",
            }),
        ),
        (
            json!({"type": "string", "format": "binary"}),
            json!({"type": "string", "description": "Format: binary."}),
        ),
    ];
    for (schema, expected) in rows {
        let rewritten = schema_in(Dialect::AnthropicStrict, strict_tool(&schema)).unwrap();
        assert_eq!(rewritten["properties"]["it"], expected);
    }
}

/// The types of `schema.rs`, with the schemas that it has found.
fn types() -> Vec<(String, Value)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/schemas.txt");
    let text = fs::read_to_string(path).unwrap();
    text.split_terminator("\n}\n")
        .map(|entry| {
            let (name, schema) = entry.split_once(": {\n").unwrap();
            let entry: Value = serde_json::from_str(&format!("{{{schema}}}")).unwrap();
            (name.to_owned(), entry["schema"].clone())
        })
        .collect()
}

/// Types that a dialect cannot be told, with the reason.
fn reason(dialect: Dialect, name: &str) -> Option<&'static str> {
    let is_strict = dialect != Dialect::Gemini;
    match name {
        "Value" | "Vec<Value>" => Some("type: Field required; any JSON cannot be constrained"),
        "serde_json::Map<String, Value>" if is_strict => Some("a map with keys of any name"),
        name if name.contains("Map<") && is_strict => Some("a map with keys of any name"),
        "Node" if dialect != Dialect::OpenAiStrict => Some("`#/$defs/Node` is recursive"),
        _ => None,
    }
}

#[test]
fn each_type_is_told_or_is_a_documented_fault() {
    let types = types();
    assert!(types.len() >= 60, "{}", types.len());
    for (name, schema) in &types {
        for dialect in NARROW {
            match (
                schema_in(dialect, strict_tool(schema)),
                reason(dialect, name),
            ) {
                (Ok(_), None) => {}
                (Err(error), Some(reason)) => {
                    assert!(
                        told(&error).contains(reason),
                        "{name} for {dialect:?}: {error}"
                    );
                }
                (Ok(schema), Some(_)) => panic!("{name} for {dialect:?}: {schema:#}"),
                (Err(error), None) => panic!("{name} for {dialect:?}: {}", told(&error)),
            }
        }
    }
}

/// A unit.
#[argument]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Units {
    Celsius,
    Fahrenheit,
}

/// Tell the temperature.
#[tool]
async fn temperature(city: String, unit: Option<Units>) -> String {
    format!("{city} {unit:?}")
}

#[test]
fn rp_5_openais_strict_form_requires_and_nulls() {
    let kit: Toolkit = toolkit![temperature];
    let neutral = kit.get("temperature").unwrap().definition().clone();
    let definitions = kit.definitions_for(Dialect::OpenAiStrict).unwrap();
    assert_eq!(
        definitions,
        [json!({
            "type": "function",
            "name": "temperature",
            "description": "Tell the temperature.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string"},
                    "unit": {
                        "type": ["string", "null"],
                        "enum": ["celsius", "fahrenheit", null],
                        "description": "A unit.",
                    },
                },
                "required": ["city", "unit"],
                "additionalProperties": false,
            },
            "strict": true,
        })]
    );
    let after = kit.get("temperature").unwrap().definition();
    assert_eq!(neutral, *after);
    assert!(!after.input_schema().to_string().contains("null"));
}

#[argument]
#[derive(Debug)]
struct Area {
    place: String,
    radius: Option<f64>,
}

#[argument]
#[derive(Debug)]
#[serde(tag = "by")]
enum Order {
    Price { most: Option<u32> },
    Stars,
}

#[argument]
#[derive(Debug)]
struct Tree {
    name: String,
    left: Option<Box<Self>>,
    right: Option<Box<Self>>,
}

#[argument]
#[derive(Debug)]
struct Common {
    language: Option<String>,
}

#[argument]
#[derive(Debug)]
struct Options {
    #[serde(default = "Options::ten")]
    most: u32,
    #[serde(default)]
    sorted: bool,
    #[serde(flatten)]
    common: Common,
}

impl Options {
    const fn ten() -> u32 {
        10
    }
}

/// Look for something.
#[tool]
#[allow(
    clippy::too_many_arguments,
    reason = "each is another way to be left out"
)]
async fn look(
    area: Area,
    further: Option<Area>,
    areas: Vec<Area>,
    order: Option<Order>,
    #[arg(default = 3)] count: u8,
    units: Option<Units>,
    tree: Tree,
    options: Options,
    tags: Option<Vec<String>>,
) -> String {
    format!(
        "{area:?} {further:?} {areas:?} {order:?} {count} {units:?} {tree:?} {options:?} {tags:?}"
    )
}

/// The value, with null for each key that the schema requires and the value leaves out.
fn with_nulls(root: &Value, schema: &Value, value: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(&reference[1..]).unwrap();
        return with_nulls(root, target, value);
    }
    if let Some(branches) = schema["anyOf"].as_array() {
        let fits = |branch: &&Value| {
            let mut whole = branch.as_object().unwrap().clone();
            whole.insert("$defs".to_owned(), root["$defs"].clone());
            let filled = with_nulls(root, branch, value);
            jsonschema::is_valid(&Value::Object(whole), &filled)
        };
        return branches
            .iter()
            .find(fits)
            .map_or_else(|| value.clone(), |branch| with_nulls(root, branch, value));
    }
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| with_nulls(root, &schema["items"], item))
            .collect(),
        Value::Object(map) => {
            let properties = schema["properties"].as_object();
            let keys = properties.into_iter().flatten().filter(|(key, _)| {
                map.contains_key(*key)
                    || schema["required"].as_array().unwrap().contains(&json!(key))
            });
            keys.map(|(key, property)| {
                let filled = map.get(key).map(|value| with_nulls(root, property, value));
                (key.clone(), filled.unwrap_or_default())
            })
            .collect()
        }
        other => other.clone(),
    }
}

#[tokio::test]
async fn nulls_of_openais_strict_form_are_read_as_keys_left_out() {
    let kit: Toolkit = toolkit![look];
    let definitions = kit.definitions_for(Dialect::OpenAiStrict).unwrap();
    let schema = &definitions[0]["parameters"];
    let validator = jsonschema::validator_for(schema).unwrap();
    let tree = json!({"name": "a", "left": {"name": "b", "right": {"name": "c"}}});
    let inputs = [
        json!({"area": {"place": "Rome"}, "areas": [], "tree": {"name": "a"}, "options": {}}),
        json!({
            "area": {"place": "Rome", "radius": 2.5},
            "further": {"place": "Oslo"},
            "areas": [{"place": "Bern"}, {"place": "Bonn", "radius": 1.0}],
            "order": {"by": "Price"},
            "tree": tree,
            "options": {"sorted": true},
        }),
        json!({
            "area": {"place": "Rome"},
            "areas": [],
            "order": {"by": "Stars"},
            "units": "celsius",
            "tree": tree,
            "options": {"most": 3},
        }),
    ];
    for input in inputs {
        let filled = with_nulls(schema, schema, &input);
        assert!(validator.is_valid(&filled), "{filled:#}");
        assert!(filled.to_string().contains("null"));
        let plain = kit.call("look", input).await;
        assert!(!plain.is_error(), "{}", plain.text());
        assert_eq!(kit.call("look", filled).await.text(), plain.text());
    }
}

#[tokio::test]
async fn a_raw_handler_sees_the_null() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let tool = FunctionTool::from_schema("t", "", schema, |input: Value| async { input })
        .unwrap()
        .strict(true);
    let kit: Toolkit = Toolkit::new().with(tool).unwrap();
    let definitions = kit.definitions_for(Dialect::OpenAiStrict).unwrap();
    assert_eq!(
        definitions[0]["parameters"]["properties"]["n"]["type"],
        json!(["integer", "null"])
    );
    assert_eq!(
        kit.call("t", json!({"n": null})).await.text(),
        r#"{"n":null}"#
    );
}

#[test]
fn definitions_are_made_once_and_anew_where_the_toolkit_changes() {
    let kit: Toolkit = toolkit![temperature];
    for dialect in [Dialect::Plain, Dialect::Mcp].into_iter().chain(NARROW) {
        let first = serde_json::to_string(&kit.definitions_for(dialect).unwrap()).unwrap();
        let again = serde_json::to_string(&kit.clone().definitions_for(dialect).unwrap()).unwrap();
        assert_eq!(first, again);
        let more = kit.clone().extend(toolkit![look]).unwrap();
        let of_more = more.definitions_for(dialect);
        match dialect {
            // It has a recursive type.
            Dialect::AnthropicStrict | Dialect::Gemini => assert!(of_more.is_err()),
            _ => assert_eq!(of_more.unwrap().len(), 2),
        }
        assert_eq!(
            more.remove("look").definitions_for(dialect).unwrap().len(),
            1
        );
        // And in the same memory.
        let grown = kit.clone().remove("temperature");
        assert!(grown.definitions_for(dialect).unwrap().is_empty());
        let grown = grown.extend(kit.clone()).unwrap();
        assert_eq!(grown.definitions_for(dialect).unwrap().len(), 1);
    }
}

#[test]
fn a_schema_given_at_run_time_is_sent_as_it_stands() {
    let open = json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}});
    let tool = |schema: &Value| {
        FunctionTool::from_schema("t", "", schema.clone(), |input: Value| async { input }).unwrap()
    };
    let one = |dialect, tool| {
        let kit: Toolkit = Toolkit::new().with(tool).unwrap();
        kit.definitions_for(dialect).unwrap().remove(0)
    };
    for (dialect, key, strict) in [
        (Dialect::AnthropicStrict, "input_schema", Value::Null),
        (Dialect::OpenAiStrict, "parameters", json!(false)),
        (Dialect::Plain, "input_schema", Value::Null),
        (Dialect::Mcp, "inputSchema", Value::Null),
    ] {
        let definition = one(dialect, tool(&open));
        assert_eq!((&definition[key], &definition["strict"]), (&open, &strict));
    }
    // One that is strict already stays so to the letter, and one that asks for it is made so.
    let closed = json!({
        "type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false,
        "title": "T",
    });
    let definition = one(Dialect::OpenAiStrict, tool(&closed));
    assert_eq!(
        (&definition["parameters"], &definition["strict"]),
        (&closed, &json!(true))
    );
    let definition = one(Dialect::AnthropicStrict, tool(&open).strict(true));
    assert_eq!(definition["strict"], true);
    assert_eq!(definition["input_schema"]["additionalProperties"], false);
    // Nor does a dialect insist where the tool says no.
    let kit: Toolkit = toolkit![temperature];
    assert_eq!(
        kit.definitions_for(Dialect::AnthropicStrict).unwrap()[0]["strict"],
        true
    );
    let definition = one(Dialect::OpenAiStrict, tool(&closed).strict(false));
    assert_eq!(definition["strict"], false);
}

#[test]
fn mcp_has_its_own_fields() {
    let tool = FunctionTool::from_schema(
        "t",
        "Do it.",
        json!({"type": "object"}),
        |it: Value| async { it },
    )
    .unwrap()
    .with_title("A tool")
    .with_output_schema(json!({"type": "object"}))
    .destructive(false)
    .open_world(true)
    .option("defer_loading", true);
    let kit: Toolkit = Toolkit::new().with(tool).unwrap();
    assert_eq!(
        kit.definitions_for(Dialect::Mcp).unwrap(),
        [json!({
            "name": "t",
            "title": "A tool",
            "description": "Do it.",
            "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object"},
            "annotations": {"destructiveHint": false, "openWorldHint": true},
        })]
    );
    assert_eq!(
        kit.definitions_for(Dialect::Plain).unwrap(),
        [
            json!({"name": "t", "description": "Do it.", "input_schema": {"type": "object"}, "defer_loading": true})
        ]
    );
    // A tool without parameters has none.
    let gemini = kit.definitions_for(Dialect::Gemini).unwrap();
    assert_eq!(gemini[0].get("parameters"), None);
}

#[test]
fn names_that_are_keywords_are_good_names() {
    let names = [
        "format",
        "minimum",
        "title",
        "type",
        "properties",
        "oneOf",
        "default",
        "pattern",
        "$ref",
        "const",
        "enum",
        "allOf",
        "prefixItems",
        "required",
        "items",
    ];
    let properties: serde_json::Map<_, _> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})))
        .collect();
    let schema = json!({
        "type": "object", "properties": properties, "required": names, "additionalProperties": false,
    });
    for dialect in NARROW {
        let rewritten = schema_in(dialect, strict_tool(&schema)).unwrap();
        assert_eq!(
            rewritten["properties"]["it"]["properties"], schema["properties"],
            "{dialect:?}"
        );
    }
}

#[test]
fn every_fault_of_every_tool_is_told_at_once() {
    let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let anything = json!({"type": "array", "items": {}});
    let faulty = |name: &str| {
        let schema = json!({"type": "object", "properties": {"map": map, "list": anything}});
        FunctionTool::from_schema(name, "", schema, |it: Value| async { it })
            .unwrap()
            .strict(true)
    };
    let kit: Toolkit = Toolkit::new()
        .with(faulty("one"))
        .unwrap()
        .with(faulty("two"))
        .unwrap();
    let error = kit.definitions_for(Dialect::AnthropicStrict).unwrap_err();
    let all = told(&error);
    let starts = [
        "tool `one` at $.properties.map.additionalProperties: a map with keys of any name",
        "tool `one` at $.properties.list.items.type: Field required",
        "tool `two` at $.properties.map.additionalProperties: a map with keys of any name",
        "tool `two` at $.properties.list.items.type: Field required",
    ];
    assert_eq!(all.lines().count(), starts.len(), "{all}");
    for (line, start) in all.lines().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    assert!(!error.to_string().contains('\n'));
}

/// What a check says of a definition.
fn verdict(dialect: Dialect, definition: Value) -> String {
    dialect
        .check(&[definition])
        .map_or_else(|error| told(&error), |()| String::new())
}

#[test]
fn wire_definitions_are_judged_as_they_stand() {
    let object = json!({"type": "object"});
    let long = "k".repeat(65);
    let key = |key: &str| json!({"type": "object", "properties": {key: {"type": "string"}}});
    let rows = [
        (
            json!({"name": "a b", "input_schema": object}),
            "tool `a b`: name: must be 1 to 64",
        ),
        (
            json!({"name": long, "input_schema": object}),
            "name: must be 1 to 64",
        ),
        (
            json!({"input_schema": object}),
            "tool number 1: name: Field required",
        ),
        (
            json!({"name": "a"}),
            "tool `a`: input_schema: Field required",
        ),
        (
            json!({"name": "a", "description": 3, "input_schema": object}),
            "description: must be a string",
        ),
        (
            json!({"name": "a", "input_schema": []}),
            "tool `a` at $: must be an object",
        ),
        (
            json!({"name": "a", "input_schema": key(&long)}),
            "must be named with 1 to 64",
        ),
        (
            json!({"name": "a", "input_schema": key("a b")}),
            "tool `a` at $.properties.a b: must be named",
        ),
        (
            json!({"name": "a", "input_schema": {"type": "object", "anyOf": [object]}}),
            "tool `a` at $.anyOf: must not stand at the root",
        ),
        (
            json!({"name": "a", "input_schema": {"type": "object", "required": "a"}}),
            "tool `a` at $.required: must be an array of strings",
        ),
        (
            json!({"name": "a", "input_schema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}}}),
            "tool `a` at $.properties.a.$ref: `#/$defs/A` leads nowhere",
        ),
    ];
    for (definition, expected) in rows {
        let told = verdict(Dialect::Plain, definition.clone());
        assert!(told.contains(expected), "{definition}: {told}");
        let told = verdict(Dialect::AnthropicStrict, definition.clone());
        assert!(told.contains(expected), "{definition}: {told}");
    }
}

#[test]
fn each_reference_that_leads_nowhere_is_told_beside_other_faults() {
    let lost = |name: &str| json!({"$ref": format!("#/$defs/{name}")});
    let properties = json!({"a": lost("A"), "b": lost("B"), "c": {}});
    let schema = json!({"type": "object", "additionalProperties": false, "properties": properties});
    let definition = json!({"name": "a", "input_schema": schema, "strict": true});
    let told = verdict(Dialect::AnthropicStrict, definition);
    for expected in [
        "$.properties.a.$ref: `#/$defs/A` leads nowhere",
        "$.properties.b.$ref: `#/$defs/B` leads nowhere",
        "$.properties.c.type: Field required",
    ] {
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn names_are_judged_by_what_the_dialect_takes() {
    let object = json!({"type": "object"});
    let long = "k".repeat(65);
    let named = |name: &str| json!({"name": name, "inputSchema": object, "parameters": object});
    assert_eq!(verdict(Dialect::Mcp, named(&format!("a.{long}"))), "");
    assert!(verdict(Dialect::Gemini, named("2nd")).contains("must begin with a letter"));
    let twice = [named("a"), named("a")];
    assert!(
        told(&Dialect::Plain.check(&twice).unwrap_err()).contains("another tool has this name")
    );
}

#[test]
fn anthropics_limits_count_over_all_strict_tools() {
    let tool = |at: usize, strict: bool, schema: &Value| {
        let name = format!("t{at}");
        json!({"name": name, "strict": strict, "input_schema": schema})
    };
    let many = |count: usize, strict: bool, schema: &Value| {
        let tools: Vec<_> = (0..count).map(|at| tool(at, strict, schema)).collect();
        Dialect::AnthropicStrict
            .check(&tools)
            .map_err(|error| told(&error))
    };
    let schema = |property: Value, required: &[&str]| {
        json!({
            "type": "object", "properties": {"a": property}, "required": required, "additionalProperties": false,
        })
    };
    let none = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let optional = schema(json!({"type": "string"}), &[]);
    let nested = schema(optional.clone(), &["a"]);
    let union = schema(json!({"type": ["string", "null"]}), &["a"]);
    let any_of = schema(
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        &["a"],
    );
    many(20, true, &none).unwrap();
    assert_eq!(
        many(21, true, &none).unwrap_err(),
        "tool `t20`: the strict tools of the request have too many tools (21) over the limit of 20; \
         turn `strict` off for some"
    );
    many(16, true, &union).unwrap();
    for schema in [&union, &any_of] {
        let error = many(17, true, schema).unwrap_err();
        assert!(
            error.starts_with("tool `t16` at $.properties.a: "),
            "{error}"
        );
        assert!(
            error.contains("union types (17) over the limit of 16"),
            "{error}"
        );
    }
    for schema in [&optional, &nested] {
        let error = many(25, true, schema).unwrap_err();
        assert!(
            error.contains("optional parameters (25) over the limit of 24"),
            "{error}"
        );
        many(25, false, schema).unwrap();
    }
}

#[test]
fn t_17_definitions_are_rewritten_in_their_place_and_constants_stay() {
    let schema = json!({
        "type": "object",
        "properties": {"n": {"$ref": "#/$defs/N"}, "five": {"const": 5, "type": "integer"}},
        "required": ["n", "five"],
        "$defs": {"N": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}, "required": ["size"]}}
    });
    let tool = FunctionTool::from_schema("t", "", schema, |_: Value| async { "" }).unwrap();
    let schema = schema_in(Dialect::AnthropicStrict, tool.strict(true)).unwrap();
    assert_eq!(schema["properties"]["five"]["const"], 5);
    let reference = schema["properties"]["n"]["$ref"].as_str();
    let n = reference.map_or(&schema["properties"]["n"], |reference| {
        schema.pointer(reference.trim_start_matches('#')).unwrap()
    });
    assert_eq!(
        *n,
        json!({
            "type": "object",
            "properties": {"size": {"type": "integer", "description": "At least 1."}},
            "required": ["size"],
            "additionalProperties": false
        })
    );
}
