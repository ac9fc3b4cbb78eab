//! [`Provider`]: a model behind an API, as the runner sees it.
//!
//! One method asks, streaming or not, so that a wrapper around a provider cannot lose the one or the other.

#[cfg(feature = "anthropic")]
pub mod anthropic;
#[cfg(feature = "http")]
mod asked;
#[cfg(feature = "http")]
mod blocks;
#[cfg(feature = "http")]
mod body;
#[cfg(feature = "http")]
mod codec;
#[cfg(feature = "http")]
mod failure;
#[cfg(feature = "http")]
mod fields;
mod from_env;
#[cfg(feature = "http")]
mod ids;
#[cfg(feature = "http")]
mod kept;
#[cfg(feature = "openai")]
pub mod openai;
#[cfg(feature = "http")]
mod output_field;
#[cfg(feature = "http")]
mod server_tool;
#[cfg(feature = "http")]
mod setup;
#[cfg(test)]
#[cfg(feature = "anthropic")]
mod test_server;
mod tool_change;

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

pub use self::from_env::provider_from_env;
pub use self::tool_change::ToolChange;
use crate::api::Api;
use crate::error::Error;
use crate::message::Message;
use crate::request::Request;
use crate::stream::ReplyStream;
use crate::tool::ToolDefinition;
use crate::toolkit::{Definitions, Entry};

/// A model behind an API: takes what is to be asked, gives what was answered.
///
/// haft's own are `anthropic::Anthropic`, `openai::Responses`, `openai::Chat`, and the models of
/// [`testing`](crate::testing). A wrapper
/// that logs, caches or chooses implements it over another provider, and one of one's own makes its
/// replies with [`Reply::new`](crate::Reply::new):
///
/// ```
/// use haft::{Api, ModelCall, Provider, ReplyStream};
///
/// #[derive(Debug)]
/// struct Logged<P>(P);
///
/// impl<P: Provider> Provider for Logged<P> {
///     fn api(&self) -> Api {
///         self.0.api()
///     }
///
///     fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
///         println!("asking {}", call.request().model);
///         self.0.send(call)
///     }
/// }
/// ```
pub trait Provider: fmt::Debug + Send + Sync {
    /// The API that it speaks.
    fn api(&self) -> Api;

    /// Asks the model once. Where [`ModelCall::is_streamed`], the reply is wanted as it arrives; else a whole one is
    /// enough. Nothing happens before the stream is first asked for an event, and a dropped one stops the request.
    fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a>;

    /// Reads a body of its API; see [`Request::from_body`].
    ///
    /// # Errors
    /// Where it is none; by default always.
    fn read_request(&self, body: Value) -> Result<Request, Error> {
        drop(body);
        Err(Error::request(format!(
            "a provider of the API `{}` reads no request bodies",
            self.api()
        )))
    }

    /// Whose own tools the model knows: those of its API, unless the server only speaks it. Tools that another one defines
    /// are ordinary functions, or left out. A wrapper gives that of the provider inside.
    fn tools_api(&self) -> Api {
        self.api()
    }

    /// A message that tells the model of tools that have come or gone in mid-run; none where the API has no such thing,
    /// and is sent another list of tools. A wrapper gives that of the provider inside.
    ///
    /// # Errors
    /// Where a definition cannot be sent.
    fn tool_changes(&self, changes: &[ToolChange]) -> Result<Option<Message>, Error> {
        let _ = changes;
        Ok(None)
    }

    /// The request that has the API put a summary in place of a history: what is asked next, but for what would be in
    /// the way of it. None where the API has no such thing. A wrapper gives that of the provider inside.
    ///
    /// # Errors
    /// Where the request asks for what does not go with it.
    fn compaction(
        &self,
        request: &Request,
        instructions: Option<&str>,
    ) -> Result<Option<Request>, Error> {
        let _ = (request, instructions);
        Ok(None)
    }
}

macro_rules! provider_behind_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<P: Provider + ?Sized> Provider for $pointer {
            fn api(&self) -> Api {
                (**self).api()
            }

            fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
                (**self).send(call)
            }

            fn read_request(&self, body: Value) -> Result<Request, Error> {
                (**self).read_request(body)
            }

            fn tools_api(&self) -> Api {
                (**self).tools_api()
            }

            fn tool_changes(&self, changes: &[ToolChange]) -> Result<Option<Message>, Error> {
                (**self).tool_changes(changes)
            }

            fn compaction(
                &self,
                request: &Request,
                instructions: Option<&str>,
            ) -> Result<Option<Request>, Error> {
                (**self).compaction(request, instructions)
            }
        }
    )*};
}

provider_behind_a_pointer!(Box<P>, Arc<P>, &P);

/// One exchange as a provider gets it: the request, and all tools that it offers.
///
/// ```
/// use haft::{Api, Message, ModelCall, Provider, Reply, ReplyStream, StopReason};
///
/// /// Says what it is told.
/// #[derive(Debug)]
/// struct Parrot;
///
/// impl Provider for Parrot {
///     fn api(&self) -> Api {
///         Api::new("parrot")
///     }
///
///     fn send<'a>(&'a self, call: ModelCall<'a>) -> ReplyStream<'a> {
///         let heard = call.request().messages.last().map(Message::text).unwrap_or_default();
///         let said = format!("{heard}! And I have {} tools!", call.functions().count());
///         let reply = Reply::new(Message::assistant(said), StopReason::EndTurn);
///         ReplyStream::from_future(async { Ok(reply) })
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ModelCall<'a> {
    request: &'a Request,
    definitions: &'a Definitions,
    is_streamed: bool,
    turn: usize,
    container: Option<&'a str>,
    is_for_summary: bool,
}

impl<'a> ModelCall<'a> {
    pub(crate) const fn new(request: &'a Request, definitions: &'a Definitions) -> Self {
        Self {
            request,
            definitions,
            is_streamed: false,
            turn: 0,
            container: None,
            is_for_summary: false,
        }
    }

    /// For a summary, by what [`Provider::compaction`] gives.
    pub(crate) const fn for_summary(mut self, is_for_summary: bool) -> Self {
        self.is_for_summary = is_for_summary;
        self
    }

    /// Whether a summary is asked for, and no reply.
    pub(crate) const fn is_for_summary(self) -> bool {
        self.is_for_summary
    }

    /// As a stream, or not.
    pub(crate) const fn streamed(mut self, is_streamed: bool) -> Self {
        self.is_streamed = is_streamed;
        self
    }

    /// As the one after so many replies.
    pub(crate) const fn after(mut self, replies: usize) -> Self {
        self.turn = replies;
        self
    }

    /// With the container of the provider's that the run has worked in.
    pub(crate) const fn in_container(mut self, container: Option<&'a str>) -> Self {
        self.container = container;
        self
    }

    /// What is asked. Its messages are the whole conversation.
    #[must_use]
    pub const fn request(self) -> &'a Request {
        self.request
    }

    /// Whether the reply is wanted as it arrives.
    #[must_use]
    pub const fn is_streamed(self) -> bool {
        self.is_streamed
    }

    /// How many replies the run has received before: 0 for the first. One that was cut counts where calls of it had
    /// [begun](crate::Runner::eager); so the number is of this request alone but for repetitions of it.
    #[must_use]
    pub const fn turn(self) -> usize {
        self.turn
    }

    /// The id of the provider's container that the run's last replies have worked in.
    #[must_use]
    pub const fn container(self) -> Option<&'a str> {
        self.container
    }

    /// The functions that the model may call, those of the toolkit and of the request.
    pub fn functions(self) -> impl Iterator<Item = &'a ToolDefinition> {
        self.definitions
            .entries()
            .iter()
            .filter_map(|entry| match entry {
                Entry::Function(definition) | Entry::Read(definition) => Some(definition),
                Entry::Native { .. } => None,
            })
    }

    pub(crate) const fn definitions(self) -> &'a Definitions {
        self.definitions
    }
}

/// How long a plain reply to a request may take, by the rule of the official SDKs: an hour for 128,000 tokens. `fields` are
/// those in which an option may say how many, and `default` is what they are where nothing says it.
#[cfg(feature = "http")]
fn longest_reply(request: &Request, fields: &[&str], default: u64) -> std::time::Duration {
    let mut options = fields
        .iter()
        .filter_map(|field| request.options.get(*field));
    let max_tokens = match options.next() {
        Some(option) => option.as_u64().unwrap_or_default(),
        None => request.max_tokens.unwrap_or(default),
    };
    std::time::Duration::from_secs(max_tokens.saturating_mul(3600) / 128_000)
}
