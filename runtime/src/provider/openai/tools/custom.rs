//! Tools that take a text: code, a query, anything that is no JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::API;
use crate::tool::{Field, Naming, ProviderTool};

/// A tool of the program's own that takes a text as the model writes it, and no JSON. Its name and its description are
/// the function's.
///
/// ```
/// use haft::openai::tools::{CUSTOM, FreeText};
/// use haft::tool;
///
/// /// Run a query on the sales database. Reads only.
/// #[tool(provider = CUSTOM)]
/// async fn query(sql: FreeText) -> String {
///     format!("0 rows for {}", sql.input)
/// }
///
/// /// Say when to remind the user.
/// #[tool(provider = CUSTOM.regex("^[0-9]{2}:[0-9]{2}$"))]
/// async fn remind_at(time: FreeText) -> String {
///     time.input
/// }
/// ```
///
/// Other APIs have no such tools: there it is a function with one argument, `input`.
pub const CUSTOM: ProviderTool<FreeText> =
    ProviderTool::new(API, "custom", "").with_naming(Naming::Own);

/// The text that a [`CUSTOM`] tool is called with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::serde", deny_unknown_fields)]
#[non_exhaustive]
pub struct FreeText {
    /// The text.
    pub input: String,
}

impl ProviderTool<FreeText> {
    /// Whose text is of a grammar in the syntax of Lark.
    ///
    /// ```
    /// use haft::openai::tools::CUSTOM;
    ///
    /// let sum = CUSTOM.lark("start: NUMBER \"+\" NUMBER\nNUMBER: /[0-9]+/");
    /// ```
    #[must_use]
    pub const fn lark(self, grammar: &'static str) -> Self {
        let syntax = "lark";
        self.with_field("format", Field::Grammar(syntax, grammar))
    }

    /// Whose text fits a regular expression.
    #[must_use]
    pub const fn regex(self, pattern: &'static str) -> Self {
        let syntax = "regex";
        self.with_field("format", Field::Grammar(syntax, pattern))
    }
}
