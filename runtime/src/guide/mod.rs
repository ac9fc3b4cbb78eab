//! Longer explanations, one page each. There is nothing to import here.
//!
//! - [`same_name_type`]: the type that `#[tool]` puts beside a function, what it clashes with, and how
//!   to name files.
//! - `provider_tools`: tools that an API defines (memory, text editor, bash, computer, web search), their names, ready
//!   handlers for them, and what changes at another API.
//! - [`how_a_run_ends`]: each [`Outcome`](crate::Outcome), what the history is then, what going on does, and what a
//!   program does; limits, and errors.
//! - [`cancelling_and_resuming`]: stopping a run at any point, keeping it as JSON, going on from there, and what a tool
//!   does to be stopped well.

pub mod cancelling_and_resuming;
pub mod how_a_run_ends;
#[cfg(feature = "anthropic")]
pub mod provider_tools;
pub mod same_name_type;
