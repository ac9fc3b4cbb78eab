//! From a request to the bytes that are sent. What was encoded at an earlier turn is copied, not encoded again.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{API, Server, messages};
use crate::encoded;
use crate::error::Error;
use crate::joined::{Form, Piece};
use crate::message::{Message, Role};
use crate::provider::ModelCall;
use crate::provider::body::{Body, check_options, check_said, choice_of};
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
    let (choice, parallel) = choice_of(request, tools)?;
    let choice = choice.map(|choice| tool_choice(choice, tools.names()));
    body.optional("tool_choice", choice.as_ref())?;
    body.optional("parallel_tool_calls", parallel.as_ref())?;
    if !request.stop_sequences.is_empty() {
        body.field("stop", &request.stop_sequences)?;
    }
    if is_streamed {
        body.field("stream", &true)?;
        if quirks.asks_for_usage {
            body.field("stream_options", &json!({"include_usage": true}))?;
        }
    }
    write_format(&mut body, request)?;
    write_options(&mut body, request, is_streamed)?;
    if !tools.sent().is_empty() && !body.is_set("tools") {
        let form = encoded::Form {
            api: API,
            variant: 0,
        };
        let encode = || definitions::encode(tools, Shape::Nested);
        body.list("tools", |list| {
            let copy = |tools: &Bytes| list.extend_from_slice(tools);
            tools.encoded().with(&form, encode, copy)
        })?;
    }
    write_messages(&mut body, request, server, tools.names())?;
    Ok(body.finish())
}

/// The format, where a type is asked for and no null option keeps it out.
///
/// # Errors
/// Where the API cannot be told of the type, or an option is in the way of it.
fn write_format(body: &mut Body<'_>, request: &Request) -> Result<(), Error> {
    let Some(schema) = &request.output else {
        return Ok(());
    };
    match request.options.get(FORMAT) {
        None => {
            let shape = |schema: Value| json!({"type": "json_schema", "json_schema": schema});
            output::with(schema, API, shape, |json| body.raw(FORMAT, json))
        }
        Some(Value::Null) => Ok(()),
        Some(_) => Err(Error::request(format!(
            "the option `{FORMAT}` is in the way of the request's `output`, which is sent there; take the option out, or \
             set `output` to `None`"
        ))),
    }
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

fn write_messages(
    body: &mut Body<'_>,
    request: &Request,
    server: Server,
    names: &Names,
) -> Result<(), Error> {
    let quirks = server.quirks();
    let form = Form {
        api: API,
        model: String::new(),
        variant: (names.fingerprint() << 4) | server as u64,
    };
    let system = Message::new(Role::System, request.system.clone());
    let system = messages::message(&system, quirks, names)?;
    let encode = |message: &Message, piece: &mut Piece<'_>| {
        piece.push(&messages::message(message, quirks, names)?);
        Ok(())
    };
    let write = |json: &[u8]| {
        check_said(json.is_empty())?;
        body.last_list("messages", &system, json);
        Ok(())
    };
    request
        .joined
        .with(form, &request.messages, 0, encode, write)?
}
