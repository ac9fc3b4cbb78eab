//! What expansions name: re-exports and nothing else. Not for programs.

pub use crate::arguments::{Parameter, Parameters, parameter, read};
pub use crate::provide::Provide;
pub use crate::tool::{
    ErrorTag, FromBoxed, FromDisplay, FromError, FromToolError, FromUnknown, define, description,
    returned, text,
};
pub use crate::toolkit::{from_distinct, names_are_distinct};
