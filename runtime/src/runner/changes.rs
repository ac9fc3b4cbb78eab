//! Tools that come and go in mid-run: the toolkit changes at once, and the model is told with the next request.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Runner;
use super::closing::only_results_may_follow;
use super::state::Phase;
use crate::api::Api;
use crate::error::Error;
use crate::provider::ToolChange;
use crate::tool::{Runs, ToolDefinition};
use crate::toolkit::{Definitions, Entry, Toolkit};

/// What has come and gone since the first reply.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Changes {
    /// What the model is yet to be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    queued: Vec<ToolChange>,
    /// The list that goes on to be sent, where an API is told of changes by messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    list: Option<List>,
}

/// A list of tools as one API was sent it before anything changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct List {
    api: Api,
    entries: Arc<Vec<Entry>>,
    /// Whether a message tells of changes to it.
    is_told: bool,
}

impl Changes {
    pub(super) const fn are_none(&self) -> bool {
        self.queued.is_empty() && self.list.is_none()
    }

    /// The list that is sent to this API, if that is not the toolkit's.
    pub(super) fn list(&self, api: &Api) -> Option<&Arc<Vec<Entry>>> {
        let list = self.list.as_ref().filter(|list| list.api == *api);
        list.map(|list| &list.entries)
    }
}

impl Runner {
    /// More tools, also in mid-run: they run from now on, even for a call of the last reply, in place of those of the
    /// same names. The model is told with the next request.
    ///
    /// Anthropic's API is told in a message behind the results, so that what it has cached of the tools stays good; the
    /// betas that this needs are sent by themselves. The message stands in the history: who shortens that keeps it. Other
    /// APIs get another list of tools.
    ///
    /// ```
    /// use haft::testing::{ScriptedModel, ScriptedReply};
    /// use haft::{Request, Runner, Toolkit, tool, toolkit};
    /// use haft::serde_json::json;
    ///
    /// /// Find a tool for a job.
    /// #[tool]
    /// async fn find_tool(job: String) -> String {
    ///     format!("convert does {job}")
    /// }
    ///
    /// /// Convert a picture.
    /// #[tool]
    /// async fn convert(to: String) -> String {
    ///     format!("converted to {to}")
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let model = ScriptedModel::new()
    ///     .calls([("find_tool", json!({"job": "pictures"}))])
    ///     .calls([("convert", json!({"to": "png"}))])
    ///     .text("Done.");
    /// let mut runner = Runner::new(model, toolkit![find_tool], Request::new("any").user("Go"));
    /// runner.next_message().await?;
    /// runner.add_tools(toolkit![convert])?;
    /// assert_eq!(runner.run_to_completion().await?.reply.text(), "Done.");
    /// assert_eq!(runner.messages()[4].tool_results().next().unwrap().text(), "converted to png");
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where two tools would have one name, here or at the API, or one is a toolset, which cannot come or go. Then
    /// nothing has changed.
    pub fn add_tools(&mut self, tools: Toolkit) -> Result<(), Error> {
        self.settle();
        let added: Vec<_> = tools.definitions().cloned().collect();
        let mut kit = self.toolkit.clone();
        for definition in &added {
            check_may_change(definition)?;
            if let Some(replaced) = kit.get(definition.name()) {
                check_may_change(replaced.definition())?;
            }
            kit = kit.remove(definition.name());
        }
        let kit = kit.extend(tools)?;
        self.change(kit, added.into_iter().map(ToolChange::Added))
    }

    /// Takes tools away, by their names: from now on they do not run, and the model is told with the next request. It may
    /// call one all the same, and is told then that there is none. Names that no tool has count for nothing.
    ///
    /// As for [`add_tools`](Self::add_tools), Anthropic's API is told in a message.
    ///
    /// # Errors
    /// Where one is a toolset, which cannot come or go. Then nothing has changed.
    pub fn remove_tools<N: AsRef<str>>(
        &mut self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<(), Error> {
        self.settle();
        let (mut kit, mut removed) = (self.toolkit.clone(), Vec::new());
        for name in names {
            let Some(tool) = kit.get(name.as_ref()) else {
                continue;
            };
            check_may_change(tool.definition())?;
            removed.push(ToolChange::Removed(tool.definition().clone()));
            kit = kit.remove(name.as_ref());
        }
        self.change(kit, removed)
    }

    fn change(
        &mut self,
        kit: Toolkit,
        changes: impl IntoIterator<Item = ToolChange>,
    ) -> Result<(), Error> {
        let (api, of_request) = (self.provider.tools_api(), &self.state.request.tools);
        Definitions::merge(&kit, of_request, &api)?;
        // Before the first reply, nobody knows of others.
        if self.state.iterations > 0 {
            if self.state.changes.list.is_none() {
                let offered = Definitions::merge(&self.toolkit, of_request, &api)?;
                self.state.changes.list = Some(List {
                    api,
                    entries: Arc::new(offered.entries().to_vec()),
                    is_told: false,
                });
            }
            self.state.changes.queued.extend(changes);
        }
        self.toolkit = kit;
        Ok(())
    }

    /// Puts what the model is to be told into the history, where its API is told by messages.
    ///
    /// # Errors
    /// Where a definition cannot be sent.
    pub(super) fn tell_changes(&mut self) -> Result<(), Error> {
        let changes = &self.state.changes;
        if changes.queued.is_empty() {
            return Ok(());
        }
        let message = self.provider.tool_changes(&changes.queued)?;
        // Nothing may come between a pause and what follows it.
        let is_held =
            matches!(self.state.phase, Phase::Continue(_)) || only_results_may_follow(&self.state);
        let changes = &mut self.state.changes;
        match (message, &mut changes.list) {
            (Some(_), _) if is_held => {}
            (Some(message), list) => {
                self.state.request.messages.push(message);
                changes.queued.clear();
                if let Some(list) = list {
                    list.is_told = true;
                }
            }
            // It is sent another list.
            (None, list) => {
                let told = list.take_if(|list| list.is_told);
                *list = told.map(|list| list.with(std::mem::take(&mut changes.queued)));
                changes.queued.clear();
            }
        }
        Ok(())
    }
}

impl List {
    /// The list of an API that the run has left and may come back to, with what has changed meanwhile.
    fn with(mut self, changes: Vec<ToolChange>) -> Self {
        let mut entries = self.entries.to_vec();
        for change in changes {
            entries.retain(|entry| entry.name() != change.definition().name());
            if let ToolChange::Added(definition) = change {
                entries.push(Entry::Function(definition));
            }
        }
        self.entries = Arc::new(entries);
        self
    }
}

fn check_may_change(definition: &ToolDefinition) -> Result<(), Error> {
    match definition.provided() {
        Some(provided) if provided.runs == Runs::AsToolset => Err(Error::definition(format!(
            "the toolset `{}` cannot be added to a run or removed from it, which the API does not know; make a new \
             runner with the toolkit that it is to have",
            definition.name()
        ))),
        _ => Ok(()),
    }
}
