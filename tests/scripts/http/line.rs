//! [`Line`]: how the model of one script is reached.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use haft::anthropic::Anthropic;
use haft::openai::{Chat, Responses, Server};
use haft::serde_json::Value;
use haft::{Content, Message, Provider};

use super::Post;
use super::anthropic::Messages;
use super::chat::Completions;
use super::desk::{Desk, Memory, Order};
use super::judges::{self, Asked};
use super::responses::ResponseObjects;
use super::stored::Stored;
use super::writer::Writer;
use crate::world::Attempt;

/// An API that scripts are played over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    Anthropic,
    Responses,
    /// The same, with replies that are stored.
    Previous,
    Chat(Server),
}

/// Servers that differ in what goes back to them.
const SERVERS: [Server; 4] = [
    Server::Other,
    Server::OpenAi,
    Server::DeepSeek,
    Server::Mistral,
];

impl Wire {
    /// Chat completions, of another server for each script.
    pub(crate) fn chat(seed: u64) -> Self {
        let count = SERVERS.len() as u64;
        Self::Chat(SERVERS[(seed % count) as usize])
    }
}

/// How the model of one script is reached: the provider of its API, at an address of its own.
#[derive(Debug)]
pub(crate) struct Line {
    wire: Wire,
    url: String,
    desk: Arc<Desk>,
    stored: Arc<Stored>,
    end: Mutex<End>,
}

#[derive(Debug)]
struct End {
    provider: Arc<dyn Provider>,
    address: String,
}

impl Line {
    pub(crate) fn new(post: &Post, wire: Wire) -> Self {
        let url = post.server.url().to_owned();
        let desk = Arc::clone(&post.desk);
        let end = Mutex::new(End::new(wire, &url, desk.new_address()));
        Self {
            wire,
            url,
            desk,
            stored: Arc::default(),
            end,
        }
    }

    fn end(&self) -> MutexGuard<'_, End> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves an answer with the server, for who asks by this provider.
    pub(super) fn leave(&self, order: Order) -> Arc<dyn Provider> {
        let end = self.end();
        self.desk.leave(&end.address, order);
        Arc::clone(&end.provider)
    }

    /// Whoever has asked is gone, and what he asked may yet arrive: from now on it is asked at another address, where
    /// that cannot take the answer of what is asked next.
    pub(super) fn hang_up(&self) {
        let mut end = self.end();
        self.desk.forget(&end.address);
        *end = End::new(self.wire, &self.url, self.desk.new_address());
    }

    /// Who writes the answer of this number as the API has it; the number is its id.
    pub(super) fn writer(&self, number: usize, attempt: &Attempt) -> Box<dyn Writer> {
        let cut = attempt.takes.last().and_then(|take| take.cut);
        match self.wire {
            Wire::Anthropic => Box::new(Messages::new(number)),
            Wire::Responses | Wire::Previous => Box::new(ResponseObjects::new(number, cut)),
            Wire::Chat(_) => Box::new(Completions::new(number, cut)),
        }
    }

    /// What the API remembers; `reply` is what it is to come to.
    pub(super) fn memory(&self, reply: Value, is_lost: bool) -> Option<Memory> {
        (self.wire == Wire::Previous).then(|| Memory {
            stored: Arc::clone(&self.stored),
            reply,
            is_lost,
        })
    }

    /// What is to be at the server of a request.
    pub(super) fn asked(&self, attempt: &Attempt) -> Asked {
        match self.wire {
            Wire::Anthropic => Asked::new(attempt, judges::anthropic::fault, |_| true),
            Wire::Responses | Wire::Previous => {
                Asked::new(attempt, judges::responses::fault, |_| true)
            }
            Wire::Chat(Server::OpenAi) => Asked::new(attempt, judges::chat::fault, |_| false),
            Wire::Chat(Server::Mistral) => {
                let judge = judges::chat::fault_of_short_ids;
                Asked::new(attempt, judge, |_| false).without_ids()
            }
            Wire::Chat(_) => Asked::new(attempt, judges::chat::fault, says_something),
        }
    }
}

/// Whether a turn of the model's is one in which it does more than think: else there is none to go back.
fn says_something(message: &Message) -> bool {
    let is_said = |block: &Content| match block {
        Content::Text(text) => !text.text.is_empty(),
        other => other.as_tool_call().is_some(),
    };
    message.content().iter().any(is_said)
}

impl Drop for Line {
    fn drop(&mut self) {
        self.desk.forget(&self.end().address);
    }
}

impl End {
    fn new(wire: Wire, url: &str, address: String) -> Self {
        let url = format!("{url}/{address}");
        let provider: Arc<dyn Provider> = match wire {
            Wire::Anthropic => {
                let builder = Anthropic::builder().api_key("none").max_retries(0);
                Arc::new(builder.base_url(url).build().unwrap())
            }
            Wire::Responses | Wire::Previous => {
                let builder = Responses::builder().api_key("none").max_retries(0);
                let builder = builder.previous_response_id(wire == Wire::Previous);
                Arc::new(builder.base_url(format!("{url}/v1")).build().unwrap())
            }
            Wire::Chat(server) => {
                let builder = Chat::builder().server(server).max_retries(0);
                Arc::new(builder.base_url(format!("{url}/v1")).build().unwrap())
            }
        };
        Self { provider, address }
    }
}
