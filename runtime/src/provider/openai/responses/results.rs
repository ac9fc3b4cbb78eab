//! From results to the items that answer calls, each in the form of its tool.

use serde_json::{Map, Value, json};

use super::calls::{COMMANDS, CallKind, FUNCTION_OUTPUT};
use super::items::{Known, call_id};
use super::parts;
use super::wire::{OutContent, OutItem, OutPart};
use crate::error::Error;
use crate::message::{Content, Source, ToolResult, sendable};
use crate::provider::body::NO_REASON;
use crate::provider::openai::media::data_url;

/// What stands for a picture where a computer gave none: one pixel. The API takes no answer without.
const NO_PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// The item for a result. What it cannot hold goes to `behind`, for the message after the results.
///
/// # Errors
/// Where a block cannot be sent.
pub(super) fn item<'a>(
    result: &'a ToolResult,
    known: Known<'_>,
    behind: &mut Vec<OutPart<'a>>,
) -> Result<OutItem<'a>, Error> {
    let mut answer = answer(result, known);
    let kind = match answer.shift_remove("type") {
        Some(Value::String(kind)) => kind,
        _ => FUNCTION_OUTPUT.to_owned(),
    };
    let commands = answer.shift_remove(COMMANDS);
    let commands = commands.and_then(|count| usize::try_from(count.as_u64()?).ok());
    let id = call_id(result.call_id());
    let mut fields = Map::new();
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    put("type", kind.as_str().into());
    // The one that knows no other.
    let key = if kind == "local_shell_call_output" {
        "id"
    } else {
        "call_id"
    };
    put(key, (*id).into());
    match kind.as_str() {
        "shell_call_output" => {
            put("output", shell(result, commands.unwrap_or(1)));
        }
        "local_shell_call_output" => {
            put("output", text(result).into());
        }
        "apply_patch_call_output" => {
            put(
                "status",
                if result.is_error() {
                    "failed"
                } else {
                    "completed"
                }
                .into(),
            );
            let text = text(result);
            if !text.is_empty() {
                put("output", text.into());
            }
        }
        "computer_call_output" => {
            put("output", screenshot(result));
            let structured = result.structured();
            if let Some(checks) = structured.and_then(|value| value.get(ACKNOWLEDGED)) {
                put(ACKNOWLEDGED, checks.clone());
            }
            let words = sendable(result.content()).map(|(_, block)| block);
            let words = words.filter(|block| !matches!(block, Content::Image(_)));
            behind.extend(parts::list(parts::content(words)?));
        }
        _ => return function_output(result, kind, answer),
    }
    fields.extend(answer);
    Ok(OutItem::Fields(fields))
}

fn function_output(
    result: &ToolResult,
    kind: String,
    answer: Map<String, Value>,
) -> Result<OutItem<'_>, Error> {
    let blocks = sendable(result.content()).map(|(_, block)| block);
    let output = parts::content(blocks)?
        .unwrap_or_else(|| OutContent::Text(if result.is_error() { NO_REASON } else { "" }.into()));
    Ok(OutItem::Output {
        kind,
        call_id: call_id(result.call_id()),
        output,
        answer,
    })
}

/// What a computer's handler says of the checks that it has seen to.
pub(super) const ACKNOWLEDGED: &str = "acknowledged_safety_checks";

/// What the answer says of itself: as its call wants it, else by the type of the tool.
fn answer(result: &ToolResult, known: Known<'_>) -> Map<String, Value> {
    if !known.has_own_tools {
        return Map::new();
    }
    if let Some(answer) = result.identity().answer() {
        return answer.clone();
    }
    let kind = known.names.kind(result.name()).and_then(CallKind::of_tool);
    let kind = kind.map(|kind| ("type".to_owned(), kind.output.into()));
    kind.into_iter().collect()
}

fn text(result: &ToolResult) -> String {
    let text = result.text();
    if text.is_empty() && result.is_error() {
        return NO_REASON.to_owned();
    }
    text
}

/// One entry for each command. Of a handler that gives text, the first one has it: it does not say which wrote what.
fn shell(result: &ToolResult, commands: usize) -> Value {
    let structured = result.structured().and_then(|value| value.get("output"));
    if let Some(output @ Value::Array(_)) = structured {
        return output.clone();
    }
    let text = text(result);
    let (stdout, stderr, exit_code) = if result.is_error() {
        (String::new(), text, 1)
    } else {
        (text, String::new(), 0)
    };
    let entry = |stdout, stderr| {
        let outcome = json!({"type": "exit", "exit_code": exit_code});
        json!({"stdout": stdout, "stderr": stderr, "outcome": outcome})
    };
    let mut output = vec![entry(stdout, stderr)];
    output.resize(commands.max(1), entry(String::new(), String::new()));
    output.into()
}

fn screenshot(result: &ToolResult) -> Value {
    let images = result.content().iter().filter_map(|block| match block {
        Content::Image(image) => Some(&image.source),
        _ => None,
    });
    let (key, value) = match images.last() {
        Some(Source::Base64 { media_type, data }) => ("image_url", data_url(media_type, data)),
        Some(Source::Url(url)) => ("image_url", url.clone()),
        Some(Source::File(id)) => ("file_id", id.clone()),
        Some(Source::Text(_)) | None => ("image_url", NO_PICTURE.to_owned()),
    };
    json!({"type": "computer_screenshot", key: value})
}
