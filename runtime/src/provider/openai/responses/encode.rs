//! From a request to the bytes that are sent. What was encoded at an earlier turn is copied, not encoded again.

use bytes::Bytes;
use serde_json::{Value, json};

use super::items::Known;
use super::previous::Plan;
use super::{API, MAX_TOKENS, items, output};
use crate::encoded;
use crate::error::Error;
use crate::joined::{Form, Piece};
use crate::message::{Content, Message};
use crate::provider::ModelCall;
use crate::provider::body::{Body, check_options, check_said, choice_of};
use crate::provider::openai::definitions::{self, Shape};
use crate::provider::output_field;
use crate::request::{Request, ToolChoice};
use crate::toolkit::{Definitions, Names};

/// The field of the reply that a request goes on behind.
pub(super) const PREVIOUS: &str = "previous_response_id";
/// Without it, reasoning that is not stored comes back as nothing but an id.
const ENCRYPTED: &str = "reasoning.encrypted_content";
/// Models that do not reason, by the begin of their names: they refuse to be asked for encrypted reasoning.
const WITHOUT_REASONING: [&str; 4] = ["gpt-3", "gpt-4", "chatgpt-4o", "ft:gpt-4"];

/// The body of a request. The items come last, so that what stands before them is the same at each turn.
pub(super) fn body(call: ModelCall<'_>, is_streamed: bool, plan: &Plan) -> Result<Bytes, Error> {
    let (request, tools) = (call.request(), call.definitions());
    let previous = (*plan != Plan::Whole).then_some(PREVIOUS);
    check_options(request, ["input", "stream"].into_iter().chain(previous))?;
    check_own(request, plan)?;
    let mut body = Body::new(request);
    body.field("model", &request.model)?;
    body.optional(MAX_TOKENS, request.max_tokens.as_ref())?;
    let instructions = instructions(request)?;
    body.optional("instructions", instructions.as_ref())?;
    let (choice, parallel) = choice_of(request, tools)?;
    if let Some(choice) = choice {
        body.field("tool_choice", &tool_choice(choice, tools.names())?)?;
    }
    body.optional("parallel_tool_calls", parallel.as_ref())?;
    let is_stored = *plan != Plan::Whole;
    body.field("store", &is_stored)?;
    if !is_stored && reasons(&request.model) && !is_stored_by_option(request) {
        body.field("include", &[ENCRYPTED])?;
    }
    if is_streamed {
        body.field("stream", &true)?;
    }
    output::write_field(&mut body, request)?;
    write_options(&mut body, request, is_streamed)?;
    if !tools.sent().is_empty() && !body.is_set("tools") {
        let form = encoded::Form {
            api: API,
            variant: 1,
        };
        let encode = || definitions::encode(tools, Shape::Flat);
        body.list("tools", |list| {
            let copy = |tools: &Bytes| list.extend_from_slice(tools);
            tools.encoded().with(&form, encode, copy)
        })?;
    }
    let from = match plan {
        Plan::Whole | Plan::Store => 0,
        Plan::Continue { id, from } => {
            body.write(PREVIOUS, id)?;
            *from
        }
    };
    write_items(&mut body, request, from, tools)?;
    Ok(body.finish())
}

/// # Errors
/// Where the request wants what the API, or the provider as it is set up, has not.
fn check_own(request: &Request, plan: &Plan) -> Result<(), Error> {
    if !request.stop_sequences.is_empty() {
        return Err(Error::request(
            "the Responses API has no stop sequences; take them out, or use `openai::Chat`",
        ));
    }
    let is_unstored = request.options.get("store") == Some(&Value::Bool(false));
    if is_unstored && *plan != Plan::Whole {
        return Err(Error::request(
            "the option `store` is false, and the provider goes on behind replies that are stored; take the option \
             out, or build the provider without `previous_response_id`",
        ));
    }
    Ok(())
}

/// Texts that stand by themselves; the field takes nothing else.
fn instructions(request: &Request) -> Result<Option<String>, Error> {
    let system = &request.system;
    if system.iter().any(|block| block.as_text().is_none()) {
        return Err(Error::request(
            "the Responses API takes text alone as `system`; put other content into a message",
        ));
    }
    let texts: Vec<_> = system.iter().filter_map(Content::as_text).collect();
    let text = texts.join("\n\n");
    Ok((!text.trim().is_empty()).then_some(text))
}

fn reasons(model: &str) -> bool {
    !WITHOUT_REASONING
        .iter()
        .any(|begin| model.starts_with(begin))
}

fn is_stored_by_option(request: &Request) -> bool {
    request.options.get("store") == Some(&Value::Bool(true))
}

/// The request's options. Null only keeps a field of haft's own out, and what is of streams alone goes with one.
fn write_options(body: &mut Body<'_>, request: &Request, is_streamed: bool) -> Result<(), Error> {
    for (key, value) in &request.options {
        let is_kept_out = key == "stream_options" && !is_streamed;
        if !value.is_null() && !is_kept_out && !output_field::writes(request, output::FIELD, key) {
            body.write(key, value)?;
        }
    }
    Ok(())
}

/// # Errors
/// Where it names what the API lets nobody choose.
fn tool_choice(choice: &ToolChoice, names: &Names) -> Result<Value, Error> {
    let own = match choice {
        ToolChoice::Auto => return Ok("auto".into()),
        ToolChoice::Any => return Ok("required".into()),
        ToolChoice::None => return Ok("none".into()),
        ToolChoice::Tool(own) => own,
    };
    let name = names.wire(own);
    Ok(match names.kind(own) {
        None => json!({"type": "function", "name": name}),
        Some("custom") => json!({"type": "custom", "name": name}),
        Some(kind @ ("local_shell" | "tool_search")) => {
            return Err(Error::request(format!(
                "the tool choice names `{own}`, and OpenAI has no choice of a `{kind}` tool; choose `Any`, or another tool"
            )));
        }
        // Its definition has a name for it, and the choice wants that.
        Some("mcp") => json!({"type": "mcp", "server_label": name}),
        // Of the search itself the API has no choice, but of a list in which it is alone.
        Some(kind @ ("web_search" | "web_search_2025_08_26")) => {
            json!({"type": "allowed_tools", "mode": "required", "tools": [{"type": kind}]})
        }
        Some(kind) => json!({"type": kind}),
    })
}

/// Whether the API has something to answer without any item.
fn is_said_elsewhere(request: &Request) -> bool {
    let mut options = request.options.iter().filter(|(_, value)| !value.is_null());
    options.any(|(key, _)| matches!(key.as_str(), "prompt" | "conversation" | PREVIOUS))
}

fn write_items(
    body: &mut Body<'_>,
    request: &Request,
    from: usize,
    tools: &Definitions,
) -> Result<(), Error> {
    let names = tools.names();
    let known = Known {
        names,
        has_own_tools: *tools.api() == API,
    };
    let form = Form {
        api: tools.api().clone(),
        model: String::new(),
        variant: names.fingerprint(),
    };
    let encode = |message: &Message, piece: &mut Piece<'_>| {
        piece.push(&items::items(message, known)?);
        Ok(())
    };
    let write = |json: &[u8]| {
        if json.is_empty() && is_said_elsewhere(request) {
            return Ok(());
        }
        check_said(json.is_empty() && from == 0)?;
        body.last_list("input", &[], json);
        Ok(())
    };
    request
        .joined
        .with(form, &request.messages, from, encode, write)?
}
