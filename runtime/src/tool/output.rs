//! [`ToolOutput`]: what a tool gives back, and which types of return value become one.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ToolError;
use crate::json::present_value;
use crate::message::{Content, ToolResult};

/// What a tool gives back: content for the model, perhaps a value for programs, perhaps marked as a
/// failure.
///
/// It is serde data, for keeping what was answered, with all that its methods give.
///
/// ```
/// use haft::{Content, ToolOutput};
///
/// let picture = Content::image("image/png", "iVBORw0KGgo=");
/// let chart = ToolOutput::new([Content::text("Sales, by month:"), picture]);
/// assert_eq!(chart.content().len(), 2);
/// assert!(ToolOutput::text("no such city").as_error().is_error());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolOutput {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    content: Vec<Content>,
    /// Boxed, because few have one, and all are handed on several times.
    #[serde(
        deserialize_with = "present_value",
        skip_serializing_if = "Option::is_none"
    )]
    structured: Option<Box<Value>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
}

impl ToolOutput {
    /// Content for the model.
    #[must_use]
    pub fn new(content: impl IntoIterator<Item = Content>) -> Self {
        Self {
            content: content.into_iter().collect(),
            structured: None,
            is_error: false,
        }
    }

    /// Text for the model; without any for the empty text, which APIs refuse.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            Self::default()
        } else {
            Self {
                content: vec![Content::text(text)],
                ..Self::default()
            }
        }
    }

    /// With a value for programs that look at the result.
    ///
    /// The model is not told it: the content is for the model, and may be shorter.
    ///
    /// ```
    /// use haft::{ToolOutput, tool, toolkit, Toolkit};
    /// use haft::serde_json::json;
    ///
    /// /// Count the users.
    /// #[tool]
    /// async fn count_users() -> ToolOutput {
    ///     ToolOutput::text("about 40").with_structured(json!({"active": 31, "idle": 8}))
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let kit: Toolkit = toolkit![count_users];
    /// let result = kit.call("count_users", json!({})).await;
    /// assert_eq!(result.text(), "about 40");
    /// assert_eq!(result.structured(), Some(&json!({"active": 31, "idle": 8})));
    /// # Ok::<(), haft::Error>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_structured(mut self, value: Value) -> Self {
        self.structured = Some(Box::new(value));
        self
    }

    /// Marked as a failure.
    ///
    /// For content that tells of a failure by itself; it goes to the model as it is. An `Err` is
    /// the usual way: its message is sent with `Error: ` before it.
    ///
    /// ```
    /// use haft::{ToolOutput, tool};
    ///
    /// /// Run the tests.
    /// #[tool]
    /// async fn run_tests() -> ToolOutput {
    ///     let (passed, log) = (false, "1 of 20 tests failed: parses_dates");
    ///     let output = ToolOutput::text(log);
    ///     if passed { output } else { output.as_error() }
    /// }
    /// ```
    #[must_use]
    pub fn as_error(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// The content.
    #[must_use]
    pub fn content(&self) -> &[Content] {
        &self.content
    }

    /// The value for programs.
    #[must_use]
    pub fn structured(&self) -> Option<&Value> {
        self.structured.as_deref()
    }

    /// Whether it tells of a failure.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    pub(crate) fn into_parts(self) -> (Vec<Content>, Option<Box<Value>>, bool) {
        (self.content, self.structured, self.is_error)
    }
}

/// A value that the model is told as JSON.
///
/// ```
/// use haft::{Json, serde::Serialize, tool};
///
/// #[derive(Serialize)]
/// #[serde(crate = "haft::serde")]
/// struct Issue {
///     number: u32,
/// }
///
/// /// List open issues.
/// #[tool]
/// async fn issues() -> Json<Vec<Issue>> {
///     Json(vec![Issue { number: 7 }])
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// What a tool can return, on success, so that the model can be told.
///
/// ```
/// use haft::{Content, IntoToolOutput, Json};
/// use haft::serde_json::json;
///
/// assert_eq!(21.5.into_tool_output()?.content(), [Content::text("21.5")]);
/// // Nothing to tell is a result without content.
/// assert!(None::<String>.into_tool_output()?.content().is_empty());
/// // `Json` keeps the value for programs, too.
/// let list = Json(vec![1, 2]).into_tool_output()?;
/// assert_eq!(list.content(), [Content::text("[1,2]")]);
/// assert_eq!(list.structured(), Some(&json!([1, 2])));
/// # Ok::<(), haft::ToolError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "the model cannot be given this",
    note = "return text, a number, `bool`, `()`, `haft::Content` or a `Vec` of it, `haft::ToolOutput`, `Option` of these",
    note = "wrap a value that implements `Serialize` in `haft::Json`, which tells it as JSON"
)]
pub trait IntoToolOutput {
    /// The output.
    ///
    /// # Errors
    /// Where the value cannot be told, such as a map with keys that JSON does not have.
    fn into_tool_output(self) -> Result<ToolOutput, ToolError>;
}

/// The same again, for a [`Hook`](crate::Hook) that changes a part of it.
impl From<&ToolResult> for ToolOutput {
    fn from(result: &ToolResult) -> Self {
        let mut output = Self::new(result.content().iter().cloned());
        output.structured = result.structured().cloned().map(Box::new);
        if result.is_error() {
            output = output.as_error();
        }
        output
    }
}

impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(self)
    }
}

impl IntoToolOutput for () {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::default())
    }
}

impl IntoToolOutput for Content {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::new([self]))
    }
}

impl IntoToolOutput for Vec<Content> {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::new(self))
    }
}

impl<T: IntoToolOutput> IntoToolOutput for Option<T> {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        self.map_or_else(|| Ok(ToolOutput::default()), T::into_tool_output)
    }
}

impl<T: Serialize> IntoToolOutput for Json<T> {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        let value = serde_json::to_value(&self.0).map_err(|error| {
            ToolError::new(format!("the result cannot be written as JSON: {error}"))
        })?;
        Ok(ToolOutput::text(value.to_string()).with_structured(value))
    }
}

impl IntoToolOutput for Value {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Json(self).into_tool_output()
    }
}

/// What a tool's function can return: an output, or a `Result` of one.
///
/// Split in two, so that the conversion of the error can be chosen where its type is known.
///
/// A type of one's own is returned by converting it to [`ToolOutput`], or, where the model is to
/// read it as JSON, in [`Json`]:
///
/// ```
/// use haft::{Content, ToolOutput, tool};
///
/// struct Chart {
///     title: String,
///     png: String,
/// }
///
/// impl From<Chart> for ToolOutput {
///     fn from(chart: Chart) -> Self {
///         Self::new([Content::text(chart.title), Content::image("image/png", chart.png)])
///     }
/// }
///
/// /// Draw the sales of a year.
/// #[tool]
/// async fn draw_sales(year: u16) -> Result<ToolOutput, std::io::Error> {
///     let chart = Chart { title: format!("Sales of {year}"), png: "iVBORw0KGgo=".into() };
///     Ok(chart.into())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "the model cannot be given this",
    note = "return text, a number, `bool`, `()`, `haft::Content` or a `Vec` of it, `haft::ToolOutput`, `Option` or `Result` of these",
    note = "wrap a value that implements `Serialize` in `haft::Json`, which tells it as JSON"
)]
pub trait ToolReturn {
    /// What is returned on success.
    type Ok: IntoToolOutput;
    /// What is returned on failure.
    type Err;

    /// The one or the other.
    ///
    /// # Errors
    /// The function's own error.
    fn into_result(self) -> Result<Self::Ok, Self::Err>;
}

impl<T: IntoToolOutput, E> ToolReturn for Result<T, E> {
    type Ok = T;
    type Err = E;

    fn into_result(self) -> Self {
        self
    }
}

/// Types that cannot fail. A blanket implementation would overlap with the one for `Result`.
macro_rules! infallible {
    ($($(#[$docs:meta])* [$($generics:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($generics)*> $crate::ToolReturn for $type {
            type Ok = Self;
            type Err = ::std::convert::Infallible;

            fn into_result(self) -> Result<Self, ::std::convert::Infallible> {
                Ok(self)
            }
        }
    )*};
}

pub(crate) use infallible;

infallible! {
    [] ToolOutput, [] (), [] Content, [] Vec<Content>, [T: IntoToolOutput] Option<T>, [T: Serialize] Json<T>, [] Value,
}

/// Types that are told as what they print.
macro_rules! told_as_text {
    ($($type:ty),*) => {
        $(impl IntoToolOutput for $type {
            fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
                Ok(ToolOutput::text(self.to_string()))
            }
        })*
        infallible! { $([] $type),* }
    };
}

told_as_text!(
    bool, char, f32, f64, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);
told_as_text!(
    &str,
    &String,
    Box<str>,
    std::sync::Arc<str>,
    std::borrow::Cow<'_, str>
);

// Not told through `to_string`, which would copy it.
impl IntoToolOutput for String {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::text(self))
    }
}

infallible! { [] String }
