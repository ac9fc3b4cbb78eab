//! From the body of a request, as another client wrote it, to a [`Request`].

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::content;
use super::{API, wire};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Message, Native, Other, Role};
use crate::provider::blocks::Blocks;
use crate::provider::fields::{required, take};
use crate::request::{Request, ToolChoice};
use crate::schema::InputSchema;
use crate::tool::ToolDefinition;
use crate::toolkit::{Entry, RequestTool};

/// Reads a body. A field that has no word in [`Request`], or a value there that would not go out again as it is,
/// becomes an option.
pub(super) fn request(body: Value) -> Result<Request, Error> {
    let Value::Object(mut fields) = body else {
        return Err(Error::request(
            "the body of a request must be a JSON object",
        ));
    };
    let mut request = Request::new(required::<String>(&mut fields, "model")?);
    for (at, raw) in required::<Vec<Box<RawValue>>>(&mut fields, "messages")?
        .into_iter()
        .enumerate()
    {
        let message = message(raw, &request.model);
        request
            .messages
            .push(message.map_err(|error| Error::request(format!("messages[{at}]: {error}")))?);
    }
    for value in take(&mut fields, "tools", |value| value.as_array().cloned()).unwrap_or_default() {
        request = request.with_tool(tool(value));
    }
    request.max_tokens = take(&mut fields, "max_tokens", Value::as_u64);
    request.system = take(&mut fields, "system", system).unwrap_or_default();
    request.stop_sequences = take(&mut fields, "stop_sequences", decoded).unwrap_or_default();
    if let Some((choice, parallel)) = take(&mut fields, "tool_choice", tool_choice) {
        (request.tool_choice, request.parallel_tool_calls) = (Some(choice), parallel);
    }
    fields.shift_remove("stream");
    fields.retain(|_, value| !value.is_null());
    request.options = fields;
    Ok(request)
}

fn decoded<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}

/// A message keeps all its keys; those beside role and content are its frame.
fn message(raw: Box<RawValue>, model: &str) -> Result<Message, Error> {
    let body = RawJson::from_raw(raw);
    let wire: wire::Message<'_> = serde_json::from_str(body.as_str())
        .map_err(|error| Error::request(error.to_string()).with_source(error))?;
    let role = match wire.role.as_str() {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => Role::System,
        other => return Err(Error::request(format!("`{other}` is no role"))),
    };
    let frame = (!wire.rest.is_empty()).then(|| RawJson::from(Value::Object(wire.rest)));
    let blocks = message_content(body.bytes(), wire.content)?;
    Ok(Message::with_native(
        role,
        blocks.content,
        Some(Native {
            api: API,
            model: model.to_owned(),
            frame,
            blocks: blocks.native,
        }),
    ))
}

/// Text is the same as one block of text.
fn message_content(body: &Bytes, content: &RawValue) -> Result<Blocks, Error> {
    let Ok(text) = serde_json::from_str::<String>(content.get()) else {
        return content::blocks(body, content);
    };
    let block = RawJson::from(serde_json::json!({"type": "text", "text": text}));
    let mut blocks = Blocks::default();
    blocks.push((Content::text(text), block));
    Ok(blocks)
}

/// A function holds a place for the toolkit's tool; anything else goes out as it is.
fn tool(value: Value) -> RequestTool {
    let entry = function(&value).unwrap_or_else(|| Entry::Native {
        api: API,
        name: value
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        json: value.into(),
    });
    RequestTool {
        entry,
        is_placeholder: true,
    }
}

fn function(value: &Value) -> Option<Entry> {
    let mut fields = value.as_object()?.clone();
    let name = take(&mut fields, "name", |value| {
        value.as_str().map(str::to_owned)
    })?;
    let schema = InputSchema::from_value(fields.shift_remove("input_schema")?).ok()?;
    // An empty one stays an option: it went out before, so it goes out again.
    let description = take(&mut fields, "description", |value| {
        value
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    });
    let mut definition =
        ToolDefinition::from_checked(name, description.unwrap_or_default(), schema);
    if let Some(strict) = take(&mut fields, "strict", Value::as_bool) {
        definition = definition.strict(strict);
    }
    let options = fields.into_iter().filter(|(_, value)| !value.is_null());
    Some(Entry::Read(
        options.fold(definition, |definition, (key, value)| {
            definition.option(key, value)
        }),
    ))
}

/// Blocks with more than text (such as `cache_control`) are kept as they are.
fn system(value: &Value) -> Option<Vec<Content>> {
    if let Some(text) = value.as_str() {
        return Some(vec![Content::text(text)]);
    }
    value.as_array()?.iter().map(system_block).collect()
}

fn system_block(value: &Value) -> Option<Content> {
    let block = value.as_object()?;
    let kind = block.get("type")?.as_str()?;
    match block.get("text").and_then(Value::as_str) {
        Some(text) if kind == "text" && block.len() == 2 => Some(Content::text(text)),
        _ => Some(Content::Other(Other {
            api: API,
            kind: kind.to_owned(),
            json: value.clone().into(),
            tool: None,
        })),
    }
}

fn tool_choice(value: &Value) -> Option<(ToolChoice, Option<bool>)> {
    let fields = value.as_object()?;
    let is_known = |key: &String| matches!(&**key, "type" | "name" | "disable_parallel_tool_use");
    if !fields.keys().all(is_known) {
        return None;
    }
    let choice = match fields.get("type")?.as_str()? {
        "auto" => ToolChoice::Auto,
        "any" => ToolChoice::Any,
        "none" => ToolChoice::None,
        "tool" => ToolChoice::Tool(fields.get("name")?.as_str()?.to_owned()),
        _ => return None,
    };
    let parallel = fields
        .get("disable_parallel_tool_use")
        .and_then(Value::as_bool)
        .map(|disabled| !disabled);
    Some((choice, parallel))
}
