//! [`Entries`]: the grammar that all attributes share, `key`, `key = value`, `key(...)`.
//!
//! The rules that are the same for all keys are here: each is known and stands once. A key is known
//! by being asked for, so that there is no list of keys that could be out of date.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ExprPath, Ident, Lit, LitStr, Meta, Path, Token, token};

use crate::doc::{self, Text};
use crate::errors::Errors;
use crate::runtime_path::RuntimePath;

const SHAPE: &str = "write `key = value`, separated by commas";

/// What stands behind a key.
enum Given {
    Nothing,
    Value(Box<Expr>),
    List(Group),
}

/// One `key`, `key = value` or `key(...)`.
struct Entry {
    key: Ident,
    given: Given,
}

/// A key that is on or off: `key`, `key = true`, `key = false`.
#[derive(Clone)]
pub(crate) struct Switch {
    pub(crate) key: Ident,
    pub(crate) is_on: bool,
}

/// A key with a value that may be left out.
#[derive(Clone)]
pub(crate) struct Keyed {
    pub(crate) key: Ident,
    pub(crate) value: Option<Expr>,
}

/// What stands in all attributes of this name, as one list.
pub(crate) fn arguments_of(attributes: &[Attribute], name: &str, errors: &Errors) -> TokenStream {
    let mut all = TokenStream::new();
    for attribute in attributes
        .iter()
        .filter(|found| found.path().is_ident(name))
    {
        match &attribute.meta {
            Meta::Path(_) => {}
            Meta::List(list) => {
                all.extend(list.tokens.clone());
                if !ends_with_comma(&all) {
                    all.extend(quote!(,));
                }
            }
            Meta::NameValue(_) => {
                let rule = format!("have the keys of `#[{name}]` in parentheses");
                errors.must(attribute, rule, format!("write `#[{name}(key = value)]`"));
            }
        }
    }
    all
}

/// Whether nothing is needed before the next entry.
fn ends_with_comma(tokens: &TokenStream) -> bool {
    match tokens.clone().into_iter().last() {
        None => true,
        Some(TokenTree::Punct(punct)) => punct.as_char() == ',',
        Some(_) => false,
    }
}

/// The entries of an attribute that nobody has asked for yet.
pub(crate) struct Entries<'a> {
    attribute: &'static str,
    left: Vec<Entry>,
    asked: Vec<&'static str>,
    errors: &'a Errors,
}

impl<'a> Entries<'a> {
    pub(crate) fn parse(attribute: &'static str, tokens: TokenStream, errors: &'a Errors) -> Self {
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
    pub(crate) fn string(&mut self, key: &'static str) -> Option<LitStr> {
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
    pub(crate) fn text(&mut self, key: &'static str) -> Option<Text> {
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
    pub(crate) fn runtime(&mut self) -> Option<RuntimePath> {
        let value = self.value("crate", "::haft")?;
        let path = as_path(&value).and_then(as_plain_path);
        if path.is_none() {
            let note = "write `crate = ::haft`, with the name that haft has here";
            self.errors.must(&value, "give `crate` a path", note);
        }
        path.map(|path| RuntimePath::new(path, self.errors))
    }

    /// `key = NAME`.
    pub(crate) fn name(&mut self, key: &'static str) -> Option<Ident> {
        let value = self.value(key, "other_tools")?;
        let name = as_path(&value).and_then(|path| path.path.get_ident().cloned());
        if name.is_none() {
            let note = format!("write `{key} = other_tools`, without quotes");
            self.errors
                .must(&value, format!("give `{key}` the name of a function"), note);
        }
        name
    }

    /// `key`, without a value.
    pub(crate) fn flag(&mut self, key: &'static str) -> Option<Ident> {
        let entry = self.take(key)?;
        let value = match &entry.given {
            Given::Nothing => return Some(entry.key),
            Given::Value(value) => value.to_token_stream(),
            Given::List(list) => list.to_token_stream(),
        };
        let rule = format!("give `{key}` no value");
        let note = format!("write `{key}` alone, or leave it out");
        self.errors.must(value, rule, note);
        Some(entry.key)
    }

    /// `key`, which is `true`, or `key = true` or `false`.
    pub(crate) fn switch(&mut self, key: &'static str) -> Option<Switch> {
        let entry = self.take(key)?;
        let is_on = match &entry.given {
            Given::Nothing => Some(true),
            Given::Value(value) => as_bool(value),
            Given::List(_) => None,
        };
        if is_on.is_none() {
            let rule = format!("give `{key}` no value but `true` or `false`");
            let note = format!("write `{key}` alone, or `{key} = false`");
            self.errors.must(entry.given, rule, note);
        }
        is_on.map(|is_on| Switch {
            key: entry.key,
            is_on,
        })
    }

    /// `key(...)`: what is in the parentheses.
    pub(crate) fn list(&mut self, key: &'static str, example: &str) -> Option<TokenStream> {
        let entry = self.take(key)?;
        let Given::List(list) = entry.given else {
            let rule = format!("have parentheses after `{key}`");
            let note = format!("write `{key}({example})`");
            self.errors.must(&entry.key, rule, note);
            return None;
        };
        Some(list.stream())
    }

    /// `key` or `key = VALUE`.
    pub(crate) fn keyed(&mut self, key: &'static str) -> Option<Keyed> {
        let entry = self.take(key)?;
        let value = match entry.given {
            Given::Nothing => None,
            given => Some(self.expect_value(&entry.key, given, "VALUE")?),
        };
        Some(Keyed {
            key: entry.key,
            value,
        })
    }

    /// `key = VALUE`, any number of times.
    pub(crate) fn all(&mut self, key: &'static str) -> Vec<Expr> {
        self.asked.push(key);
        let found: Vec<_> = self.left.extract_if(.., |entry| entry.key == key).collect();
        let value = |entry: Entry| self.expect_value(&entry.key, entry.given, "VALUE");
        found.into_iter().filter_map(value).collect()
    }

    /// What stands after `key =`.
    pub(crate) fn value(&mut self, key: &'static str, example: &str) -> Option<Expr> {
        self.keyed_value(key, example).map(|(_, value)| value)
    }

    /// The same with the key, for errors that stand there.
    pub(crate) fn keyed_value(
        &mut self,
        key: &'static str,
        example: &str,
    ) -> Option<(Ident, Expr)> {
        let entry = self.take(key)?;
        let value = self.expect_value(&entry.key, entry.given, example)?;
        Some((entry.key, value))
    }

    fn expect_value(&self, key: &Ident, given: Given, example: &str) -> Option<Expr> {
        match given {
            Given::Value(value) => return Some(*value),
            Given::Nothing => {
                let rule = format!("give `{key}` a value");
                let note = format!("write `{key} = {example}`");
                self.errors.must(key, rule, note);
            }
            Given::List(list) => {
                let rule = format!("have `=` or a comma after `{key}`");
                self.errors.must(list, rule, SHAPE);
            }
        }
        None
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
    pub(crate) fn finish(self) {
        let known: Vec<_> = self.asked.iter().map(|key| format!("`{key}`")).collect();
        let note = match known.as_slice() {
            [only] => format!("the only key of {} is {only}", self.attribute),
            all => format!("the keys of {} are {}", self.attribute, all.join(", ")),
        };
        for Entry { key, .. } in self.left {
            let rule = format!("not have a key `{key}`");
            self.errors.must(&key, rule, &note);
        }
    }
}

impl ToTokens for Given {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Nothing => {}
            Self::Value(value) => value.to_tokens(tokens),
            Self::List(list) => list.to_tokens(tokens),
        }
    }
}

/// Reads the entries. After a mistake it goes on behind the next comma.
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
    let given = if input.is_empty() || input.peek(Token![,]) {
        Given::Nothing
    } else if input.peek(token::Paren) {
        Given::List(input.parse().ok()?)
    } else if input.parse::<Token![=]>().is_ok() {
        Given::Value(Box::new(parse_value(input, &key, errors)?))
    } else {
        let rule = format!("have `=` or a comma after `{key}`");
        errors.must(next_token(input), rule, SHAPE);
        return None;
    };
    Some(Entry { key, given })
}

fn parse_value(input: ParseStream<'_>, key: &Ident, errors: &Errors) -> Option<Expr> {
    let place = next_token(input).unwrap_or_else(|| key.clone().into());
    let value = input.parse().ok();
    if value.is_none() {
        let rule = format!("give `{key}` a value");
        errors.must(place, rule, "write it after the `=`");
    }
    value
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

fn as_bool(value: &Expr) -> Option<bool> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Bool(literal),
            ..
        }) => Some(literal.value),
        Expr::Group(group) => as_bool(&group.expr),
        _ => None,
    }
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
    fn several_attributes_are_one_list() {
        let check = |attributes: &str, expected: &[_]| {
            assert_errors(
                &format!("/// F\n #[tool] fn f({attributes} a: u8) {{}}"),
                expected,
            );
        };
        check("#[arg] #[arg()] #[arg(min = 1,)] #[arg(max = 2)]", &[]);
        let rule = "tool `f` must have the key `min` once";
        check("#[arg(min = 1)] #[arg(min = 2)]", &[("min", rule)]);
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
