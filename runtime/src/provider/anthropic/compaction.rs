//! The request that has the API put a summary in place of a history.

use serde_json::{Value, json};

use crate::error::Error;
use crate::request::{Request, ToolChoice};

/// The option that asks for it.
pub(super) const FIELD: &str = "compaction";

/// The kind of the block that stands for what was before it.
pub(super) const BLOCK: &str = "compaction";

/// What is asked next, but for what the API refuses beside a compaction: it gives no reply, so there is nothing that could
/// stop it, be chosen or have a form.
///
/// # Errors
/// Where the request has summaries made in another way.
pub(super) fn request(request: &Request, instructions: Option<&str>) -> Result<Request, Error> {
    let mut request = request.clone();
    if let Some(context) = request.options.shift_remove("context_management") {
        check_edits(&context)?;
    }
    request.stop_sequences.clear();
    request.output = None;
    if let Some(ToolChoice::Any | ToolChoice::Tool(_)) = request.tool_choice {
        request.tool_choice = None;
    }
    let options = &mut request.options;
    for forced in ["tool_choice", "stop_sequences", "output_format"] {
        options.shift_remove(forced);
    }
    options.get_mut("output_config").map(remove_format);
    if let Some(Value::Array(fallbacks)) = options.get_mut("fallbacks") {
        let configs = fallbacks
            .iter_mut()
            .filter_map(|fallback| fallback.get_mut("output_config"));
        configs.for_each(remove_format);
    }
    let mut compaction = json!({"type": "summarize"});
    if let (Some(words), Some(fields)) = (instructions, compaction.as_object_mut()) {
        fields.insert("instructions".to_owned(), words.into());
    }
    options.insert(FIELD.to_owned(), compaction);
    Ok(request)
}

fn remove_format(config: &mut Value) {
    if let Some(fields) = config.as_object_mut() {
        fields.shift_remove("format");
    }
}

/// The API makes the summary, and bills it, and refuses the request after it.
fn check_edits(context: &Value) -> Result<(), Error> {
    let edits = context.get("edits").and_then(Value::as_array);
    let kinds = edits
        .into_iter()
        .flatten()
        .filter_map(|edit| edit.get("type")?.as_str());
    match kinds.into_iter().find(|kind| kind.starts_with("compact_")) {
        Some(kind) => Err(Error::request(format!(
            "a compaction does not go with the edit `{kind}` of the option `context_management`, which compacts by \
             itself; take one of them out"
        ))),
        None => Ok(()),
    }
}
