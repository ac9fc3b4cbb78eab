//! [`Speaks`]: what is special about an API, as far as a play has to know it.

use haft::serde_json::Value;
use haft::{Error, Provider};

use super::tools::Function;
use super::{anthropic, chat, responses};
use crate::equality::{Difference, equal};
use crate::recording::{Api, Exchange, RecordedRequest};
use crate::server::ServerReply;

/// What is special about an API.
pub(super) trait Speaks: Sync {
    /// Its name in haft.
    fn api(&self) -> haft::Api;

    /// What stands between the address of a server and the methods that the provider adds.
    fn path(&self) -> &'static str;

    /// A provider for a server under test, set up as `whose` server wants it.
    ///
    /// # Errors
    /// Where it cannot be set up.
    fn provider(
        &self,
        base_url: &str,
        whose: &str,
        recorded: Option<&RecordedRequest>,
        max_retries: usize,
    ) -> Result<Box<dyn Provider>, Error>;

    /// The function tools of a body.
    fn functions(&self, body: &Value) -> Vec<Function>;

    /// A recorded answer in the other mode: a body as the stream that the API would send, a stream as its body.
    ///
    /// # Errors
    /// Where there is none.
    fn turned(&self, exchange: &Exchange) -> Result<ServerReply, String>;

    /// A whole reply in which nothing is said.
    fn nothing(&self) -> Value;

    /// What the model says in a reply.
    fn turn<'a>(&self, reply: &'a Value) -> Option<&'a Value>;

    /// Whether what a stream adds up to is the turn that was recorded.
    ///
    /// # Errors
    /// What differs.
    fn is_turn(&self, recorded: &Value, got: &Value) -> Result<(), Difference>;

    /// Whether a reply is the recorded one, which came in the other mode.
    ///
    /// # Errors
    /// What differs.
    fn is_reply(&self, recorded: &Value, got: &Value) -> Result<(), Difference> {
        equal(recorded, got)
    }

    /// What the neutral form of a reply must say: `blocks`, `text`, `thinking`, `calls` of its turn, and, where all of it
    /// was recorded, `stop_reason`, `id`, `model`, `input` and `output`. What an API does not say is left out.
    fn neutral(&self, reply: &Value) -> Value;

    /// Whether the body of a request has a turn as it must go back.
    ///
    /// # Errors
    /// What differs.
    fn is_sent_back(&self, turn: &Value, body: &Value) -> Result<(), Difference>;

    /// The message of an error answer.
    fn message<'a>(&self, body: &'a Value) -> Option<&'a str>;

    /// The header with the id of a request.
    fn request_id(&self) -> &'static str;
}

/// How this API is spoken.
pub(super) fn speaks(api: Api) -> &'static dyn Speaks {
    match api {
        Api::AnthropicMessages => &anthropic::Messages,
        Api::OpenaiChat => &chat::Completions,
        Api::OpenaiResponses => &responses::Responses,
    }
}
