//! What expansions name: re-exports and nothing else. Not for programs.

pub use haft_macros::list;
#[cfg(feature = "collect")]
pub use inventory::submit;

pub use crate::arguments::{
    FromText, Input, Items, Length, List, Number, Parameter, Parameters, Pattern, Probe,
    ProbeOtherwise, Range, ShowNothing, ShowSerialize, ShowUnit, ShowUnknown, Shown, ShownTag,
    Text, UnitEnum, Whole, from_text, must, parameter, read, whole, with_items, with_length,
    with_range,
};
pub use crate::json::json;
pub use crate::provide::Provide;
pub use crate::tool::{
    ErrorTag, FromBoxed, FromDisplay, FromError, FromToolError, FromUnknown, Owned, define,
    description, own, returned, run_blocking, text,
};
#[cfg(feature = "collect")]
pub use crate::toolkit::{Collected, collected};
pub use crate::toolkit::{Listed, Method, from_distinct, from_methods, is_distinct, method};
