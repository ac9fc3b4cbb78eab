//! What can be told of a type by its syntax alone. All else is asked of the compiler, by a trait
//! bound.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, Path, PathArguments, ReturnType, Type, TypeImplTrait};

const PRIMITIVES: [&str; 19] = [
    "bool", "char", "f16", "f32", "f64", "f128", "i8", "i16", "i32", "i64", "i128", "isize", "str",
    "u8", "u16", "u32", "u64", "u128", "usize",
];

/// Whether this is the name of a type that is everywhere without being imported.
pub(crate) fn is_primitive(ident: &Ident) -> bool {
    PRIMITIVES.iter().any(|primitive| ident == primitive)
}

/// Shows `see` the type and the types inside it, outermost first; not the insides of one for which
/// it gives `false`.
///
/// The insides of `fn` pointers and `dyn` traits are no parts of a value, and are left alone.
pub(crate) fn walk<'a>(ty: &'a Type, see: &mut impl FnMut(&'a Type) -> bool) {
    if see(ty) {
        for part in parts(ty) {
            walk(part, see);
        }
    }
}

fn parts(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Array(array) => vec![&array.elem],
        Type::Group(group) => vec![&group.elem],
        Type::Paren(paren) => vec![&paren.elem],
        Type::Path(path) => arguments(&path.path),
        Type::Reference(reference) => vec![&reference.elem],
        Type::Slice(slice) => vec![&slice.elem],
        Type::Tuple(tuple) => tuple.elems.iter().collect(),
        _ => Vec::new(),
    }
}

/// The types between the angle brackets of a path.
fn arguments(path: &Path) -> Vec<&Type> {
    let arguments = path
        .segments
        .iter()
        .flat_map(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
            PathArguments::None | PathArguments::Parenthesized(_) => Vec::new(),
        });
    let types = arguments.filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

/// The `impl Trait`s in what a function returns.
pub(crate) fn impls_of(output: &ReturnType) -> Vec<&TypeImplTrait> {
    let mut found = Vec::new();
    if let ReturnType::Type(_, ty) = output {
        walk(ty, &mut |part| {
            if let Type::ImplTrait(written) = part {
                found.push(written);
            }
            true
        });
    }
    found
}

/// The type under the parentheses, and under the invisible groups that `macro_rules!` puts around
/// its `$type`.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        _ => ty,
    }
}

/// Whether this is the context of a call, by its name: the type has no size, and the compiler would
/// tell that in words of its own. So a type of the user's with this name cannot be an argument.
pub(crate) fn is_context(ty: &Type) -> bool {
    last_name(ty).is_some_and(|name| name == "CallContext")
}

/// The last name of a path.
pub(crate) fn last_name(ty: &Type) -> Option<&Ident> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}

/// The `E` of a type that is written with two arguments, as `Result<T, E>`. It is only good for the
/// place of an error: an alias of `Result` can hide it, and another type can have two arguments.
pub(crate) fn error_of_result(ty: &Type) -> Option<&Type> {
    match (bare(ty), parts(bare(ty)).as_slice()) {
        (Type::Path(_), &[_, error]) => Some(error),
        _ => None,
    }
}

/// The `T` of a type that is written `Option<T>`. It is only good for hints and for what an example
/// is taken to be: an alias can hide an `Option`, and another type can have its name.
pub(crate) fn option_of(ty: &Type) -> Option<&Type> {
    match parts(bare(ty)).as_slice() {
        &[inner] if last_name(ty)? == "Option" => Some(inner),
        _ => None,
    }
}

/// Whether this is a type with two arguments or more, as maps are.
pub(crate) fn may_be_map(ty: &Type) -> bool {
    matches!(bare(ty), Type::Path(path) if arguments(&path.path).len() > 1)
}

/// Whether this is `()`.
pub(crate) fn is_unit(ty: &Type) -> bool {
    matches!(bare(ty), Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// An expression as it is written outside its `impl` block, where `Self` does not exist.
///
/// ```text
/// Self::PAGE                <Github>::PAGE
/// ```
pub(crate) fn without_self(tokens: TokenStream, own: &Type) -> TokenStream {
    let token = |token| -> TokenStream {
        match token {
            TokenTree::Ident(name) if name == "Self" => quote!(<#own>),
            TokenTree::Group(group) => {
                TokenTree::from(regroup(&group, without_self(group.stream(), own))).into()
            }
            other => other.into(),
        }
    };
    tokens.into_iter().flat_map(token).collect()
}

/// Whether a name stands in a type.
pub(crate) fn names(ty: &TokenStream, name: &Ident) -> bool {
    ty.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => names(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The type as it is named outside its function, where the function's lifetimes do not exist.
///
/// ```text
/// fn search<'a>(words: Vec<Cow<'a, str>>, language: Cow<'_, str>)
///                      Vec<Cow<'static, str>>       Cow<'static, str>
/// ```
///
/// What is read for a call borrows from nothing, so it lives as long as one likes.
pub(crate) fn with_static_lifetimes(ty: &Type, lifetimes: &[&Ident]) -> TokenStream {
    replace_lifetimes(ty.to_token_stream(), lifetimes, "static")
}

/// The type as it is named inside of a body, where the compiler finds the lifetimes: what is returned
/// may borrow from what is lent.
pub(crate) fn with_inferred_lifetimes(ty: &Type, lifetimes: &[&Ident]) -> TokenStream {
    replace_lifetimes(ty.to_token_stream(), lifetimes, "_")
}

/// On tokens, because there a lifetime has one form, and in the syntax tree a dozen places. It is
/// two tokens, `'` and a name.
fn replace_lifetimes(tokens: TokenStream, lifetimes: &[&Ident], by: &str) -> TokenStream {
    let mut follows_quote = false;
    let token = |token| {
        let is_name = std::mem::replace(&mut follows_quote, is_quote(&token));
        match token {
            TokenTree::Ident(name) if is_name && (name == "_" || lifetimes.contains(&&name)) => {
                Ident::new(by, name.span()).into()
            }
            TokenTree::Group(group) => {
                regroup(&group, replace_lifetimes(group.stream(), lifetimes, by)).into()
            }
            other => other,
        }
    };
    tokens.into_iter().map(token).collect()
}

fn is_quote(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '\'')
}

/// A group with other tokens inside, in the same place.
fn regroup(group: &Group, tokens: TokenStream) -> Group {
    let mut regrouped = Group::new(group.delimiter(), tokens);
    regrouped.set_span(group.span());
    regrouped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Type {
        syn::parse_str(text).unwrap()
    }

    fn seen(text: &str) -> Vec<String> {
        let ty = parsed(text);
        let mut seen = Vec::new();
        walk(&ty, &mut |part| {
            seen.push(part.to_token_stream().to_string());
            !matches!(part, Type::Reference(_))
        });
        seen
    }

    #[test]
    fn a_walk_goes_through_all_that_makes_a_value() {
        assert_eq!(
            seen("Option<(A, [B; 2])>"),
            [
                "Option < (A , [B ; 2]) >",
                "(A , [B ; 2])",
                "A",
                "[B ; 2]",
                "B"
            ]
        );
        assert_eq!(
            seen("std::vec::Vec<(A)>"),
            ["std :: vec :: Vec < (A) >", "(A)", "A"]
        );
        assert_eq!(seen("Box<dyn Fn(A)>"), ["Box < dyn Fn (A) >", "dyn Fn (A)"]);
    }

    #[test]
    fn a_walk_stops_where_it_is_told() {
        assert_eq!(seen("Vec<&A<B>>"), ["Vec < & A < B > >", "& A < B >"]);
    }

    #[test]
    fn only_the_lifetimes_of_the_function_become_static() {
        let a = Ident::new("a", proc_macro2::Span::call_site());
        let text = |ty: &str| with_static_lifetimes(&parsed(ty), &[&a]).to_string();
        assert_eq!(
            text("Vec<(Cow<'a, str>, Cow<'_, a>)>"),
            "Vec < (Cow < 'static , str > , Cow < 'static , a >) >"
        );
        assert_eq!(
            with_inferred_lifetimes(&parsed("Result<&'a str, E<'static>>"), &[&a]).to_string(),
            "Result < & '_ str , E < 'static > >"
        );
        assert_eq!(
            text("Box<dyn for<'b> Fn(A<'b>)>"),
            "Box < dyn for < 'b > Fn (A < 'b >) >"
        );
    }
}
