//! The parts of a user's message, from their neutral form.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::API;
use super::wire::{OutContent, OutFile, OutImageUrl, OutPart};
use crate::error::Error;
use crate::message::{Content, Document, Image, Source};
use crate::provider::openai::media::{data_url, file_name, text_of, text_of_search_result, unfit};

/// A content: text where it is one text, since not all servers take lists; nothing where nothing is said.
pub(super) fn content<'a>(
    blocks: impl Iterator<Item = &'a Content>,
) -> Result<Option<OutContent<'a>>, Error> {
    let parts = blocks.map(part).collect::<Result<Vec<_>, _>>()?;
    let mut parts: Vec<_> = parts.into_iter().flatten().collect();
    Ok(match &mut parts[..] {
        [] => None,
        [
            OutPart::Text {
                text,
                options: None,
            },
        ] => Some(OutContent::Text(std::mem::take(text))),
        _ => Some(OutContent::Parts(parts)),
    })
}

/// One part; none where the block is no part of a message, or belongs to another API.
///
/// # Errors
/// Where it is the program's own and cannot be sent.
fn part(block: &Content) -> Result<Option<OutPart<'_>>, Error> {
    Ok(Some(match block {
        Content::Text(block) => OutPart::Text {
            text: block.text.as_str().into(),
            options: block.options.get(),
        },
        Content::Image(image) => image_part(image)?,
        Content::Document(document) => document_part(document)?,
        Content::SearchResult(result) => OutPart::Text {
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
    let url: Cow<'_, str> = match &image.source {
        Source::Base64 { media_type, data } => data_url(media_type, data).into(),
        Source::Url(url) => url.as_str().into(),
        Source::File(_) | Source::Text(_) => {
            return Err(unfit(
                "picture by the id of a file",
                "give its address, or its bytes in base64",
            ));
        }
    };
    let mut options = image.options.get().cloned().unwrap_or_default();
    let detail = options.shift_remove("detail");
    Ok(OutPart::ImageUrl {
        image_url: OutImageUrl { url, detail },
        options,
    })
}

fn document_part(document: &Document) -> Result<OutPart<'_>, Error> {
    let options = document.options.get();
    let file = match &document.source {
        Source::Base64 { media_type, data } => OutFile {
            file_data: Some(data_url(media_type, data)),
            filename: Some(file_name(document)),
            ..OutFile::default()
        },
        Source::File(id) => OutFile {
            file_id: Some(id),
            ..OutFile::default()
        },
        Source::Text(text) => {
            let text = text_of(document, text).into();
            return Ok(OutPart::Text { text, options });
        }
        Source::Url(_) => {
            return Err(unfit(
                "document by its address",
                "give its bytes in base64, or upload it and give the file's id",
            ));
        }
    };
    Ok(OutPart::File { file, options })
}
