//! The tools that OpenAI's Responses API defines.
//!
//! Those that the program runs are constants with the type of their input, for `#[tool(provider = ...)]`:
//!
//! | constant | input | a handler gives |
//! |---|---|---|
//! | [`SHELL`] | [`ShellCommands`] | [`ShellOutput`], or text |
//! | [`LOCAL_SHELL`] | [`LocalShellAction`] | text |
//! | [`APPLY_PATCH`] | [`PatchOperation`] | text; an error says that the patch does not fit |
//! | [`COMPUTER`], [`computer_use_preview`] | [`ComputerActions`] | a [`Screenshot`], or an image |
//! | [`CUSTOM`] | [`FreeText`] | anything |
//!
//! At another API, chat completions included, they are ordinary functions with the same input.
//!
//! Those that OpenAI runs are definitions: [`WebSearch`], [`FileSearch`], [`CodeInterpreter`], [`ImageGeneration`], [`Mcp`],
//! [`ToolSearch`], [`ProgrammaticToolCalling`], and [`ServerTool`] for any other. At another API they are left out.

mod apply_patch;
mod computer;
mod custom;
mod mcp;
mod server;
mod shell;

pub use self::apply_patch::{APPLY_PATCH, PatchOperation};
pub use self::computer::{
    COMPUTER, ComputerAction, ComputerActions, MouseButton, Place, SafetyCheck, Screen, Screenshot,
    computer_use_preview,
};
pub use self::custom::{CUSTOM, FreeText};
pub use self::mcp::{Mcp, McpApproval, answer_mcp_approval};
pub use self::server::{
    CodeInterpreter, FileSearch, ImageGeneration, ProgrammaticToolCalling, SearchContextSize,
    ServerTool, ToolSearch, UserLocation, WebSearch,
};
pub use self::shell::{
    CommandOutcome, CommandOutput, LOCAL_SHELL, LocalShellAction, SHELL, ShellCommands, ShellOutput,
};
use super::responses::API;
use crate::tool::{Naming, ProviderTool};

/// A tool that the program runs, and whose definition is its type.
const fn client<I>(kind: &'static str, wire_name: &'static str) -> ProviderTool<I> {
    ProviderTool::new(API, kind, wire_name).with_naming(Naming::ByType)
}
