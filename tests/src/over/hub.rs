//! [`Hub`]: the one server of all exchanges, each of which has a path of its own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use haft::serde_json::json;
use haft::{Error, Provider, anthropic, openai};

use super::dialect::Dialect;
use crate::fail;
use crate::server::{RequestSeen, Server, ServerReply};

/// Longer than any test waits, in a time that may jump.
const NEVER: Duration = Duration::from_secs(1_000_000_000);

/// The server, and what it will answer.
#[derive(Debug)]
pub(super) struct Hub {
    server: Server,
    answers: Arc<Mutex<HashMap<u64, Answer>>>,
    next: AtomicU64,
}

#[derive(Debug)]
struct Answer {
    reply: ServerReply,
    seen: Seen,
}

/// The body of the request, once it is there.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen(Arc<Mutex<Option<Vec<u8>>>>);

impl Seen {
    /// The body, once.
    pub(super) fn take(&self) -> Option<Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Hub {
    pub(super) fn new() -> Self {
        let answers = Arc::new(Mutex::new(HashMap::new()));
        let known = Arc::clone(&answers);
        let server = Server::answering(move |_, request| answer(&known, request));
        Self {
            server,
            answers,
            next: AtomicU64::new(1),
        }
    }

    /// A provider whose one request is answered so, and the request that it sends.
    pub(super) fn exchange(
        &self,
        dialect: Dialect,
        reply: ServerReply,
    ) -> (Box<dyn Provider>, Seen) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let seen = Seen::default();
        let answer = Answer {
            reply,
            seen: seen.clone(),
        };
        let answers = self.answers.lock();
        let mut answers = answers.unwrap_or_else(PoisonError::into_inner);
        answers.insert(number, answer);
        (self.provider(dialect, Some(number)), seen)
    }

    /// A provider for this exchange, or none.
    pub(super) fn provider(&self, dialect: Dialect, number: Option<u64>) -> Box<dyn Provider> {
        let url = format!("{}/{}", self.server.url(), number.unwrap_or_default());
        provider(dialect, &url).unwrap_or_else(|error| fail(format_args!("no provider: {error}")))
    }
}

/// As a program sets one up, but for what would try again.
fn provider(dialect: Dialect, url: &str) -> Result<Box<dyn Provider>, Error> {
    Ok(match dialect {
        Dialect::Anthropic => {
            let builder = anthropic::Anthropic::builder()
                .api_key("none")
                .base_url(url);
            let builder = builder.timeout(NEVER).idle_timeout(NEVER);
            Box::new(builder.max_retries(0).build()?)
        }
        Dialect::Responses => {
            let builder = openai::Responses::builder().api_key("none");
            let builder = builder.base_url(format!("{url}/v1"));
            let builder = builder.timeout(NEVER).idle_timeout(NEVER);
            Box::new(builder.max_retries(0).build()?)
        }
        Dialect::Chat => {
            let builder = openai::Chat::builder().api_key("none");
            let builder = builder.base_url(format!("{url}/v1"));
            let builder = builder.timeout(NEVER).idle_timeout(NEVER);
            Box::new(builder.max_retries(0).build()?)
        }
    })
}

fn answer(answers: &Mutex<HashMap<u64, Answer>>, request: &RequestSeen) -> ServerReply {
    let mut parts = request.path.split('/').skip(1);
    let number = parts.next().and_then(|part| part.parse().ok());
    let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
    match number.and_then(|number: u64| answers.remove(&number)) {
        Some(Answer { reply, seen }) => {
            let mut body = seen.0.lock().unwrap_or_else(PoisonError::into_inner);
            *body = Some(request.body.clone());
            drop(body);
            reply
        }
        None => {
            let message = format!("{} was not to be asked, or only once", request.path);
            ServerReply::json(400, &json!({"error": {"message": message}}))
        }
    }
}
