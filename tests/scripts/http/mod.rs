//! Scripts over HTTP: what the model answers goes as bytes through a server to the provider of an API, and what that
//! provider tells is what the runner gets. What arrives at the server is judged by the rules of that API.

mod answer;
mod anthropic;
mod calling;
mod chat;
mod desk;
mod judges;
mod line;
mod responses;
mod stored;
mod writer;

pub(crate) use self::calling::Calling;
pub(crate) use self::desk::Post;
pub(crate) use self::line::{Line, Wire};
