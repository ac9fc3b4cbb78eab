//! What grammar engines make of our schemas: each compiles, and random texts that its grammar allows are read.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod reference;
mod types;

use std::collections::HashMap;

use fastrand::Rng;
use haft::serde_json::{self, Value, json};
use haft::{Dialect, FunctionTool, RawJson, ToolCall, Toolkit};
use jsonschema::Validator;
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, SimpleVob};
use llguidance::{Matcher, ParserFactory};
use tokio::runtime::{Builder, Runtime};

use reference::{rows, strict_tool, text};

/// How many texts are read for each type.
const TEXTS: usize = 200;
/// Beyond this length, a text is brought to its end.
const LONG: usize = 60;
/// Texts that have not ended here are left.
const LONGEST: usize = 400;

/// Bytes are drawn by class first, so that numbers and strings end soon.
const CLASSES: usize = 8;
const DIGITS: usize = 3;

fn class_of(byte: u8) -> usize {
    match byte {
        b'"' => 0,
        b'\\' => 1,
        b'}' | b']' => 2,
        b'0'..=b'9' => DIGITS,
        b'a'..=b'z' | b'A'..=b'Z' => 4,
        b' ' => 5,
        0x80.. => 6,
        _ => CLASSES - 1,
    }
}

/// Writes random texts that a schema allows, as a model does that is constrained by its grammar.
struct Writer {
    matcher: Matcher,
    random: Rng,
}

impl Writer {
    /// Or why the schema is no grammar.
    fn new(schema: &Value) -> Result<Self, String> {
        let mut schema = schema.clone();
        // Between tokens, white space is of no interest; without it, keys are written in one step.
        schema["x-guidance"] = json!({"whitespace_flexible": false});
        let bytes = ApproximateTokEnv::single_byte_env();
        let mut factory =
            ParserFactory::new(&bytes, InferenceCapabilities::default(), &[]).unwrap();
        let grammar = TopLevelGrammar::from_json_schema(schema);
        let parser = factory.quiet().create_parser(grammar);
        let parser = parser.map_err(|error| error.to_string())?;
        Ok(Self {
            matcher: Matcher::new(Ok(parser)),
            random: Rng::with_seed(11),
        })
    }

    /// A text, where it came to an end.
    fn write(&mut self) -> Option<String> {
        self.matcher.reset().unwrap();
        let mut text = Vec::new();
        while text.len() < LONGEST {
            // A token is a byte.
            let forced = self.matcher.consume_ff_tokens();
            text.extend(forced.into_iter().map(|token| u8::try_from(token).unwrap()));
            if self.matcher.is_accepting().unwrap() {
                return Some(String::from_utf8(text).expect("a grammar of JSON writes UTF-8"));
            }
            let allowed = bytes_of(&self.matcher.compute_mask().unwrap());
            let byte = self.choose(&allowed, &text);
            self.matcher.consume_token(u32::from(byte)).unwrap();
            text.push(byte);
        }
        None
    }

    fn choose(&mut self, allowed: &[u8], text: &[u8]) -> u8 {
        if text.len() > LONG {
            // Only strings take this one: there, brackets end nothing.
            let closing = match allowed.contains(&b'%') {
                true => [b'"', b'}', b']'],
                false => [b'}', b']', b'"'],
            };
            if let Some(byte) = closing.into_iter().find(|byte| allowed.contains(byte)) {
                return byte;
            }
        }
        let mut classes = [const { Vec::new() }; CLASSES];
        for byte in allowed {
            classes[class_of(*byte)].push(*byte);
        }
        // A number is no longer than its Rust type has it, if it may end.
        if is_full_number(text) && classes[DIGITS].len() < allowed.len() {
            classes[DIGITS].clear();
        }
        let classes = classes.iter().filter(|class| !class.is_empty());
        let class = self.random.choice(classes.collect::<Vec<_>>());
        *self
            .random
            .choice(class.expect("a byte is allowed"))
            .unwrap()
    }
}

/// The bytes of a mask. Tokens above them are not text.
fn bytes_of(mask: &SimpleVob) -> Vec<u8> {
    mask.iter()
        .filter_map(|token| u8::try_from(token).ok())
        .collect()
}

/// Whether one more digit could take the number at the end of a text out of the range of `i32` or, as an exponent, of
/// `f32`: bounds that schemas do not tell, as no model writes such numbers.
fn is_full_number(text: &[u8]) -> bool {
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    let is_exponent = matches!(
        &text[..text.len() - digits],
        [.., b'e' | b'E'] | [.., b'e' | b'E', b'+' | b'-']
    );
    digits >= if is_exponent { 1 } else { 9 }
}

/// Types whose neutral schema the engine refuses, with its words.
const UNKNOWN: [(&str, &str); 2] = [
    ("HashSet<String>", "Unimplemented keys: [\"uniqueItems\"]"),
    ("BTreeSet<u8>", "Unimplemented keys: [\"uniqueItems\"]"),
];

/// What tools say to texts that their own schemas allow, and which types these are.
const NARROWER: [(&str, &[&str]); 3] = [
    // Closed in serde, and open in schemars.
    ("unknown field", &["Duration", "Range<u8>"]),
    // What a key must be is not in schemars' schemas of maps.
    ("expected a character", &["BTreeMap<char, u8>"]),
    // No standard format is that of both kinds of addresses.
    ("invalid IP address syntax", &["IpAddr"]),
];

/// Nothing that is allowed is read: no random text is an address of either kind, and of an enum of objects strict forms leave only the
/// empty object, as the SDKs do.
const UNREAD: [&str; 2] = ["IpAddr", "enum with object values"];

/// Has tools read what the grammars of their schemas allow.
struct Reader {
    runtime: Runtime,
    /// By the text of the schema, which many types share.
    texts: HashMap<String, Vec<String>>,
    faults: Vec<String>,
    count: usize,
}

impl Reader {
    fn new() -> Self {
        Self {
            runtime: Builder::new_current_thread().build().unwrap(),
            texts: HashMap::new(),
            faults: Vec::new(),
            count: 0,
        }
    }

    /// Reads texts in the grammar of the tool in the dialect. Where there is no such, the dialect's own tests say why.
    fn read(&mut self, dialect: Dialect, name: &str, tool: FunctionTool) {
        let neutral = jsonschema::validator_for(tool.definition().input_schema()).unwrap();
        let kit: Toolkit = Toolkit::new().with(tool).unwrap();
        let Ok(definitions) = kit.definitions_for(dialect) else {
            return;
        };
        let schema = definitions[0]
            .get("parameters")
            .unwrap_or(&definitions[0]["input_schema"]);
        if !self.has_texts(dialect, name, schema) {
            return;
        }
        self.count += 1;
        let mut count = 0;
        for text in &self.texts[&schema.to_string()] {
            match self.problem(&kit, text) {
                None => count += 1,
                Some(problem) if is_narrower(name, &problem) => {}
                Some(_) if dialect != Dialect::Plain && is_wider(&neutral, text) => {}
                Some(problem) => return self.faults.push(format!("{name}: {text}: {problem}")),
            }
        }
        if (count == 0) != UNREAD.contains(&name) {
            self.faults.push(format!("{name}: {count} are read"));
        }
    }

    /// Has texts of the schema at hand, if its grammar is known.
    fn has_texts(&mut self, dialect: Dialect, name: &str, schema: &Value) -> bool {
        let key = schema.to_string();
        if self.texts.contains_key(&key) {
            return true;
        }
        let unknown = UNKNOWN
            .iter()
            .find(|(of, _)| dialect == Dialect::Plain && *of == name);
        match (texts(schema), unknown) {
            (Ok(texts), None) => {
                self.texts.insert(key, texts);
                return true;
            }
            (Err(error), Some((_, listed))) if error == *listed => {}
            (Err(error), _) => self.faults.push(format!("{name}: {error}")),
            (Ok(_), Some(_)) => self.faults.push(format!("{name}: need not be listed")),
        }
        false
    }

    /// What the only tool says to these arguments, if it does not read them.
    fn problem(&self, kit: &Toolkit, text: &str) -> Option<String> {
        let name = kit.names().next().unwrap();
        let call = ToolCall::new("call", name, RawJson::parse(text).unwrap());
        let result = self.runtime.block_on(kit.run(&call));
        result.is_error().then(|| result.text())
    }

    fn end(self, count: usize) {
        assert!(self.faults.is_empty(), "{}", self.faults.join("\n"));
        assert_eq!(self.count, count, "how many schemas are grammars");
    }
}

/// Whether a dialect allows a text that the tool's own schema does not: a strict one leaves bounds to the description,
/// and tools keep to them. For a key that may be left out, it may have null.
fn is_wider(neutral: &Validator, text: &str) -> bool {
    let mut value: Value = serde_json::from_str(text).unwrap();
    let is_as_it_stands = neutral.is_valid(&value);
    drop_nulls(&mut value);
    !is_as_it_stands && !neutral.is_valid(&value)
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(drop_nulls);
        }
        _ => {}
    }
}

fn is_narrower(name: &str, problem: &str) -> bool {
    let listed =
        |(words, names): &(&str, &[&str])| problem.contains(words) && names.contains(&name);
    // No grammar remembers which keys there were.
    problem.contains("is there twice") || NARROWER.iter().any(listed)
}

/// Random texts that a schema allows, or why it is no grammar.
fn texts(schema: &Value) -> Result<Vec<String>, String> {
    let mut writer = Writer::new(schema)?;
    let texts = (0..2 * TEXTS).filter_map(|_| writer.write());
    let texts: Vec<_> = texts.take(TEXTS).collect();
    assert_eq!(texts.len(), TEXTS, "most texts come to an end: {schema}");
    Ok(texts)
}

fn read_types(dialect: Dialect) -> Reader {
    let mut reader = Reader::new();
    for (name, tool) in types::tools() {
        // OpenAI's form has no format of a URL, and hardly any random text is one.
        if dialect != Dialect::OpenAiStrict || name != "url::Url" {
            reader.read(dialect, name, tool);
        }
    }
    reader
}

#[test]
fn neutral_schemas_of_types() {
    read_types(Dialect::Plain).end(64);
}

#[test]
fn anthropics_strict_schemas_of_types() {
    read_types(Dialect::AnthropicStrict).end(59);
}

#[test]
fn openais_strict_schemas_of_types() {
    read_types(Dialect::OpenAiStrict).end(59);
}

#[test]
fn schemas_that_apis_accept() {
    let Some(rows) = rows("schemas_that_apis_accept", "verdicts.json") else {
        return;
    };
    let mut reader = Reader::new();
    for row in rows.iter().filter(|row| row["accepted"] == true) {
        let dialect = match text(row, "api") {
            "anthropic-messages" => Dialect::AnthropicStrict,
            _ => Dialect::OpenAiStrict,
        };
        let tools = row["tools"].as_array().unwrap().iter();
        for tool in tools.filter(|tool| tool["schema"].is_object()) {
            reader.read(dialect, text(row, "source"), strict_tool(&tool["schema"]));
        }
    }
    reader.end(176);
}

#[test]
fn schemas_that_the_sdks_rewrite() {
    let Some(rows) = rows("schemas_that_the_sdks_rewrite", "sdk-transform.json") else {
        return;
    };
    let mut reader = Reader::new();
    for row in &rows {
        for dialect in [Dialect::AnthropicStrict, Dialect::OpenAiStrict] {
            reader.read(dialect, text(row, "name"), strict_tool(&row["schema"]));
        }
    }
    reader.end(38);
}
