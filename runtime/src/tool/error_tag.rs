//! How the error of a tool's function becomes a [`ToolError`]: chosen by method resolution, where
//! its type is known.
//!
//! An expansion has an `error: ErrorTag<E>` and says `(&&&&&error).__kind().convert(error.0)`. The
//! compiler tries the receiver's type with all its references first, and takes references off until
//! a trait fits. So the trait for the most references wins: [`FromToolError`], then [`FromError`],
//! then [`FromBoxed`], then [`FromDisplay`], and last [`FromUnknown`], which fits anything and fails
//! with a readable error. `__kind`, because a user's trait for all types could have a `kind`.

use std::error::Error as StdError;
use std::fmt::Display;

use super::ToolError;

/// The error whose kind is asked for.
#[derive(Debug)]
pub struct ErrorTag<E>(pub E);

/// A [`ToolError`] is one already.
#[derive(Debug)]
pub struct IsToolError;

/// An error with sources.
#[derive(Debug)]
pub struct IsError;

/// A boxed error, or one of anyhow's.
#[derive(Debug)]
pub struct IsBoxed;

/// Something that can be printed.
#[derive(Debug)]
pub struct IsDisplay;

/// Something that cannot be told.
#[derive(Debug)]
pub struct IsUnknown;

/// For [`ToolError`].
pub trait FromToolError {
    /// Its kind.
    fn __kind(&self) -> IsToolError {
        IsToolError
    }
}

impl FromToolError for &&&&ErrorTag<ToolError> {}

impl IsToolError {
    /// The error itself.
    #[must_use]
    pub fn convert(self, error: ToolError) -> ToolError {
        error
    }
}

/// For any `std::error::Error`.
pub trait FromError {
    /// Its kind.
    fn __kind(&self) -> IsError {
        IsError
    }
}

impl<E: StdError + Send + Sync + 'static> FromError for &&&ErrorTag<E> {}

impl IsError {
    /// Its message and those of its sources.
    pub fn convert<E: StdError + Send + Sync + 'static>(self, error: E) -> ToolError {
        ToolError::from_error(error)
    }
}

/// For anyhow's errors and boxed ones, which are no `std::error::Error` but hold one.
pub trait FromBoxed {
    /// Its kind.
    fn __kind(&self) -> IsBoxed {
        IsBoxed
    }
}

impl<E: Into<Box<dyn StdError + Send + Sync>> + AsRef<dyn StdError + Send + Sync>> FromBoxed
    for &&ErrorTag<E>
{
}

impl IsBoxed {
    /// Its message and those of its sources.
    pub fn convert<E: Into<Box<dyn StdError + Send + Sync>>>(self, error: E) -> ToolError {
        ToolError::from_error(error)
    }
}

/// For anything that can be printed, such as `String`.
pub trait FromDisplay {
    /// Its kind.
    fn __kind(&self) -> IsDisplay {
        IsDisplay
    }
}

impl<E: Display> FromDisplay for &ErrorTag<E> {}

impl IsDisplay {
    /// What it prints.
    pub fn convert<E: Display>(self, error: E) -> ToolError {
        ToolError::new(error.to_string())
    }
}

/// For everything else: fits, so that the error speaks of the type and not of missing methods.
pub trait FromUnknown {
    /// Its kind.
    fn __kind(&self) -> IsUnknown {
        IsUnknown
    }
}

impl<E> FromUnknown for ErrorTag<E> {}

/// An error that the model can be told.
#[diagnostic::on_unimplemented(
    message = "the model cannot be told the error `{Self}`",
    label = "this error cannot be printed",
    note = "implement `std::error::Error` or `std::fmt::Display` for it, or return `haft::ToolError`"
)]
pub trait ErrorForModel {}

impl IsUnknown {
    /// Never compiles; its bound is the message.
    pub fn convert<E: ErrorForModel>(self, _: E) -> ToolError {
        ToolError::new("")
    }
}
