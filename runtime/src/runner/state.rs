//! [`State`]: where a run stands, between any two things that it does.

use serde::{Deserialize, Serialize};

use super::answers::{CUT, not_run};
use super::calls::{Calls, Stage};
use super::changes::Changes;
use super::closing::without_open_end;
use super::compaction::Compaction;
use super::outcome::Outcome;
use super::repeats::Repeats;
use crate::api::Api;
use crate::message::{Content, Message, Reply, ToolCall, Usage};
use crate::request::Request;
use crate::stream::WholeBlocks;

/// Where a run stands. Plain data: what a run is made of besides (provider, tools, hooks) is not here.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// What is asked next. Its messages are the history.
    pub(super) request: Request,
    /// Messages that wait until the pending calls are answered, or the pause is over.
    pub(super) queued: Vec<Message>,
    pub(super) phase: Phase,
    /// The calls of the last reply, or of the one that is arriving.
    pub(super) calls: Calls,
    /// The reply that is arriving, or did not come whole.
    pub(super) arriving: Arriving,
    pub(super) last_reply: Option<Reply>,
    /// Replies received.
    pub(super) iterations: usize,
    /// Of these, those that only compacted the history: they do not count toward the limit.
    pub(super) compactions: usize,
    /// Replies that did not come whole, and of which a call had begun.
    pub(super) cut_replies: usize,
    /// Of those received, the last ones in a row that only paused.
    pub(super) pauses: usize,
    pub(super) usage: Spent,
    /// The provider's container that the last replies worked in.
    pub(super) container: Option<Container>,
    pub(super) repeats: Repeats,
    /// The tools that have come and gone.
    pub(super) changes: Changes,
    /// What a compaction is to keep to that comes before the next turn.
    pub(super) compaction: Option<Compaction>,
    /// See [`End::abandoned`](super::End::abandoned).
    pub(super) abandoned: Vec<ToolCall>,
    /// The limit at which the model was asked a last time.
    pub(super) final_turn_at: Option<usize>,
    /// Whether the last thing that the program heard was that the run has ended.
    pub(super) end_is_told: bool,
}

/// What the run is about to do.
#[derive(Clone, Debug)]
pub(super) enum Phase {
    /// Ask the model.
    Ask,
    /// Ask it to go on where it paused, with this message: nothing may come between.
    Continue(Message),
    /// Run the calls of the last reply.
    Calls(Pending),
    /// Nothing.
    Ended(Ended),
}

/// A reply whose calls are not all answered.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// The message with the calls, as it stands in the history.
    pub(super) message: Message,
    /// How the run ends when they are answered, if it does.
    pub(super) then: Option<Ended>,
}

/// An end, and what of its reply is to be dealt with when the run goes on.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    /// The reply, where it is kept apart from the history.
    pub(super) apart: Option<Message>,
}

/// What has arrived of a reply.
#[derive(Clone, Debug, Default)]
pub(super) struct Arriving {
    pub(super) blocks: WholeBlocks,
    /// The last block that has begun.
    pub(super) newest: usize,
    /// Whether calls no longer start before the reply has ended: another model has taken over.
    pub(super) is_held: bool,
    /// Whether a call of it had begun, and was given up with its block.
    pub(super) has_abandoned: bool,
    /// Whether anything of it was told.
    pub(super) is_told: bool,
    /// The ids of its calls, by their blocks' places.
    ids: Vec<(usize, String)>,
}

impl Arriving {
    /// What has arrived is void.
    pub(super) fn begin_anew(&mut self) {
        *self = Self {
            has_abandoned: self.has_abandoned,
            ..Self::default()
        };
    }

    /// A block has begun.
    pub(super) fn begin(&mut self, index: usize, content: &Content) {
        self.newest = self.newest.max(index);
        if let Some(call) = content.as_tool_call() {
            self.ids.push((index, call.id().to_owned()));
        }
    }

    pub(super) fn call_id(&self, index: usize) -> Option<&str> {
        // Mostly the last one.
        let mut ids = self.ids.iter().rev();
        ids.find(|(at, _)| *at == index).map(|(_, id)| id.as_str())
    }
}

/// The tokens of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Spent {
    /// All of them.
    pub(super) total: Usage,
    /// Those of earlier replies.
    before: Usage,
}

impl Spent {
    /// A reply is about to come.
    pub(super) fn begin(&mut self) {
        self.before = self.total.clone();
    }

    /// The reply has taken so much so far, or as a whole.
    pub(super) fn tell(&mut self, usage: &Usage) {
        self.total = self.before.clone() + usage.clone();
    }

    pub(super) fn of(total: Usage) -> Self {
        Self {
            before: total.clone(),
            total,
        }
    }
}

/// A container of a provider's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Container {
    pub(super) api: Api,
    pub(super) id: String,
}

impl Ended {
    pub(super) const fn with(outcome: Outcome) -> Self {
        Self {
            outcome,
            apart: None,
        }
    }
}

impl State {
    pub(super) fn new(request: Request) -> Self {
        Self {
            request,
            queued: Vec::new(),
            phase: Phase::Ask,
            calls: Calls::default(),
            arriving: Arriving::default(),
            last_reply: None,
            iterations: 0,
            compactions: 0,
            cut_replies: 0,
            pauses: 0,
            usage: Spent::default(),
            container: None,
            repeats: Repeats::default(),
            changes: Changes::default(),
            compaction: None,
            abandoned: Vec::new(),
            final_turn_at: None,
            end_is_told: false,
        }
    }

    /// The number of the last reply that is in the history, for its calls.
    pub(super) const fn turn(&self) -> usize {
        self.iterations + self.cut_replies
    }

    /// Where a message stands in the history; `None` if the program has edited it away.
    pub(super) fn position(&self, message: &Message) -> Option<usize> {
        // From the end, since that is where it is looked for.
        self.request
            .messages
            .iter()
            .rposition(|entry| entry.is_same(message))
    }

    /// The ids of the last reply's calls that have started and have no result, and of those that have one.
    pub(super) fn started_and_finished(&self) -> (Vec<String>, Vec<String>) {
        let (mut started, mut finished) = (Vec::new(), Vec::new());
        for entry in self.calls.iter() {
            let id = || entry.call.id().to_owned();
            match entry.stage {
                Stage::Ran(_) | Stage::Finished(_) => finished.push(id()),
                _ if entry.has_begun => started.push(id()),
                _ => {}
            }
        }
        if let Some(last) = self.last_answers() {
            finished.extend(
                last.tool_results()
                    .map(|result| result.call_id().to_owned()),
            );
        }
        (started, finished)
    }

    /// The message that answers the last reply's calls, if it is in the history already.
    fn last_answers(&self) -> Option<&Message> {
        let at = self.position(self.last_reply.as_ref()?.message())?;
        let behind = self.request.messages.get(at + 1)?;
        behind.tool_results().next().is_some().then_some(behind)
    }

    /// Takes in what the program has done to the history: a pending message that is gone is no
    /// longer waited for, and results that it has put behind the calls are their answers.
    pub(super) fn notice_edits(&mut self) {
        let message = match &self.phase {
            Phase::Calls(pending) => &pending.message,
            Phase::Continue(message) => message,
            Phase::Ask | Phase::Ended(_) => return,
        };
        let Some(at) = self.position(message) else {
            self.phase = Phase::Ask;
            self.calls = Calls::default();
            self.request.messages.append(&mut self.queued);
            return;
        };
        if let Phase::Calls(_) = &self.phase {
            self.calls.adopt_from(&mut self.request.messages, at + 1);
        }
    }

    /// Deals with a reply that did not come whole: of one whose calls have begun, the whole blocks are kept, so that
    /// nothing is done twice; of another one, nothing.
    pub(super) fn settle(&mut self, api: &Api) {
        let arriving = std::mem::take(&mut self.arriving);
        if !matches!(self.phase, Phase::Ask | Phase::Continue(_)) {
            return;
        }
        let begun = std::mem::take(&mut self.calls);
        let has_begun = begun.begun().next().is_some();
        // The next reply may use the ids again, also of calls that were given up.
        self.cut_replies += usize::from(has_begun || arriving.has_abandoned);
        if !has_begun {
            return;
        }
        let message = arriving.blocks.to_message(api.clone(), &self.request.model);
        let message = without_open_end(message);
        self.calls = Calls::of(&message, begun);
        for entry in self.calls.iter_mut().filter(|entry| entry.is_yet_to_run()) {
            entry.answer(|call| not_run(call, CUT));
        }
        self.request.messages.push(message.clone());
        self.phase = Phase::Calls(Pending {
            message,
            then: None,
        });
    }
}
