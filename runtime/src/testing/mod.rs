//! Models in the process, so that a program with tools runs and is tested without a key or a network.
//!
//! [`ScriptedModel`] says what a test tells it to; [`TestModel`] calls each tool once, for a first look at a program.
//! [`check`] finds what is wrong with the declarations of tools, where the compiler cannot.

mod check;
mod sample;
mod scripted;
mod scripted_reply;
mod test_model;

pub use self::check::check;
pub use self::scripted::ScriptedModel;
pub use self::scripted_reply::ScriptedReply;
pub use self::test_model::TestModel;
