//! `#[tools]`: the methods of an `impl` block as tools, over the type as their state.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;

use crate::args::{ToolArgs, ToolsArgs};
use crate::block::{ToolMember, ToolsItem};
use crate::errors::Errors;
use crate::expand::{self, Method};
use crate::model::{self, Home, Judged, ToolFn, ToolType};

/// Expands `#[tools(args)] item`.
pub(crate) fn tools(args: TokenStream, item: &TokenStream) -> TokenStream {
    match syn::parse2(item.clone()) {
        Ok(block) => on_block(args, &block),
        Err(error) => on_something_else(args, item, &error),
    }
}

/// The methods stay whatever is wrong, and so do the functions that give the toolkit.
fn on_block(args: TokenStream, block: &ToolsItem) -> TokenStream {
    let errors = Errors::about("`#[tools]`");
    let args = ToolsArgs::parse(args, &errors);
    let is_inherent = check_inherent(block, &errors);
    check_some(block, &errors);
    check_names(&args, block, &errors);
    let mut told = errors.into_compile_errors();
    let declared: Vec<_> = block
        .tools()
        .map(|tool| (tool, ToolType::new(args.runtime.clone(), &tool.item)))
        .collect();
    let mut names = HashSet::new();
    let methods: Vec<Method<'_>> = declared
        .iter()
        .map(|(tool, declared)| {
            let errors = Errors::about(tool.item.subject());
            let method = method(tool, declared, block, &mut names, &errors);
            told.extend(errors.into_compile_errors());
            (declared, method)
        })
        .collect();
    let beside = is_inherent
        .then(|| expand::expand_methods(&args.runtime, args.name.as_ref(), &block.head, &methods));
    quote!(#block #beside #told)
}

fn method<'a>(
    tool: &ToolMember,
    declared: &'a ToolType,
    block: &'a ToolsItem,
    names: &mut HashSet<String>,
    errors: &Errors,
) -> Result<ToolFn<'a>, Judged> {
    let args = ToolArgs::parse(tool.args.clone(), errors);
    let name = args.name.clone();
    let name = name.unwrap_or_else(|| model::name_of(&tool.item));
    // Two methods of one name are for the compiler to tell, or alternatives under `#[cfg]`.
    if !names.insert(name.value()) && args.name.is_some() {
        let rule = format!(
            "not have the name of another tool of the block, `{}`",
            name.value()
        );
        errors.must(&name, rule, "give one of them another name");
    }
    ToolFn::new(declared, Home::Block(&block.head), args, &tool.item, errors)
}

/// What has a trait's methods cannot have others.
fn check_inherent(block: &ToolsItem, errors: &Errors) -> bool {
    match &block.head.trait_ {
        None => true,
        Some((path, _)) => {
            let note = "make a block of methods that call those of the trait";
            errors.must(path, "not stand on the `impl` of a trait", note);
            false
        }
    }
}

/// A block without tools is one whose attributes were forgotten.
fn check_some(block: &ToolsItem, errors: &Errors) {
    if block.tools().next().is_none() {
        let rule = "stand on a block with at least one `#[tool]` method";
        let note = "write `#[tool]` above each method that the model may call";
        errors.must(&block.head.self_ty, rule, note);
    }
}

/// The functions that the block gets must not be there already.
fn check_names(args: &ToolsArgs, block: &ToolsItem, errors: &Errors) {
    let own = match &args.name {
        Some(name) => vec![name.to_string()],
        None => vec!["tools".to_owned(), "into_toolkit".to_owned()],
    };
    for tool in block.tools() {
        let ident = &tool.item.signature.ident;
        if own.iter().any(|name| ident == name) {
            let rule = format!("not stand on a block with a method `{ident}`");
            let note = format!(
                "it makes that one; rename the method, and write `#[tool(name = \"{ident}\")]`"
            );
            errors.must(ident, rule, note);
        }
    }
}

/// The item stays here too. What is wrong in the arguments can be told even so.
fn on_something_else(args: TokenStream, item: &TokenStream, error: &syn::Error) -> TokenStream {
    let errors = Errors::about("`#[tools]`");
    let note = "a function by itself has `#[tool]` alone";
    errors.must_at(error.span(), "stand on an `impl` block", note);
    ToolsArgs::parse(args, &errors);
    let errors = errors.into_compile_errors();
    quote!(#item #errors)
}
