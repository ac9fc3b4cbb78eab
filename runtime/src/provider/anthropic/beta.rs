//! The header `anthropic-beta`: the betas that the program takes part in, and those that a request needs.

use reqwest::header::HeaderName;
use serde_json::Value;

use super::API;
use super::betas;
use super::changes::KINDS;
use super::compaction::BLOCK as COMPACTION;
use super::threads::{self, Plan};
use crate::message::{Message, Role};
use crate::provider::ModelCall;
use crate::request::Request;

pub(super) const HEADER: HeaderName = HeaderName::from_static("anthropic-beta");

/// The header's value; none where the program's own, which every request has, is enough.
pub(super) fn value(own: Option<&str>, call: ModelCall<'_>, plan: &Plan) -> Option<String> {
    let mut betas: Vec<&str> = own
        .unwrap_or_default()
        .split(',')
        .map(str::trim)
        .filter(|beta| !beta.is_empty())
        .collect();
    let own = betas.len();
    let mut need = |beta| {
        if !betas.contains(&beta) {
            betas.push(beta);
        }
    };
    call.definitions().betas().for_each(&mut need);
    call.definitions()
        .native_kinds()
        .filter_map(|kind| betas::of_tool(&kind))
        .for_each(&mut need);
    of_options(call.request(), &mut need);
    if *plan != Plan::Whole {
        need(threads::BETA);
    }
    // Those of the messages were found when they were encoded.
    call.request()
        .joined
        .notes()
        .into_iter()
        .for_each(&mut need);
    (betas.len() > own).then(|| betas.join(","))
}

/// Fields of the body that are a beta's.
fn of_options<'a>(request: &Request, need: &mut impl FnMut(&'a str)) {
    for (key, value) in request.options.iter().filter(|(_, value)| !value.is_null()) {
        match key.as_str() {
            "compaction" => need(betas::COMPACT),
            "context_management" => of_edits(value, need),
            "fallback_credit_token" => need(betas::FALLBACK_CREDIT),
            "fallbacks" => need(betas::SERVER_SIDE_FALLBACK),
            "mcp_servers" => need(betas::MCP_CLIENT),
            threads::FIELD => need(threads::BETA),
            "container" if has(value, "skills") => need(betas::SKILLS),
            "output_config" if has(value, "task_budget") => need(betas::TASK_BUDGETS),
            "speed" if value == "fast" => need(betas::FAST_MODE),
            "thinking" => {
                if value
                    .get("display")
                    .is_some_and(|display| display == "updates")
                {
                    need(betas::THINKING_DISPLAY_UPDATES);
                }
                if has(value, "block_binding") {
                    need(betas::THINKING_BINDING_CONTROLS);
                }
            }
            _ => {}
        }
    }
}

/// Blocks and fields of messages that are a beta's.
pub(super) fn of_message(
    message: &Message,
    has_own_tools: bool,
    need: &mut impl FnMut(&'static str),
) {
    if message.has_files() {
        need(betas::FILES_API);
    }
    for block in message.others().filter(|other| other.api == API) {
        match block.kind.as_str() {
            "container_upload" => need(betas::FILES_API),
            COMPACTION => {
                need(betas::COMPACT);
                if has(&block.json.to_value(), "tool_changes") {
                    of_tool_changes(need);
                }
            }
            kind if KINDS.contains(&kind) && has_own_tools => {
                of_tool_changes(need);
                let block = block.json.to_value();
                let kind = block
                    .pointer("/tool/definition/type")
                    .and_then(Value::as_str);
                kind.and_then(betas::of_tool)
                    .into_iter()
                    .for_each(&mut *need);
            }
            _ => {}
        }
    }
    if message.role() == Role::System {
        of_frame(message, need);
    }
}

fn of_tool_changes<'a>(need: &mut impl FnMut(&'a str)) {
    need(betas::MID_CONVERSATION_TOOL_CHANGES);
    need(betas::INLINE_TOOLS);
}

/// What a message of the system says beside its words, in the body that it was read from.
fn of_frame<'a>(message: &Message, need: &mut impl FnMut(&'a str)) {
    let native = message.native(&API);
    let Some(frame) = native.and_then(|native| native.frame.as_ref()) else {
        return;
    };
    let frame = frame.to_value();
    if has(&frame, "output_config") {
        need(betas::MID_CONVERSATION_OUTPUT_CONFIG);
    }
    if has(&frame, "clear_at") {
        need(betas::MID_CONVERSATION_SYSTEM_CLEAR_AT);
    }
}

fn of_edits<'a>(context_management: &Value, need: &mut impl FnMut(&'a str)) {
    let edits = context_management.get("edits").and_then(Value::as_array);
    for edit in edits.into_iter().flatten() {
        let kind = edit.get("type").and_then(Value::as_str).unwrap_or_default();
        need(if kind.starts_with("compact_") {
            betas::COMPACT_EDIT
        } else {
            betas::CONTEXT_MANAGEMENT
        });
    }
}

fn has(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(|value| !value.is_null())
}
