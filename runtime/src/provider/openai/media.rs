//! Pictures, documents and search results, as both APIs take them.

use std::borrow::Cow;

use crate::error::Error;
use crate::message::{Document, SearchResult, Source};

/// Bytes where an API takes an address.
pub(super) fn data_url(media_type: &str, base64: &str) -> String {
    format!("data:{media_type};base64,{base64}")
}

/// The bytes that stand in an address.
pub(super) fn source_of_data_url(url: &str) -> Option<Source> {
    let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    Some(Source::Base64 {
        media_type: media_type.to_owned(),
        data: data.to_owned(),
    })
}

/// The name of a document, which the APIs want where its bytes are sent.
pub(super) fn file_name(document: &Document) -> Cow<'_, str> {
    let extension = match &document.source {
        Source::Base64 { media_type, .. } if media_type == "application/pdf" => ".pdf",
        _ => "",
    };
    match &document.title {
        Some(title) => title.as_str().into(),
        None => format!("document{extension}").into(),
    }
}

/// A document that is text, with its title.
pub(super) fn text_of(document: &Document, text: &str) -> String {
    match &document.title {
        Some(title) => format!("{title}\n\n{text}"),
        None => text.to_owned(),
    }
}

/// A passage with its source: the APIs have no block for it.
pub(super) fn text_of_search_result(result: &SearchResult) -> String {
    let SearchResult { title, source, .. } = result;
    let passages = result.passages.join("\n\n");
    format!("{title} ({source})\n\n{passages}")
}

/// What is told of a block that the API cannot take.
pub(super) fn unfit(what: &str, instead: &str) -> Error {
    Error::request(format!("this API takes no {what}; {instead}"))
}
