//! OpenAI's two APIs: [`Responses`], and [`Chat`], which many other servers speak.
//!
//! Both take the same toolkit and the same [`Request`](crate::Request), and a conversation may move from one to the other,
//! or to [`anthropic`](crate::anthropic), between any two turns.

mod chat;
mod credentials;
mod definitions;
mod failure;
mod media;
mod output;
mod responses;
pub mod tools;
mod written;

pub use self::chat::{Builder as ChatBuilder, Chat, Server};
pub use self::responses::{Builder as ResponsesBuilder, Responses};
use super::setup::is_in_env;

/// Whether the environment has a key, and whether it has a base URL, good or bad.
pub(crate) fn in_env() -> (bool, bool) {
    (
        is_in_env(credentials::KEY),
        is_in_env(credentials::BASE_URL),
    )
}
