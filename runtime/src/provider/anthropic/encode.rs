//! From a request to the bytes that are sent. What was encoded at an earlier turn is copied, not encoded again.

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};

use super::blocks::{self, push, write};
use super::{API, output, wire};
use crate::encoded::Form;
use crate::error::Error;
use crate::message::Message;
use crate::provider::ModelCall;
use crate::request::{Request, ToolChoice};
use crate::schema::Dialect;
use crate::toolkit::{Definitions, Entry, constrained};

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
    let system = blocks::blocks(&request.system);
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
    let tools = call.definitions();
    if let Some(config) = output::config(request, tools)? {
        body.key(output::FIELD);
        body.bytes.extend_from_slice(&config);
    }
    body.options()?;
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
            .filter(|(key, value)| !value.is_null() && !output::writes(self.request, key));
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

/// What a tool that asks for `strict` is narrowed to.
pub(super) const DIALECT: Dialect = Dialect::AnthropicStrict;

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
    let (mut joined, mut is_first, mut strict) = (Vec::new(), true, Vec::new());
    for entry in definitions.entries() {
        let narrow = narrowed(entry);
        let encoded = tool(entry, narrow.as_ref())?;
        push(&mut joined, &mut is_first, &encoded);
        strict.extend(narrow.map(|schema| judged(entry, &schema)));
    }
    // The API refuses the whole request for one of them, some limits count over all.
    Error::of_faults(&DIALECT.faults(&strict))?;
    Ok(joined.into())
}

/// The strict tools, as they are judged.
pub(super) fn strict_tools(definitions: &Definitions) -> Vec<Value> {
    let narrow = definitions
        .entries()
        .iter()
        .filter_map(|entry| Some(judged(entry, &narrowed(entry)?)));
    narrow.collect()
}

fn narrowed(entry: &Entry) -> Option<Value> {
    match entry {
        Entry::Function(definition) => constrained(DIALECT, definition),
        Entry::Read(_) | Entry::Native { .. } => None,
    }
}

fn judged(entry: &Entry, schema: &Value) -> Value {
    json!({"name": entry.name(), "strict": true, "input_schema": schema})
}

/// One tool, with its schema as it is narrowed where arguments are constrained; nothing for those that
/// only another API knows.
fn tool(entry: &Entry, narrow: Option<&Value>) -> Result<Bytes, Error> {
    let definition = match entry {
        Entry::Native { api, json, .. } if *api == API => return Ok(json.bytes().clone()),
        Entry::Native { .. } => return Ok(Bytes::new()),
        Entry::Function(definition) | Entry::Read(definition) => definition,
    };
    let tool = wire::OutTool {
        name: definition.name(),
        description: definition.description(),
        input_schema: narrow.unwrap_or_else(|| definition.input_schema()),
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
        let encode = || Ok(blocks::message(message, keeps_reasoning));
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
