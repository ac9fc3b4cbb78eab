//! From a request to the bytes that are sent. What was encoded at an earlier turn is copied, not encoded again.

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{API, wire};
use crate::encoded::Form;
use crate::error::Error;
use crate::json::RawJson;
use crate::message::{Content, Message, Native, Role, Source, ToolResult, sendable};
use crate::provider::ModelCall;
use crate::request::{Request, ToolChoice};
use crate::toolkit::{Definitions, Entry};

/// What the API requires where the request does not say it.
const MAX_TOKENS: u64 = 8192;

/// The body of a request. The messages come last, so that what stands before them is the same at
/// each turn.
pub(super) fn body(call: ModelCall<'_>) -> Result<Bytes, Error> {
    let request = call.request();
    check_options(request)?;
    let mut body = Body {
        bytes: vec![b'{'],
        request,
    };
    body.field("model", &request.model)?;
    body.field("max_tokens", &request.max_tokens.unwrap_or(MAX_TOKENS))?;
    let system = blocks(&request.system);
    if !system.is_empty() && !body.is_set("system") {
        body.list("system", |list| {
            list.extend_from_slice(&system);
            Ok(())
        })?;
    }
    if let Some(choice) = tool_choice(request) {
        body.field("tool_choice", &choice)?;
    }
    if !request.stop_sequences.is_empty() {
        body.field("stop_sequences", &request.stop_sequences)?;
    }
    body.options()?;
    let tools = call.definitions();
    if !tools.entries().is_empty() && !body.is_set("tools") {
        body.list("tools", |list| write_tools(list, tools))?;
    }
    body.list("messages", |list| write_messages(list, request))?;
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
    /// Whether the request's options set or remove a field.
    fn is_set(&self, key: &str) -> bool {
        self.request.options.contains_key(key)
    }

    /// A field of haft's own; one that the request's options set is left to them.
    fn field(&mut self, key: &str, value: &impl Serialize) -> Result<(), Error> {
        if self.is_set(key) {
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

    /// A list of what is JSON already.
    fn list(
        &mut self,
        key: &str,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.key(key);
        self.bytes.push(b'[');
        write(&mut self.bytes)?;
        self.bytes.push(b']');
        Ok(())
    }

    fn key(&mut self, key: &str) {
        if self.bytes.len() > 1 {
            self.bytes.push(b',');
        }
        write(&mut self.bytes, &key);
        self.bytes.push(b':');
    }
}

/// Adds one piece of JSON to a list; an empty one is left out.
fn push(list: &mut Vec<u8>, is_first: &mut bool, piece: &[u8]) {
    if piece.is_empty() {
        return;
    }
    if !std::mem::take(is_first) {
        list.push(b',');
    }
    list.extend_from_slice(piece);
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

/// All tools, encoded once as long as they stay the same.
fn write_tools(list: &mut Vec<u8>, tools: &Definitions) -> Result<(), Error> {
    let form = Form {
        api: API,
        variant: 0,
    };
    tools.encoded().with(
        &form,
        || encode_tools(tools),
        |bytes| list.extend_from_slice(bytes),
    )
}

fn encode_tools(definitions: &Definitions) -> Result<Bytes, Error> {
    let (mut joined, mut is_first) = (Vec::new(), true);
    for entry in definitions.entries() {
        push(&mut joined, &mut is_first, &tool(entry)?);
    }
    Ok(joined.into())
}

/// One tool; nothing for those that only another API knows.
fn tool(entry: &Entry) -> Result<Bytes, Error> {
    let definition = match entry {
        Entry::Native { api, json, .. } if *api == API => return Ok(json.bytes().clone()),
        Entry::Native { .. } => return Ok(Bytes::new()),
        Entry::Function(definition) => definition,
    };
    let tool = wire::OutTool {
        name: definition.name(),
        description: definition.description(),
        input_schema: definition.input_schema(),
        strict: definition.strictness(),
        options: definition.options(),
    };
    serde_json::to_vec(&tool).map(Bytes::from).map_err(|error| {
        Error::definition(format!("tool `{}` cannot be written: {error}", tool.name))
            .with_source(error)
    })
}

/// All messages. Each is encoded once in its life; the rest is one copy.
fn write_messages(list: &mut Vec<u8>, request: &Request) -> Result<(), Error> {
    let mut is_first = true;
    let mut form = Form {
        api: API,
        variant: 0,
    };
    for message in &request.messages {
        let keeps_reasoning = keeps_reasoning(message, request);
        form.variant = u8::from(keeps_reasoning);
        let encode = || encode_message(message, keeps_reasoning);
        message
            .encoded()
            .with(&form, encode, |bytes| push(list, &mut is_first, bytes))?;
    }
    if is_first {
        return Err(Error::request(
            "the request has no message in which something is said; add one with `user`",
        ));
    }
    Ok(())
}

/// Reasoning goes back only to the model that it came from.
fn keeps_reasoning(message: &Message, request: &Request) -> bool {
    message.has_reasoning()
        && message
            .native(&API)
            .is_some_and(|native| native.model == request.model)
}

/// One message; nothing where nothing of it is to be sent.
fn encode_message(message: &Message, keeps_reasoning: bool) -> Result<Bytes, Error> {
    let native = message.native(&API);
    let blocks = match native {
        Some(native) => echo(message, native, keeps_reasoning),
        None => blocks(message.content()),
    };
    if blocks.is_empty() {
        return Ok(Bytes::new());
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
    Ok(bytes.into())
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
            Content::ToolCall(call) if !call.input().is_object() => {
                push(&mut joined, &mut is_first, &with_empty_input(json));
            }
            _ => push(&mut joined, &mut is_first, json.bytes()),
        }
    }
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
    // Results come first, whatever the program has put before them.
    let is_result = |block: &&Content| block.as_tool_result().is_some();
    let (results, others): (Vec<_>, Vec<_>) = sendable(content)
        .map(|(_, block)| block)
        .partition(is_result);
    for block in results.into_iter().chain(others).chain(behind) {
        write_block(&mut list, block);
    }
    list.into()
}

/// Adds one block to a list. One that belongs to another API is left out.
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
    let fits = |block: &Content| !result.is_error() || block.as_text().is_some();
    for (_, block) in sendable(result.content()).filter(|(_, block)| fits(block)) {
        write_block(&mut content, block);
    }
    if content.is_empty() && result.is_error() {
        // Refused without: a failure must be told.
        write_block(
            &mut content,
            &Content::text("Error: the tool gave no reason"),
        );
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
