//! The header `anthropic-beta`: the betas that the program takes part in, and those that a request needs.

use reqwest::header::HeaderName;
use serde_json::Value;

use super::API;
use super::changes::KINDS;
use super::threads::{self, Plan};
use crate::message::{Content, Message, Role};
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
    of_options(call.request(), &mut need);
    if *plan != Plan::Whole {
        need(threads::BETA);
    }
    for message in &call.request().messages {
        of_frame(message, &mut need);
    }
    if call.request().messages.iter().any(tells_of_tools) {
        need("mid-conversation-tool-changes-2026-07-01");
        need("inline-tools-2026-09-15");
    }
    if call.request().messages.iter().any(Message::has_files) {
        need("files-api-2025-04-14");
    }
    (betas.len() > own).then(|| betas.join(","))
}

/// Fields of the body that are a beta's.
fn of_options<'a>(request: &Request, need: &mut impl FnMut(&'a str)) {
    for (key, value) in request.options.iter().filter(|(_, value)| !value.is_null()) {
        match key.as_str() {
            "compaction" => need("compact-2026-09-04"),
            "context_management" => of_edits(value, need),
            "fallback_credit_token" => need("fallback-credit-2026-07-01"),
            "fallbacks" => need("server-side-fallback-2026-07-01"),
            "mcp_servers" => need("mcp-client-2025-11-20"),
            threads::FIELD => need(threads::BETA),
            "container" if has(value, "skills") => need("skills-2025-10-02"),
            "output_config" if has(value, "task_budget") => need("task-budgets-2026-03-13"),
            "speed" if value == "fast" => need("fast-mode-2026-02-01"),
            "thinking" => {
                if value
                    .get("display")
                    .is_some_and(|display| display == "updates")
                {
                    need("thinking-display-updates-2026-08-18");
                }
                if has(value, "block_binding") {
                    need("thinking-binding-controls-2026-08-01");
                }
            }
            _ => {}
        }
    }
}

/// What a message of the system says beside its words, in the body that it was read from.
fn of_frame<'a>(message: &Message, need: &mut impl FnMut(&'a str)) {
    let native = message
        .native(&API)
        .filter(|_| message.role() == Role::System);
    let Some(frame) = native.and_then(|native| native.frame.as_ref()) else {
        return;
    };
    let frame = frame.to_value();
    if has(&frame, "output_config") {
        need("mid-conversation-output-config-2026-07-01");
    }
    if has(&frame, "clear_at") {
        need("mid-conversation-system-clear-at-2026-08-21");
    }
}

/// Only messages of the system do, so that the others are not looked at.
fn tells_of_tools(message: &Message) -> bool {
    let is_change = |block: &Content| {
        let other = block.as_other();
        other.is_some_and(|other| other.api == API && KINDS.contains(&other.kind.as_str()))
    };
    message.role() == Role::System && message.content().iter().any(is_change)
}

fn of_edits<'a>(context_management: &Value, need: &mut impl FnMut(&'a str)) {
    let edits = context_management.get("edits").and_then(Value::as_array);
    for edit in edits.into_iter().flatten() {
        let kind = edit.get("type").and_then(Value::as_str).unwrap_or_default();
        need(if kind.starts_with("compact_") {
            "compact-2026-01-12"
        } else {
            "context-management-2025-06-27"
        });
    }
}

fn has(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(|value| !value.is_null())
}
