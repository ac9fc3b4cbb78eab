//! [`World`]: what has really happened in a script, written down outside of the runner.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use haft::{CancellationToken, CapPolicy, Content, Message, Reply, StopReason, Usage};

use crate::cast::{Owner, Part};
use crate::key::Key;
use crate::speech::Speech;

/// A world that the provider, the tools, the hook and the program of one script share.
#[derive(Clone, Debug)]
pub(crate) struct Shared(Arc<Mutex<World>>);

/// What has happened, and what is set.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) random: fastrand::Rng,
    /// What the model's API can say.
    pub(crate) speech: &'static Speech,
    pub(crate) mood: Mood,
    pub(crate) set: Set,
    /// One for each request, in order.
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) calls: BTreeMap<Key, Record>,
    /// The calls whose tools run now.
    pub(crate) running: Vec<Key>,
    /// What the program has said: the number of each message, and whether it has taken it away again.
    pub(crate) said: Vec<(usize, bool)>,
    /// Whether the program has edited the history since the last request.
    pub(crate) is_edited: bool,
    /// Whether it ever put back the history as it was shown, and so said again what waited.
    pub(crate) is_put_back: bool,
    /// Whether the program was told of the end since the last reply.
    pub(crate) is_end_told: bool,
    pub(crate) was_cancelled: bool,
    /// Whether the program may leave what runs now before its end.
    pub(crate) may_leave: bool,
    /// Pauses in a row.
    pub(crate) pauses: usize,
    /// Failures that the script has made, of the provider and of hooks.
    pub(crate) failures: usize,
    /// Whether only what ends the script comes from now on.
    pub(crate) is_finale: bool,
    pub(crate) fault: Option<String>,
    /// What is worth being seen, so that the scripts do not become dull unnoticed.
    pub(crate) seen: BTreeSet<&'static str>,
    pub(crate) log: Option<Vec<String>>,
}

/// What is likely in a script.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mood {
    pub(crate) pauses: bool,
    pub(crate) loops: bool,
    pub(crate) has_hook: bool,
    pub(crate) few_ends: bool,
}

/// The settings of the runner.
#[derive(Clone, Debug, Default)]
pub(crate) struct Set {
    pub(crate) cap: usize,
    pub(crate) policy: CapPolicy,
    pub(crate) max_running: usize,
    pub(crate) is_eager: bool,
    pub(crate) most_repeats: usize,
    /// Whether the limit of repeats was set after the start, or has ended the run once.
    pub(crate) repeats_are_new: bool,
    pub(crate) token: Option<CancellationToken>,
}

/// One request, and what came of it.
#[derive(Debug, Default)]
pub(crate) struct Attempt {
    pub(crate) sent: Vec<Message>,
    /// The turn that its calls belong to.
    pub(crate) turn: usize,
    pub(crate) is_streamed: bool,
    /// What it answers, each time that it begins anew.
    pub(crate) takes: Vec<Take>,
    /// The reply that it is to come to, if it comes whole.
    pub(crate) drawn: Option<Reply>,
    /// Whether what is sent of it ends before its end.
    pub(crate) is_cut: bool,
    /// The last take that has begun.
    pub(crate) now: usize,
    /// The tokens that were told last.
    pub(crate) usage: Usage,
    /// The reply, if it came.
    pub(crate) reply: Option<Reply>,
    pub(crate) is_told: bool,
    /// Whether the program has taken it out of the history.
    pub(crate) is_removed: bool,
}

/// The blocks of one reply, and how far they have come.
#[derive(Debug, Default)]
pub(crate) struct Take {
    pub(crate) blocks: Vec<Content>,
    /// The call whose input is cut off, if the reply is.
    pub(crate) cut: Option<usize>,
    pub(crate) stopped: Vec<usize>,
    /// What was told of each text and input, joined.
    pub(crate) parts: BTreeMap<usize, String>,
    pub(crate) newest: usize,
    /// How many blocks have begun.
    pub(crate) begun: usize,
    pub(crate) is_set_aside: bool,
    /// Whether a block was set aside is whether it stands before this place.
    pub(crate) aside: usize,
}

/// One call, and what came of it.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) part: Part,
    pub(crate) id: String,
    /// Whether its own input fits.
    pub(crate) is_good: bool,
    pub(crate) plan: Plan,
    /// The turn that it has started in.
    pub(crate) turn: Option<usize>,
    /// Whether the program has left while it was about to start.
    pub(crate) was_left: bool,
    /// Each run, with its end if it came to one.
    pub(crate) runs: Vec<Option<Ending>>,
    /// What the hook said before it ran.
    pub(crate) before: Vec<Word>,
    /// What the hook said after it was interrupted.
    pub(crate) recovered: Vec<Word>,
    /// What the hook made of its result.
    pub(crate) after: Vec<Word>,
    /// What the program said.
    pub(crate) decided: Vec<Word>,
    /// Whether the program has put a result of its own in the history.
    pub(crate) is_answered: bool,
    /// The result that the program was told.
    pub(crate) told: Option<String>,
}

/// What a tool does when it is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) waits: usize,
    pub(crate) ending: Ending,
    pub(crate) has_progress: bool,
    pub(crate) is_watchful: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Done,
    Nothing,
    Failed,
    Complained,
    Panicked,
    PanickedAtOnce,
    Stopped,
}

/// What a hook, or the program, said of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Allow,
    Deny,
    Answer,
    Replace,
    ReplaceBadly,
    Suspend,
    Fail,
}

impl Word {
    pub(crate) const fn lets_run(self) -> bool {
        matches!(self, Self::Allow | Self::Replace | Self::ReplaceBadly)
    }
}

impl Ending {
    /// The text of the result, and whether it is an error.
    pub(crate) fn text(self, key: Key, name: &str) -> (String, bool) {
        match self {
            Self::Done => (format!("done {key}"), false),
            Self::Nothing => (String::new(), false),
            Self::Failed => (format!("Error: failed {key}"), true),
            Self::Complained => (format!("complains {key}"), true),
            Self::Panicked | Self::PanickedAtOnce => {
                (format!("Error: Tool '{name}' panicked: boom {key}"), true)
            }
            Self::Stopped => (format!("Error: stopped {key}"), true),
        }
    }
}

impl Shared {
    pub(crate) fn new(seed: u64, is_logged: bool, speech: &'static Speech) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mood = Mood {
            pauses: random.u8(..10) == 0,
            loops: random.u8(..10) == 0,
            has_hook: random.bool(),
            few_ends: random.bool(),
        };
        Self(Arc::new(Mutex::new(World {
            random,
            speech,
            mood,
            set: Set::default(),
            attempts: Vec::new(),
            calls: BTreeMap::new(),
            running: Vec::new(),
            said: Vec::new(),
            is_edited: false,
            is_put_back: false,
            is_end_told: false,
            was_cancelled: false,
            may_leave: false,
            pauses: 0,
            failures: 0,
            is_finale: false,
            fault: None,
            seen: BTreeSet::new(),
            log: is_logged.then(Vec::new),
        })))
    }

    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        // A script that panics is reported all the same.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn fault(&self) -> Option<String> {
        self.world().fault.clone()
    }

    pub(crate) fn seen(&self) -> BTreeSet<&'static str> {
        self.world().seen.clone()
    }

    /// The script as it was played.
    pub(crate) fn log(&self) -> String {
        self.world().log.clone().unwrap_or_default().join("\n")
    }
}

impl World {
    /// Writes down what is wrong, if it is the first thing: a panic of a tool or hook would only be a result.
    pub(crate) fn fault(&mut self, what: impl Display) {
        self.note(|| format!("FAULT: {what}"));
        self.fault.get_or_insert_with(|| what.to_string());
    }

    /// Writes a line into the log, when a script is played to be read.
    pub(crate) fn note(&mut self, line: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(line());
        }
    }

    /// Whether something happens that does so in `percent` of all cases.
    pub(crate) fn happens(&mut self, percent: u8) -> bool {
        self.random.u8(..100) < percent
    }

    pub(crate) fn token_is_cancelled(&self) -> bool {
        let token = self.set.token.as_ref();
        token.is_some_and(CancellationToken::is_cancelled)
    }

    pub(crate) fn cancel(&mut self) {
        if let Some(token) = self.set.token.clone() {
            self.note(|| "token is cancelled".to_owned());
            self.was_cancelled = true;
            token.cancel();
        }
    }

    /// The replies that came.
    pub(crate) fn delivered(&self) -> impl DoubleEndedIterator<Item = &Attempt> {
        self.attempts
            .iter()
            .filter(|attempt| attempt.reply.is_some())
    }

    /// The replies that came, and the failures.
    pub(crate) fn so_far(&self) -> (usize, usize) {
        (self.delivered().count(), self.failures)
    }

    pub(crate) fn last_delivered(&self) -> Option<&Attempt> {
        self.delivered().next_back()
    }

    pub(crate) fn is_capped(&self) -> bool {
        self.set.cap > 0 && self.counted() >= self.set.cap
    }

    /// The replies that count toward the limit.
    pub(crate) fn counted(&self) -> usize {
        let counts = |attempt: &&Attempt| attempt.stop_reason() != Some(&StopReason::Compaction);
        self.delivered().filter(counts).count()
    }
}

impl Attempt {
    pub(crate) fn stop_reason(&self) -> Option<&StopReason> {
        self.reply.as_ref().map(Reply::stop_reason)
    }

    pub(crate) fn has_calls(&self) -> bool {
        let reply = self.reply.as_ref();
        reply.is_some_and(|reply| reply.tool_calls().next().is_some())
    }

    /// Whether the reply only pauses.
    pub(crate) fn is_pause(&self) -> bool {
        let reason = self.stop_reason();
        let pauses = matches!(reason, Some(StopReason::PauseTurn | StopReason::Compaction));
        pauses && !self.has_calls()
    }

    /// Whether its calls are to be run.
    pub(crate) fn wants_calls(&self) -> bool {
        let reason = self.stop_reason();
        let wants = matches!(reason, Some(StopReason::ToolUse | StopReason::PauseTurn));
        wants && self.has_calls()
    }
}

impl Record {
    /// Whether it may have started before its reply had ended: it may be dropped right before its tool is polled.
    pub(crate) fn may_be_eager(&self) -> bool {
        let is_held = self.part.is_exclusive || self.part.needs_approval;
        self.part.is_of == Owner::Toolkit && !is_held
    }

    /// Whether a run came to its end.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.runs.iter().find_map(|run| *run)
    }
}
