//! What the type beside a tool's function means: what has it, what clashes with it, and how to name
//! files.
//!
//! # Why there is one
//!
//! `#[tool]` leaves the function as it is, and puts a type of the same name beside it:
//!
//! ```
//! # use haft::tool;
//! /// Count the words of a text.
//! #[tool]
//! async fn count_words(text: String) -> usize {
//!     text.split_whitespace().count()
//! }
//! // ... and, from the macro:
//! // struct count_words {}
//! // impl Tool for count_words { .. }
//! # let _ = count_words {};
//! ```
//!
//! In Rust, functions live in one namespace and types in another, so both can be called
//! `count_words`. A path or an import brings whatever it finds in each, which here is both:
//!
//! ```
//! mod text {
//!     use haft::tool;
//!
//!     /// Count the words of a text.
//!     #[tool]
//!     pub async fn count_words(text: String) -> usize {
//!         text.split_whitespace().count()
//!     }
//! }
//!
//! use haft::{Toolkit, toolkit};
//! use text::count_words;
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! // The function ...
//! assert_eq!(count_words("to be".into()).await, 2);
//! // ... the type, as a toolkit wants it, by either path ...
//! let kit: Toolkit = toolkit![count_words];
//! let same: Toolkit = toolkit![text::count_words];
//! // ... its constants, and its only value.
//! assert_eq!(count_words::NAME, "count_words");
//! assert_eq!(count_words::DESCRIPTION, "Count the words of a text.");
//! let third: Toolkit = Toolkit::new().with(count_words {})?;
//! # Ok::<(), haft::Error>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The type has the function's visibility and its `#[cfg]`s, and is hidden in the docs: there is only
//! one thing there, the function.
//!
//! # What clashes
//!
//! What else has a name among the types of the module where the function stands: a struct, enum,
//! trait or alias, a module, and a crate that is named by its bare name there. The compiler says
//! which two, and underlines the function:
//!
//! ```compile_fail
//! # use haft::tool;
//! mod weather {}
//!
//! /// Get the weather.
//! #[tool]
//! async fn weather(city: String) -> String { // error: the name `weather` is defined multiple times
//!     city
//! }
//! ```
//!
//! Give one of the two another name. The model need not notice: `#[tool(name = "weather")]` is what
//! it reads, whatever the function is called.
//!
//! - **Files.** A file is a module, so a file with one tool is not named like the tool: put
//!   `get_weather` into `weather.rs`, or several tools into `tools.rs`. A re-export has the same
//!   clash: with `mod get_weather;`, `pub use get_weather::get_weather;` cannot stand beside it.
//! - **Crates.** A tool named `time` hides the crate `time` in its module; there, `::time` is the
//!   crate.
//! - **Primitive types.** `fn str` or `fn u8` would hide the real type from the whole module. That is
//!   an error of the macro, which says to rename the function.
//! - **The standard library.** `fn string`, `fn vec`, `fn result` are fine: Rust's types are written
//!   `String`, `Vec`, `Result`.
//! - **Glob imports.** A tool from `use tools::*` gives way to whatever the module itself has, as
//!   everything from a glob does, and then one of the two meanings may be missing without a word.
//!   Name tools when you import them.
//!
//! # In functions, macros and `impl` blocks
//!
//! A function inside a function body, or out of a `macro_rules!`, is a tool like any other; the type
//! stands beside it there. In an `impl` block no type can be declared, so the methods of a
//! [`#[tools]`](macro@crate::tools) block have none, and cannot be named in [`toolkit!`](crate::toolkit!): their toolkit
//! comes as a whole.
//!
//! # What rustc does not tell
//!
//! The type uses the function, so a tool that no toolkit has is not reported as unused, even where it
//! is private.
