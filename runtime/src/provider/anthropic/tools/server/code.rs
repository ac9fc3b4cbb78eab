//! Code in a container, and the search for tools.

use super::{server_definition, server_tool_methods};
use crate::anthropic::betas;
use crate::tool::ToolDefinition;

server_tool! {
    /// Runs code in a container of the API.
    ///
    /// ```
    /// use haft::anthropic::tools::CodeExecution;
    ///
    /// let code = CodeExecution::version_20260521().named("sandbox")?;
    /// assert_eq!(code.definition().name(), "sandbox");
    /// # Ok::<(), haft::Error>(())
    /// ```
    CodeExecution = "code_execution" {
        /// It needs a beta header, which is sent by itself.
        version_20250522 = "code_execution_20250522" [betas::CODE_EXECUTION];
        version_20250825 = "code_execution_20250825";
        version_20260120 = "code_execution_20260120";
        version_20260521 = "code_execution_20260521";
    }
}

server_tool! {
    /// Finds tools that are offered with `defer_loading`, by a regular expression.
    ///
    /// ```
    /// use haft::anthropic::tools::ToolSearchRegex;
    ///
    /// assert_eq!(ToolSearchRegex::version_20251119().definition().name(), "tool_search_tool_regex");
    /// ```
    ToolSearchRegex = "tool_search_tool_regex" {
        version_20251119 = "tool_search_tool_regex_20251119";
        /// The newest one.
        latest = "tool_search_tool_regex";
    }
}

server_tool! {
    /// Finds tools that are offered with `defer_loading`, by words.
    ///
    /// ```
    /// use haft::anthropic::tools::ToolSearchBm25;
    ///
    /// assert_eq!(ToolSearchBm25::version_20251119().definition().name(), "tool_search_tool_bm25");
    /// ```
    ToolSearchBm25 = "tool_search_tool_bm25" {
        version_20251119 = "tool_search_tool_bm25_20251119";
        /// The newest one.
        latest = "tool_search_tool_bm25";
    }
}
