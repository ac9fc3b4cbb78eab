//! [`Definitions`]: all tools that one request offers, those of the toolkit and those of the request.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Toolkit;
use super::names::Names;
use crate::api::Api;
use crate::encoded::Encoded;
use crate::error::Error;
use crate::json::RawJson;
use crate::message::ToolCall;
use crate::tool::ToolDefinition;

/// All tools that one request offers to one API, in the order in which they are sent.
///
/// Made anew only when the toolkit, the request's tools or the API change; so is its wire form, which stays the same to
/// the byte between turns, as a provider's cache wants it.
#[derive(Debug)]
pub(crate) struct Definitions {
    api: Api,
    entries: Vec<Entry>,
    /// The list as it is sent, where that is not of these: an API is told of changes by messages.
    sent: Option<Vec<Entry>>,
    /// What it was made of.
    list: Option<Arc<Vec<Entry>>>,
    names: Names,
    encoded: Encoded,
}

/// One tool of a request.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
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

/// Without the API's own words, which may hold a token.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(definition) => f.debug_tuple("Function").field(definition).finish(),
            Self::Read(definition) => f.debug_tuple("Read").field(definition).finish(),
            Self::Native { api, name, .. } => {
                let mut native = f.debug_struct("Native");
                native.field("api", api).field("name", name);
                native.finish_non_exhaustive()
            }
        }
    }
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

impl RequestTool {
    /// Whether a call is one of it. A toolset that was read from a body has no name but in its type.
    pub(crate) fn is_called_by(&self, call: &ToolCall) -> bool {
        match (&self.entry, call.toolset()) {
            (Entry::Native { json, .. }, Some(toolset)) => {
                let json = json.to_value();
                let kind = json.get("type").and_then(Value::as_str).unwrap_or_default();
                let rest = kind.strip_prefix(toolset);
                rest.is_some_and(|rest| rest.starts_with("_toolset"))
            }
            _ => self.entry.name() == call.name(),
        }
    }

    /// Whether it holds the place of this tool of the toolkit: one of its name, here or at the API, or of its type there.
    fn is_place_of(&self, own: &ToolDefinition, api: &Api) -> bool {
        if !self.is_placeholder {
            return false;
        }
        let is_of_type = match (&self.entry, own.provided_at(api)) {
            (Entry::Native { json, .. }, Some(provided)) => json
                .to_value()
                .get("type")
                .is_some_and(|kind| *kind == provided.kind),
            _ => false,
        };
        let name = self.entry.name();
        is_of_type || name == own.name() || name == own.wire_name(api)
    }
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

    /// The name that a model knows it by.
    pub(super) fn wire_name(&self, api: &Api) -> &str {
        match self {
            Self::Function(definition) | Self::Read(definition) => {
                match definition.provided_at(api) {
                    // It may have none there.
                    Some(provided) => provided.wire_name(definition),
                    None => definition.name(),
                }
            }
            Self::Native { name, .. } => name,
        }
    }

    /// Whether another API runs it.
    fn is_run_elsewhere(&self, at: &Api) -> bool {
        match self {
            Self::Native { api, .. } => api != at,
            Self::Function(definition) | Self::Read(definition) => definition.is_run_elsewhere(at),
        }
    }
}

impl Definitions {
    /// The toolkit's tools, then the request's; those that the request only holds a place for stand in that place.
    /// Tools that another API runs are left out.
    ///
    /// # Errors
    /// Where two have one name, here or at the API, or a definition has faults.
    pub(crate) fn merge(
        toolkit: &Toolkit,
        of_request: &[RequestTool],
        api: &Api,
    ) -> Result<Self, Error> {
        let is_placed = |own: &&ToolDefinition| {
            let mut places = of_request.iter();
            places.any(|tool| tool.is_place_of(own, api))
        };
        let own = toolkit.definitions().filter(|own| !is_placed(own));
        let mut entries: Vec<_> = own.cloned().map(Entry::Function).collect();
        for tool in of_request {
            let own = toolkit.definitions().find(|own| tool.is_place_of(own, api));
            entries
                .push(own.map_or_else(|| tool.entry.clone(), |own| Entry::Function(own.clone())));
        }
        check_distinct(&entries)?;
        entries.retain(|entry| !entry.is_run_elsewhere(api));
        let definitions = || entries.iter().filter_map(Entry::definition);
        Error::of_faults(
            &definitions()
                .filter_map(|it| it.fault_at(api))
                .collect::<Vec<_>>(),
        )?;
        check_faults(definitions())?;
        check_wire_names(&entries, api)?;
        Ok(Self {
            api: api.clone(),
            names: Names::new(&entries, api),
            entries,
            sent: None,
            list: None,
            encoded: Encoded::default(),
        })
    }

    /// With the list that goes on to be sent, of which the history tells what has changed. Tools that the request has got
    /// since then are not told of, so they stand in it.
    pub(crate) fn sent_as(mut self, list: Option<&Arc<Vec<Entry>>>, toolkit: &Toolkit) -> Self {
        if let Some(list) = list {
            let is_new = |entry: &&Entry| {
                let mut listed = list.iter();
                toolkit.get(entry.name()).is_none() && !listed.any(|it| it.name() == entry.name())
            };
            let new: Vec<_> = self.entries.iter().filter(is_new).cloned().collect();
            let sent: Vec<_> = list.iter().cloned().chain(new).collect();
            // The history may name tools that are gone.
            self.names = Names::new(self.entries.iter().chain(&sent), &self.api);
            (self.sent, self.list) = (Some(sent), Some(Arc::clone(list)));
        }
        self
    }

    /// The list that is sent.
    pub(crate) fn sent(&self) -> &[Entry] {
        self.sent.as_ref().unwrap_or(&self.entries)
    }

    /// Whether this is the list that goes on to be sent.
    pub(crate) fn is_sent_as(&self, list: Option<&Arc<Vec<Entry>>>) -> bool {
        match (&self.list, list) {
            (Some(own), Some(list)) => Arc::ptr_eq(own, list),
            (own, list) => own.is_none() && list.is_none(),
        }
    }

    pub(crate) const fn api(&self) -> &Api {
        &self.api
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How the API names the tools that it defines.
    pub(crate) const fn names(&self) -> &Names {
        &self.names
    }

    /// The betas of the API that some of the tools need, each once.
    pub(crate) fn betas(&self) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().chain(self.sent.iter().flatten());
        let definitions = entries.filter_map(Entry::definition);
        let provided = definitions.filter_map(|definition| definition.provided_at(&self.api));
        provided.flat_map(|provided| provided.betas.iter().map(String::as_str))
    }

    /// The types of tools that were read from a body as they came.
    pub(crate) fn native_kinds(&self) -> impl Iterator<Item = String> {
        self.sent().iter().filter_map(|entry| match entry {
            Entry::Native { json, .. } => Some(json.to_value().get("type")?.as_str()?.to_owned()),
            Entry::Function(_) | Entry::Read(_) => None,
        })
    }

    pub(crate) fn encoded(&self) -> &Encoded {
        &self.encoded
    }
}

/// No tools, for an API that nobody asks.
impl Default for Definitions {
    fn default() -> Self {
        Self {
            api: Api::TESTING,
            entries: Vec::new(),
            sent: None,
            list: None,
            names: Names::default(),
            encoded: Encoded::default(),
        }
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

/// A model could not tell them apart, nor could a call be told whose it is.
fn check_wire_names(entries: &[Entry], api: &Api) -> Result<(), Error> {
    let mut names = HashMap::new();
    for entry in entries {
        let wire = entry.wire_name(api);
        if wire.is_empty() {
            continue;
        }
        if let Some(earlier) = names.insert(wire, entry.name()) {
            let later = entry.name();
            return Err(Error::definition(format!(
                "the tools `{earlier}` and `{later}` are both named `{wire}` at {api}; take one of them out, or, of a \
                 function, give it another name"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_apis_own_words_are_not_printed() {
        let native = Entry::Native {
            api: Api::new("any"),
            name: "docs".to_owned(),
            json: RawJson::from(json!({"type": "mcp", "authorization": "a-secret-token"})),
        };
        let printed = format!("{native:?}");
        assert!(printed.contains("docs"), "{printed}");
        assert!(!printed.contains("a-secret-token"), "{printed}");
    }
}
