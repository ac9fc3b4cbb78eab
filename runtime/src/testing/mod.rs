//! Models in the process, so that a program with tools runs and is tested without a key or a network.
//!
//! [`ScriptedModel`] says what a test tells it to; [`TestModel`] calls each tool once, for a first look at a program.

mod sample;
mod scripted;
mod test_model;

pub use self::scripted::{ScriptedModel, ScriptedReply};
pub use self::test_model::TestModel;
