//! From a message of the API, as JSON, to its neutral form.

use std::collections::HashSet;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{API, reasoning, wire};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{BlockOptions, Content, Document, Image, Source, Thinking, ToolCall};
use crate::provider::asked::Asked;
use crate::provider::blocks::Blocks;
use crate::provider::failure::{misplaced, place};
use crate::provider::openai::media::source_of_data_url;
use crate::raw_object::{RawObject, string};

/// What the model said in one message.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// Reasoning, text and calls, as far as they are there.
    pub(super) blocks: Blocks,
    /// The message's other fields.
    pub(super) frame: Option<RawJson>,
    pub(super) refusal: Option<String>,
}

/// Reads a message of the model's.
///
/// # Errors
/// Where it is none.
pub(super) fn turn(message: &RawJson, asked: Asked<'_>) -> Result<Turn, Error> {
    let fields = RawObject::parse(message);
    let mut fields =
        fields.map_err(|error| Error::protocol(format!("`message` is {}", place(&error))))?;
    fields.take("role");
    let mut turn = Turn::default();
    if let Some((text, json)) = reasoning::take(&mut fields) {
        turn.blocks.push((thinking(text), json));
    }
    if let Some(content) = fields.take("content")
        && !turn.take_content(&content)
    {
        fields.set("content", content);
    }
    let refusal = fields.get("refusal").and_then(|it| it.decode().ok());
    turn.refusal = refusal.filter(|words: &String| !words.is_empty());
    let calls = fields.take("tool_calls");
    fields.retain_said();
    turn.frame = (!fields.is_empty()).then(|| fields.compose());
    let calls: Option<Vec<&RawValue>> = match &calls {
        Some(calls) => serde_json::from_str(calls.as_str())
            .map_err(|_| Error::protocol("`tool_calls` is no list of calls"))?,
        None => None,
    };
    let mut ids = HashSet::new();
    for (at, raw) in calls.into_iter().flatten().enumerate() {
        let json = RawJson::part_of(message.bytes(), raw);
        let call = call(&json, turn.blocks.content.len(), asked, &mut ids);
        let (call, json) = call.map_err(|reason| misplaced("tool_calls", at, &reason))?;
        turn.blocks.push((Content::ToolCall(call), json));
    }
    Ok(turn)
}

pub(super) fn thinking(text: String) -> Content {
    Content::Thinking(Thinking { text })
}

impl Turn {
    /// Takes what is said; whether something was. A list may have the model's thinking among its parts.
    fn take_content(&mut self, content: &RawJson) -> bool {
        if let Ok(text) = content.decode::<String>() {
            let is_said = !text.is_empty();
            if is_said {
                self.blocks.push((Content::text(text), content.clone()));
            }
            return is_said;
        }
        let Ok(parts) = serde_json::from_str::<Vec<wire::Part<'_>>>(content.as_str()) else {
            return false;
        };
        let thought: String = parts.iter().filter_map(reasoning::thought).collect();
        let text: String = parts.into_iter().filter_map(|part| part.text).collect();
        let has_thought = !thought.is_empty();
        if has_thought {
            // The list goes back with one of its blocks: with the text, where there is one.
            let mut fields = RawObject::default();
            if text.is_empty() {
                fields.set(reasoning::PARTS, content.clone());
            }
            self.blocks.push((thinking(thought), fields.compose()));
        }
        if !text.is_empty() || !has_thought {
            self.blocks.push((Content::text(text), content.clone()));
        }
        true
    }
}

/// Reads a call; its JSON is what goes back. One without an id, or with another's, gets one.
fn call(
    json: &RawJson,
    at: usize,
    asked: Asked<'_>,
    ids: &mut HashSet<String>,
) -> Result<(ToolCall, RawJson), String> {
    let wire: wire::Call<'_> =
        serde_json::from_str(json.as_str()).map_err(|error| place(&error))?;
    let is_text = wire.id.as_ref().is_some_and(Value::is_string);
    let (id, is_new) = match wire.id.as_ref().and_then(id_of) {
        // What goes back is text.
        Some(id) if !ids.contains(&id) => (id, !is_text),
        _ => (asked.short_missing_id(at), true),
    };
    ids.insert(id.clone());
    let custom = wire::custom(wire.custom, wire.function.is_some());
    let (name, input, arguments) = match (custom, wire.function) {
        (None, Some(function)) => {
            let (input, is_text) = function.arguments.map_or((None, false), |raw| {
                let text = serde_json::from_str::<String>(raw.get());
                let is_text = text.is_ok();
                (Some(text.unwrap_or_else(|_| raw.get().to_owned())), is_text)
            });
            let input = input.filter(|input| !matches!(input.trim(), "" | "null"));
            let input = input.map_or_else(RawJson::empty_object, RawJson::from_text);
            // What goes back is text, and the text of an object.
            let is_kept = is_text && input.is_object();
            let sent = if input.is_object() {
                input.as_str()
            } else {
                "{}"
            };
            let arguments = (!is_kept).then(|| string(sent));
            (function.name, input, arguments)
        }
        (Some(custom), _) => {
            let text = custom.input.unwrap_or_default();
            (custom.name, free_text(&text), None)
        }
        (None, None) => return Err("a call without a `function`".to_owned()),
    };
    let name = name
        .filter(|name| !name.is_empty())
        .ok_or("a call without a `name`")?;
    let json = if is_new || arguments.is_some() {
        with(json, is_new.then_some(&*id), arguments)
    } else {
        json.clone()
    };
    let identity = asked.names.identity(id, name, None);
    Ok((ToolCall::of_identity(identity, input), json))
}

/// The id of a call: a text that says something, or a number, as some servers count their calls.
pub(super) fn id_of(id: &Value) -> Option<String> {
    match id {
        Value::String(id) => (!id.is_empty()).then(|| id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

/// The input of a call whose arguments are a text: an object all the same.
fn free_text(text: &str) -> RawJson {
    RawJson::from(json!({ "input": text }))
}

/// The JSON of a call, with other values in it.
fn with(call: &RawJson, id: Option<&str>, arguments: Option<RawJson>) -> RawJson {
    let Ok(mut fields) = RawObject::parse(call) else {
        return call.clone();
    };
    if let Some(id) = id {
        fields.set("id", string(id));
    }
    if let Some(arguments) = arguments {
        let function = fields.get("function").map(RawObject::parse);
        let mut function = function.and_then(Result::ok).unwrap_or_default();
        function.set("arguments", arguments);
        fields.set("function", function.compose());
    }
    fields.compose()
}

/// Reads a part of a message of the user's, or of a result.
pub(super) fn part(json: &RawJson) -> Content {
    let wire: Option<wire::Part<'_>> = serde_json::from_str(json.as_str()).ok();
    let known = wire.and_then(|wire| match wire.kind.as_deref()? {
        "text" => wire.text.map(Content::text),
        "image_url" => Some(image(match wire.image_url? {
            wire::ImageUrl::Object { url } | wire::ImageUrl::Text(url) => url,
        })),
        "file" => document(wire.file?),
        _ => None,
    });
    known.unwrap_or_else(|| Content::other(API, json.clone()))
}

fn image(url: String) -> Content {
    let source = source_of_data_url(&url).unwrap_or(Source::Url(url));
    Content::Image(Image {
        source,
        options: BlockOptions::default(),
    })
}

fn document(file: wire::File) -> Option<Content> {
    let source = match (file.file_id, file.file_data) {
        (Some(id), _) => Source::File(id),
        (None, Some(data)) => source_of_data_url(&data)?,
        (None, None) => return None,
    };
    Some(Content::Document(Document {
        source,
        title: file.filename,
        options: BlockOptions::default(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolkit::Names;

    /// Name and input of a call that has both forms.
    fn read(function: &str, custom: &str) -> (String, String) {
        let json = format!(r#"{{"id":"i","function":{function},"custom":{custom}}}"#);
        let asked = Asked {
            model: "m",
            turn: 0,
            names: &Names::NONE,
        };
        let read = call(&RawJson::from_text(json), 0, asked, &mut HashSet::new());
        let (call, _) = read.unwrap();
        (call.name().to_owned(), call.input().as_str().to_owned())
    }

    #[test]
    fn of_two_forms_of_a_call_the_one_that_says_something_counts() {
        let function = read(
            r#"{"name":"f","arguments":"{\"a\":1}"}"#,
            r#"{"name":"","input":""}"#,
        );
        assert_eq!(function, ("f".to_owned(), r#"{"a":1}"#.to_owned()));
        let custom = read(
            r#"{"name":"","arguments":""}"#,
            r#"{"name":"c","input":"x"}"#,
        );
        assert_eq!(custom, ("c".to_owned(), r#"{"input":"x"}"#.to_owned()));
    }
}
