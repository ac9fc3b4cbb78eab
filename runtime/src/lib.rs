#![doc = include_str!("../../README.md")]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod arguments;
mod dispatch;
mod error;
mod json;
mod message;
mod provider;
mod request;
mod runner;
mod schema;
pub mod testing;
mod tool;
mod toolkit;
#[cfg(feature = "http")]
mod transport;

pub use futures_util::{Stream, StreamExt};
pub use haft_macros::{argument, tool};
pub use {schemars, serde, serde_json};

pub use self::error::{Error, ErrorKind, ToolError};
pub use self::json::RawJson;
pub use self::message::{
    Content, Document, Image, Message, Other, Refusal, Reply, Role, SearchResult, Source,
    StopReason, Text, Thinking, ToolCall, ToolResult, Usage,
};
#[cfg(feature = "anthropic")]
pub use self::provider::anthropic;
pub use self::provider::{Api, ModelCall, Provider, ProviderFuture, provider_from_env};
pub use self::request::{Request, ToolChoice};
pub use self::runner::{Decision, End, Outcome, Runner};
pub use self::tool::{
    Call, CallContext, FunctionTool, IntoToolOutput, Json, Tool, ToolDefinition, ToolFuture,
    ToolHandler, ToolOutput, ToolReturn,
};
pub use self::toolkit::Toolkit;
