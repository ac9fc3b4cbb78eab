//! From messages and blocks to bytes: as they came, where they came from this API, else written from
//! their neutral form.

use std::borrow::Cow;

use bytes::Bytes;

use super::content::with_field;
use super::{API, wire};
use crate::json::RawJson;
use crate::message::{Content, Message, Native, Role, Source, ToolCall, ToolResult, sendable};
use crate::provider::body::{NO_REASON, push, write};
use crate::provider::ids::fitting;
use crate::raw_object::string;
use crate::surrogates::replace_lone_surrogates;
use crate::toolkit::Names;

/// One message; nothing where nothing of it is to be sent.
pub(super) fn message(message: &Message, keeps_reasoning: bool, names: &Names) -> Bytes {
    let native = message.native(&API);
    let blocks = match native {
        Some(native) => echo(message, native, keeps_reasoning),
        None => blocks(message.content(), names),
    };
    if blocks.is_empty() {
        return Bytes::new();
    }
    let mut bytes = format!("{{\"role\":\"{}\",\"content\":[", role(message.role())).into_bytes();
    bytes.extend_from_slice(&blocks);
    bytes.push(b']');
    match native.and_then(|native| native.frame.as_ref()) {
        // `{"clear_at":1}` goes on where the content ends: `,"clear_at":1}`.
        Some(frame) => {
            bytes.push(b',');
            bytes.extend(frame.bytes().iter().skip(1));
        }
        None => bytes.push(b'}'),
    }
    // As a model wrote them, or a tool that gives JSON.
    replace_lone_surrogates(&mut bytes);
    bytes.into()
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
    }
}

/// The blocks as they came, joined, but for those that the API gives and does not take back: empty
/// texts, inputs that are no objects, and, for another model, reasoning.
fn echo(message: &Message, native: &Native, keeps_reasoning: bool) -> Bytes {
    let (mut joined, mut is_first) = (Vec::new(), true);
    for (at, block) in sendable(message.content()) {
        let Some(json) = native.blocks.get(at) else {
            continue;
        };
        match block {
            block if block.is_reasoning() && !keeps_reasoning => {}
            Content::ToolCall(call) if !call.input().is_object() || !is_id(call.id()) => {
                let json = sendable_call(call, json);
                push(&mut joined, &mut is_first, json.bytes());
            }
            // The result of a body that was read is for the id that its call is sent with.
            Content::ToolResult(result) if !is_id(result.call_id()) => {
                let json = with_field(json, "tool_use_id", string(&call_id(result.call_id())));
                push(&mut joined, &mut is_first, json.bytes());
            }
            _ => push(&mut joined, &mut is_first, json.bytes()),
        }
    }
    joined.into()
}

/// A call as it came, but with an input and an id that the API takes.
fn sendable_call(call: &ToolCall, json: &RawJson) -> RawJson {
    let mut json = json.clone();
    if !call.input().is_object() {
        json = with_field(&json, "input", RawJson::empty_object());
    }
    if !is_id(call.id()) {
        json = with_field(&json, "id", string(&call_id(call.id())));
    }
    json
}

/// Whether an id is one that the API takes. Some servers of other APIs have points and colons in theirs.
fn is_id(id: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !id.is_empty() && id.bytes().all(fits)
}

fn call_id(id: &str) -> Cow<'_, str> {
    fitting(id, is_id)
}

/// Blocks in their neutral form, written for this API, joined.
///
/// An error result may hold only text here, so its other blocks go behind the results, where they are allowed.
pub(super) fn blocks(content: &[Content], names: &Names) -> Bytes {
    let mut list = Vec::new();
    let behind = content
        .iter()
        .filter_map(Content::as_tool_result)
        .flat_map(not_for_an_error);
    // Results come first, whatever the program has put before them.
    let is_result = |block: &&Content| block.as_tool_result().is_some();
    let (results, others): (Vec<_>, Vec<_>) = sendable(content)
        .map(|(_, block)| block)
        .partition(is_result);
    for block in results.into_iter().chain(others).chain(behind) {
        write_block(&mut list, block, names);
    }
    list.into()
}

/// Adds one block to a list. One that belongs to another API is left out.
fn write_block(list: &mut Vec<u8>, content: &Content, names: &Names) {
    let before = list.len();
    if before > 0 {
        list.push(b',');
    }
    let start = list.len();
    match content {
        Content::Other(other) if other.api == API => list.extend_from_slice(other.json.bytes()),
        Content::ToolCall(call) => write_call(list, call, names),
        Content::ToolResult(result) => write_result(list, result, names),
        _ => write_typed(list, content),
    }
    if list.len() == start {
        list.truncate(before);
    }
}

fn write_typed(list: &mut Vec<u8>, content: &Content) {
    if let Some(block) = out_block(content) {
        write(list, &block);
    }
}

fn out_block(content: &Content) -> Option<wire::OutBlock<'_>> {
    Some(match content {
        Content::Text(block) => wire::OutBlock::Text {
            text: &block.text,
            options: block.options.get(),
        },
        Content::Image(image) => wire::OutBlock::Image {
            source: source(&image.source),
            options: image.options.get(),
        },
        Content::Document(document) => wire::OutBlock::Document {
            source: source(&document.source),
            title: document.title.as_deref(),
            options: document.options.get(),
        },
        Content::SearchResult(result) => wire::OutBlock::SearchResult {
            source: &result.source,
            title: &result.title,
            content: result
                .passages
                .iter()
                .map(|text| wire::OutBlock::Text {
                    text,
                    options: None,
                })
                .collect(),
            options: result.options.get(),
        },
        // Another API's reasoning has no signature here, and its other blocks no meaning. The others are written by
        // hand.
        Content::Thinking(_)
        | Content::Other(_)
        | Content::ToolCall(_)
        | Content::ToolResult(_) => return None,
    })
}

/// By hand, since its input is JSON already. What is no object, or no JSON, goes out as the empty one.
fn write_call(list: &mut Vec<u8>, call: &ToolCall, names: &Names) {
    list.extend_from_slice(b"{\"type\":\"tool_use\",\"id\":");
    write(list, &call_id(call.id()));
    list.extend_from_slice(b",\"name\":");
    // A member of a toolset has no name of the program's.
    let (toolset, name) = match call.toolset() {
        Some(toolset) => (Some(toolset), call.wire_name()),
        None => (None, names.wire(call.name())),
    };
    write(list, &name);
    write_toolset(list, toolset);
    list.extend_from_slice(b",\"input\":");
    list.extend_from_slice(match call.input() {
        input if input.is_object() => input.bytes(),
        _ => b"{}",
    });
    list.push(b'}');
}

fn write_toolset(list: &mut Vec<u8>, toolset: Option<&str>) {
    if let Some(toolset) = toolset {
        list.extend_from_slice(b",\"toolset_name\":");
        write(list, &toolset);
    }
}

/// By hand, since its content may hold blocks that are JSON already.
fn write_result(list: &mut Vec<u8>, result: &ToolResult, names: &Names) {
    list.extend_from_slice(b"{\"type\":\"tool_result\",\"tool_use_id\":");
    write(list, &call_id(result.call_id()));
    write_toolset(list, result.toolset());
    let mut content = Vec::new();
    let fits = |block: &Content| !result.is_error() || block.as_text().is_some();
    for (_, block) in sendable(result.content()).filter(|(_, block)| fits(block)) {
        write_block(&mut content, block, names);
    }
    if content.is_empty() && result.is_error() {
        // Refused without: a failure must be told.
        write_block(&mut content, &Content::text(NO_REASON), names);
    }
    if !content.is_empty() {
        list.extend_from_slice(b",\"content\":[");
        list.append(&mut content);
        list.push(b']');
    }
    list.extend_from_slice(if result.is_error() {
        b",\"is_error\":true}"
    } else {
        b"}"
    });
}

/// The blocks of an error result that it may not hold.
fn not_for_an_error(result: &ToolResult) -> impl Iterator<Item = &Content> {
    result
        .content()
        .iter()
        .filter(|block| result.is_error() && block.as_text().is_none())
}

fn source(source: &Source) -> wire::Source {
    match source.clone() {
        Source::Base64 { media_type, data } => wire::Source::Base64 { media_type, data },
        Source::Url(url) => wire::Source::Url { url },
        Source::File(file_id) => wire::Source::File { file_id },
        Source::Text(data) => wire::Source::Text {
            media_type: "text/plain".to_owned(),
            data,
        },
    }
}
