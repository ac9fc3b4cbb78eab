//! Tools that come and go in mid-run: the toolkit changes at once, and the model is told with the next request.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Runner;
use super::calls::Stage;
use super::closing::only_results_may_follow;
use super::state::Phase;
use crate::api::Api;
use crate::error::Error;
use crate::message::Message;
use crate::provider::ToolChange;
use crate::tool::{Runs, ToolDefinition};
use crate::toolkit::{Definitions, Entry, RequestTool, Toolkit};

/// What has come and gone since the first reply.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Changes {
    /// What the model is yet to be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    queued: Vec<ToolChange>,
    /// The list that goes on to be sent, where an API is told of changes by messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    list: Option<List>,
    /// What it was told of changes to that list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    told: Vec<Told>,
}

/// A list of tools as one API was sent it before anything changed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct List {
    api: Api,
    entries: Arc<Vec<Entry>>,
}

/// What one message of the history tells.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Told {
    /// Where the message stands, in a state that is kept.
    at: usize,
    #[serde(skip)]
    message: Option<Message>,
    changes: Vec<ToolChange>,
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

    /// With the places of what was told, to be kept beside this history.
    pub(super) fn placed_in(mut self, history: &[Message]) -> Self {
        self.told.retain_mut(|told| match told.place_in(history) {
            Some(at) => {
                told.at = at;
                true
            }
            None => false,
        });
        self
    }

    /// The same beside the history that it was kept with.
    pub(super) fn found_in(mut self, history: &[Message]) -> Self {
        for told in &mut self.told {
            told.message = history.get(told.at).cloned();
        }
        self
    }

    /// A summary takes the place of the history, and perhaps of what was told in it.
    pub(super) fn give_way_to(&mut self, summary: &Message, tells_of_tools: bool) {
        let told = std::mem::take(&mut self.told);
        if tells_of_tools {
            self.told.push(Told {
                at: 0,
                message: Some(summary.clone()),
                changes: told.into_iter().flat_map(|told| told.changes).collect(),
            });
        }
    }

    /// What the model is to be told, so that it knows of these tools: what was asked for, in its order, and whatever else
    /// differs. (The history may have been edited, or the run resumed with other tools.)
    fn to_tell(
        &self,
        list: &List,
        toolkit: &Toolkit,
        of_request: &[RequestTool],
    ) -> Vec<ToolChange> {
        let mut known: Vec<&ToolDefinition> =
            list.entries.iter().filter_map(Entry::definition).collect();
        let told = self.told.iter().flat_map(|told| &told.changes);
        for change in told.chain(&self.queued) {
            known.retain(|known| known.name() != change.definition().name());
            if let ToolChange::Added(definition) = change {
                known.push(definition);
            }
        }
        let may_change =
            |definition: &&ToolDefinition| check_may_change(definition, &list.api).is_ok();
        let own = toolkit.definitions().filter(may_change);
        let own = own.filter(|own| !own.is_run_elsewhere(&list.api) && !known.contains(own));
        let is_there = |known: &ToolDefinition| {
            toolkit.get(known.name()).is_some()
                || of_request
                    .iter()
                    .any(|tool| tool.entry.name() == known.name())
        };
        let gone = known
            .iter()
            .filter(|known| may_change(known) && !is_there(known));
        let mut changes = self.queued.clone();
        changes.extend(own.cloned().map(ToolChange::Added));
        changes.extend(gone.map(|&gone| ToolChange::Removed(gone.clone())));
        changes
    }
}

impl Told {
    fn place_in(&self, history: &[Message]) -> Option<usize> {
        let message = self.message.as_ref()?;
        history.iter().rposition(|entry| entry.is_same(message))
    }
}

impl Runner {
    /// More tools, also in mid-run: they run from now on, even for a call of the last reply, in place of those of the
    /// same names. The model is told with the next request.
    ///
    /// Anthropic's API is told in a message behind the results, so that what it has cached of the tools stays good; the
    /// betas that this needs are sent by themselves. Where the history is edited, or the run resumed with other tools, it is
    /// told again what differs. Other APIs get another list of tools.
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
        let api = self.provider.tools_api();
        let mut kit = self.toolkit.clone();
        for definition in &added {
            check_may_change(definition, &api)?;
            if let Some(replaced) = kit.get(definition.name()) {
                check_may_change(replaced.definition(), &api)?;
            }
            kit = kit.remove(definition.name());
        }
        let kit = kit.extend(tools)?;
        self.change(kit, added.into_iter().map(ToolChange::Added))
    }

    /// Takes tools away, by their names: from now on they do not run, and the model is told with the next request. It may
    /// call one all the same, and is told then that there is none; so is a call that waits for approval. Names that no tool
    /// has count for nothing.
    ///
    /// As for [`add_tools`](Self::add_tools), Anthropic's API is told in a message.
    ///
    /// ```
    /// use haft::testing::ScriptedModel;
    /// use haft::{Request, Runner, tool, toolkit};
    /// use serde_json::json;
    ///
    /// /// Book the table, once.
    /// #[tool]
    /// async fn book(seats: u32) -> String {
    ///     format!("booked a table for {seats}")
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let again = ("book", json!({"seats": 4}));
    /// let model = ScriptedModel::new().calls([again.clone()]).calls([again]).text("Done.");
    /// let mut runner = Runner::new(model, toolkit![book], Request::new("any").user("Four of us"));
    /// runner.next_message().await?;
    /// runner.next_message().await?; // The first call has run.
    /// runner.remove_tools(["book"])?;
    /// runner.run_to_completion().await?;
    /// let messages = runner.messages();
    /// let results = messages.iter().flat_map(|message| message.tool_results());
    /// assert_eq!(results.map(|result| result.is_error()).collect::<Vec<_>>(), [false, true]);
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where one is a toolset, which cannot come or go. Then nothing has changed.
    pub fn remove_tools<N: AsRef<str>>(
        &mut self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<(), Error> {
        self.settle();
        let (mut kit, mut removed) = (self.toolkit.clone(), Vec::new());
        let api = self.provider.tools_api();
        for name in names {
            let Some(tool) = kit.get(name.as_ref()) else {
                continue;
            };
            check_may_change(tool.definition(), &api)?;
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
        let known = &mut self.state.changes;
        // Before the first reply, nobody knows of others.
        if self.state.iterations > 0 {
            if known.told.is_empty() && known.list(&api).is_none() {
                let offered = Definitions::merge(&self.toolkit, of_request, &api)?;
                let entries = Arc::new(offered.entries().to_vec());
                known.list = Some(List {
                    api: api.clone(),
                    entries,
                });
            }
            // What another API was told stays: the run may come back to it, and tells then what differs.
            if known.list(&api).is_some() {
                known.queued.extend(changes);
            }
        }
        self.toolkit = kit;
        self.release_without_tool();
        Ok(())
    }

    /// Nobody need be asked about a call that no tool runs any more.
    fn release_without_tool(&mut self) {
        let (toolkit, of_request) = (&self.toolkit, &self.state.request.tools);
        for entry in self.state.calls.iter_mut() {
            let has_tool = toolkit.get(entry.call.name()).is_some()
                || of_request.iter().any(|tool| tool.is_called_by(&entry.call));
            if entry.stage == Stage::Suspended && !has_tool {
                entry.stage = Stage::Ready;
            }
        }
    }

    /// Puts what the model is to be told into the history, where its API is told by messages.
    ///
    /// # Errors
    /// Where a definition cannot be sent.
    pub(super) fn tell_changes(&mut self) -> Result<(), Error> {
        let api = self.provider.tools_api();
        let state = &mut self.state;
        let history = &state.request.messages;
        let changes = &mut state.changes;
        changes.told.retain(|told| told.place_in(history).is_some());
        let Some(list) = changes.list.as_ref().filter(|list| list.api == api) else {
            // It is sent the toolkit's.
            changes.queued.clear();
            return Ok(());
        };
        if changes.told.is_empty() && changes.queued.is_empty() {
            changes.list = None;
            return Ok(());
        }
        let to_tell = changes.to_tell(list, &self.toolkit, &state.request.tools);
        if to_tell.is_empty() {
            return Ok(());
        }
        let Some(message) = self.provider.tool_changes(&to_tell)? else {
            *changes = Changes::default();
            return Ok(());
        };
        // Nothing may come between a pause and what follows it.
        if matches!(state.phase, Phase::Continue(_)) || only_results_may_follow(state) {
            return Ok(());
        }
        let changes = &mut state.changes;
        changes.queued.clear();
        changes.told.push(Told {
            at: 0,
            message: Some(message.clone()),
            changes: to_tell,
        });
        state.request.messages.push(message);
        Ok(())
    }
}

fn check_may_change(definition: &ToolDefinition, api: &Api) -> Result<(), Error> {
    match definition.provided_at(api) {
        Some(provided) if provided.runs == Runs::AsToolset => Err(Error::definition(format!(
            "the toolset `{}` cannot be added to a run or removed from it, which the API does not know; make a new \
             runner, or resume the state with the toolkit that it is to have",
            definition.name()
        ))),
        _ => Ok(()),
    }
}
