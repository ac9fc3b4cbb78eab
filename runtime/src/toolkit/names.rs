//! [`Names`]: how an API names the tools that it defines, and how the program does.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Map;

use super::definitions::Entry;
use crate::api::Api;
use crate::message::{Identity, WireName};
use crate::tool::Runs;

/// The names of an API's own tools at one API, both ways. All other tools have one name.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<Name>);

#[derive(Debug)]
struct Name {
    own: String,
    wire: String,
    /// The `type` of the definition.
    kind: String,
    runs: Runs,
}

impl Names {
    /// Those of an API that defines no tools.
    pub(crate) const NONE: Self = Self(Vec::new());

    pub(super) fn new<'a>(entries: impl IntoIterator<Item = &'a Entry>, api: &Api) -> Self {
        let definitions = entries.into_iter().filter_map(Entry::definition);
        let names = definitions.filter_map(|definition| {
            let provided = definition.provided_at(api)?;
            Some(Name {
                own: definition.name().to_owned(),
                wire: provided.wire_name(definition).to_owned(),
                kind: provided.kind.clone(),
                runs: provided.runs,
            })
        });
        Self(names.collect())
    }

    /// Whose call it is that a model has made, by the tool's own name.
    pub(crate) fn identity(
        &self,
        id: String,
        called: String,
        toolset: Option<String>,
    ) -> std::sync::Arc<Identity> {
        let own = |wire: &str, runs: Runs| {
            let mut names = self.0.iter();
            names.find(|name| name.wire == wire && name.runs == runs)
        };
        let own = match &toolset {
            Some(toolset) => own(toolset, Runs::AsToolset),
            None => own(&called, Runs::AtClient),
        };
        let name = match (own, &toolset) {
            (Some(name), _) => name.own.clone(),
            (None, Some(toolset)) => toolset.clone(),
            (None, None) => called.clone(),
        };
        let is_plain = toolset.is_none() && name == called;
        let wire = (!is_plain).then_some(WireName {
            name: called,
            toolset,
            answer: Map::new(),
        });
        Identity::named(id, name, wire)
    }

    /// The program's name of a tool that the API runs.
    pub(crate) fn own_of_server<'a>(&'a self, wire: &'a str) -> &'a str {
        let mut names = self.0.iter();
        let name = names.find(|name| name.wire == wire && name.runs == Runs::AtServer);
        name.map_or(wire, |name| &name.own)
    }

    /// The API's name of a tool that the program knows by its own.
    pub(crate) fn wire<'a>(&'a self, own: &'a str) -> &'a str {
        let name = self.0.iter().find(|name| name.own == own);
        name.map_or(own, |name| &name.wire)
    }

    /// The `type` of the API's definition of a tool that the program knows by this name.
    pub(crate) fn kind(&self, own: &str) -> Option<&str> {
        let name = self.0.iter().find(|name| name.own == own)?;
        Some(&name.kind)
    }

    /// Whether the program knows a toolset by this name, which nobody can choose: the API has a name only for its members.
    pub(crate) fn is_toolset(&self, own: &str) -> bool {
        let mut names = self.0.iter();
        names.any(|name| name.own == own && (name.runs == Runs::AsToolset || name.wire.is_empty()))
    }

    /// Two that differ name a tool differently: what was encoded by one is not what the other says. 0 where there are no
    /// names to map.
    pub(crate) fn fingerprint(&self) -> u64 {
        if self.0.is_empty() {
            return 0;
        }
        let mut hasher = DefaultHasher::new();
        for name in &self.0 {
            (&name.own, &name.wire, &name.kind).hash(&mut hasher);
        }
        hasher.finish()
    }
}
