//! The tests of the runner over an API: what a scripted model tells is written as the API's bytes, sent by a server on this
//! machine, and read by the provider of haft that speaks the API.
//!
//! `HAFT_OVER` says which: `anthropic`, `responses` or `chat`. Without it, a scripted model is given to the runner as it is.

mod anthropic;
mod chat;
mod dialect;
mod exchange;
mod fit;
mod hub;
mod responses;
mod stays;

use std::env;
use std::fmt::Debug;
use std::io::{Write as _, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, PoisonError, RwLock};
use std::thread;

use haft::serde_json::Value;
use haft::testing::ScriptedReply;
use haft::{Api, Error, Message, ModelCall, Provider, ReplyStream, Request, ToolChange};

use self::dialect::Dialect;
use self::hub::Hub;
use crate::fail;

/// An API that scripts are told over, as `HAFT_OVER` has it.
static OVER: LazyLock<Option<Dialect>> = LazyLock::new(|| {
    let name = env::var("HAFT_OVER").ok().filter(|name| !name.is_empty())?;
    let known = Dialect::ALL.into_iter().find(|own| own.name() == name);
    Some(known.unwrap_or_else(|| fail(format_args!("HAFT_OVER is no API: {name}"))))
});

static HUB: LazyLock<Hub> = LazyLock::new(Hub::new);

/// The API that scripts are told over, where they are: for what only some of them can say.
#[must_use]
pub fn api() -> Option<Api> {
    OVER.map(Dialect::api)
}

/// How many of these tokens are told when a reply begins: of OpenAI's APIs, all are told at its end.
#[must_use]
pub fn tokens_at_the_begin(input: u64) -> u64 {
    match *OVER {
        None | Some(Dialect::Anthropic) => input,
        Some(Dialect::Responses | Dialect::Chat) => 0,
    }
}

/// Words behind a call, a sign that the model has moved on from it. Where an API has no words there, only another call is.
#[must_use]
pub fn and(reply: ScriptedReply) -> ScriptedReply {
    if *OVER == Some(Dialect::Chat) {
        reply
    } else {
        reply.text("And")
    }
}

/// A scripted model as a provider: over an API, where `HAFT_OVER` says one that can say all of the script.
pub fn model(scripted: impl Provider + 'static) -> Box<dyn Provider> {
    let Some(dialect) = *OVER else {
        return Box::new(scripted);
    };
    if let Some(reason) = stays::reason(&format!("{scripted:?}"), dialect) {
        stays_here(dialect, reason);
        return Box::new(scripted);
    }
    COUNTS.models.fetch_add(1, Ordering::Relaxed);
    let provider = HUB.provider(dialect, None);
    Box::new(Over {
        scripted,
        dialect,
        provider,
    })
}

/// A scripted model that stays in the process whatever `HAFT_OVER` says, for this reason.
pub fn in_process<P: Provider + 'static>(scripted: P, reason: &str) -> Box<dyn Provider> {
    if let Some(dialect) = *OVER {
        stays_here(dialect, reason);
    }
    Box::new(scripted)
}

/// The same where the API is one of these.
pub fn not_over<P: Provider + 'static>(
    apis: &[Api],
    scripted: P,
    reason: &str,
) -> Box<dyn Provider> {
    if api().is_some_and(|api| apis.contains(&api)) {
        in_process(scripted, reason)
    } else {
        model(scripted)
    }
}

struct Counts {
    models: AtomicUsize,
    stayed: RwLock<Vec<String>>,
}

static COUNTS: Counts = Counts {
    models: AtomicUsize::new(0),
    stayed: RwLock::new(Vec::new()),
};

/// Says so, once for each test and reason, where it is seen whether the test passes or not.
fn stays_here(dialect: Dialect, reason: &str) {
    let name = thread::current().name().unwrap_or("?").to_owned();
    let line = format!("{name} ({reason})");
    let count = {
        let stayed = COUNTS.stayed.write();
        let mut stayed = stayed.unwrap_or_else(PoisonError::into_inner);
        if stayed.contains(&line) {
            return;
        }
        stayed.push(line.clone());
        stayed.len()
    };
    let over = COUNTS.models.load(Ordering::Relaxed);
    let name = dialect.name();
    // It begins with a line's end, since the test's own runner writes dots.
    let line = format!("\nnot over {name}: {line}; {count} so far, and {over} models are\n");
    // Not by a macro, whose output is kept from the one who runs the tests.
    let _ = stderr().write_all(line.as_bytes());
}

/// A scripted model whose words take the way of a real one's.
#[derive(Debug)]
struct Over<P> {
    scripted: P,
    dialect: Dialect,
    /// For what needs no server.
    provider: Box<dyn Provider>,
}

impl<P: Provider> Provider for Over<P> {
    fn api(&self) -> Api {
        self.provider.api()
    }

    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
        exchange::begin(&HUB, self.dialect, self.scripted.send(call), call)
    }

    fn read_request(&self, body: Value) -> Result<Request, Error> {
        self.provider.read_request(body)
    }

    fn tools_api(&self) -> Api {
        self.provider.tools_api()
    }

    fn tool_changes(&self, changes: &[ToolChange]) -> Result<Option<Message>, Error> {
        self.provider.tool_changes(changes)
    }

    fn compaction(
        &self,
        request: &Request,
        instructions: Option<&str>,
    ) -> Result<Option<Request>, Error> {
        self.provider.compaction(request, instructions)
    }
}
