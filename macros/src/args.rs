//! The grammar of the attributes: [`ToolArgs`] for `#[tool(...)]`, [`ArgumentArgs`] for
//! `#[argument(...)]`, [`StateArgs`] and [`FieldArgs`] for `#[state(...)]`.
//!
//! Both read [`Entries`], which has the rules that are the same for all keys: each is known and
//! stands once. A key is known by being asked for, so that there is no list of keys that could be
//! out of date.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, ExprPath, Ident, LitStr, Path, Token};

use crate::doc::{self, Text};
use crate::errors::Errors;
use crate::runtime_path::RuntimePath;

/// What `#[tool(...)]` says.
pub(crate) struct ToolArgs {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Text>,
    pub(crate) runtime: RuntimePath,
    /// Whether all of it could be read. Where not, what seems to be missing may be there.
    pub(crate) is_whole: bool,
}

impl ToolArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> Self {
        let mut entries = Entries::parse("#[tool]", tokens, errors);
        let name = entries.string("name");
        let description = entries.text("description");
        let runtime = entries.runtime();
        entries.finish();
        Self {
            name,
            description,
            runtime,
            is_whole: errors.is_empty(),
        }
    }
}

/// What `#[argument(...)]` says.
pub(crate) struct ArgumentArgs {
    pub(crate) runtime: RuntimePath,
}

impl ArgumentArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> Self {
        let mut entries = Entries::parse("#[argument]", tokens, errors);
        let runtime = entries.runtime();
        entries.finish();
        Self { runtime }
    }
}

/// What `#[state(...)]` above a struct says.
pub(crate) struct StateArgs {
    pub(crate) runtime: RuntimePath,
}

impl StateArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> Self {
        let mut entries = Entries::parse("#[state]", tokens, errors);
        let runtime = entries.runtime();
        entries.finish();
        Self { runtime }
    }
}

/// What `#[state(...)]` above a field says.
pub(crate) struct FieldArgs {
    pub(crate) skip: bool,
}

impl FieldArgs {
    /// Reads all it can, and reports the rest.
    pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> Self {
        let mut entries = Entries::parse("#[state] on a field", tokens, errors);
        let skip = entries.flag("skip");
        entries.finish();
        Self { skip }
    }
}

const SHAPE: &str = "write `key = value`, separated by commas";

/// One `key = value`.
struct Entry {
    key: Ident,
    value: Option<Expr>,
}

/// The entries of an attribute that nobody has asked for yet.
struct Entries<'a> {
    attribute: &'static str,
    left: Vec<Entry>,
    asked: Vec<&'static str>,
    errors: &'a Errors,
}

impl<'a> Entries<'a> {
    fn parse(attribute: &'static str, tokens: TokenStream, errors: &'a Errors) -> Self {
        let parser = |input: ParseStream<'_>| Ok(parse_entries(input, errors));
        // The parser takes all of its input and reports by itself: it has no error left to give.
        let left = parser.parse2(tokens).unwrap_or_default();
        Self {
            attribute,
            left,
            asked: Vec::new(),
            errors,
        }
    }

    /// `key = "..."`.
    fn string(&mut self, key: &'static str) -> Option<LitStr> {
        let value = self.value(key, "\"...\"")?;
        let literal = doc::as_literal(&value).cloned();
        if literal.is_none() {
            let rule = format!("give `{key}` a string literal");
            let note = format!("write `{key} = \"...\"`");
            self.errors.must(&value, rule, note);
        }
        literal
    }

    /// `key = "..."`, or `key = PATH` with the path of a constant.
    fn text(&mut self, key: &'static str) -> Option<Text> {
        let value = self.value(key, "\"...\"")?;
        match (doc::as_literal(&value), as_path(&value)) {
            (Some(literal), _) => Some(Text::Fixed(literal.clone())),
            (None, Some(path)) => Some(Text::Expression(path.to_token_stream(), path.span())),
            (None, None) => {
                let rule = format!("give `{key}` a string literal or a constant");
                let note = "a macro such as `include_str!` can stand in `#[doc = ...]`";
                self.errors.must(&value, rule, note);
                None
            }
        }
    }

    /// `crate = PATH`.
    fn runtime(&mut self) -> RuntimePath {
        let Some(value) = self.value("crate", "::haft") else {
            return RuntimePath::default();
        };
        let path = as_path(&value).and_then(as_plain_path);
        if path.is_none() {
            let note = "write `crate = ::haft`, with the name that haft has here";
            self.errors.must(&value, "give `crate` a path", note);
        }
        let runtime = path.map(|path| RuntimePath::new(path, self.errors));
        runtime.unwrap_or_default()
    }

    /// `key`, without a value.
    fn flag(&mut self, key: &'static str) -> bool {
        let Some(entry) = self.take(key) else {
            return false;
        };
        if let Some(value) = &entry.value {
            let rule = format!("give `{key}` no value");
            self.errors
                .must(value, rule, format!("write `{key}` alone"));
        }
        true
    }

    /// What stands after `key =`.
    fn value(&mut self, key: &'static str, example: &str) -> Option<Expr> {
        let entry = self.take(key)?;
        if entry.value.is_none() {
            let rule = format!("give `{key}` a value");
            let note = format!("write `{key} = {example}`");
            self.errors.must(&entry.key, rule, note);
        }
        entry.value
    }

    /// The first entry with this key. There must be no other.
    fn take(&mut self, key: &'static str) -> Option<Entry> {
        self.asked.push(key);
        let mut found = self.left.extract_if(.., |entry| entry.key == key);
        let first = found.next();
        for again in found {
            let rule = format!("have the key `{key}` once");
            let note = "remove it here or before";
            self.errors.must(&again.key, rule, note);
        }
        first
    }

    /// Reports the entries that nobody asked for.
    fn finish(self) {
        let known: Vec<_> = self.asked.iter().map(|key| format!("`{key}`")).collect();
        let note = match known.as_slice() {
            [only] => format!("the only key of `{}` is {only}", self.attribute),
            all => format!("the keys of `{}` are {}", self.attribute, all.join(", ")),
        };
        for Entry { key, .. } in self.left {
            let rule = format!("not have a key `{key}`");
            self.errors.must(&key, rule, &note);
        }
    }
}

/// Reads `key = value, key = value`. After a mistake it goes on behind the next comma.
fn parse_entries(input: ParseStream<'_>, errors: &Errors) -> Vec<Entry> {
    let mut entries = Vec::new();
    while !input.is_empty() {
        if let Some(entry) = parse_entry(input, errors) {
            entries.push(entry);
            check_separator(input, errors);
        }
        skip_past_comma(input);
    }
    entries
}

fn parse_entry(input: ParseStream<'_>, errors: &Errors) -> Option<Entry> {
    // Any identifier, because `crate` is a keyword.
    let Ok(key) = input.call(Ident::parse_any) else {
        errors.must(next_token(input), "have keys with values", SHAPE);
        return None;
    };
    if input.is_empty() || input.peek(Token![,]) {
        return Some(Entry { key, value: None });
    }
    if input.parse::<Token![=]>().is_err() {
        let rule = format!("have `=` or a comma after `{key}`");
        errors.must(next_token(input), rule, SHAPE);
        return None;
    }
    let place = next_token(input).unwrap_or_else(|| key.clone().into());
    let value: Option<Expr> = input.parse().ok();
    if value.is_none() {
        let rule = format!("give `{key}` a value");
        errors.must(place, rule, "write it after the `=`");
        return None;
    }
    Some(Entry { key, value })
}

fn check_separator(input: ParseStream<'_>, errors: &Errors) {
    if !input.is_empty() && !input.peek(Token![,]) {
        errors.must(next_token(input), "have a comma before the next key", SHAPE);
    }
}

fn skip_past_comma(input: ParseStream<'_>) {
    while let Ok(token) = input.parse::<TokenTree>() {
        if matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',') {
            break;
        }
    }
}

fn next_token(input: ParseStream<'_>) -> Option<TokenTree> {
    input.fork().parse().ok()
}

fn as_path(value: &Expr) -> Option<&ExprPath> {
    match value {
        Expr::Path(path) => Some(path),
        Expr::Group(group) => as_path(&group.expr),
        _ => None,
    }
}

/// A path of modules: without `<T as Trait>` before it.
fn as_plain_path(path: &ExprPath) -> Option<&Path> {
    path.qself.is_none().then_some(&path.path)
}

#[cfg(test)]
mod tests {
    use crate::testing::assert_errors;

    #[track_caller]
    fn check(args: &str, expected: &[(&str, &str)]) {
        assert_errors(&format!("/// F\n #[tool({args})] fn f() {{}}"), expected);
    }

    #[test]
    fn known_keys_are_taken_in_any_order() {
        check("", &[]);
        check("crate = ::haft, description = texts::F, name = \"g\",", &[]);
        check("crate = crate", &[]);
    }

    #[test]
    fn keys_are_known() {
        check(
            "nme = \"g\", loud",
            &[
                ("nme", "tool `f` must not have a key `nme`"),
                ("loud", "tool `f` must not have a key `loud`"),
            ],
        );
    }

    #[test]
    fn keys_stand_once() {
        let rule = "tool `f` must have the key `name` once";
        check(
            "name = \"g\", name = \"h\", name",
            &[("name", rule), ("name", rule)],
        );
    }

    #[test]
    fn keys_have_values() {
        check("name", &[("name", "tool `f` must give `name` a value")]);
        check("name =", &[("name", "tool `f` must give `name` a value")]);
        check(
            "name = , crate",
            &[
                (",", "tool `f` must give `name` a value"),
                ("crate", "tool `f` must give `crate` a value"),
            ],
        );
    }

    #[test]
    fn values_are_of_their_kind() {
        check(
            "name = 3",
            &[("3", "tool `f` must give `name` a string literal")],
        );
        check(
            "name = NAME",
            &[("NAME", "tool `f` must give `name` a string literal")],
        );
        let rule = "tool `f` must give `description` a string literal or a constant";
        check(
            "description = include_str!(\"f.md\")",
            &[("include_str!(\"f.md\")", rule)],
        );
        check(
            "crate = \"haft\"",
            &[("\"haft\"", "tool `f` must give `crate` a path")],
        );
        check(
            "crate = <T as U>::V",
            &[("<T as U>::V", "tool `f` must give `crate` a path")],
        );
    }

    #[test]
    fn the_path_of_the_crate_is_absolute() {
        check(
            "crate = haft",
            &[("haft", "tool `f` must have an absolute path for `crate`")],
        );
        check(
            "crate = super::haft",
            &[(
                "super::haft",
                "tool `f` must have an absolute path for `crate`",
            )],
        );
    }

    #[test]
    fn entries_are_separated_by_commas() {
        check(
            "name = \"g\" description = \"F\"",
            &[(
                "description",
                "tool `f` must have a comma before the next key",
            )],
        );
        check(
            "name(\"g\")",
            &[("(\"g\")", "tool `f` must have `=` or a comma after `name`")],
        );
    }

    #[test]
    fn what_is_no_entry_does_not_hide_the_next() {
        check(
            "\"g\", nme",
            &[
                ("\"g\"", "tool `f` must have keys with values"),
                ("nme", "tool `f` must not have a key `nme`"),
            ],
        );
    }

    #[test]
    fn arguments_have_one_key() {
        assert_errors("#[argument(crate = ::haft)] struct A;", &[]);
        assert_errors(
            "#[argument(name = \"a\")] struct A;",
            &[("name", "argument `A` must not have a key `name`")],
        );
    }
}
