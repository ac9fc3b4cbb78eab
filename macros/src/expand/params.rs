//! The table of parameters, a row for each: the schema is made of it, and arguments are read by it.
//!
//! It is nested pairs, because they have no limit of arity, and is written from the last row
//! inwards: a row around the rest. Where a parameter has a `#[cfg]` that is off, only the rest is
//! left. Neither types nor patterns can have attributes, so such a row takes an alias for its type
//! and a statement for its value.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Expr;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::values::Values;
use super::{expand_text, local, located_at};
use crate::cfgs::Cfgs;
use crate::model::{Home, Param, ToolFn};
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
pub(super) fn expand_parameters(tool: &ToolFn<'_>) -> TokenStream {
    let (name, cfgs, lints) = (
        name(tool),
        cfgs_of_member(tool),
        quote!(#[allow(clippy::unused_unit)]),
    );
    if let Some((provider, input)) = tool.provider.as_ref().zip(tool.params.first()) {
        let whole = expand_whole(&tool.declared.runtime, &name, provider, input);
        return quote!(#cfgs #whole);
    }
    let (haft, params) = (&tool.declared.runtime, &tool.params);
    let ty = expand_type(tool);
    let values = Values::new(tool);
    let (items, rows) = (values.expand_items(), expand_rows(&values, params));
    let import =
        (!params.is_empty()).then(|| quote!(use #haft::__private::parameter as __parameter;));
    quote! {
        #cfgs
        #lints
        fn #name() -> #ty {
            #import
            #items
            #rows
        }
    }
}

/// ```text
/// #[tool(provider = MEMORY)]    fn __parameters() -> Whole<MemoryCommand> {
/// command: MemoryCommand            use haft::__private::whole as __whole;
///                                   __whole::<MemoryCommand, _>(MEMORY)
///                               }
/// ```
///
/// At the argument's type, which is what the provider's tool must send.
fn expand_whole(
    haft: &RuntimePath,
    name: &Ident,
    provider: &Expr,
    Param { ty, .. }: &Param,
) -> TokenStream {
    let whole = quote_spanned!(located_at(ty.span())=> __whole::<#ty, _>);
    quote! {
        fn #name() -> #haft::__private::Whole<#ty> {
            use #haft::__private::whole as __whole;
            #whole(#provider)
        }
    }
}

/// Of a function by itself, all stands in a scope that has its `#[cfg]`s.
fn cfgs_of_member<'a>(tool: &'a ToolFn<'_>) -> Option<&'a Cfgs> {
    matches!(tool.home, Home::Block(_)).then_some(&tool.declared.cfgs)
}

/// The function that gives the table. In an `impl` block it is one of many.
fn name(tool: &ToolFn<'_>) -> Ident {
    match tool.home {
        Home::Module => format_ident!("__parameters"),
        Home::Block(_) => format_ident!("__parameters_{}", tool.declared.ident.unraw()),
    }
}

/// The table, as an expression.
pub(super) fn table(tool: &ToolFn<'_>) -> TokenStream {
    let name = name(tool);
    match tool.home {
        Home::Module => quote!(#name()),
        Home::Block(_) => quote!(Self::#name()),
    }
}

/// ```text
/// (Parameter<A>, (Parameter<B>, ()))
/// ```
fn expand_type(tool: &ToolFn<'_>) -> TokenStream {
    let (haft, params) = (&tool.declared.runtime, &tool.params);
    let indexed = params.iter().enumerate();
    indexed.rfold(quote!(()), |rest, (index, param)| {
        let ty = &param.ty;
        if param.cfgs.is_empty() {
            quote!((#haft::__private::Parameter<#ty>, #rest))
        } else {
            let alias = alias(tool, index);
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
pub(super) fn expand_aliases(tool: &ToolFn<'_>) -> TokenStream {
    let haft = &tool.declared.runtime;
    let indexed = tool.params.iter().enumerate();
    let conditional = indexed.filter(|(_, param)| !param.cfgs.is_empty());
    let own = cfgs_of_member(tool);
    // Only the name of a method's has the method's in it.
    let lints = own.map(|_| quote!(#[allow(non_camel_case_types)]));
    let aliases = conditional.map(|(index, Param { ty, cfgs, .. })| {
        let (alias, otherwise) = (alias(tool, index), cfgs.negated());
        quote! {
            #own
            #cfgs
            #lints
            type #alias<__Rest> = (#haft::__private::Parameter<#ty>, __Rest);
            #own
            #otherwise
            #lints
            type #alias<__Rest> = __Rest;
        }
    });
    aliases.collect()
}

/// Of a method, it stands beside those of other methods.
fn alias(tool: &ToolFn<'_>, index: usize) -> Ident {
    match tool.home {
        Home::Module => format_ident!("__Row{index}"),
        Home::Block(_) => format_ident!("__Row{index}_{}", tool.declared.ident.unraw()),
    }
}

/// ```text
/// a: A,                     (__parameter::<A>("a", ""), {
/// #[cfg(unix)] b: B,            let __rest = ();
///                               #[cfg(unix)]
///                               let __rest = (__parameter::<B>("b", ""), __rest);
///                               __rest
///                           })
/// ```
fn expand_rows(values: &Values<'_>, params: &[Param]) -> TokenStream {
    let indexed = params.iter().enumerate();
    indexed.rfold(quote!(()), |rest, (index, param)| {
        let cfgs = &param.cfgs;
        let row = values.expand_row(index, param);
        if cfgs.is_empty() {
            return quote!((#row, #rest));
        }
        let tail = local("rest");
        quote!({ let #tail = #rest; #cfgs let #tail = (#row, #tail); #tail })
    })
}

/// ```text
/// __parameter::<String>("city", "The city.")
/// ```
pub(super) fn expand_row(haft: &RuntimePath, param: &Param) -> TokenStream {
    let Param { key, ty, .. } = param;
    let text = expand_text(haft, &param.text);
    quote_spanned!(located_at(ty.span())=> __parameter::<#ty>(#key, #text))
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
