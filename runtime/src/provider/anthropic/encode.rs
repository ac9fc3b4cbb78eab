//! From a request to the bytes that are sent. What was encoded at an earlier turn is copied, not encoded again.

use bytes::Bytes;
use serde_json::{Value, json};

use super::blocks;
use super::threads::{self, Plan};
use super::{API, beta, changes, compaction, definitions, output, wire};
use crate::error::Error;
use crate::joined::{Form, Piece};
use crate::message::Message;
use crate::provider::ModelCall;
use crate::provider::body::{Body, check_options, check_said, choice_of};
use crate::provider::output_field;
use crate::request::{Request, ToolChoice};
use crate::toolkit::Definitions;

/// What the API requires where the request does not say it.
pub(super) const MAX_TOKENS: u64 = 8192;

/// The body of a request. The messages come last, so that what stands before them is the same at
/// each turn.
pub(super) fn body(call: ModelCall<'_>, is_streamed: bool, plan: &Plan) -> Result<Bytes, Error> {
    let request = call.request();
    let thread = (*plan != Plan::Whole).then_some(threads::FIELD);
    check_options(request, ["messages", "stream"].into_iter().chain(thread))?;
    check_compaction(call)?;
    let tools = call.definitions();
    let mut body = Body::new(request);
    body.field("model", &request.model)?;
    body.field("max_tokens", &request.max_tokens.unwrap_or(MAX_TOKENS))?;
    let system = blocks::blocks(&request.system, tools.names());
    if !system.is_empty() && !is_left_out(&body, plan, "system") {
        body.list("system", |list| {
            list.extend_from_slice(&system);
            Ok(())
        })?;
    }
    if let Some(choice) = tool_choice(request, tools)? {
        body.field("tool_choice", &choice)?;
    }
    if !request.stop_sequences.is_empty() {
        body.field("stop_sequences", &request.stop_sequences)?;
    }
    if is_streamed {
        body.field("stream", &true)?;
    }
    body.optional("container", call.container().as_ref())?;
    if let Some(config) = output::config(request, tools)? {
        body.raw(output::FIELD, &config);
    }
    write_options(&mut body, call, plan)?;
    if !tools.sent().is_empty() && !is_left_out(&body, plan, "tools") {
        body.list("tools", |list| definitions::write_tools(list, tools))?;
    }
    write_conversation(&mut body, request, tools, plan)?;
    Ok(body.finish())
}

/// Each request of the run would compact again.
fn check_compaction(call: ModelCall<'_>) -> Result<(), Error> {
    let option = call.request().options.get(compaction::FIELD);
    if option.is_some_and(|option| !option.is_null()) && !call.is_for_summary() {
        return Err(Error::request(
            "the option `compaction` would have every request of the run compact again; take it out, and call \
             `Runner::compact_before_next_turn` when the history is to be compacted",
        ));
    }
    Ok(())
}

/// Whether a field of what stands before the messages is not to be written here: the API has it already, and takes none
/// again, or the options set it.
fn is_left_out(body: &Body<'_>, plan: &Plan, key: &str) -> bool {
    is_continued(plan) || body.is_set(key)
}

const fn is_continued(plan: &Plan) -> bool {
    matches!(plan, Plan::Continue { .. })
}

/// The request's options. Null only keeps a field of haft's own out.
fn write_options(body: &mut Body<'_>, call: ModelCall<'_>, plan: &Plan) -> Result<(), Error> {
    let request = call.request();
    for (key, value) in &request.options {
        let is_kept = is_continued(plan) && matches!(key.as_str(), "system" | "tools");
        if value.is_null() || is_kept || output_field::writes(request, output::FIELD, key) {
            continue;
        }
        match (key.as_str(), call.container()) {
            ("container", Some(id)) => body.write(key, &with_id(value, id))?,
            _ => body.write(key, value)?,
        }
    }
    Ok(())
}

/// The messages, those that the API has in its thread aside.
fn write_conversation(
    body: &mut Body<'_>,
    request: &Request,
    tools: &Definitions,
    plan: &Plan,
) -> Result<(), Error> {
    let from = match plan {
        Plan::Whole => 0,
        Plan::Create => {
            body.write(threads::FIELD, &json!({"type": "create"}))?;
            0
        }
        Plan::Continue { id, from } => {
            let thread = json!({"type": "continue", "previous_message_id": id});
            body.write(threads::FIELD, &thread)?;
            *from
        }
    };
    // A server without these tools is not told of them, either.
    let has_own_tools = *tools.api() == API;
    let names = tools.names();
    let form = Form {
        api: API,
        model: request.model.clone(),
        variant: (names.fingerprint() << 1) | u64::from(has_own_tools),
    };
    let encode = |message: &Message, piece: &mut Piece<'_>| {
        if has_own_tools || !changes::tells_of(message) {
            let keeps_reasoning = keeps_reasoning(message, request);
            piece.push(&blocks::message(message, keeps_reasoning, names));
            beta::of_message(message, has_own_tools, &mut |beta| piece.note(beta));
        }
        Ok(())
    };
    let write = |json: &[u8]| {
        // One that paused goes on without a word.
        check_said(json.is_empty() && !is_continued(plan))?;
        body.last_list("messages", &[], json);
        Ok(())
    };
    request
        .joined
        .with(form, &request.messages, from, encode, write)?
}

/// A container that the program has set up, but for its id: the one that the run has worked in goes on.
fn with_id(container: &Value, id: &str) -> Value {
    let mut container = container.clone();
    if let Value::Object(fields) = &mut container {
        let own = fields.entry("id").or_insert_with(|| id.into());
        if own.is_null() {
            *own = id.into();
        }
    }
    container
}

/// # Errors
/// Where it names what the API lets nobody choose.
fn tool_choice<'a>(
    request: &'a Request,
    tools: &'a Definitions,
) -> Result<Option<wire::OutToolChoice<'a>>, Error> {
    let (choice, parallel) = choice_of(request, tools)?;
    let (names, disable_parallel_tool_use) = (tools.names(), parallel.map(|allowed| !allowed));
    Ok(Some(match choice {
        Some(ToolChoice::Auto) => wire::OutToolChoice::Auto {
            disable_parallel_tool_use,
        },
        Some(ToolChoice::Any) => wire::OutToolChoice::Any {
            disable_parallel_tool_use,
        },
        Some(ToolChoice::Tool(name)) if names.is_toolset(name) => {
            return Err(Error::request(format!(
                "the tool choice names the toolset `{name}`, and Anthropic has no choice of a toolset or of its \
                 members; choose `Any`, or another tool"
            )));
        }
        Some(ToolChoice::Tool(name)) => wire::OutToolChoice::Tool {
            name: names.wire(name),
            disable_parallel_tool_use,
        },
        Some(ToolChoice::None) => wire::OutToolChoice::None,
        // The flag has no other place than a choice, so it is sent with the API's default one.
        None if disable_parallel_tool_use == Some(true) => wire::OutToolChoice::Auto {
            disable_parallel_tool_use,
        },
        None => return Ok(None),
    }))
}

/// Reasoning goes back only to the model that it came from.
fn keeps_reasoning(message: &Message, request: &Request) -> bool {
    message.has_reasoning()
        && message
            .native(&API)
            .is_some_and(|native| native.model == request.model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::longest_reply;

    fn sent(request: Request, container: Option<&str>, is_streamed: bool) -> Value {
        let (request, definitions) = (request.user("Hello"), Definitions::default());
        let call = ModelCall::new(&request, &definitions).in_container(container);
        serde_json::from_slice(&body(call, is_streamed, &Plan::Whole).unwrap()).unwrap()
    }

    #[test]
    fn only_a_stream_says_what_it_is() {
        let stream = |is_streamed| {
            sent(Request::new("m"), None, is_streamed)
                .get("stream")
                .cloned()
        };
        assert_eq!((stream(true), stream(false)), (Some(json!(true)), None));
    }

    // RN-23 and T2.
    #[test]
    fn a_run_stays_in_its_container() {
        let with = |option: Option<Value>| {
            let request = Request::new("m");
            let request = match option {
                Some(option) => request.option("container", option),
                None => request,
            };
            sent(request, Some("c1"), false).get("container").cloned()
        };
        assert_eq!(with(None), Some(json!("c1")));
        assert_eq!(with(Some(json!("own"))), Some(json!("own")));
        assert_eq!(with(Some(json!({"id": "own"}))), Some(json!({"id": "own"})));
        assert_eq!(with(Some(Value::Null)), None);
        for skills in [json!({"skills": [1]}), json!({"id": null, "skills": [1]})] {
            assert_eq!(with(Some(skills)), Some(json!({"id": "c1", "skills": [1]})));
        }
        assert_eq!(sent(Request::new("m"), None, false).get("container"), None);
    }

    #[test]
    fn a_reply_takes_an_hour_for_128_000_tokens() {
        let seconds = |request| longest_reply(&request, &["max_tokens"], MAX_TOKENS).as_secs();
        assert_eq!(seconds(Request::new("m")), 230);
        assert_eq!(seconds(Request::new("m").max_tokens(128_000)), 3600);
        assert_eq!(
            seconds(Request::new("m").option("max_tokens", 64_000)),
            1800
        );
        seconds(Request::new("m").max_tokens(u64::MAX));
    }
}
