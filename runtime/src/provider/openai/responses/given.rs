//! What the program has said, from a body that is read: the parts of messages, and the answers to calls.

use serde_json::value::RawValue;

use super::{API, wire};
use crate::json::RawJson;
use crate::message::{BlockOptions, Content, Document, Identity, Image, Source, ToolResult};
use crate::provider::openai::media::source_of_data_url;

/// Reads the answer to a call.
pub(super) fn result(json: &RawJson) -> Option<ToolResult> {
    let wire: wire::Item<'_> = serde_json::from_str(json.as_str()).ok()?;
    let id = wire.call_id.or(wire.id)?;
    let content = match wire.output {
        Some(raw) => match serde_json::from_str::<String>(raw.get()) {
            Ok(text) => vec![Content::text(text)],
            Err(_) => part_list(json, raw),
        },
        None => Vec::new(),
    };
    let identity = Identity::new(id, String::new());
    Some(ToolResult::with_parts(identity, content, false))
}

fn part_list(json: &RawJson, raw: &RawValue) -> Vec<Content> {
    let list: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
    let parts = list.into_iter();
    parts
        .map(|raw| part(&RawJson::part_of(json.bytes(), raw)))
        .collect()
}

/// Reads a part of a message of the user's, or of a result.
pub(super) fn part(json: &RawJson) -> Content {
    let wire: Option<wire::Part> = serde_json::from_str(json.as_str()).ok();
    let known = wire.and_then(|wire| match wire.kind.as_deref()? {
        "input_text" | "output_text" | "text" => wire.text.map(Content::text),
        "input_image" => {
            let source = match (wire.image_url, wire.file_id) {
                (Some(url), _) => source_of_data_url(&url).unwrap_or(Source::Url(url)),
                (None, id) => Source::File(id?),
            };
            Some(Content::Image(Image {
                source,
                options: BlockOptions::default(),
            }))
        }
        "input_file" => {
            let source = match (wire.file_id, wire.file_url, wire.file_data) {
                (Some(id), _, _) => Source::File(id),
                (None, Some(url), _) => Source::Url(url),
                (None, None, data) => source_of_data_url(&data?)?,
            };
            Some(Content::Document(Document {
                source,
                title: wire.filename,
                options: BlockOptions::default(),
            }))
        }
        _ => None,
    });
    known.unwrap_or_else(|| Content::other(API, json.clone()))
}
