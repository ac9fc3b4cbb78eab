//! One turn: the model is asked, and what its reply leads to in the same turn.

use std::future::Future;

use super::Runner;
use super::arrival::Arrival;
use super::compaction::{no_compaction, summed_up};
use super::events::{Event, Sink};
use super::hook::HookError;
use super::state::{Phase, State};
use super::step::{Asking, Happened, Limits, Next, next, runs_calls_of_next_reply, step};
use super::workers::{
    CallScope, Done, Workers, answer_of, suspend_held, unless_cancelled, workers,
};
use crate::error::{Error, ErrorKind, chain};
use crate::message::Reply;
use crate::provider::{ModelCall, Provider};
use crate::request::{Request, ToolChoice};
use crate::toolkit::Definitions;

impl Runner {
    /// Asks for one reply and takes it in; `None` where the run was cancelled meanwhile. After the limit of replies,
    /// the model is asked a last time, and may call nothing.
    pub(super) async fn ask(
        &mut self,
        sink: Option<&Sink>,
        asking: Asking,
    ) -> Result<Option<Reply>, Error> {
        let token = self.cancellation.clone();
        for hook in &self.hooks {
            let asking = answer_of(|| hook.before_request(&mut self.state.request));
            match unless_cancelled(token.as_ref(), asking).await {
                Some(asked) => asked.map_err(hook_failed)?,
                None => return Ok(None),
            }
        }
        // Perhaps by a hook.
        if self.is_cancelled() {
            return Ok(None);
        }
        self.tell_changes()?;
        self.offer_tools()?;
        self.checked.check(&self.state.request.messages)?;
        let reply = self.exchange(sink, asking).await?;
        if let Some(reply) = &reply {
            for hook in &self.hooks {
                let told = unless_cancelled(token.as_ref(), answer_of(|| hook.after_reply(reply)));
                told.await.unwrap_or(Ok(())).map_err(hook_failed)?;
            }
        }
        Ok(reply)
    }

    async fn exchange(
        &mut self,
        sink: Option<&Sink>,
        asking: Asking,
    ) -> Result<Option<Reply>, Error> {
        let limits = self.limits();
        let mut lent = self.lent(sink);
        lent.turn += 1;
        let of_request = self.state.request.tools.clone();
        let Self {
            provider,
            toolkit,
            hooks,
            state,
            settings,
            offered,
            ..
        } = self;
        let scope = CallScope {
            toolkit,
            of_request: &of_request,
            hooks,
            max_running: settings.max_running,
            lent: &lent,
            sink,
        };
        let turn = Turn {
            provider: &**provider,
            definitions: offered.as_ref().map(|offered| &offered.definitions),
            limits: &limits,
            is_eager: settings.eager && sink.is_some(),
            asking,
        };
        let mut workers = workers(scope);
        let received = turn.receive(state, scope, &mut workers).await;
        if received.is_err() && asking == Asking::Summary {
            // Asked for again it may fail for ever; the history is good without.
            state.compaction = None;
        }
        turn.conclude(received, state, scope, &mut workers).await
    }
}

/// What one turn goes by.
struct Turn<'a> {
    provider: &'a dyn Provider,
    definitions: Option<&'a Definitions>,
    limits: &'a Limits,
    is_eager: bool,
    asking: Asking,
}

impl Turn<'_> {
    /// What is asked, where that is not the request as it stands.
    fn request(&self, state: &State) -> Result<Option<Request>, Error> {
        let compaction = state.compaction.as_ref();
        match self.asking {
            Asking::Turn => Ok(None),
            Asking::LastTurn => Ok(Some(without_calls(&state.request))),
            Asking::Summary => {
                let instructions = compaction.and_then(|it| it.instructions.as_deref());
                let mut history = state.request.clone();
                history.messages.truncate(summed_up(&history.messages));
                let request = self.provider.compaction(&history, instructions)?;
                request
                    .ok_or_else(|| no_compaction(&self.provider.api()))
                    .map(Some)
            }
        }
    }

    /// Asks, and takes in what arrives but for the reply itself.
    async fn receive<F: Future<Output = Done>>(
        &self,
        state: &mut State,
        scope: CallScope<'_>,
        workers: &mut Workers<'_, F>,
    ) -> Result<Option<Reply>, Error> {
        state.usage.begin();
        let (none, api) = (Definitions::default(), self.provider.api());
        let request = self.request(state)?;
        let container = state.container.as_ref();
        let container = container.filter(|container| container.api == api);
        let call = ModelCall::new(
            request.as_ref().unwrap_or(&state.request),
            self.definitions.unwrap_or(&none),
        )
        .streamed(scope.sink.is_some())
        .after(state.turn())
        .for_summary(self.asking == Asking::Summary)
        .in_container(container.map(|container| container.id.as_str()));
        let is_eager = self.is_eager
            && self.asking == Asking::Turn
            && runs_calls_of_next_reply(state, self.limits);
        let mut arrival = Arrival {
            scope,
            is_eager,
            calls: &mut state.calls,
            arriving: &mut state.arriving,
            usage: &mut state.usage,
            abandoned: &mut state.abandoned,
        };
        arrival.take_in_all(self.provider.send(call), workers).await
    }

    /// Takes the reply in, or what is left where there is none, and waits for the calls that have begun, or, eager, for
    /// all.
    async fn conclude<F: Future<Output = Done>>(
        &self,
        received: Result<Option<Reply>, Error>,
        state: &mut State,
        scope: CallScope<'_>,
        workers: &mut Workers<'_, F>,
    ) -> Result<Option<Reply>, Error> {
        let api = self.provider.api();
        if let Ok(Some(reply)) = &received {
            if self.asking == Asking::LastTurn {
                state.final_turn_at = self.limits.cap;
            }
            let happened = match self.asking {
                Asking::Summary => Happened::Compacted(reply),
                Asking::Turn | Asking::LastTurn => Happened::Replied(reply, &api),
            };
            step(state, happened, self.limits);
            if scope.hooks.is_empty() && matches!(state.phase, Phase::Calls(_)) {
                suspend_held(scope, &mut state.calls);
            }
            if let Some(sink) = scope.sink {
                sink.send(Event::Reply(reply.clone()));
                sink.drained().await;
            }
        }
        // The others wait for the program, which has just seen the reply, or, eager, run on.
        let runs_on = self.is_eager && next(state, self.limits) == Next::RunCalls;
        workers.work_off(&mut state.calls, &|_| runs_on).await;
        state.settle(&api);
        if let Ok(None) = &received {
            step(state, Happened::Cancelled, self.limits);
        }
        received
    }
}

/// The request of the turn after the limit.
fn without_calls(request: &Request) -> Request {
    Request {
        tool_choice: Some(ToolChoice::None),
        ..request.clone()
    }
}

fn hook_failed(error: HookError) -> Error {
    Error::new(
        ErrorKind::Hook,
        format!("a hook failed: {}", chain(&*error)),
    )
    .with_source(error)
}
