//! From a request to the bytes that are sent. What was encoded at an earlier turn is copied, not encoded again.

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{API, wire};
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Message, Native, Role, Source, ToolResult};
use crate::provider::ModelCall;
use crate::request::{Request, ToolChoice};
use crate::toolkit::{Definitions, Entry};

/// What the API requires where the request does not say it.
const MAX_TOKENS: u64 = 8192;

/// The body of a request. The messages come last, so that what stands before them is the same at each turn.
pub(super) fn body(call: ModelCall<'_>) -> Result<Bytes, Error> {
    let request = call.request();
    check_options(request)?;
    let mut body = Body {
        bytes: vec![b'{'],
        request,
    };
    body.field("model", &request.model)?;
    body.field("max_tokens", &request.max_tokens.unwrap_or(MAX_TOKENS))?;
    if !request.system.is_empty() && !request.options.contains_key("system") {
        body.list("system", &[blocks(&request.system)]);
    }
    if let Some(choice) = tool_choice(request) {
        body.field("tool_choice", &choice)?;
    }
    if !request.stop_sequences.is_empty() {
        body.field("stop_sequences", &request.stop_sequences)?;
    }
    body.options()?;
    let tools = call.definitions();
    if !tools.entries().is_empty() && !request.options.contains_key("tools") {
        body.list(
            "tools",
            &[tools.encoded().get_or_encode(API, || encode_tools(tools))?],
        );
    }
    let messages = request
        .messages
        .iter()
        .map(message)
        .collect::<Result<Vec<_>, _>>()?;
    if messages.iter().all(Bytes::is_empty) {
        return Err(Error::request(
            "the request has no message; say something with `user`",
        ));
    }
    body.list("messages", &messages);
    body.bytes.push(b'}');
    Ok(body.bytes.into())
}

fn check_options(request: &Request) -> Result<(), Error> {
    match ["messages", "stream"]
        .into_iter()
        .find(|key| request.options.contains_key(*key))
    {
        Some(key) => Err(Error::request(format!(
            "the option `{key}` cannot be set, since haft itself sends that field; take the option out"
        ))),
        None => Ok(()),
    }
}

/// The body in the making: an object, still open.
struct Body<'a> {
    bytes: Vec<u8>,
    request: &'a Request,
}

impl Body<'_> {
    /// A field of haft's own; one that the request's options set is left to them.
    fn field(&mut self, key: &str, value: &impl Serialize) -> Result<(), Error> {
        if self.request.options.contains_key(key) {
            Ok(())
        } else {
            self.write(key, value)
        }
    }

    /// The request's options. Null only keeps a field of haft's own out.
    fn options(&mut self) -> Result<(), Error> {
        let mut options = self
            .request
            .options
            .iter()
            .filter(|(_, value)| !value.is_null());
        options.try_for_each(|(key, value)| self.write(key, value))
    }

    fn write(&mut self, key: &str, value: &impl Serialize) -> Result<(), Error> {
        self.key(key);
        serde_json::to_writer(&mut self.bytes, value).map_err(|error| {
            Error::request(format!("the field `{key}` cannot be written: {error}"))
                .with_source(error)
        })
    }

    /// A list of what is encoded already. Empty pieces are messages in which nothing is to be sent.
    fn list(&mut self, key: &str, pieces: &[Bytes]) {
        self.bytes
            .reserve(pieces.iter().map(|piece| piece.len() + 1).sum::<usize>() + key.len() + 8);
        self.key(key);
        self.bytes.push(b'[');
        join(
            &mut self.bytes,
            pieces.iter().filter(|piece| !piece.is_empty()),
        );
        self.bytes.push(b']');
    }

    fn key(&mut self, key: &str) {
        if self.bytes.len() > 1 {
            self.bytes.push(b',');
        }
        self.bytes
            .extend_from_slice(Value::from(key).to_string().as_bytes());
        self.bytes.push(b':');
    }
}

fn join<'a>(to: &mut Vec<u8>, pieces: impl Iterator<Item = &'a Bytes>) {
    for (at, piece) in pieces.enumerate() {
        if at > 0 {
            to.push(b',');
        }
        to.extend_from_slice(piece);
    }
}

fn tool_choice(request: &Request) -> Option<wire::OutToolChoice<'_>> {
    let disable_parallel_tool_use = request.parallel_tool_calls.map(|allowed| !allowed);
    Some(match &request.tool_choice {
        Some(ToolChoice::Auto) => wire::OutToolChoice::Auto {
            disable_parallel_tool_use,
        },
        Some(ToolChoice::Any) => wire::OutToolChoice::Any {
            disable_parallel_tool_use,
        },
        Some(ToolChoice::Tool(name)) => wire::OutToolChoice::Tool {
            name,
            disable_parallel_tool_use,
        },
        Some(ToolChoice::None) => wire::OutToolChoice::None,
        // The flag has no other place than a choice, so it is sent with the API's default one.
        None if disable_parallel_tool_use == Some(true) => wire::OutToolChoice::Auto {
            disable_parallel_tool_use,
        },
        None => return None,
    })
}

/// The tools, joined; the brackets are the list's.
fn encode_tools(definitions: &Definitions) -> Result<Bytes, Error> {
    let tools = definitions
        .entries()
        .iter()
        .filter_map(tool)
        .collect::<Result<Vec<_>, _>>()?;
    let mut joined = Vec::new();
    join(&mut joined, tools.iter());
    Ok(joined.into())
}

/// One tool; those that only another API knows are left out.
fn tool(entry: &Entry) -> Option<Result<Bytes, Error>> {
    let definition = match entry {
        Entry::Native { api, json, .. } => return (*api == API).then(|| Ok(json.bytes().clone())),
        Entry::Function(definition) => definition,
    };
    let tool = wire::OutTool {
        name: definition.name(),
        description: definition.description(),
        input_schema: definition.input_schema(),
        strict: definition.is_strict(),
        options: definition.options(),
    };
    Some(serde_json::to_vec(&tool).map(Bytes::from).map_err(|error| {
        Error::definition(format!("tool `{}` cannot be written: {error}", tool.name))
            .with_source(error)
    }))
}

/// One message, encoded once in its life; empty where nothing of it is to be sent.
fn message(message: &Message) -> Result<Bytes, Error> {
    message.encoded().get_or_encode(API, || {
        let native = message.native(API);
        let blocks =
            native.map_or_else(|| blocks(message.content()), |native| echo(message, native));
        if blocks.is_empty() {
            return Ok(Bytes::new());
        }
        let mut bytes =
            format!("{{\"role\":\"{}\",\"content\":[", role(message.role())).into_bytes();
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
        Ok(bytes.into())
    })
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
    }
}

/// The blocks as they came, joined, but for those that the API gives and does not take back: empty texts, and inputs
/// that are no objects.
fn echo(message: &Message, native: &Native) -> Bytes {
    let kept = message
        .content()
        .iter()
        .zip(&native.blocks)
        .filter(|(block, _)| !block.is_empty_text());
    let pieces: Vec<_> = kept
        .map(|(block, json)| match block {
            Content::ToolCall(call) if !call.input().is_object() => with_empty_input(json),
            _ => json.bytes().clone(),
        })
        .collect();
    let mut joined = Vec::with_capacity(pieces.iter().map(|piece| piece.len() + 1).sum());
    join(&mut joined, pieces.iter());
    joined.into()
}

fn with_empty_input(block: &RawJson) -> Bytes {
    let mut block = block.to_value();
    if let Some(fields) = block.as_object_mut() {
        fields.insert("input".to_owned(), Value::Object(Map::new()));
    }
    RawJson::from(block).bytes().clone()
}

/// Blocks in their neutral form, written for this API, joined.
///
/// An error result may hold only text here, so its other blocks go behind the results, where they are allowed.
fn blocks(content: &[Content]) -> Bytes {
    let mut list = Vec::new();
    let behind = content
        .iter()
        .filter_map(Content::as_tool_result)
        .flat_map(not_for_an_error);
    for block in content.iter().chain(behind) {
        write_block(&mut list, block);
    }
    list.into()
}

/// Adds one block to a list. One that is empty, or belongs to another API, is left out.
fn write_block(list: &mut Vec<u8>, content: &Content) {
    let before = list.len();
    if before > 0 {
        list.push(b',');
    }
    let start = list.len();
    match content {
        Content::Other(other) if other.api == API => list.extend_from_slice(other.json.bytes()),
        Content::ToolResult(result) => write_result(list, result),
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

/// Writing to memory fails only for maps with keys that JSON does not have, and these shapes have none.
fn write(list: &mut Vec<u8>, value: &impl Serialize) {
    let written = serde_json::to_writer(&mut *list, value);
    debug_assert!(written.is_ok(), "{written:?}");
}

fn out_block(content: &Content) -> Option<wire::OutBlock<'_>> {
    Some(match content {
        Content::Text(block) if block.text.is_empty() => return None,
        Content::Text(block) => wire::OutBlock::Text { text: &block.text },
        Content::Image(image) => wire::OutBlock::Image {
            source: source(&image.source),
        },
        Content::Document(document) => wire::OutBlock::Document {
            source: source(&document.source),
            title: document.title.as_deref(),
        },
        Content::SearchResult(result) => wire::OutBlock::SearchResult {
            source: &result.source,
            title: &result.title,
            content: result
                .passages
                .iter()
                .map(|text| wire::OutBlock::Text { text })
                .collect(),
        },
        Content::ToolCall(call) => wire::OutBlock::ToolUse {
            id: call.id(),
            name: call.name(),
            input: object_or_empty(call.input()),
        },
        // Another API's reasoning has no signature here, and its other blocks no meaning.
        Content::Thinking(_) | Content::Other(_) | Content::ToolResult(_) => return None,
    })
}

fn object_or_empty(input: &RawJson) -> &RawValue {
    let text = if input.is_object() {
        input.as_str()
    } else {
        "{}"
    };
    serde_json::from_str(text).unwrap_or(RawValue::NULL)
}

/// By hand, since its content may hold blocks that are JSON already.
fn write_result(list: &mut Vec<u8>, result: &ToolResult) {
    list.extend_from_slice(b"{\"type\":\"tool_result\",\"tool_use_id\":");
    write(list, &result.call_id());
    let mut content = Vec::new();
    for block in result
        .content()
        .iter()
        .filter(|block| !result.is_error() || block.as_text().is_some())
    {
        write_block(&mut content, block);
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
