//! The names of the API's betas, for [`Builder::beta`](super::Builder::beta).
//!
//! What tools, typed options and messages need is sent by itself; these are for the rest, such as larger contexts.
//!
//! ```
//! use haft::anthropic::{Anthropic, betas};
//!
//! let claude = Anthropic::builder().api_key("sk-ant-...").beta(betas::CONTEXT_1M).build()?;
//! # Ok::<(), haft::Error>(())
//! ```

/// Declares the names, each with what it turns on.
macro_rules! betas {
    ($($(#[$about:meta])* $name:ident = $value:literal;)+) => {
        $(
            $(#[$about])*
            #[doc = concat!("\n\n`", $value, "`")]
            pub const $name: &str = $value;
        )+
    };
}

betas! {
    /// A model that the model asks: sent by itself with its tool.
    ADVISOR_TOOL = "advisor-tool-2026-03-01";
    /// Why a cache was missed.
    CACHE_DIAGNOSIS = "cache-diagnosis-2026-04-07";
    /// The first code execution: sent by itself with its tool.
    CODE_EXECUTION = "code-execution-2025-05-22";
    /// Compaction as an edit of the context: sent by itself.
    COMPACT_EDIT = "compact-2026-01-12";
    /// Compaction by request: sent by itself.
    COMPACT = "compact-2026-09-04";
    /// The tools of October 2024: sent by itself with them.
    COMPUTER_USE_2024_10_22 = "computer-use-2024-10-22";
    /// The computer tool of January 2025: sent by itself with it.
    COMPUTER_USE_2025_01_24 = "computer-use-2025-01-24";
    /// The computer tool of November 2025: sent by itself with it.
    COMPUTER_USE_2025_11_24 = "computer-use-2025-11-24";
    /// A context of a million tokens.
    CONTEXT_1M = "context-1m-2025-08-07";
    /// Edits of the context: sent by itself.
    CONTEXT_MANAGEMENT = "context-management-2025-06-27";
    /// Caches that last an hour, on models that do not have them otherwise.
    EXTENDED_CACHE_TTL = "extended-cache-ttl-2025-04-11";
    /// Credit for what a fallback costs: sent by itself.
    FALLBACK_CREDIT = "fallback-credit-2026-07-01";
    /// Faster answers: sent by itself with `speed`.
    FAST_MODE = "fast-mode-2026-02-01";
    /// Files that were uploaded before: sent by itself.
    FILES_API = "files-api-2025-04-14";
    /// Arguments that stream unchecked, on models before tools had `eager_input_streaming`.
    FINE_GRAINED_TOOL_STREAMING = "fine-grained-tool-streaming-2025-05-14";
    /// Definitions inside of messages: sent by itself when tools come and go.
    INLINE_TOOLS = "inline-tools-2026-09-15";
    /// Thinking between tools, with a budget.
    INTERLEAVED_THINKING = "interleaved-thinking-2025-05-14";
    /// MCP servers that the API connects to: sent by itself.
    MCP_CLIENT = "mcp-client-2025-11-20";
    /// Listings of an MCP server's tools.
    MCP_CLIENT_LISTING = "mcp-client-2026-09-15";
    /// Message threads: sent by itself.
    MESSAGE_THREADS = "message-threads-2026-08-12";
    /// What is said of output in mid-conversation: sent by itself.
    MID_CONVERSATION_OUTPUT_CONFIG = "mid-conversation-output-config-2026-07-01";
    /// Messages of the system that go away: sent by itself.
    MID_CONVERSATION_SYSTEM_CLEAR_AT = "mid-conversation-system-clear-at-2026-08-21";
    /// Tools that come and go: sent by itself.
    MID_CONVERSATION_TOOL_CHANGES = "mid-conversation-tool-changes-2026-07-01";
    /// The stop reason of a full context, on models before Sonnet 4.5.
    MODEL_CONTEXT_WINDOW_EXCEEDED = "model-context-window-exceeded-2025-08-26";
    /// Replies of 128,000 tokens, on models that do not have them otherwise.
    OUTPUT_128K = "output-128k-2025-02-19";
    /// Replies of 300,000 tokens.
    OUTPUT_300K = "output-300k-2026-03-24";
    /// Another model where one refuses: sent by itself.
    SERVER_SIDE_FALLBACK = "server-side-fallback-2026-07-01";
    /// Skills of a container: sent by itself.
    SKILLS = "skills-2025-10-02";
    /// Answers and arguments in a form, on models that do not have them otherwise.
    STRUCTURED_OUTPUTS = "structured-outputs-2025-11-13";
    /// Budgets of tokens for a task: sent by itself.
    TASK_BUDGETS = "task-budgets-2026-03-13";
    /// What becomes of thinking that does not fit: sent by itself.
    THINKING_BINDING_CONTROLS = "thinking-binding-controls-2026-08-01";
    /// Words on where thinking stands: sent by itself.
    THINKING_DISPLAY_UPDATES = "thinking-display-updates-2026-08-18";
    /// How many tokens thinking has, while it streams.
    THINKING_TOKEN_COUNT = "thinking-token-count-2026-05-13";
    /// Calls in fewer tokens, on old models.
    TOKEN_EFFICIENT_TOOLS = "token-efficient-tools-2025-02-19";
}

/// What a request needs that offers a tool of this type.
pub(super) fn of_tool(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "advisor_20260301" => ADVISOR_TOOL,
        "bash_20241022" | "computer_20241022" | "text_editor_20241022" => COMPUTER_USE_2024_10_22,
        "code_execution_20250522" => CODE_EXECUTION,
        "computer_20250124" => COMPUTER_USE_2025_01_24,
        "computer_20251124" => COMPUTER_USE_2025_11_24,
        "mcp_toolset" => MCP_CLIENT,
        _ => return None,
    })
}
