//! [`Text`]: what the model is told about a tool or a parameter, out of doc comments or out of an
//! attribute.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta};

/// A text for the model.
#[derive(Clone)]
pub(crate) enum Text {
    /// Known here.
    Fixed(LitStr),
    /// Known to the compiler: a constant, or `concat!` of the doc comment's pieces. Errors about it
    /// stand at the span.
    Expression(TokenStream, Span),
}

impl Text {
    /// The text of the doc comments among `attributes`; empty without any. Errors about it stand at
    /// `span`.
    ///
    /// ```text
    /// /// Get the weather.             "Get the weather.\n\nFor cities only."
    /// ///
    /// /// For cities only.
    ///
    /// /// Get the weather.             ::core::concat!("Get the weather.\n", include_str!("x.md"))
    /// #[doc = include_str!("x.md")]
    /// ```
    pub(crate) fn of_docs(attributes: &[Attribute], span: Span) -> Self {
        let mut lines: Vec<_> = attributes
            .iter()
            .filter_map(doc_value)
            .flat_map(lines)
            .collect();
        unindent(&mut lines);
        match pieces(&lines).as_slice() {
            [] => Self::Fixed(LitStr::new("", span)),
            [Piece::Text(text)] => Self::Fixed(LitStr::new(text.trim(), span)),
            pieces => Self::Expression(quote!(::core::concat!(#(#pieces),*)), span),
        }
    }

    /// Whether there is nothing to read in it, as far as can be told before the compiler has
    /// evaluated it.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Self::Fixed(text) if text.value().trim().is_empty())
    }
}

/// Whether this is a line of a doc comment. `#[doc(hidden)]` and the like are not.
pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    doc_value(attribute).is_some()
}

fn doc_value(attribute: &Attribute) -> Option<&Expr> {
    match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => Some(&doc.value),
        _ => None,
    }
}

/// The string literal that an expression is, within the invisible groups that `macro_rules!` puts
/// around its `$text`.
pub(crate) fn as_literal(value: &Expr) -> Option<&LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        Expr::Group(group) => as_literal(&group.expr),
        _ => None,
    }
}

/// One line of a doc comment.
enum Line<'a> {
    Text(String),
    /// `include_str!("...")` and the like: any number of lines, which only the compiler knows.
    Expression(&'a Expr),
}

fn lines(value: &Expr) -> Vec<Line<'_>> {
    let Some(text) = as_literal(value).map(LitStr::value) else {
        return vec![Line::Expression(value)];
    };
    let starred = is_starred_block(&text);
    let line = |line: &str| {
        if starred { without_star(line) } else { line }
            .trim_end()
            .to_owned()
    };
    text.split('\n')
        .map(|text| Line::Text(line(text)))
        .collect()
}

/// Whether this is the inside of a block comment that has a star before each line:
///
/// ```text
/// /** Get the weather.
///  *  For cities only. */
/// ```
///
/// A literal in `#[doc = "..."]` comes in the same way, and in it the stars may be a list; there
/// hardly anyone starts with white space.
fn is_starred_block(text: &str) -> bool {
    let is_starred = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('*');
    let Some((first, rest)) = text.split_once('\n') else {
        return false;
    };
    (first.is_empty() || first.starts_with(' ')) && rest.split('\n').all(is_starred)
}

fn without_star(line: &str) -> &str {
    line.trim_start().strip_prefix('*').unwrap_or(line)
}

/// Takes off the indentation that all lines share: the one space after `///`, the depth of a block
/// comment.
///
/// It is shared or stays: what stands deeper than the rest is a list or code.
fn unindent(lines: &mut [Line<'_>]) {
    let shared = lines.iter().filter_map(indentation).min().unwrap_or(0);
    for line in lines {
        if let Line::Text(text) = line {
            *text = text.chars().skip(shared).collect();
        }
    }
}

/// How many characters stand before the text of a line; `None` for a blank line, which has no text.
fn indentation(line: &Line<'_>) -> Option<usize> {
    match line {
        Line::Text(text) => text
            .chars()
            .position(|character| !character.is_whitespace()),
        Line::Expression(_) => None,
    }
}

/// A literal or an expression of the finished text.
enum Piece<'a> {
    Text(String),
    Expression(&'a Expr),
}

impl ToTokens for Piece<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Text(text) => text.to_tokens(tokens),
            Self::Expression(value) => value.to_tokens(tokens),
        }
    }
}

/// Joins the lines by line breaks, to as few pieces as the expressions among them allow.
fn pieces<'a>(lines: &[Line<'a>]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            push_text(&mut pieces, "\n");
        }
        match line {
            Line::Text(text) => push_text(&mut pieces, text),
            Line::Expression(value) => pieces.push(Piece::Expression(value)),
        }
    }
    pieces
}

fn push_text(pieces: &mut Vec<Piece<'_>>, more: &str) {
    match pieces.last_mut() {
        Some(Piece::Text(text)) => text.push_str(more),
        _ => pieces.push(Piece::Text(more.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use syn::ItemStruct;

    use super::*;

    fn of_source(docs: &str) -> Text {
        let item: ItemStruct = syn::parse_str(&format!("{docs}\nstruct X;")).unwrap();
        Text::of_docs(&item.attrs, Span::call_site())
    }

    fn fixed(docs: &str) -> String {
        match of_source(docs) {
            Text::Fixed(text) => text.value(),
            Text::Expression(value, _) => panic!("{value} is not fixed"),
        }
    }

    fn expression(docs: &str) -> String {
        match of_source(docs) {
            Text::Fixed(text) => panic!("{:?} is fixed", text.value()),
            Text::Expression(value, _) => value.to_string(),
        }
    }

    #[test]
    fn one_space_is_taken_off_each_line() {
        assert_eq!(fixed("/// Get the weather."), "Get the weather.");
        assert_eq!(fixed("/// One\n/// two\n///   three"), "One\ntwo\n  three");
        assert_eq!(fixed("///One\n/// two"), "One\n two");
    }

    #[test]
    fn paragraphs_are_kept_and_blank_lines_around_are_not() {
        assert_eq!(
            fixed("///\n/// One.\n///\n/// Two.  \n///\n///"),
            "One.\n\nTwo."
        );
    }

    #[test]
    fn block_comments_read_like_line_comments() {
        assert_eq!(fixed("/** One. */"), "One.");
        assert_eq!(
            fixed("/** One\n * two\n *\n *   - three\n */"),
            "One\ntwo\n\n  - three"
        );
        assert_eq!(fixed("/**\n    One\n      two\n*/"), "One\n  two");
    }

    #[test]
    fn stars_of_a_list_are_kept() {
        assert_eq!(
            fixed("#[doc = \"One:\\n* two\\n* three\"]"),
            "One:\n* two\n* three"
        );
        assert_eq!(fixed("/// One:\n/// * two"), "One:\n* two");
    }

    #[test]
    fn only_text_is_documentation() {
        assert_eq!(
            fixed("#[doc(hidden)]\n/// One.\n#[allow(dead_code)]"),
            "One."
        );
        assert_eq!(fixed("#[doc(alias = \"two\")]"), "");
    }

    #[test]
    fn expressions_are_kept_between_the_joined_lines() {
        assert_eq!(
            expression("/// One\n/// two\n#[doc = include_str!(\"x.md\")]\n/// three"),
            r#":: core :: concat ! ("One\ntwo\n" , include_str ! ("x.md") , "\nthree")"#
        );
        assert_eq!(
            expression("#[doc = include_str!(\"x.md\")]"),
            r#":: core :: concat ! (include_str ! ("x.md"))"#
        );
    }

    #[test]
    fn blank_is_what_has_no_characters() {
        assert!(of_source("").is_blank());
        assert!(of_source("///\n///  ").is_blank());
        assert!(!of_source("/// .").is_blank());
        assert!(!of_source("#[doc = concat!()]").is_blank());
    }
}
