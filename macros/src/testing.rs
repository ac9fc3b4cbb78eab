//! Runs the macros on source text, for tests.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, LitStr, Meta, MetaList};

use crate::argument::argument;
use crate::list::list;
use crate::state::state;
use crate::tool::tool;
use crate::tools::tools;

/// What the first `#[tool]`, `#[tools]`, `#[argument]` or `#[derive(State)]` of an item makes of it, or
/// what `toolkit![..]` becomes.
pub(crate) fn expand(source: &str) -> TokenStream {
    if let Some(tools) = source.trim().strip_prefix("toolkit![") {
        let input = format!("::haft; {}", tools.trim_end_matches(']'));
        return list(input.parse().expect("the source is tokens"));
    }
    let (attributes, item) = split
        .parse_str(source)
        .expect("the source starts with attributes");
    let (ours, others): (Vec<_>, Vec<_>) = attributes.into_iter().partition(is_ours);
    let [attribute] = ours.as_slice() else {
        panic!("one `#[tool]` or `#[argument]` is expected")
    };
    let args = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    };
    let item = others
        .iter()
        .map(Attribute::to_token_stream)
        .chain([item])
        .collect();
    match attribute.path().get_ident() {
        Some(name) if name == "tool" => tool(args, &item),
        Some(name) if name == "tools" => tools(args, &item),
        Some(name) if name == "derive" => state(item),
        _ => argument(args, &item),
    }
}

fn split(input: ParseStream<'_>) -> syn::Result<(Vec<Attribute>, TokenStream)> {
    Ok((input.call(Attribute::parse_outer)?, input.parse()?))
}

fn is_ours(attribute: &Attribute) -> bool {
    let is_state =
        |list: &MetaList| list.path.is_ident("derive") && list.tokens.to_string() == "State";
    match &attribute.meta {
        Meta::List(list) if is_state(list) => true,
        meta => ["tool", "tools", "argument"]
            .iter()
            .any(|name| meta.path().is_ident(name)),
    }
}

/// Checks the errors of an expansion, each by the text under it and its first line, which says the
/// rule.
#[track_caller]
pub(crate) fn assert_errors(source: &str, expected: &[(&str, &str)]) {
    let found = errors(source);
    let found: Vec<_> = found
        .iter()
        .map(|(under, rule)| (under.as_str(), rule.as_str()))
        .collect();
    assert_eq!(found, expected, "the errors of {source}");
}

fn errors(source: &str) -> Vec<(String, String)> {
    let tokens: Vec<_> = expand(source).into_iter().collect();
    // `::core::compile_error! { "..." }`: the first token stands where the error starts, the last
    // where it ends.
    tokens
        .windows(8)
        .filter(|window| is_error(window))
        .map(|window| (underlined(window), rule(&window[7])))
        .collect()
}

fn is_error(window: &[TokenTree]) -> bool {
    matches!(window, [.., TokenTree::Ident(name), _, _] if name == "compile_error")
}

fn underlined(window: &[TokenTree]) -> String {
    let end = window[7].span();
    window[0]
        .span()
        .join(end)
        .and_then(|place| place.source_text())
        .unwrap_or_default()
}

fn rule(group: &TokenTree) -> String {
    let TokenTree::Group(group) = group else {
        panic!("{group} is no group")
    };
    let message = syn::parse2::<LitStr>(group.stream())
        .expect("a message is a literal")
        .value();
    let (rule, note) = message
        .split_once("\nnote: ")
        .expect("a message has a note");
    assert!(!note.is_empty());
    rule.to_owned()
}
