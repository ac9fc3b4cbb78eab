//! [`Body`]: the body of a request in the making.

use bytes::Bytes;
use serde::Serialize;

use crate::error::Error;
use crate::request::{Request, ToolChoice};
use crate::tool::ToolDefinition;
use crate::toolkit::{Definitions, Entry};

/// The body of a request: an object, still open. What the request's options say of a field counts, and not what the
/// codec would send in it.
pub(super) struct Body<'a> {
    bytes: Vec<u8>,
    request: &'a Request,
}

impl<'a> Body<'a> {
    pub(super) fn new(request: &'a Request) -> Self {
        Self {
            bytes: vec![b'{'],
            request,
        }
    }

    /// Whether the request's options set or remove a field.
    pub(super) fn is_set(&self, key: &str) -> bool {
        self.request.options.contains_key(key)
    }

    /// A field of the codec's own; one that the request's options set is left to them.
    pub(super) fn field(&mut self, key: &str, value: &impl Serialize) -> Result<(), Error> {
        if self.is_set(key) {
            Ok(())
        } else {
            self.write(key, value)
        }
    }

    /// The same of a value that there may be.
    pub(super) fn optional(
        &mut self,
        key: &str,
        value: Option<&impl Serialize>,
    ) -> Result<(), Error> {
        value.map_or(Ok(()), |value| self.field(key, value))
    }

    pub(super) fn write(&mut self, key: &str, value: &impl Serialize) -> Result<(), Error> {
        self.key(key);
        serde_json::to_writer(&mut self.bytes, value).map_err(|error| {
            Error::request(format!("the field `{key}` cannot be written: {error}"))
                .with_source(error)
        })
    }

    /// A value that is JSON already.
    pub(super) fn raw(&mut self, key: &str, json: &[u8]) {
        self.key(key);
        self.bytes.extend_from_slice(json);
    }

    /// A list of what is JSON already.
    pub(super) fn list(
        &mut self,
        key: &str,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.key(key);
        self.bytes.push(b'[');
        write(&mut self.bytes)?;
        self.bytes.push(b']');
        Ok(())
    }

    /// The last field: a list of what is JSON already, in two parts of which the first may be empty. Room is made for it
    /// once.
    pub(super) fn last_list(&mut self, key: &str, first: &[u8], rest: &[u8]) {
        let own = key.len() + ",\"\":[,]}".len();
        self.bytes.reserve_exact(own + first.len() + rest.len());
        self.key(key);
        self.bytes.push(b'[');
        self.bytes.extend_from_slice(first);
        if !first.is_empty() && !rest.is_empty() {
            self.bytes.push(b',');
        }
        self.bytes.extend_from_slice(rest);
        self.bytes.push(b']');
    }

    pub(super) fn finish(mut self) -> Bytes {
        self.bytes.push(b'}');
        self.bytes.into()
    }

    fn key(&mut self, key: &str) {
        if self.bytes.len() > 1 {
            self.bytes.push(b',');
        }
        write(&mut self.bytes, &key);
        self.bytes.push(b':');
    }
}

/// # Errors
/// Where an option is of a field that haft itself must send.
pub(super) fn check_options<'k>(
    request: &Request,
    own: impl IntoIterator<Item = &'k str>,
) -> Result<(), Error> {
    let mut own = own.into_iter();
    match own.find(|key| request.options.contains_key(*key)) {
        Some(key) => Err(Error::request(format!(
            "the option `{key}` cannot be set, since haft itself sends that field; take the option out"
        ))),
        None => Ok(()),
    }
}

/// # Errors
/// Where a tool has an option of a field that its definition itself is.
pub(super) fn check_own_fields(definition: &ToolDefinition, own: &[&str]) -> Result<(), Error> {
    let mut own = own.iter();
    match own.find(|key| definition.options().contains_key(**key)) {
        Some(key) => Err(Error::definition(format!(
            "tool `{}` has an option `{key}`, which its definition says itself; take the option out",
            definition.name()
        ))),
        None => Ok(()),
    }
}

/// The choice of a tool, and whether a reply may have several calls: only of a request that offers tools, since APIs refuse
/// them else.
///
/// # Errors
/// Where the choice names a tool that is not offered.
pub(super) fn choice_of<'a>(
    request: &'a Request,
    tools: &Definitions,
) -> Result<(Option<&'a ToolChoice>, Option<bool>), Error> {
    let is_set = |key: &str| request.options.contains_key(key);
    let (entries, names) = (tools.entries(), tools.names());
    if entries.is_empty() && tools.sent().is_empty() && !is_set("tools") {
        return Ok((None, None));
    }
    if let Some(ToolChoice::Tool(chosen)) = &request.tool_choice {
        let is_chosen = |entry: &Entry| {
            let own = entry.name();
            own == chosen || names.wire(own) == chosen
        };
        let is_offered = entries.iter().any(is_chosen);
        if !is_offered && !is_set("tools") && !is_set("tool_choice") {
            let offered: Vec<_> = entries.iter().map(Entry::name).collect();
            return Err(Error::request(format!(
                "the tool choice names `{chosen}`, which is not among the tools that are offered: `{}`",
                offered.join("`, `")
            )));
        }
    }
    Ok((request.tool_choice.as_ref(), request.parallel_tool_calls))
}

/// # Errors
/// What a conversation is told in which nothing is said.
pub(super) fn check_said(is_empty: bool) -> Result<(), Error> {
    if is_empty {
        return Err(Error::request(
            "the request has no message in which something is said; add one with `user`",
        ));
    }
    Ok(())
}

/// What the model is told of an error without words.
pub(super) const NO_REASON: &str = "Error: the tool gave no reason";

/// Writing to memory fails only for maps with keys that JSON does not have, and the shapes of wires have none.
pub(super) fn write(list: &mut Vec<u8>, value: &impl Serialize) {
    let written = serde_json::to_writer(&mut *list, value);
    debug_assert!(written.is_ok(), "{written:?}");
}

/// Adds one piece of JSON to a list; an empty one is left out.
pub(super) fn push(list: &mut Vec<u8>, is_first: &mut bool, piece: &[u8]) {
    if piece.is_empty() {
        return;
    }
    if !std::mem::take(is_first) {
        list.push(b',');
    }
    list.extend_from_slice(piece);
}
