//! [`Definitions`]: all tools that one request offers, those of the toolkit and those of the request.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::Toolkit;
use crate::api::Api;
use crate::encoded::Encoded;
use crate::error::Error;
use crate::json::RawJson;
use crate::tool::ToolDefinition;

/// All tools that one request offers, in the order in which they are sent.
///
/// Made anew only when the toolkit or the request's tools change; so is its wire form, which stays the same to the
/// byte between turns, as a provider's cache wants it.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    entries: Vec<Entry>,
    encoded: Encoded,
}

/// One tool of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Entry {
    /// A function with a schema.
    Function(ToolDefinition),
    /// The same out of a body that was read: it is sent as it came, and is the API's to judge.
    Read(ToolDefinition),
    /// A tool that only one API knows, in its words.
    Native {
        api: Api,
        name: String,
        json: RawJson,
    },
}

/// A tool that came with the request and not with the toolkit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RequestTool {
    pub(crate) entry: Entry,
    /// Whether it stood in a body that was read: there, the toolkit's tool of the same name takes its place.
    #[serde(
        default,
        rename = "placeholder",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub(crate) is_placeholder: bool,
}

impl Entry {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Function(definition) | Self::Read(definition) => definition.name(),
            Self::Native { name, .. } => name,
        }
    }

    pub(crate) fn definition(&self) -> Option<&ToolDefinition> {
        match self {
            Self::Function(definition) | Self::Read(definition) => Some(definition),
            Self::Native { .. } => None,
        }
    }
}

impl Definitions {
    /// The toolkit's tools, then the request's; those that the request only holds a place for stand in that place.
    ///
    /// # Errors
    /// Where two have one name, or a definition has faults.
    pub(crate) fn merge(toolkit: &Toolkit, of_request: &[RequestTool]) -> Result<Self, Error> {
        let has_place = |name: &str| {
            of_request
                .iter()
                .any(|tool| tool.is_placeholder && tool.entry.name() == name)
        };
        let own = toolkit
            .definitions()
            .filter(|definition| !has_place(definition.name()));
        let mut entries: Vec<_> = own.cloned().map(Entry::Function).collect();
        for tool in of_request {
            entries.push(match toolkit.get(tool.entry.name()) {
                Some(own) if tool.is_placeholder => Entry::Function(own.definition().clone()),
                _ => tool.entry.clone(),
            });
        }
        check_distinct(&entries)?;
        check_faults(entries.iter().filter_map(Entry::definition))?;
        Ok(Self {
            entries,
            encoded: Encoded::default(),
        })
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn encoded(&self) -> &Encoded {
        &self.encoded
    }
}

/// Whether all definitions can be sent: they are made when they are first needed, and their faults with them.
///
/// # Errors
/// All faults of all tools.
pub(crate) fn check_faults<'a>(
    definitions: impl IntoIterator<Item = &'a ToolDefinition>,
) -> Result<(), Error> {
    let faults: Vec<_> = definitions.into_iter().flat_map(own_faults).collect();
    Error::of_faults(&faults)
}

/// What was found when the definition was made, with the tool's name.
pub(super) fn own_faults(definition: &ToolDefinition) -> impl Iterator<Item = String> {
    let name = definition.name();
    let of_tool = move |fault| format!("tool `{name}` at {fault}");
    definition.faults().iter().map(of_tool)
}

fn check_distinct(entries: &[Entry]) -> Result<(), Error> {
    let mut names = HashSet::new();
    // Some tools of an API have no name, such as its toolsets.
    let mut named = entries
        .iter()
        .map(Entry::name)
        .filter(|name| !name.is_empty());
    match named.find(|name| !names.insert(*name)) {
        Some(name) => Err(Error::definition(format!(
            "two tools of the request are named `{name}`; a tool of the toolkit is offered by itself, \
             so take it out of the request or give one of them another name"
        ))),
        None => Ok(()),
    }
}
