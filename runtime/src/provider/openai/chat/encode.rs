//! From a request to the bytes that are sent. What was encoded at an earlier turn is copied, not encoded again.

use bytes::Bytes;
use serde_json::{Value, json};

use super::server::Quirks;
use super::{API, Server, messages};
use crate::encoded::Form;
use crate::error::Error;
use crate::message::{Message, Role};
use crate::provider::ModelCall;
use crate::provider::body::{Body, check_options, check_said, push};
use crate::provider::openai::definitions::{self, Shape};
use crate::provider::openai::output;
use crate::request::{Request, ToolChoice};
use crate::toolkit::Names;

/// The field for what a reply is to be.
const FORMAT: &str = "response_format";

/// The body of a request. The messages come last, so that what stands before them is the same at each turn.
pub(super) fn body(call: ModelCall<'_>, is_streamed: bool, server: Server) -> Result<Bytes, Error> {
    let (request, tools, quirks) = (call.request(), call.definitions(), server.quirks());
    check_options(request, ["messages", "stream"])?;
    let mut body = Body::new(request);
    body.field("model", &request.model)?;
    body.optional(quirks.max_tokens, request.max_tokens.as_ref())?;
    let choice = request.tool_choice.as_ref();
    let choice = choice.map(|choice| tool_choice(choice, tools.names()));
    body.optional("tool_choice", choice.as_ref())?;
    let parallel = request.parallel_tool_calls.as_ref();
    body.optional("parallel_tool_calls", parallel)?;
    if !request.stop_sequences.is_empty() {
        body.field("stop", &request.stop_sequences)?;
    }
    if is_streamed {
        body.field("stream", &true)?;
        if quirks.asks_for_usage {
            body.field("stream_options", &json!({"include_usage": true}))?;
        }
    }
    if let Some(schema) = request.output.as_ref().filter(|_| !body.is_set(FORMAT)) {
        let shape = |schema: Value| json!({"type": "json_schema", "json_schema": schema});
        output::with(schema, API, shape, |json| body.raw(FORMAT, json))?;
    }
    write_options(&mut body, request, is_streamed)?;
    if !tools.sent().is_empty() && !body.is_set("tools") {
        let form = Form {
            api: API,
            variant: 0,
        };
        let encode = || definitions::encode(tools, Shape::Nested);
        body.list("tools", |list| {
            let copy = |tools: &Bytes| list.extend_from_slice(tools);
            tools.encoded().with(&form, encode, copy)
        })?;
    }
    body.list("messages", |list| {
        check_said(write_messages(list, request, server, tools.names())?)
    })?;
    Ok(body.finish())
}

/// The request's options. Null only keeps a field of haft's own out, and what is of streams alone goes with one.
fn write_options(body: &mut Body<'_>, request: &Request, is_streamed: bool) -> Result<(), Error> {
    for (key, value) in &request.options {
        let is_sent = !value.is_null() && (is_streamed || key != "stream_options");
        if is_sent {
            body.write(key, value)?;
        }
    }
    Ok(())
}

fn tool_choice(choice: &ToolChoice, names: &Names) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::Any => "required".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Tool(name) => {
            json!({"type": "function", "function": {"name": names.wire(name)}})
        }
    }
}

/// Messages. Each is encoded once in its life; the rest is one copy. Whether nothing was said in any.
fn write_messages(
    list: &mut Vec<u8>,
    request: &Request,
    server: Server,
    names: &Names,
) -> Result<bool, Error> {
    let quirks: Quirks = server.quirks();
    let mut is_first = true;
    if !request.system.is_empty() {
        let system = Message::new(Role::System, request.system.clone());
        push(
            list,
            &mut is_first,
            &messages::message(&system, quirks, names)?,
        );
    }
    let mut is_empty = true;
    let form = Form {
        api: API,
        variant: (names.fingerprint() << 4) | server as u64,
    };
    for message in &request.messages {
        let encode = || messages::message(message, quirks, names);
        message.encoded().with(&form, encode, |bytes| {
            is_empty &= bytes.is_empty();
            push(list, &mut is_first, bytes);
        })?;
    }
    Ok(is_empty)
}
