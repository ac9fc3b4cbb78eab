//! The table of parameters, a row for each: the schema is made of it, and arguments are read by it.
//!
//! It is nested pairs, because they have no limit of arity, and is written from the last row
//! inwards: a row around the rest. Where a parameter has a `#[cfg]` that is off, only the rest is
//! left. Neither types nor patterns can have attributes, so such a row takes an alias for its type
//! and a statement for its value.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::{expand_text, local, located_at};
use crate::model::Param;
use crate::runtime_path::RuntimePath;

/// ```text
/// city: String,             fn __parameters() -> (Parameter<String>, (Parameter<u8>, ())) {
/// days: u8,                     use haft::__private::parameter as __parameter;
///                               (
///                                   __parameter::<String>("city", "The city."),
///                                   (__parameter::<u8>("days", ""), ()),
///                               )
///                           }
/// ```
///
/// `parameter` is the only place that demands something of a parameter's type. So a type that lacks
/// it is one error, and is so however often the table is used. It is imported, so that a call of it
/// stands at the parameter's type as a whole. clippy finds the table of no parameters unneeded.
pub(super) fn expand_parameters(haft: &RuntimePath, params: &[Param]) -> TokenStream {
    let indexed = params.iter().enumerate();
    let aliases = indexed.map(|(index, param)| expand_alias(haft, index, param));
    let ty = expand_type(haft, params);
    let rows = expand_rows(haft, params);
    let import =
        (!params.is_empty()).then(|| quote!(use #haft::__private::parameter as __parameter;));
    quote! {
        #(#aliases)*
        #[allow(clippy::unused_unit)]
        fn __parameters() -> #ty {
            #import
            #rows
        }
    }
}

/// ```text
/// (Parameter<A>, (Parameter<B>, ()))
/// ```
fn expand_type(haft: &RuntimePath, params: &[Param]) -> TokenStream {
    let indexed = params.iter().enumerate();
    indexed.rfold(quote!(()), |rest, (index, param)| {
        let (ty, alias) = (&param.ty, alias(index));
        if param.cfgs.is_empty() {
            quote!((#haft::__private::Parameter<#ty>, #rest))
        } else {
            quote!(#alias<#rest>)
        }
    })
}

/// ```text
/// #[cfg(unix)] mode: u32,   #[cfg(unix)]
///                           type __Row0<Rest> = (Parameter<u32>, Rest);
///                           #[cfg(not(all(unix)))]
///                           type __Row0<Rest> = Rest;
/// ```
fn expand_alias(haft: &RuntimePath, index: usize, param: &Param) -> TokenStream {
    let Param { ty, cfgs, .. } = param;
    if cfgs.is_empty() {
        return TokenStream::new();
    }
    let (alias, otherwise) = (alias(index), cfgs.negated());
    quote! {
        #cfgs
        type #alias<__Rest> = (#haft::__private::Parameter<#ty>, __Rest);
        #otherwise
        type #alias<__Rest> = __Rest;
    }
}

fn alias(index: usize) -> Ident {
    format_ident!("__Row{index}")
}

/// ```text
/// a: A,                     (__parameter::<A>("a", ""), {
/// #[cfg(unix)] b: B,            let __rest = ();
///                               #[cfg(unix)]
///                               let __rest = (__parameter::<B>("b", ""), __rest);
///                               __rest
///                           })
/// ```
fn expand_rows(haft: &RuntimePath, params: &[Param]) -> TokenStream {
    params.iter().rfold(quote!(()), |rest, param| {
        let Param { key, ty, cfgs, .. } = param;
        let text = expand_text(haft, &param.text);
        let row = quote_spanned!(located_at(ty.span())=> __parameter::<#ty>(#key, #text));
        if cfgs.is_empty() {
            return quote!((#row, #rest));
        }
        let tail = local("rest");
        quote!({ let #tail = #rest; #cfgs let #tail = (#row, #tail); #tail })
    })
}

/// The arguments taken out of the nest of values: a pattern, and statements for what the pattern
/// cannot say.
///
/// ```text
/// a: A,                     let (__arg0, __rest) = VALUES;
/// #[cfg(unix)] b: B,        #[cfg(unix)]
///                           let (__arg1, __rest) = __rest;
/// c: C,                     let (__arg2, ()) = __rest;
/// ```
pub(super) fn expand_arguments(params: &[Param], values: &TokenStream) -> TokenStream {
    let indexed = params.iter().enumerate();
    let nothing = (quote!(()), TokenStream::new());
    let (pattern, then) = indexed.rfold(nothing, |(pattern, then), (index, param)| {
        let (cfgs, argument, rest) = (&param.cfgs, argument(index), local("rest"));
        if cfgs.is_empty() {
            return (quote!((#argument, #pattern)), then);
        }
        let taken = quote!(#cfgs let (#argument, #rest) = #rest;);
        (
            rest.to_token_stream(),
            quote!(#taken let #pattern = #rest; #then),
        )
    });
    quote!(let #pattern = #values; #then)
}

/// The value of an argument. Numbered, because a name could be there twice, which is for the
/// compiler to tell.
pub(super) fn argument(index: usize) -> Ident {
    local(&format!("arg{index}"))
}
