//! From the body of a request, as another client wrote it, to a [`Request`].

use std::collections::HashSet;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::calls::CallKind;
use super::encode::PREVIOUS;
use super::{API, MAX_TOKENS, content, given};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Message, Native, Role};
use crate::provider::asked::Asked;
use crate::provider::blocks::Blocks;
use crate::provider::fields::{required, take};
use crate::provider::openai::definitions;
use crate::raw_object::RawObject;
use crate::request::{Request, ToolChoice};
use crate::toolkit::{Entry, Names, RequestTool};

/// Fields that haft sends by itself: they are kept out where the body does not have them.
const OWN: [&str; 2] = ["store", "include"];

/// Reads a body. A field that has no word in [`Request`], or a value there that would not go out again as it is,
/// becomes an option.
pub(super) fn request(body: Value) -> Result<Request, Error> {
    let Value::Object(mut fields) = body else {
        return Err(Error::request(
            "the body of a request must be a JSON object",
        ));
    };
    let mut request = Request::new(required::<String>(&mut fields, "model")?);
    let held = Held::of(&fields);
    request.messages = match fields.get("input") {
        None | Some(Value::Null) if held != Held::Nothing => {
            fields.shift_remove("input");
            Vec::new()
        }
        _ => {
            let input = required::<Box<RawValue>>(&mut fields, "input")?;
            messages(&input, &request.model, held)?
        }
    };
    if let Some(tools) = take(&mut fields, "tools", |value| value.as_array().cloned()) {
        for tool in tools {
            request = request.with_tool(RequestTool {
                entry: entry(&tool),
                is_placeholder: true,
            });
        }
    }
    let text = |value: &Value| {
        value
            .as_str()
            .filter(|it| !it.trim().is_empty())
            .map(Content::text)
    };
    request.system = take(&mut fields, "instructions", text)
        .into_iter()
        .collect();
    request.max_tokens = take(&mut fields, MAX_TOKENS, Value::as_u64);
    request.tool_choice = take(&mut fields, "tool_choice", tool_choice);
    request.parallel_tool_calls = take(&mut fields, "parallel_tool_calls", Value::as_bool);
    fields.shift_remove("stream");
    fields.retain(|_, value| !value.is_null());
    for own in OWN {
        fields.entry(own).or_insert(Value::Null);
    }
    request.options = fields;
    Ok(request)
}

/// What the API has of the conversation beside the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Nothing,
    /// Items that are said in a prompt of its own.
    Prompt,
    /// Items before these, calls among them.
    Begin,
}

impl Held {
    fn of(fields: &Map<String, Value>) -> Self {
        let has = |key: &&str| fields.get(*key).is_some_and(|value| !value.is_null());
        if ["conversation", PREVIOUS].iter().any(has) {
            Self::Begin
        } else if has(&"prompt") {
            Self::Prompt
        } else {
            Self::Nothing
        }
    }
}

fn tool_choice(value: &Value) -> Option<ToolChoice> {
    match value {
        Value::String(word) => match word.as_str() {
            "auto" => Some(ToolChoice::Auto),
            "required" => Some(ToolChoice::Any),
            "none" => Some(ToolChoice::None),
            _ => None,
        },
        Value::Object(fields) if fields.len() == 2 && fields.get("type")? == "function" => {
            Some(ToolChoice::Tool(fields.get("name")?.as_str()?.to_owned()))
        }
        _ => None,
    }
}

/// A function holds a place for the toolkit's tool; anything else goes out as it is.
fn entry(tool: &Value) -> Entry {
    let fields = tool.as_object();
    let function =
        fields.filter(|fields| fields.get("type").is_some_and(|kind| kind == "function"));
    let function = function.and_then(|fields| {
        let fields = fields.iter().filter(|(key, _)| *key != "type");
        let fields: Map<_, _> = fields
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        definitions::read(&fields)
    });
    function.unwrap_or_else(|| Entry::Native {
        api: API,
        name: name(tool),
        json: tool.clone().into(),
    })
}

/// What a call of the tool is known by: its name, or its type.
fn name(tool: &Value) -> String {
    let text = |key: &str| tool.get(key).and_then(Value::as_str);
    let is_called = |kind: &&str| CallKind::of_tool(kind).is_some();
    let name = text("name").or_else(|| text("type").filter(is_called));
    name.unwrap_or_default().to_owned()
}

/// A text is the same as one message; else each item is one, or part of a turn, or of its answers.
fn messages(input: &RawValue, model: &str, held: Held) -> Result<Vec<Message>, Error> {
    if let Ok(text) = serde_json::from_str::<String>(input.get()) {
        return Ok(vec![Message::user(text)]);
    }
    let body = RawJson::from_raw(input.to_owned());
    let list: Vec<&RawValue> = serde_json::from_str(body.as_str())
        .map_err(|_| Error::request("`input` in the body is neither text nor a list of items"))?;
    let mut reader = Reader {
        model,
        held,
        calls: HashSet::new(),
        read: Vec::new(),
        group: None,
    };
    for (at, raw) in list.into_iter().enumerate() {
        let item = reader.item(RawJson::part_of(body.bytes(), raw));
        item.map_err(|error| Error::request(format!("input[{at}]: {error}")))?;
    }
    reader.close();
    Ok(reader.read)
}

/// Items that are put into messages.
struct Reader<'a> {
    model: &'a str,
    held: Held,
    /// The ids of the calls so far.
    calls: HashSet<String>,
    read: Vec<Message>,
    /// Items that follow each other and are of one message.
    group: Option<(Role, Blocks)>,
}

impl Reader<'_> {
    fn item(&mut self, json: RawJson) -> Result<(), Error> {
        let asked = Asked {
            model: self.model,
            turn: 0,
            names: &Names::NONE,
        };
        let fields = RawObject::parse(&json);
        let fields = fields.map_err(|error| Error::request(error.to_string()))?;
        let text = |key: &str| fields.get(key).and_then(|it| it.decode::<String>().ok());
        let (kind, role) = (text("type"), text("role"));
        match (kind.as_deref(), role.as_deref()) {
            (None | Some("message"), Some("user")) => self.message(Role::User, fields),
            (None | Some("message"), Some("system" | "developer")) => {
                self.message(Role::System, fields);
            }
            (Some(kind), _) if CallKind::is_output(kind) => {
                let result = given::result(&json)
                    .ok_or_else(|| Error::request(format!("a `{kind}` item without `call_id`")))?;
                // It answers a call that only the API has: nothing here is known of that.
                let is_apart = self.held == Held::Begin && !self.calls.contains(result.call_id());
                let content = if is_apart {
                    Content::other(API, json.clone())
                } else {
                    Content::ToolResult(result)
                };
                self.add(Role::User, (content, json));
            }
            (Some("mcp_approval_response"), _) => {
                self.add(Role::User, (Content::other(API, json.clone()), json));
            }
            // Instructions of another kind than text.
            (Some(_), Some("developer")) => {
                self.add(Role::System, (Content::other(API, json.clone()), json));
            }
            _ => {
                let item = content::item(&json, 0, asked).map_err(Error::request)?;
                let call = item.content.as_tool_call();
                self.calls.extend(call.map(|call| call.id().to_owned()));
                self.add(Role::Assistant, (item.content, item.json));
            }
        }
        Ok(())
    }

    /// A message by itself, with the item's other fields.
    fn message(&mut self, role: Role, mut fields: RawObject) {
        self.close();
        let content = fields.take("content").unwrap_or_else(RawJson::null);
        let mut blocks = Blocks::default();
        if let Ok(text) = content.decode::<String>() {
            blocks.push((Content::text(text), content));
        } else {
            let parts: Vec<RawJson> = content.decode().unwrap_or_default();
            for part in parts {
                blocks.push((given::part(&part), part));
            }
        }
        let message = self.native(role, blocks, Some(fields.compose()));
        self.read.push(message);
    }

    fn add(&mut self, role: Role, block: (Content, RawJson)) {
        if self.group.as_ref().is_some_and(|(own, _)| *own != role) {
            self.close();
        }
        let (_, blocks) = self.group.get_or_insert_with(|| (role, Blocks::default()));
        blocks.push(block);
    }

    fn close(&mut self) {
        if let Some((role, blocks)) = self.group.take() {
            let message = self.native(role, blocks, None);
            self.read.push(message);
        }
    }

    fn native(&self, role: Role, blocks: Blocks, frame: Option<RawJson>) -> Message {
        let native = Native {
            api: API,
            model: self.model.to_owned(),
            frame,
            blocks: blocks.native,
        };
        Message::with_native(role, blocks.content, Some(native))
    }
}
