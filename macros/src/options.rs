//! [`ProviderOption`]: fields of a tool's definition that only some providers know, written as JSON.

use std::fmt::Write as _;

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, Lit, LitFloat, LitStr, Token, braced, bracketed, token};

use crate::errors::Errors;

/// One `key = value` of `option(...)`.
pub(crate) struct ProviderOption {
    pub(crate) key: Ident,
    /// The value, as JSON text.
    pub(crate) json: String,
}

impl ProviderOption {
    /// The field's name.
    pub(crate) fn name(&self) -> String {
        self.key.unraw().to_string()
    }
}

/// Fields of a definition that something else sets.
const RESERVED: &[(&str, &str)] = &[
    ("name", "`#[tool(name = \"...\")]`"),
    ("description", "the doc comment"),
    ("input_schema", "the signature"),
    ("parameters", "the signature"),
    ("strict", "`#[tool(strict)]`"),
];

const NOTE: &str = "write JSON: `null`, `true`, a number, `\"...\"`, `[...]` or `{\"key\": value}`";

/// Reads `key = value, key = value`. It stops at the first mistake, since nothing shows where the
/// next entry starts.
pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> Vec<ProviderOption> {
    let mut options = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if parse_option(input, &mut options, errors).is_none() {
                // What is left must be taken, or the parser reports it in words of its own.
                let _: TokenStream = input.parse()?;
            }
        }
        Ok(())
    };
    // It takes all of its input and reports by itself.
    let _ = parser.parse2(tokens);
    options
}

/// `None` after a mistake.
fn parse_option(
    input: ParseStream<'_>,
    options: &mut Vec<ProviderOption>,
    errors: &Errors,
) -> Option<()> {
    let at = |input: ParseStream<'_>| input.fork().parse::<TokenTree>().ok();
    let Ok(key) = input.call(Ident::parse_any) else {
        errors.must(
            at(input),
            "have provider options with keys",
            "write `key = value`",
        );
        return None;
    };
    if input.parse::<Token![=]>().is_err() {
        let rule = format!("give the option `{key}` a value");
        errors.must(&key, rule, format!("write `{key} = true`"));
        return None;
    }
    if options
        .iter()
        .any(|earlier| earlier.key.unraw() == key.unraw())
    {
        let rule = format!("have the option `{key}` once");
        errors.must(&key, rule, "remove it here or before");
    }
    if let Some((_, own)) = RESERVED.iter().find(|(name, _)| key.unraw() == name) {
        let rule = format!("not have an option `{key}`");
        errors.must(&key, rule, format!("{own} says it"));
    }
    let mut json = String::new();
    let fault = if input.is_empty() {
        Some(key.span())
    } else if let Err(error) = write_json(input, &mut json) {
        Some(error.span())
    } else if input.is_empty() || input.peek(Token![,]) {
        None
    } else {
        Some(input.span())
    };
    if let Some(place) = fault {
        errors.must_at(place, format!("give the option `{key}` a JSON value"), NOTE);
        return None;
    }
    options.push(ProviderOption { key, json });
    let _ = input.parse::<Token![,]>();
    Some(())
}

fn write_json(input: ParseStream<'_>, json: &mut String) -> syn::Result<()> {
    if input.peek(token::Brace) {
        let inside;
        braced!(inside in input);
        write_list(&inside, json, "{}", |inside, json| {
            write_string(&inside.parse::<LitStr>()?, json);
            inside.parse::<Token![:]>()?;
            json.push(':');
            write_json(inside, json)
        })
    } else if input.peek(token::Bracket) {
        let inside;
        bracketed!(inside in input);
        write_list(&inside, json, "[]", write_json)
    } else if input.peek(Ident) {
        let word: Ident = input.parse()?;
        if word != "null" {
            return Err(syn::Error::new(word.span(), "not JSON"));
        }
        json.push_str("null");
        Ok(())
    } else {
        let is_negative = input.parse::<Token![-]>().is_ok();
        if is_negative {
            json.push('-');
        }
        match input.parse()? {
            literal @ (Lit::Int(_) | Lit::Float(_)) => write_number(&literal, json),
            Lit::Bool(literal) if !is_negative => {
                json.push_str(if literal.value { "true" } else { "false" });
                Ok(())
            }
            Lit::Str(literal) if !is_negative => {
                write_string(&literal, json);
                Ok(())
            }
            other => Err(syn::Error::new(other.span(), "not JSON")),
        }
    }
}

/// Items between two brackets, separated by commas.
fn write_list(
    inside: ParseStream<'_>,
    json: &mut String,
    brackets: &str,
    item: impl Fn(ParseStream<'_>, &mut String) -> syn::Result<()>,
) -> syn::Result<()> {
    let (open, close) = brackets.split_at(1);
    json.push_str(open);
    while !inside.is_empty() {
        item(inside, json)?;
        if !inside.is_empty() {
            inside.parse::<Token![,]>()?;
        }
        if !inside.is_empty() {
            json.push(',');
        }
    }
    json.push_str(close);
    Ok(())
}

fn write_number(literal: &Lit, json: &mut String) -> syn::Result<()> {
    match literal {
        Lit::Int(literal) if literal.suffix().is_empty() => json.push_str(literal.base10_digits()),
        Lit::Float(literal) if literal.suffix().is_empty() && is_finite(literal) => {
            // Rust also writes `1.` and `00.5`, which JSON does not.
            let digits = literal.base10_digits().trim_start_matches('0');
            if !digits.starts_with(|first: char| first.is_ascii_digit()) {
                json.push('0');
            }
            json.push_str(digits);
            if json.ends_with('.') {
                json.push('0');
            }
        }
        other => return Err(syn::Error::new(other.span(), "not JSON")),
    }
    Ok(())
}

/// The runtime reads the text again, and could not read `1e999`.
fn is_finite(literal: &LitFloat) -> bool {
    literal.base10_parse().is_ok_and(f64::is_finite)
}

fn write_string(literal: &LitStr, json: &mut String) {
    json.push('"');
    for character in literal.value().chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\x1f' => {
                // A string takes all that is written.
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            _ => json.push(character),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_errors;

    fn json(text: &str) -> Option<String> {
        let parser = |input: ParseStream<'_>| {
            let mut json = String::new();
            write_json(input, &mut json).map(|()| json)
        };
        parser.parse_str(text).ok()
    }

    #[test]
    fn json_is_taken_as_it_is() {
        for same in [
            "null",
            "true",
            "-3",
            "0.5",
            "\"a\"",
            "[]",
            "{}",
            "[1,[\"b\"],null]",
            "{\"type\":\"ephemeral\",\"ttl\":{\"hours\":1}}",
        ] {
            assert_eq!(json(same).as_deref(), Some(same));
        }
        assert_eq!(json("[1, 2,]").as_deref(), Some("[1,2]"));
        assert_eq!(json("1_000").as_deref(), Some("1000"));
        assert_eq!(json("1.").as_deref(), Some("1.0"));
        assert_eq!(json("-00.5").as_deref(), Some("-0.5"));
        assert_eq!(json("0e0").as_deref(), Some("0e0"));
        assert_eq!(json(r#""a\"\n\\""#).as_deref(), Some(r#""a\"\u000a\\""#));
        for bad in [
            "yes",
            "{a: 1}",
            "{\"a\" 1}",
            "[1 2]",
            "1u8",
            "1e999",
            "'a'",
            "f()",
            "-true",
            "-\"a\"",
            "",
        ] {
            assert_eq!(json(bad), None, "{bad}");
        }
    }

    #[track_caller]
    fn check(options: &str, expected: &[(&str, &str)]) {
        assert_errors(
            &format!("/// F\n #[tool(option({options}))] fn f() {{}}"),
            expected,
        );
    }

    #[test]
    fn options_have_json_values() {
        check("", &[]);
        check(
            "defer_loading = true, cache_control = {\"type\": \"ephemeral\"},",
            &[],
        );
        check("a", &[("a", "tool `f` must give the option `a` a value")]);
        check(
            "\"a\" = 1",
            &[("\"a\"", "tool `f` must have provider options with keys")],
        );
        check(
            "a = yes",
            &[("yes", "tool `f` must give the option `a` a JSON value")],
        );
        let rule = "tool `f` must give the option `a` a JSON value";
        check("a =", &[("a", rule)]);
        check("a = [1, no()]", &[("no", rule)]);
        check(
            "a = 1 b = 2",
            &[("b", "tool `f` must give the option `a` a JSON value")],
        );
        check(
            "a = 1, a = 2",
            &[("a", "tool `f` must have the option `a` once")],
        );
    }
}
