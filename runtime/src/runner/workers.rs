//! [`Workers`]: tools and hooks at work on the calls of a reply, side by side.
//!
//! They hold no part of the state: what they come to is taken in where it is awaited, in the same moment.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{Either, FutureExt, select};
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio_util::sync::CancellationToken;

use super::answers::not_run;
use super::calls::{Calls, Entry, Stage};
use super::events::{Event, Sink};
use super::hook::{Decision, Hook, HookCall, HookError, HookFuture};
use super::plan::{Job, Rules};
use crate::dispatch;
use crate::error::chain;
use crate::history::interrupted;
use crate::json::RawJson;
use crate::message::{Identity, ToolCall, ToolResult};
use crate::tool::{Lent, Tool, ToolDefinition};
use crate::toolkit::{RequestTool, Toolkit};

/// What the work on calls goes by; the same for a whole turn.
#[derive(Clone, Copy)]
pub(super) struct CallScope<'a> {
    pub(super) toolkit: &'a Toolkit,
    pub(super) of_request: &'a [RequestTool],
    pub(super) hooks: &'a [Box<dyn Hook>],
    pub(super) max_running: Option<usize>,
    pub(super) lent: &'a Lent,
    pub(super) sink: Option<&'a Sink>,
}

impl<'a> CallScope<'a> {
    pub(super) fn definition(self, call: &ToolCall) -> Option<&'a ToolDefinition> {
        self.toolkit.get(call.name()).map(Tool::definition)
    }

    pub(super) fn is_exclusive(self, call: &ToolCall) -> bool {
        let definition = self.definition(call);
        definition.is_some_and(ToolDefinition::is_exclusive)
    }

    /// What the model is told of a member of a toolset behind one that has failed.
    fn halted(self, call: &ToolCall) -> String {
        let of_request = || {
            let mut tools = self.of_request.iter();
            tools
                .find(|tool| tool.is_called_by(call))?
                .entry
                .definition()
        };
        let definition = self.definition(call).or_else(of_request);
        let provided = definition.and_then(ToolDefinition::provided);
        match provided {
            Some(provided) if !provided.halted.is_empty() => provided.halted.clone(),
            _ => not_run(call, "an earlier one of its toolset failed"),
        }
    }

    /// Whether a call waits for the program even where no hook holds it up: its tool needs approval, or is defined by
    /// the request and by no toolkit.
    pub(super) fn is_held(self, call: &ToolCall) -> bool {
        match self.definition(call) {
            Some(definition) => definition.needs_approval(),
            None => {
                let mut tools = self.of_request.iter();
                tools.any(|tool| tool.is_called_by(call))
            }
        }
    }

    fn hook_call(self, task: &'a Task) -> HookCall<'a> {
        let definition = self.definition(&task.call);
        HookCall::new(&task.call, &task.input, definition, self.lent.turn)
    }

    fn is_cancelled(self) -> bool {
        let token = self.lent.cancellation.as_ref();
        token.is_some_and(CancellationToken::is_cancelled)
    }

    fn tell(self, event: impl FnOnce() -> Event) {
        if let Some(sink) = self.sink {
            sink.send(event());
        }
    }
}

/// What work came to.
pub(super) struct Done {
    index: usize,
    call: Arc<Identity>,
    /// Whether a tool has run, and not a hook.
    is_run: bool,
    what: What,
}

enum What {
    Decided(Decision),
    Ran(ToolResult),
    Reviewed(ToolResult),
    /// It was cancelled.
    Dropped,
}

/// Work under way.
pub(super) struct Workers<'a, F> {
    scope: CallScope<'a>,
    futures: FuturesUnordered<F>,
    spawn: fn(CallScope<'a>, Task, Work) -> F,
    /// How many tools run.
    running: usize,
    /// Whether calls are left that can begin when others have ended.
    is_left: bool,
}

/// The call that work is about.
struct Task {
    index: usize,
    /// As the model wrote it.
    call: ToolCall,
    /// What it runs with.
    input: RawJson,
}

/// One piece of work.
enum Work {
    Decide,
    Recover,
    Run,
    Review(ToolResult),
}

/// Nobody works yet.
pub(super) fn workers<'a>(
    scope: CallScope<'a>,
) -> Workers<'a, impl Future<Output = Done> + Send + 'a> {
    Workers {
        scope,
        futures: FuturesUnordered::new(),
        spawn: work,
        running: 0,
        is_left: true,
    }
}

impl<'a, F: Future<Output = Done>> Workers<'a, F> {
    /// Begins all that can be done now, as far as `may_begin` allows.
    pub(super) fn begin(&mut self, calls: &mut Calls, may_begin: &(dyn Fn(&Entry) -> bool + Sync)) {
        let scope = self.scope;
        if scope.is_cancelled() {
            return;
        }
        let rules = Rules {
            max_running: scope.max_running,
            is_exclusive: &|call| scope.is_exclusive(call),
            may_begin,
            halted: &|call| scope.halted(call),
        };
        let running = self.running;
        self.is_left = calls.go_on(running, &rules, |entry, job| self.assign(entry, job));
    }

    /// What needs no hook is done here and now.
    fn assign(&mut self, entry: &mut Entry, job: Job) {
        let (scope, has_hooks) = (self.scope, !self.scope.hooks.is_empty());
        let work = match job {
            Job::Run => {
                self.running += 1;
                (entry.stage, entry.has_begun) = (Stage::Started, true);
                scope.tell(|| Event::ToolStarted(entry.to_run()));
                Work::Run
            }
            Job::Decide if has_hooks => Work::Decide,
            Job::Decide => return decide(scope, entry, Decision::Allow),
            // It does no more by that than by running once.
            Job::Recover if may_repeat(scope, entry) => return entry.stage = Stage::Ready,
            Job::Recover if has_hooks => Work::Recover,
            Job::Recover => return entry.answer(|call| interrupted(call.wire_name())),
            Job::Review => match (entry.result(), has_hooks) {
                (Some(result), true) => Work::Review(result.clone()),
                (_, false) => return finish_unseen(scope, entry),
                (None, true) => return,
            },
        };
        entry.is_busy = true;
        let task = Task {
            index: entry.index,
            call: entry.call.clone(),
            input: entry.input_to_run().clone(),
        };
        self.futures.push((self.spawn)(scope, task, work));
    }

    /// Takes in what work came to. A call that is no longer among these has been set aside.
    pub(super) fn take_in(&mut self, calls: &mut Calls, done: Done) {
        self.running -= usize::from(done.is_run);
        let entry = calls.get_mut(done.index);
        let is_same = |entry: &&mut Entry| Arc::ptr_eq(entry.call.identity(), &done.call);
        let Some(entry) = entry.filter(is_same) else {
            return self.take_leave(done.what);
        };
        entry.is_busy = false;
        match done.what {
            What::Decided(decision) => decide(self.scope, entry, decision),
            What::Ran(result) => entry.stage = Stage::Ran(result),
            What::Reviewed(result) => finish(self.scope, entry, result),
            What::Dropped => {}
        }
        match entry.stage {
            Stage::Ran(_) if !self.scope.is_cancelled() => self.assign(entry, Job::Review),
            Stage::Suspended | Stage::Finished(_) => {}
            _ => self.is_left = true,
        }
    }

    /// Begins what can be done now that other work has ended.
    fn begin_what_is_left(
        &mut self,
        calls: &mut Calls,
        may_begin: &(dyn Fn(&Entry) -> bool + Sync),
    ) {
        if self.is_left {
            self.begin(calls, may_begin);
        }
    }

    /// The call's reply has been refused or set aside: its end is told, and changes nothing.
    fn take_leave(&self, what: What) {
        if let What::Ran(result) = what {
            self.scope.tell(|| Event::ToolFinished(result));
        }
    }

    /// The next work that ends; never, while nobody works.
    pub(super) async fn next(&mut self) -> Done {
        match self.futures.next().await {
            Some(done) => done,
            None => std::future::pending().await,
        }
    }

    /// Works until nothing more can be done.
    pub(super) async fn work_off(
        &mut self,
        calls: &mut Calls,
        may_begin: &(dyn Fn(&Entry) -> bool + Sync),
    ) {
        self.begin(calls, may_begin);
        while let Some(done) = self.futures.next().await {
            self.take_in(calls, done);
            self.begin_what_is_left(calls, may_begin);
            if let Some(sink) = self.scope.sink {
                sink.drained().await;
            }
        }
    }
}

/// Has calls wait for the program where no hook has a say, so that the program sees it with the reply. The others may
/// still meet a hook that is added later.
pub(super) fn suspend_held(scope: CallScope<'_>, calls: &mut Calls) {
    let held = |entry: &&mut Entry| entry.stage == Stage::Waiting && scope.is_held(&entry.call);
    for entry in calls.iter_mut().filter(held) {
        decide(scope, entry, Decision::Allow);
    }
}

/// Takes in what was decided on a call.
fn decide(scope: CallScope<'_>, entry: &mut Entry, decision: Decision) {
    entry.decide(decision, |entry| scope.is_held(&entry.call));
    // Nobody is asked about a call that cannot run.
    if entry.stage == Stage::Suspended
        && let Some(definition) = scope.definition(&entry.call)
        && let Some(refused) = dispatch::refusal(definition, &entry.to_run())
    {
        entry.stage = Stage::Ran(refused);
    }
}

fn finish(scope: CallScope<'_>, entry: &mut Entry, result: ToolResult) {
    scope.tell(|| Event::ToolFinished(result.clone()));
    entry.stage = Stage::Finished(result);
}

/// No hook is to see the result.
fn finish_unseen(scope: CallScope<'_>, entry: &mut Entry) {
    match std::mem::replace(&mut entry.stage, Stage::Waiting) {
        Stage::Ran(result) => finish(scope, entry, result),
        other => entry.stage = other,
    }
}

fn may_repeat(scope: CallScope<'_>, entry: &Entry) -> bool {
    let definition = scope.definition(&entry.call);
    definition.is_some_and(|definition| definition.hints().may_repeat())
}

async fn work(scope: CallScope<'_>, task: Task, work: Work) -> Done {
    let is_run = matches!(work, Work::Run);
    let what = match work {
        Work::Run => {
            let call = task.call.with_input(task.input.clone());
            let result = dispatch::run(scope.toolkit, &call, scope.lent.clone()).await;
            result.map_or(What::Dropped, What::Ran)
        }
        Work::Decide => ask_hooks(scope, decided(scope, &task)).await,
        Work::Recover => ask_hooks(scope, recovered(scope, &task)).await,
        Work::Review(result) => ask_hooks(scope, reviewed(scope, &task, result)).await,
    };
    Done {
        index: task.index,
        call: Arc::clone(task.call.identity()),
        is_run,
        what,
    }
}

/// What hooks say, unless the run is cancelled first.
async fn ask_hooks(scope: CallScope<'_>, asking: impl Future<Output = What>) -> What {
    let said = unless_cancelled(scope.lent.cancellation.as_ref(), asking).await;
    said.unwrap_or(What::Dropped)
}

/// What the future gives; `None` where the run is cancelled first.
pub(super) async fn unless_cancelled<T>(
    token: Option<&CancellationToken>,
    future: impl Future<Output = T>,
) -> Option<T> {
    let Some(token) = token else {
        return Some(future.await);
    };
    match select(pin!(future), pin!(token.cancelled())).await {
        Either::Left((given, _)) => Some(given),
        Either::Right(_) => None,
    }
}

async fn decided(scope: CallScope<'_>, task: &Task) -> What {
    for hook in scope.hooks {
        match answer_of(|| hook.before_call(scope.hook_call(task))).await {
            Ok(Decision::Allow) => {}
            Ok(decision) => return What::Decided(decision),
            Err(error) => return What::Decided(Decision::Deny(chain(&*error))),
        }
    }
    What::Decided(Decision::Allow)
}

async fn recovered(scope: CallScope<'_>, task: &Task) -> What {
    for hook in scope.hooks {
        match answer_of(|| hook.interrupted_call(scope.hook_call(task))).await {
            Ok(None) => {}
            Ok(Some(decision)) => return What::Decided(decision),
            // Not denied: that would say that it took no effect.
            Err(_) => break,
        }
    }
    let call = &task.call;
    What::Ran(ToolResult::error(call, interrupted(call.wire_name())))
}

async fn reviewed(scope: CallScope<'_>, task: &Task, mut result: ToolResult) -> What {
    let call = &task.call;
    for hook in scope.hooks {
        match answer_of(|| hook.after_call(scope.hook_call(task), &result)).await {
            Ok(None) => {}
            Ok(Some(output)) => {
                result = dispatch::result(Arc::clone(call.identity()), Ok(output));
            }
            Err(error) => {
                let name = call.wire_name();
                let text = format!(
                    "Error: the result of tool '{name}' is withheld: {}",
                    chain(&*error)
                );
                result = ToolResult::error(call, text);
            }
        }
    }
    What::Reviewed(result)
}

/// What a hook says; where it panics, it has failed.
pub(super) async fn answer_of<'a, T>(
    ask: impl FnOnce() -> HookFuture<'a, T>,
) -> Result<T, HookError> {
    // Unwind safety: what the hook held is dropped with its future.
    let asking = AssertUnwindSafe(async { ask().await });
    let said = asking.catch_unwind().await;
    said.unwrap_or_else(|_| Err("the hook panicked".into()))
}
