//! The parts of a message or of a result, from their neutral form.

use serde_json::Value;
use serde_json::value::RawValue;

use super::API;
use super::wire::{OutContent, OutPart};
use crate::error::Error;
use crate::message::{Content, Document, Image, Source};
use crate::provider::openai::media::{data_url, file_name, text_of, text_of_search_result, unfit};

/// A content: text where it is one text; nothing where nothing is said.
pub(super) fn content<'a>(
    blocks: impl Iterator<Item = &'a Content>,
) -> Result<Option<OutContent<'a>>, Error> {
    let parts = blocks.map(part).collect::<Result<Vec<_>, _>>()?;
    let mut parts: Vec<_> = parts.into_iter().flatten().collect();
    Ok(match &mut parts[..] {
        [] => None,
        [
            OutPart::InputText {
                text,
                options: None,
            },
        ] => Some(OutContent::Text(std::mem::take(text))),
        _ => Some(OutContent::Parts(parts)),
    })
}

/// The same as parts in any case.
pub(super) fn list(content: Option<OutContent<'_>>) -> Vec<OutPart<'_>> {
    match content {
        Some(OutContent::Text(text)) => vec![OutPart::InputText {
            text,
            options: None,
        }],
        Some(OutContent::Parts(parts)) => parts,
        None => Vec::new(),
    }
}

/// One part; none where the block is no part of a message, or belongs to another API.
///
/// # Errors
/// Where it is the program's own and cannot be sent.
fn part(block: &Content) -> Result<Option<OutPart<'_>>, Error> {
    Ok(Some(match block {
        Content::Text(block) => OutPart::InputText {
            text: block.text.as_str().into(),
            options: block.options.get(),
        },
        Content::Image(image) => image_part(image)?,
        Content::Document(document) => document_part(document),
        Content::SearchResult(result) => OutPart::InputText {
            text: text_of_search_result(result).into(),
            options: result.options.get(),
        },
        Content::Other(other) if other.api == API => {
            match serde_json::from_str::<&RawValue>(other.json.as_str()) {
                Ok(raw) => OutPart::Raw(raw),
                Err(_) => return Ok(None),
            }
        }
        _ => return Ok(None),
    }))
}

fn image_part(image: &Image) -> Result<OutPart<'_>, Error> {
    let mut options = image.options.get().cloned().unwrap_or_default();
    let detail = options.shift_remove("detail");
    let detail = detail.unwrap_or_else(|| Value::from("auto"));
    let (image_url, file_id) = match &image.source {
        Source::Base64 { media_type, data } => (Some(data_url(media_type, data).into()), None),
        Source::Url(url) => (Some(url.as_str().into()), None),
        Source::File(id) => (None, Some(id.as_str())),
        Source::Text(_) => {
            return Err(unfit(
                "picture that is text",
                "give its address, or its bytes in base64",
            ));
        }
    };
    Ok(OutPart::InputImage {
        detail,
        image_url,
        file_id,
        options,
    })
}

fn document_part(document: &Document) -> OutPart<'_> {
    let options = document.options.get();
    let (mut file_data, mut file_url, mut file_id, mut filename) = (None, None, None, None);
    match &document.source {
        Source::Base64 { media_type, data } => {
            file_data = Some(data_url(media_type, data));
            filename = Some(file_name(document));
        }
        Source::Url(url) => file_url = Some(url.as_str()),
        Source::File(id) => file_id = Some(id.as_str()),
        Source::Text(text) => {
            let text = text_of(document, text).into();
            return OutPart::InputText { text, options };
        }
    }
    OutPart::InputFile {
        file_data,
        file_url,
        file_id,
        filename,
        options,
    }
}
