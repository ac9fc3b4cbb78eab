//! One turn: a reply is asked for and taken in as it arrives, and calls of it may start before it has ended.

use std::collections::HashSet;
use std::future::Future;
use std::pin::pin;

use futures_util::StreamExt;
use futures_util::future::{Either, select};

use super::Runner;
use super::calls::{Calls, Entry};
use super::events::{Event, Sink};
use super::state::{Arriving, Phase, Spent, State};
use super::step::{Happened, Limits, step};
use super::workers::{Done, Shop, Workers, decide_at_once, outcome, unless_cancelled, workers};
use crate::error::{Error, ErrorKind};
use crate::message::{Content, Reply, ToolCall};
use crate::provider::{ModelCall, Provider};
use crate::request::{Request, ToolChoice};
use crate::stream::{ReplyStream, StreamEvent, StreamedBlock, without_reply};
use crate::toolkit::Definitions;

impl Runner {
    /// Asks for one reply and takes it in; `None` where the run was cancelled meanwhile. After the limit of replies,
    /// the model is asked a last time, and may call nothing.
    pub(super) async fn ask(
        &mut self,
        sink: Option<&Sink>,
        is_last: bool,
    ) -> Result<Option<Reply>, Error> {
        let token = self.cancellation.clone();
        for hook in &self.hooks {
            let asking = outcome(|| hook.before_request(&mut self.state.request));
            match unless_cancelled(token.as_ref(), asking).await {
                Some(asked) => asked.map_err(|reason| hook_failed(&reason))?,
                None => return Ok(None),
            }
        }
        // Perhaps by a hook.
        if self.is_cancelled() {
            return Ok(None);
        }
        self.offer_tools()?;
        self.checked.check(&self.state.request.messages)?;
        let reply = self.exchange(sink, is_last).await?;
        if let Some(reply) = &reply {
            for hook in &self.hooks {
                let told = unless_cancelled(token.as_ref(), outcome(|| hook.after_reply(reply)));
                told.await
                    .unwrap_or(Ok(()))
                    .map_err(|reason| hook_failed(&reason))?;
            }
        }
        Ok(reply)
    }

    async fn exchange(
        &mut self,
        sink: Option<&Sink>,
        is_last: bool,
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
        let shop = Shop {
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
            is_last,
        };
        let mut workers = workers(shop);
        let received = turn.receive(state, shop, &mut workers).await;
        turn.conclude(received, state, shop, &mut workers).await
    }
}

/// What one turn goes by.
struct Turn<'a> {
    provider: &'a dyn Provider,
    definitions: Option<&'a Definitions>,
    limits: &'a Limits,
    is_eager: bool,
    is_last: bool,
}

impl Turn<'_> {
    /// Asks, and takes in what arrives but for the reply itself.
    async fn receive<F: Future<Output = Done>>(
        &self,
        state: &mut State,
        shop: Shop<'_>,
        workers: &mut Workers<'_, F>,
    ) -> Result<Option<Reply>, Error> {
        state.usage.begin();
        let (none, api) = (Definitions::default(), self.provider.api());
        let last_request = self.is_last.then(|| without_calls(&state.request));
        let container = state.container.as_ref();
        let container = container.filter(|container| container.api == api);
        let call = ModelCall::new(
            last_request.as_ref().unwrap_or(&state.request),
            self.definitions.unwrap_or(&none),
        )
        .streamed(shop.sink.is_some())
        .after(state.iterations)
        .in_container(container.map(|container| container.id.as_str()));
        let mut arrival = Arrival {
            shop,
            is_eager: self.is_eager,
            calls: &mut state.calls,
            arriving: &mut state.arriving,
            usage: &mut state.usage,
            abandoned: &mut state.abandoned,
        };
        arrival.take_in_all(self.provider.send(call), workers).await
    }

    /// Takes the reply in, or what is left where there is none, and waits for the calls that have begun.
    async fn conclude<F: Future<Output = Done>>(
        &self,
        received: Result<Option<Reply>, Error>,
        state: &mut State,
        shop: Shop<'_>,
        workers: &mut Workers<'_, F>,
    ) -> Result<Option<Reply>, Error> {
        let api = self.provider.api();
        if let Ok(Some(reply)) = &received {
            if self.is_last {
                state.final_turn_at = self.limits.cap;
            }
            step(state, Happened::Replied(reply, &api), self.limits);
            if shop.hooks.is_empty() && matches!(state.phase, Phase::Calls(_)) {
                decide_at_once(shop, &mut state.calls);
            }
            if let Some(sink) = shop.sink {
                sink.send(Event::Reply(reply.clone()));
                sink.heard().await;
            }
        }
        workers.work_off(&mut state.calls, &|_| false).await;
        state.settle(&api);
        if let Ok(None) = &received {
            step(state, Happened::Cancelled, self.limits);
        }
        received
    }
}

/// Results are told apart by the ids of their calls, so a reply in which two are one cannot be answered.
fn distinct_ids(reply: &Reply) -> Result<(), Error> {
    let mut seen = HashSet::new();
    if reply.tool_calls().all(|call| seen.insert(call.id())) {
        Ok(())
    } else {
        Err(Error::protocol("two calls of the reply have one id"))
    }
}

/// The request of the turn after the limit.
fn without_calls(request: &Request) -> Request {
    Request {
        tool_choice: Some(ToolChoice::None),
        ..request.clone()
    }
}

fn hook_failed(reason: &str) -> Error {
    Error::new(ErrorKind::Hook, format!("a hook failed: {reason}"))
}

/// A reply on its way, and the calls of it that start before it is there.
struct Arrival<'a> {
    shop: Shop<'a>,
    is_eager: bool,
    calls: &'a mut Calls,
    arriving: &'a mut Arriving,
    usage: &'a mut Spent,
    abandoned: &'a mut Vec<ToolCall>,
}

/// What comes next while a reply is on its way.
enum Arrived {
    Work(Done),
    Event(Option<Result<StreamEvent, Error>>),
    Cancel,
}

impl Arrival<'_> {
    /// Until the reply is there; `None` where the run is cancelled before.
    async fn take_in_all<F: Future<Output = Done>>(
        &mut self,
        mut events: ReplyStream<'_>,
        workers: &mut Workers<'_, F>,
    ) -> Result<Option<Reply>, Error> {
        loop {
            match self.next(&mut events, workers).await {
                Arrived::Work(done) => workers.take_in(self.calls, done),
                Arrived::Event(event) => match event.transpose()? {
                    Some(StreamEvent::Reply(reply)) => {
                        distinct_ids(&reply)?;
                        self.tell_unstreamed(&reply);
                        return Ok(Some(reply));
                    }
                    Some(event) => self.take_in(event),
                    None => return Err(without_reply()),
                },
                Arrived::Cancel => return Ok(None),
            }
            if self.is_eager {
                self.begin_calls(workers);
            }
            if let Some(sink) = self.shop.sink {
                sink.heard().await;
            }
        }
    }

    async fn next<F: Future<Output = Done>>(
        &self,
        events: &mut ReplyStream<'_>,
        workers: &mut Workers<'_, F>,
    ) -> Arrived {
        let arrival = async {
            match select(pin!(workers.next()), events.next()).await {
                Either::Left((done, _)) => Arrived::Work(done),
                Either::Right((event, _)) => Arrived::Event(event),
            }
        };
        let Some(token) = &self.shop.lent.cancellation else {
            return arrival.await;
        };
        // What is there in the moment of the end is not lost.
        match select(pin!(arrival), pin!(token.cancelled())).await {
            Either::Left((arrived, _)) => arrived,
            Either::Right(_) => Arrived::Cancel,
        }
    }

    /// A call starts once the model has moved on from it, unless it needs approval or is to run alone. All before it
    /// is whole then: else a reply that is cut could not be kept with the call.
    fn begin_calls<F: Future<Output = Done>>(&mut self, workers: &mut Workers<'_, F>) {
        let (shop, arriving) = (self.shop, &*self.arriving);
        let may_begin = |entry: &Entry| {
            let definition = shop.definition(&entry.call);
            let is_free = definition.is_some_and(|it| !it.is_exclusive() && !it.needs_approval());
            let has_moved_on = entry.index < arriving.newest;
            is_free
                && !arriving.is_held
                && has_moved_on
                && arriving.blocks.are_whole_to(entry.index)
        };
        workers.begin(self.calls, &may_begin);
    }

    fn take_in(&mut self, event: StreamEvent) {
        self.tell(&event);
        match event {
            StreamEvent::BlockStart { index, content } => self.arriving.begin(index, &content),
            StreamEvent::BlockStop(block) if self.is_eager => self.keep(block),
            StreamEvent::SetAside => {
                self.abandon();
                self.arriving.is_held = true;
            }
            StreamEvent::Restart => {
                self.abandon();
                *self.arriving = Arriving::default();
            }
            StreamEvent::Usage(usage) => self.usage.tell(&usage),
            _ => {}
        }
    }

    fn keep(&mut self, block: StreamedBlock) {
        if let Content::ToolCall(call) = block.content() {
            self.calls.push(Entry::new(block.index(), call.clone()));
        }
        self.arriving.blocks.insert(block);
    }

    /// Calls that have begun are not answered, since the reply will not have them.
    fn abandon(&mut self) {
        let calls = std::mem::take(self.calls);
        self.abandoned.extend(calls.begun().cloned());
    }

    /// Tells the program what arrives.
    fn tell(&mut self, event: &StreamEvent) {
        let Some(sink) = self.shop.sink else { return };
        self.arriving.is_told = true;
        let told = match event {
            StreamEvent::BlockStart {
                content: Content::ToolCall(call),
                ..
            } => Event::CallStarted {
                call_id: call.id().to_owned(),
                name: call.name().to_owned(),
            },
            StreamEvent::TextDelta { text, .. } => Event::Text(text.clone()),
            StreamEvent::ThinkingDelta { text, .. } => Event::Thinking(text.clone()),
            StreamEvent::InputDelta { index, json } => match self.arriving.call_id(*index) {
                Some(call_id) => Event::CallInput {
                    call_id: call_id.to_owned(),
                    json: json.clone(),
                },
                None => return,
            },
            StreamEvent::Restart => Event::Restarted,
            _ => return,
        };
        sink.send(told);
    }

    /// A provider that does not stream has told nothing yet.
    fn tell_unstreamed(&mut self, reply: &Reply) {
        if self.shop.sink.is_none() || self.arriving.is_told {
            return;
        }
        for (index, content) in reply.content().iter().enumerate() {
            self.arriving.begin(index, content);
            for event in whole_block(index, content.clone()) {
                self.tell(&event);
            }
        }
    }
}

/// A block that came at once, as if it had come in parts.
fn whole_block(index: usize, content: Content) -> Vec<StreamEvent> {
    let delta = match &content {
        Content::Text(block) => {
            let text = block.text.clone();
            Some(StreamEvent::TextDelta { index, text })
        }
        Content::Thinking(block) => {
            let text = block.text.clone();
            Some(StreamEvent::ThinkingDelta { index, text })
        }
        Content::ToolCall(call) => {
            let json = call.input().as_str().to_owned();
            Some(StreamEvent::InputDelta { index, json })
        }
        _ => None,
    };
    let start = StreamEvent::BlockStart { index, content };
    [start].into_iter().chain(delta).collect()
}
