//! [`Provider`]: a model behind an API, as the runner sees it.

#[cfg(feature = "anthropic")]
pub mod anthropic;
mod from_env;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;

pub use self::from_env::provider_from_env;
use crate::api::Api;
use crate::error::Error;
use crate::message::Reply;
use crate::request::Request;
use crate::tool::ToolDefinition;
use crate::toolkit::{Definitions, Entry};

/// The future of one exchange with a model.
///
/// Boxed, so that providers of different kinds stand behind `dyn Provider`. `Box::pin(async move
/// ..)` makes one; it may borrow the provider and what is asked.
///
/// ```
/// use haft::{Api, ModelCall, Provider, ProviderFuture};
///
/// /// Two servers of one API: the second answers where the first cannot.
/// #[derive(Debug)]
/// struct Either<P>(P, P);
///
/// impl<P: Provider> Provider for Either<P> {
///     fn api(&self) -> Api {
///         self.0.api()
///     }
///
///     fn send<'a>(&'a self, call: ModelCall<'a>) -> ProviderFuture<'a> {
///         Box::pin(async move {
///             match self.0.send(call).await {
///                 Err(error) if error.is_retryable() => self.1.send(call).await,
///                 answer => answer,
///             }
///         })
///     }
/// }
/// ```
pub type ProviderFuture<'a> = Pin<Box<dyn Future<Output = Result<Reply, Error>> + Send + 'a>>;

/// A model behind an API: takes what is to be asked, gives what was answered.
///
/// haft's own are `anthropic::Anthropic` and the models of [`testing`](crate::testing). A wrapper
/// that logs, caches or chooses implements it over another provider, and one of one's own makes its
/// replies with [`Reply::new`]:
///
/// ```
/// use haft::{Api, ModelCall, Provider, ProviderFuture};
///
/// #[derive(Debug)]
/// struct Logged<P>(P);
///
/// impl<P: Provider> Provider for Logged<P> {
///     fn api(&self) -> Api {
///         self.0.api()
///     }
///
///     fn send<'a>(&'a self, call: ModelCall<'a>) -> ProviderFuture<'a> {
///         println!("asking {}", call.request().model);
///         self.0.send(call)
///     }
/// }
/// ```
pub trait Provider: fmt::Debug + Send + Sync {
    /// The API that it speaks.
    fn api(&self) -> Api;

    /// Asks the model once, and gives its whole reply.
    fn send<'a>(&'a self, call: ModelCall<'a>) -> ProviderFuture<'a>;

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
}

macro_rules! provider_behind_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<P: Provider + ?Sized> Provider for $pointer {
            fn api(&self) -> Api {
                (**self).api()
            }

            fn send<'a>(&'a self, call: ModelCall<'a>) -> ProviderFuture<'a> {
                (**self).send(call)
            }

            fn read_request(&self, body: Value) -> Result<Request, Error> {
                (**self).read_request(body)
            }
        }
    )*};
}

provider_behind_a_pointer!(Box<P>, Arc<P>, &P);

/// One exchange as a provider gets it: the request, and all tools that it offers.
///
/// ```
/// use haft::{Api, Message, ModelCall, Provider, ProviderFuture, Reply, StopReason};
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
///     fn send<'a>(&'a self, call: ModelCall<'a>) -> ProviderFuture<'a> {
///         let heard = call.request().messages.last().map(Message::text).unwrap_or_default();
///         let said = format!("{heard}! And I have {} tools!", call.functions().count());
///         let reply = Reply::new(Message::assistant(said), StopReason::EndTurn);
///         Box::pin(async { Ok(reply) })
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ModelCall<'a> {
    request: &'a Request,
    definitions: &'a Definitions,
}

impl<'a> ModelCall<'a> {
    pub(crate) const fn new(request: &'a Request, definitions: &'a Definitions) -> Self {
        Self {
            request,
            definitions,
        }
    }

    /// What is asked. Its messages are the whole conversation.
    #[must_use]
    pub const fn request(self) -> &'a Request {
        self.request
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

    #[cfg_attr(
        not(feature = "http"),
        allow(dead_code, reason = "only codecs of APIs look at it")
    )]
    pub(crate) const fn definitions(self) -> &'a Definitions {
        self.definitions
    }
}
