//! What a definition is at the API that defines its tool, and at others.

use std::sync::Arc;

use super::ToolDefinition;
use crate::api::Api;
use crate::tool::{Provided, Runs};

impl ToolDefinition {
    pub(crate) fn with_provided(mut self, provided: Option<Provided>) -> Self {
        Arc::make_mut(&mut self.0).provided = provided;
        self
    }

    /// What it is at the API that defines it, if one does.
    pub(crate) fn provided(&self) -> Option<&Provided> {
        self.0.provided.as_ref()
    }

    /// What it is at this API, if this one defines it.
    pub(crate) fn provided_at(&self, api: &Api) -> Option<&Provided> {
        self.provided().filter(|provided| provided.api == *api)
    }

    /// Whether another API than this one runs it.
    pub(crate) fn is_run_elsewhere(&self, api: &Api) -> bool {
        let provided = self.provided();
        provided.is_some_and(|it| it.runs == Runs::AtServer && it.api != *api)
    }

    /// What is wrong with it at this API: a toolset has no schema that another one could be told.
    pub(crate) fn fault_at(&self, api: &Api) -> Option<String> {
        let provided = self.provided().filter(|it| it.api != *api)?;
        (provided.runs == Runs::AsToolset).then(|| {
            format!(
                "tool `{}` is a toolset of {}, which {api} does not know; leave it out there, by `Toolkit::remove` or \
                 `filter`",
                self.name(),
                provided.api,
            )
        })
    }

    /// The name that a model knows it by.
    pub(crate) fn wire_name(&self, api: &Api) -> &str {
        match self.provided_at(api) {
            Some(provided) if provided.has_name() => provided.wire_name(self),
            _ => self.name(),
        }
    }
}
