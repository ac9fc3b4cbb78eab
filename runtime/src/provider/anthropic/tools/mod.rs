//! The tools that Anthropic defines, in every version.
//!
//! Those that the program runs are constants with the type of their input, for `#[tool(provider = ...)]`:
//!
//! | constant | input | name on the wire |
//! |---|---|---|
//! | [`BASH_20241022`], [`BASH_20250124`] | [`BashCommand`] | `bash` |
//! | [`TEXT_EDITOR_20241022`], [`TEXT_EDITOR_20250124`] | [`UndoableEditorCommand`] | `str_replace_editor` |
//! | [`TEXT_EDITOR_20250429`], [`TEXT_EDITOR_20250728`] | [`TextEditorCommand`] | `str_replace_based_edit_tool` |
//! | [`MEMORY_20250818`] | [`MemoryCommand`] | `memory` |
//! | [`COMPUTER_20241022`] | [`ComputerAction20241022`] | `computer` |
//! | [`COMPUTER_20250124`] | [`ComputerAction20250124`] | `computer` |
//! | [`COMPUTER_20251124`] | [`ComputerAction20251124`] | `computer` |
//!
//! The toolsets, [`ComputerToolset`] and [`BrowserToolset`], have a trait with a method for each member. [`ComputerUse`] is
//! the single computer tool over the same trait.
//!
//! The fields that all definitions take are [options](crate::ToolDefinition::option): `cache_control`, `defer_loading`,
//! `allowed_callers`, `input_examples`, and `strict` by [`strict`](crate::ToolDefinition::strict).

/// Declares the commands that change files: those that all such tools have, and those of this one. What is said of the
/// whole schema, of the path that is viewed, and of the text that is put in, differs.
macro_rules! editing_commands {
    (
        $(#[$about:meta])*
        $name:ident {
            schema: #[$schema:meta],
            path: #[$path:meta],
            insert_text: #[$insert_text:meta],
            $($own:tt)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(crate = "::serde", tag = "command", rename_all = "snake_case", deny_unknown_fields)]
        #[$schema]
        #[non_exhaustive]
        pub enum $name {
            /// Show a file, or what is in a directory.
            View {
                /// The file or directory to show.
                #[$path]
                path: String,
                /// The first and the last line to show of a file, counted from 1; -1 as the last is the end.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                view_range: Option<[i64; 2]>,
            },
            /// Make a file.
            Create {
                /// The file to make.
                path: String,
                /// What is to stand in it.
                file_text: String,
            },
            /// Replace a text that stands in a file just once.
            StrReplace {
                /// The file to change.
                path: String,
                /// The text to replace, exactly as it stands there.
                old_str: String,
                /// The text to put in its place; nothing if left out.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                new_str: Option<String>,
            },
            /// Put text between the lines of a file.
            Insert {
                /// The file to change.
                path: String,
                /// The line behind which the text goes; 0 is the beginning.
                insert_line: i64,
                /// The text to put in.
                #[$insert_text]
                insert_text: String,
            },
            $($own)*
        }
    };
}

mod bash;
mod browser_inputs;
mod browser_state;
mod browser_toolset;
mod computer;
mod computer_toolset;
mod computer_use;
mod memory;
mod server;
mod text_editor;
mod toolset;

pub use self::bash::{BASH_20241022, BASH_20250124, BashCommand};
pub use self::browser_inputs::{
    Coordinate, ElementRef, FileUpload, Find, FormInput, FormValue, Hover, InTab, Navigate,
    PageClick, PageDrag, PageFilter, PageHeldKey, PageKey, PagePause, PagePoint, PageRegion,
    PageScroll, PageText, ReadPage, ScrollTo, Tab, Target,
};
pub use self::browser_state::{BrowserState, StateChange, TabState};
pub use self::browser_toolset::{Browser, BrowserToolset, Navigated};
pub use self::computer::{
    COMPUTER_20241022, COMPUTER_20250124, COMPUTER_20251124, ComputerAction,
    ComputerAction20241022, ComputerAction20250124, ComputerAction20251124, ComputerTool,
    ScrollDirection,
};
pub use self::computer_toolset::{
    Click, Computer, ComputerToolset, Drag, HeldKey, KeyPress, MouseMove, NoInput, Pause, Point,
    Region, Scroll, TypedText,
};
pub use self::computer_use::ComputerUse;
pub use self::memory::{MEMORY_20250818, MemoryCommand};
pub use self::server::{
    Advisor, CodeExecution, McpToolset, ResponseInclusion, ServerTool, ToolSearchBm25,
    ToolSearchRegex, UserLocation, WebFetch, WebSearch,
};
pub use self::text_editor::{
    TEXT_EDITOR_20241022, TEXT_EDITOR_20250124, TEXT_EDITOR_20250429, TEXT_EDITOR_20250728,
    TextEditorCommand, UndoableEditorCommand,
};
pub use self::toolset::NotAvailable;
use super::API;
use crate::tool::ProviderTool;

/// A tool of this API that the program runs.
const fn client<I>(
    kind: &'static str,
    wire_name: &'static str,
    betas: &'static [&'static str],
) -> ProviderTool<I> {
    ProviderTool::new(API, kind, wire_name).with_betas(betas)
}
