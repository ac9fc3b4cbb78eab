//! The procedural macros of haft: tokens in, tokens out.
//!
//! Users reach them through the crate `haft`, which re-exports them. What they mean, with examples
//! that run, stands there on the re-exports (`runtime/src/lib.rs`), since a doctest of this crate
//! cannot see the runtime. Here is how they are built; `ARCHITECTURE.md` shows the flow from
//! attribute to expansion.
#![allow(
    missing_docs,
    reason = "rustdoc would add the docs here to those of the re-exports"
)]

mod args;
mod argument;
mod block;
mod bounds;
mod cfgs;
mod check;
mod doc;
mod entries;
mod errors;
mod expand;
mod item;
mod list;
mod model;
mod options;
mod runtime_path;
mod settings;
mod state;
mod time;
mod tool;
mod tools;
mod types;

#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod testing;

use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(args.into(), &item.into()).into()
}

#[proc_macro_attribute]
pub fn tools(args: TokenStream, item: TokenStream) -> TokenStream {
    tools::tools(args.into(), &item.into()).into()
}

#[proc_macro]
pub fn list(input: TokenStream) -> TokenStream {
    list::list(input.into()).into()
}

#[proc_macro_attribute]
pub fn argument(args: TokenStream, item: TokenStream) -> TokenStream {
    argument::argument(args.into(), &item.into()).into()
}

#[proc_macro_derive(State, attributes(state))]
pub fn state(item: TokenStream) -> TokenStream {
    state::state(item.into()).into()
}
