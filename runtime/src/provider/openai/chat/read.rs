//! From the body of a request, as another client wrote it, to a [`Request`].

use serde_json::Value;
use serde_json::value::RawValue;

use super::{API, Server, content, wire};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Identity, Message, Native, Role, ToolResult};
use crate::provider::asked::Asked;
use crate::provider::blocks::Blocks;
use crate::provider::fields::{required, take};
use crate::provider::openai::definitions;
use crate::raw_object::RawObject;
use crate::request::{Request, ToolChoice};
use crate::toolkit::{Entry, Names, RequestTool};

/// Reads a body. A field that has no word in [`Request`], or a value there that would not go out again as it is,
/// becomes an option; and one that haft sends by itself is kept out where the body does not have it.
pub(super) fn request(body: Value, server: Server) -> Result<Request, Error> {
    let Value::Object(mut fields) = body else {
        return Err(Error::request(
            "the body of a request must be a JSON object",
        ));
    };
    let mut request = Request::new(required::<String>(&mut fields, "model")?);
    let messages = required::<Vec<Box<RawValue>>>(&mut fields, "messages")?;
    request.messages = read_messages(messages, &request.model)?;
    if let Some(tools) = take(&mut fields, "tools", |value| value.as_array().cloned()) {
        for tool in tools {
            request = request.with_tool(RequestTool {
                entry: entry(&tool),
                is_placeholder: true,
            });
        }
    }
    request.max_tokens = take(&mut fields, server.quirks().max_tokens, Value::as_u64);
    request.stop_sequences = take(&mut fields, "stop", texts).unwrap_or_default();
    request.tool_choice = take(&mut fields, "tool_choice", tool_choice);
    request.parallel_tool_calls = take(&mut fields, "parallel_tool_calls", Value::as_bool);
    fields.shift_remove("stream");
    fields.retain(|_, value| !value.is_null());
    fields.entry("stream_options").or_insert(Value::Null);
    request.options = fields;
    Ok(request)
}

fn texts(value: &Value) -> Option<Vec<String>> {
    serde_json::from_value(value.clone()).ok()
}

fn tool_choice(value: &Value) -> Option<ToolChoice> {
    match value {
        Value::String(word) => match word.as_str() {
            "auto" => Some(ToolChoice::Auto),
            "required" => Some(ToolChoice::Any),
            "none" => Some(ToolChoice::None),
            _ => None,
        },
        value => {
            let name = value.pointer("/function/name")?.as_str()?;
            (value.get("type")? == "function").then(|| ToolChoice::Tool(name.to_owned()))
        }
    }
}

/// A function holds a place for the toolkit's tool; anything else goes out as it is.
fn entry(tool: &Value) -> Entry {
    let fields = tool.as_object().filter(|fields| fields.len() == 2);
    let function = fields.and_then(|fields| fields.get("function")?.as_object());
    let name = || {
        let names = ["/function/name", "/custom/name"].into_iter();
        let name = names.filter_map(|at| tool.pointer(at)?.as_str()).next();
        name.unwrap_or_default().to_owned()
    };
    function
        .and_then(definitions::read)
        .unwrap_or_else(|| Entry::Native {
            api: API,
            name: name(),
            json: tool.clone().into(),
        })
}

/// Messages that follow each other and are results are one message: the answers of a turn.
fn read_messages(messages: Vec<Box<RawValue>>, model: &str) -> Result<Vec<Message>, Error> {
    let (mut read, mut results) = (Vec::new(), Blocks::default());
    for (at, raw) in messages.into_iter().enumerate() {
        let json = RawJson::from_raw(raw);
        let message = message(&json, model, &mut results);
        let message =
            message.map_err(|error| Error::request(format!("messages[{at}]: {error}")))?;
        if let Some(message) = message {
            read.extend(answers(&mut results, model));
            read.push(message);
        }
    }
    read.extend(answers(&mut results, model));
    Ok(read)
}

fn answers(results: &mut Blocks, model: &str) -> Option<Message> {
    let results = std::mem::take(results);
    let native = native(model, None, results.native);
    (!results.content.is_empty())
        .then(|| Message::with_native(Role::User, results.content, Some(native)))
}

fn native(model: &str, frame: Option<RawJson>, blocks: Vec<RawJson>) -> Native {
    Native {
        api: API,
        model: model.to_owned(),
        frame,
        blocks,
    }
}

/// One message; a result is added to those before it.
fn message(json: &RawJson, model: &str, results: &mut Blocks) -> Result<Option<Message>, Error> {
    let wire: wire::Message<'_> = serde_json::from_str(json.as_str())
        .map_err(|error| Error::request(error.to_string()).with_source(error))?;
    let role = match wire.role.as_str() {
        "user" => Role::User,
        "system" | "developer" => Role::System,
        "assistant" => return turn(json, model).map(Some),
        "tool" => {
            let id = wire
                .tool_call_id
                .ok_or_else(|| Error::request("a `tool` message without `tool_call_id`"))?;
            let parts = parts(json, wire.content);
            let identity = Identity::new(id, String::new());
            let result = ToolResult::with_parts(identity, parts.content, false);
            results.push((Content::ToolResult(result), json.clone()));
            return Ok(None);
        }
        other => return Err(Error::request(format!("`{other}` is no role"))),
    };
    let parts = parts(json, wire.content);
    let mut frame = RawObject::parse(json).unwrap_or_default();
    frame.take("content");
    let native = native(model, Some(frame.compose()), parts.native);
    Ok(Some(Message::with_native(
        role,
        parts.content,
        Some(native),
    )))
}

/// A turn of the model's.
fn turn(json: &RawJson, model: &str) -> Result<Message, Error> {
    let asked = Asked {
        model,
        turn: 0,
        names: &Names::NONE,
    };
    let turn = content::turn(json, asked)?;
    let native = native(model, turn.frame, turn.blocks.native);
    Ok(Message::with_native(
        Role::Assistant,
        turn.blocks.content,
        Some(native),
    ))
}

/// The parts of a content: one, where it is text.
fn parts(message: &RawJson, content: Option<&RawValue>) -> Blocks {
    let mut blocks = Blocks::default();
    let Some(content) = content else {
        return blocks;
    };
    let json = RawJson::part_of(message.bytes(), content);
    if let Ok(text) = json.decode::<String>() {
        blocks.push((Content::text(text), json));
        return blocks;
    }
    let list: Vec<&RawValue> = serde_json::from_str(content.get()).unwrap_or_default();
    for raw in list {
        let json = RawJson::part_of(message.bytes(), raw);
        blocks.push((content::part(&json), json));
    }
    blocks
}
