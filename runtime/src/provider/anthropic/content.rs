//! From the blocks of a message, as JSON, to their neutral form.

use bytes::Bytes;
use serde_json::Map;
use serde_json::value::RawValue;

use super::{API, wire};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{
    BlockOptions, Content, Document, Identity, Image, Other, Source, Thinking, ToolCall,
    ToolResult, WireName,
};
use crate::provider::asked::Asked;
use crate::provider::blocks::Blocks;
use crate::provider::failure::{misplaced, place};
use crate::raw_object::{RawObject, string};
use crate::toolkit::Names;

/// Calls before the last `fallback` block are another model's, which the one that answers has not made: they are neither
/// run nor answered.
pub(super) fn set_abandoned_calls_aside(blocks: &mut Blocks) {
    let Some(seam) = blocks.content.iter().rposition(is_fallback) else {
        return;
    };
    let blocks = blocks.content.iter_mut().zip(&mut blocks.native);
    for (block, json) in blocks.take(seam) {
        set_aside(block, json);
    }
}

/// Whether another model answers from here on.
pub(super) fn is_fallback(block: &Content) -> bool {
    matches!(block, Content::Other(other) if other.kind == "fallback")
}

/// A call that nobody runs is a block that only the API understands, and that goes back as it is.
pub(super) fn set_aside(block: &mut Content, json: &mut RawJson) {
    let Some(call) = block.as_tool_call() else {
        return;
    };
    if !call.input().is_object() {
        *json = with_field(json, "input", RawJson::empty_object());
    }
    *block = other("tool_use", json.clone());
}

/// Reads the blocks of a message that a client wrote.
pub(super) fn blocks(body: &Bytes, list: &RawValue) -> Result<Blocks, Error> {
    read(body, list, |_, json| Ok((block_of(&json)?, json)))
}

/// Reads the blocks of a reply, the one after so many in its run.
pub(super) fn reply_blocks(
    body: &Bytes,
    list: &RawValue,
    asked: Asked<'_>,
) -> Result<Blocks, Error> {
    read(body, list, |at, json| reply_block(json, at, asked))
}

fn read(
    body: &Bytes,
    list: &RawValue,
    read: impl Fn(usize, RawJson) -> Result<(Content, RawJson), String>,
) -> Result<Blocks, Error> {
    let list: Vec<&RawValue> = serde_json::from_str(list.get())
        .map_err(|_| Error::protocol("`content` is no list of blocks"))?;
    let mut blocks = Blocks::default();
    for (at, raw) in list.into_iter().enumerate() {
        let block = read(at, RawJson::part_of(body, raw));
        blocks.push(block.map_err(|reason| misplaced("content", at, &reason))?);
    }
    set_abandoned_calls_aside(&mut blocks);
    Ok(blocks)
}

/// Reads one block of a reply. A call of a server that gives none gets an id, the same however often it is read.
pub(super) fn reply_block(
    json: RawJson,
    at: usize,
    asked: Asked<'_>,
) -> Result<(Content, RawJson), String> {
    let reading = Reading {
        missing_id: Some(""),
        names: asked.names,
    };
    match reading.block(&json)? {
        Content::ToolCall(call) if call.id().is_empty() => {
            let id = asked.missing_id(at);
            let json = with_field(&json, "id", string(&id));
            Ok((Content::ToolCall(call.with_id(id)), json))
        }
        content => Ok((content, json)),
    }
}

/// A block with another value in one field.
pub(super) fn with_field(block: &RawJson, key: &str, value: RawJson) -> RawJson {
    match RawObject::parse(block) {
        Ok(mut fields) => {
            fields.set(key, value);
            fields.compose()
        }
        Err(_) => block.clone(),
    }
}

/// Reads one block of a message, by the names that the API has used.
pub(super) fn block_of(json: &RawJson) -> Result<Content, String> {
    PLAIN.block(json)
}

/// How blocks are read.
#[derive(Clone, Copy)]
struct Reading<'a> {
    /// What a call without an id gets; without this, it is refused.
    missing_id: Option<&'a str>,
    names: &'a Names,
}

/// Names are as they stand there.
static PLAIN: Reading<'static> = Reading {
    missing_id: None,
    names: &Names::NONE,
};

impl Reading<'_> {
    /// Reads one block of a message.
    fn block(self, json: &RawJson) -> Result<Content, String> {
        let wire: wire::Block<'_> = match serde_json::from_str(json.as_str()) {
            Ok(wire) => wire,
            Err(error) => return unread(json, &error),
        };
        match wire.kind.as_str() {
            "tool_result" => result(json, wire),
            "tool_use" => self.call(json, wire),
            "server_tool_use" => Ok(self.server_call(json, &wire)),
            _ => part(json, wire),
        }
    }

    /// A call that the API runs itself, by the name that the program has for the tool.
    fn server_call(self, json: &RawJson, wire: &wire::Block<'_>) -> Content {
        let mut block = other(&wire.kind, json.clone());
        if let (Content::Other(call), Some(name)) = (&mut block, &wire.name) {
            call.tool = Some(self.names.own_of_server(name).to_owned());
        }
        block
    }

    fn call(self, json: &RawJson, wire: wire::Block<'_>) -> Result<Content, String> {
        let missing = |field: &str| format!("a `tool_use` block without `{field}`");
        let id = wire.id.or_else(|| self.missing_id.map(str::to_owned));
        let id = id.ok_or_else(|| missing("id"))?;
        let name = wire.name.ok_or_else(|| missing("name"))?;
        // Absent or null: no arguments, and nothing that may be sent back as it is.
        let input = wire
            .input
            .map_or_else(RawJson::null, |input| RawJson::part_of(json.bytes(), input));
        let identity = self.names.identity(id, name, wire.toolset_name);
        Ok(Content::ToolCall(ToolCall::of_identity(identity, input)))
    }
}

fn result(json: &RawJson, wire: wire::Block<'_>) -> Result<Content, String> {
    let id = wire
        .tool_use_id
        .ok_or("a `tool_result` block without `tool_use_id`")?;
    let content = result_content(json, wire.content)?;
    let is_error = wire.is_error.unwrap_or_default();
    // Which member it was is not told.
    let toolset = wire.toolset_name.map(|toolset| WireName {
        name: String::new(),
        toolset: Some(toolset),
        answer: Map::new(),
    });
    let identity = Identity::named(id, String::new(), toolset);
    Ok(Content::ToolResult(ToolResult::with_parts(
        identity, content, is_error,
    )))
}

/// A known kind with a payload that is not its own is an error; an unknown kind may have any.
fn unread(json: &RawJson, error: &serde_json::Error) -> Result<Content, String> {
    const KNOWN: &[&str] = &["text", "thinking", "tool_use", "tool_result"];
    match json.decode::<wire::Kind>() {
        Ok(wire::Kind { kind }) if !KNOWN.contains(&kind.as_str()) => {
            Ok(other(&kind, json.clone()))
        }
        Ok(wire::Kind { kind }) => Err(format!("a `{kind}` block is {}", place(error))),
        Err(_) => Err("a block without a `type`".to_owned()),
    }
}

/// Reads a block that may also stand in a result.
fn part(json: &RawJson, wire: wire::Block<'_>) -> Result<Content, String> {
    let kind = wire.kind.as_str();
    let missing = |field: &str| format!("a `{kind}` block without `{field}`");
    Ok(match kind {
        "text" => Content::text(wire.text.ok_or_else(|| missing("text"))?),
        "thinking" => Content::Thinking(Thinking {
            text: wire.thinking.ok_or_else(|| missing("thinking"))?,
        }),
        "image" | "document" => match wire.source.and_then(source) {
            Some(source) if kind == "image" => Content::Image(Image {
                source,
                options: BlockOptions::default(),
            }),
            Some(source) => Content::Document(Document {
                source,
                title: wire.title,
                options: BlockOptions::default(),
            }),
            None => other(kind, json.clone()),
        },
        _ => other(kind, json.clone()),
    })
}

fn other(kind: &str, json: RawJson) -> Content {
    Content::Other(Other {
        api: API,
        kind: kind.to_owned(),
        json,
        tool: None,
    })
}

/// The content of a result: absent, text, or blocks. Results do not nest.
fn result_content(block: &RawJson, content: Option<&RawValue>) -> Result<Vec<Content>, String> {
    let Some(content) = content else {
        return Ok(Vec::new());
    };
    if let Ok(text) = serde_json::from_str::<String>(content.get()) {
        return Ok(vec![Content::text(text)]);
    }
    let list: Vec<&RawValue> = serde_json::from_str(content.get())
        .map_err(|_| "the content of a result is neither text nor a list of blocks")?;
    let read = |raw: &RawValue| {
        let json = RawJson::part_of(block.bytes(), raw);
        match serde_json::from_str::<wire::Block<'_>>(raw.get()) {
            Ok(wire) => part(&json, wire),
            Err(error) => unread(&json, &error),
        }
    };
    list.into_iter().map(read).collect()
}

/// The neutral form of a source; `None` for kinds that have none.
fn source(raw: &RawValue) -> Option<Source> {
    Some(match serde_json::from_str(raw.get()).ok()? {
        wire::Source::Base64 { media_type, data } => Source::Base64 { media_type, data },
        wire::Source::Url { url } => Source::Url(url),
        wire::Source::File { file_id } => Source::File(file_id),
        wire::Source::Text { data, .. } => Source::Text(data),
    })
}
