//! What a tool becomes: the pieces that stand beside the function, in their order.

mod definition;
mod fallback;
mod handler;
mod methods;
mod params;
mod questions;
mod values;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::LitStr;

pub(crate) use self::fallback::fallback;
pub(crate) use self::methods::{Given, Method, expand_methods};
use crate::doc::Text;
use crate::model::{ToolFn, ToolType};
use crate::runtime_path::RuntimePath;

/// Expands a tool. Beside the function, which stays as it is, there will be
///
/// ```text
/// pub struct get_weather {}         a type of the same name: one path and one import name both
///
/// const _: () = {                   a scope, so that nothing else gets a name in the user's module
///     use haft as __haft;
///     impl get_weather { .. }       what is known at compile time
///     fn __parameters() -> .. {}    the table that makes the schema and reads the arguments
///     impl Tool for get_weather {}
/// };
/// ```
pub(crate) fn expand(tool: &ToolFn<'_>) -> TokenStream {
    let checked = definition::expand_description(tool);
    let described = definition::description(&tool.description);
    let constants = expand_constants(tool.declared, &tool.name, &described);
    let aliases = params::expand_aliases(tool);
    let parameters = params::expand_parameters(tool);
    let implementation = handler::expand_implementation(tool);
    let collected = expand_collected(tool);
    let items = quote!(#checked #constants #aliases #parameters #implementation #collected);
    expand_type(tool.declared, &items)
}

/// ```text
/// haft::__collected!(get_weather);
/// ```
///
/// A macro of the runtime, which knows whether its feature is on. At the key, where its error stands
/// if it is not.
fn expand_collected(tool: &ToolFn<'_>) -> TokenStream {
    let (haft, ident) = (&tool.declared.runtime, &tool.declared.ident);
    match &tool.collect {
        None => TokenStream::new(),
        Some(key) => relocated(quote!(#haft::__collected!(#ident);), key.span()),
    }
}

/// The type, and what it is and has, in a scope.
fn expand_type(declared: &ToolType, items: &TokenStream) -> TokenStream {
    let declaration = expand_declaration(declared);
    let (cfgs, import) = (&declared.cfgs, &declared.import);
    quote! {
        #declaration
        #cfgs
        const _: () = { #import #items };
    }
}

/// ```text
/// pub async fn get_weather(..)         pub struct get_weather {}
/// ```
///
/// With braces, because `struct get_weather;` would be a value too, and take the function's name.
/// Hidden, because rustdoc would warn at each link to the function that it could be a link to the
/// type. At the function's name, where the compiler shows it if there is another type of that name.
fn expand_declaration(declared: &ToolType) -> TokenStream {
    let (ident, visibility, cfgs) = (&declared.ident, &declared.visibility, &declared.cfgs);
    let declaration = quote_spanned!(located_at(ident.span())=> struct #ident {});
    quote! {
        #cfgs
        #[doc(hidden)]
        #[allow(clippy::exhaustive_structs, non_camel_case_types)]
        #visibility #declaration
    }
}

/// ```text
/// impl get_weather {
///     pub const NAME: &'static str = "get_weather";
///     pub const DESCRIPTION: &'static str = "Get the weather.";
/// }
/// impl Listed for get_weather { .. }
/// ```
///
/// `Listed` is for `toolkit!`, which has a path and cannot write `#path {}`.
fn expand_constants(
    declared: &ToolType,
    name: &LitStr,
    description: &impl ToTokens,
) -> TokenStream {
    let (haft, ident) = (&declared.runtime, &declared.ident);
    quote! {
        impl #ident {
            /// The name that the model calls the tool by.
            pub const NAME: &'static ::core::primitive::str = #name;
            /// What the model is told about the tool.
            pub const DESCRIPTION: &'static ::core::primitive::str = #description;
        }
        #[automatically_derived]
        impl #haft::__private::Listed for #ident {
            type Tool = Self;
            const TOOL: Self = Self {};
            const TOOL_NAME: &'static ::core::primitive::str = Self::NAME;
        }
    }
}

/// The text of a parameter, trimmed at compile time where it could not be trimmed here. It may be
/// empty.
fn expand_text(haft: &RuntimePath, text: &Text) -> TokenStream {
    match text {
        Text::Fixed(text) => text.to_token_stream(),
        Text::Expression(text, _) => quote!(const { #haft::__private::text(#text) }),
    }
}

/// The place of the user's token, for what the user has not written: a lint takes it for the
/// macro's, and a name means what it means here.
fn located_at(place: Span) -> Span {
    Span::call_site().located_at(place)
}

/// Tokens that all stand in one place, whatever they mean: an error about them is there as a whole.
pub(crate) fn relocated(tokens: TokenStream, place: Span) -> TokenStream {
    let token = |mut token: TokenTree| {
        let span = token.span().located_at(place);
        if let TokenTree::Group(group) = &token {
            let inside = relocated(group.stream(), place);
            token = Group::new(group.delimiter(), inside).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(token).collect()
}

/// A call that stands where some tokens of the user's do: from the first to the last.
pub(crate) fn call_at(
    place: &impl ToTokens,
    function: TokenStream,
    arguments: &TokenStream,
) -> TokenStream {
    let mut tokens = place.to_token_stream().into_iter();
    let first = tokens
        .next()
        .map_or_else(Span::call_site, |token| token.span());
    let last = tokens.last().map_or(first, |token| token.span());
    let function = relocated(function, first);
    let arguments = relocated(quote!((#arguments)), last);
    quote!(#function #arguments)
}

/// A name that only the expansion can mean, whatever names the user has.
fn local(name: &str) -> Ident {
    format_ident!("__{name}", span = Span::mixed_site())
}
