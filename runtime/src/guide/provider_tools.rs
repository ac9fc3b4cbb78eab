//! Tools that an API defines: the model knows them by itself, and the request names them by a type such as
//! `memory_20250818`.
//!
//! | who runs it | which | how it is declared |
//! |---|---|---|
//! | the program | memory, text editor, bash, computer | `#[tool(provider = ...)]`, or a ready handler of `haft::handlers` |
//! | the program, by members | the computer and the browser [toolset](crate::anthropic::tools::ComputerToolset) | a trait with a method for each member |
//! | the API | web search and fetch, code execution, tool search, advisor, MCP | [`WebSearch`](crate::anthropic::tools::WebSearch) and others, in the toolkit or the request |
//!
//! [`anthropic::tools`](crate::anthropic::tools) has all of them, in every version. The betas that some need are sent by
//! themselves. `openai::tools` has those of OpenAI's Responses: shell, patch, computer and free text, which the program
//! runs, and web and file search, code interpreter, image generation and MCP, which the API does.
//!
//! # A handler
//!
//! The function takes the tool's input as its one argument by value. Another type does not compile. What the program
//! gives is taken by reference, as in every tool:
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::sync::Mutex;
//!
//! use haft::anthropic::tools::{MEMORY_20250818, MemoryCommand};
//! use haft::{Toolkit, tool, toolkit};
//!
//! #[derive(Default)]
//! struct Store(Mutex<BTreeMap<String, String>>);
//!
//! /// Notes kept between conversations.
//! #[tool(provider = MEMORY_20250818)]
//! async fn notes(store: &Store, command: MemoryCommand) -> Result<String, String> {
//!     let mut files = store.0.lock().unwrap();
//!     match command {
//!         MemoryCommand::Create { path, file_text } => {
//!             files.insert(path.clone(), file_text);
//!             Ok(format!("File created successfully at: {path}"))
//!         }
//!         MemoryCommand::View { path, .. } => {
//!             files.get(&path).cloned().ok_or_else(|| format!("there is no {path}"))
//!         }
//!         other => Err(format!("{other:?} is not there yet")),
//!     }
//! }
//!
//! let kit: Toolkit = toolkit![notes].with_state(Store::default());
//! # assert_eq!(kit.len(), 1);
//! ```
//!
//! A required field that the model has left out is an error that names it, and the handler is not called. What may be left
//! out is an `Option`, and is absent when it is written.
//!
//! # Two names
//!
//! `notes` is the tool's own name: its key in the toolkit, and what events, hooks and results tell. `memory` is its name on
//! the wire. They are mapped in every direction: in definitions, in [`ToolChoice::Tool`](crate::ToolChoice), in the history,
//! in replies and streams, and in what the model is told, such as `Tool 'memory' timed out`.
//! [`ToolCall::wire_name`](crate::ToolCall::wire_name) gives the second one.
//!
//! OpenAI knows most of its tools by their type and gives them no name; there, the type is what stands on the wire. A tool
//! that takes a free text (`openai::tools::CUSTOM`) has the program's name.
//!
//! Two tools that would have one name on the wire are an error before anything is sent: two versions of a tool, or one of
//! the API's beside a function of that name.
//!
//! # At another API
//!
//! One toolkit may serve several APIs:
//!
//! - a tool that the program runs is an ordinary function there, by its own name, with its description and a schema of
//!   its commands;
//! - a tool that the other API runs is left out;
//! - a toolset is an error, since it has no schema. Leave it out, by [`Toolkit::remove`](crate::Toolkit::remove).
//!
//! # Tools that come and go
//!
//! [`Runner::add_tools`](crate::Runner::add_tools) and [`remove_tools`](crate::Runner::remove_tools) change a run's toolkit
//! between two turns. Anthropic is told in a message behind the results, so that its cache of the tools stays good.
