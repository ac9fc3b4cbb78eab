//! The methods of an `impl` block as tools: functions beside them, and those that give the toolkit.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{ItemImpl, Type, parse_quote_spanned};

use super::{definition, fallback, handler, local, params};
use crate::cfgs::Cfgs;
use crate::model::{Judged, ToolFn, ToolType};
use crate::runtime_path::RuntimePath;

/// A method with `#[tool]`, valid or not.
pub(crate) type Method<'a> = (&'a ToolType, Result<ToolFn<'a>, Judged>);

/// Expands the block. Beside it, which stays as it is, there will be
///
/// ```text
/// impl<T> Github<T> where Self: Send + Sync + 'static {
///     pub fn tools() -> Toolkit<Self> { .. }
///     pub fn into_toolkit(self) -> Toolkit { .. }
///
///     fn __tool_issues() -> Method<Self> { .. }         the definition and the next two
///     fn __parameters_issues() -> .. { .. }             the table of a function's parameters
///     fn __call_issues(..) -> ToolFuture<'_> { .. }     how one call becomes one call of the method
/// }
/// ```
///
/// All of it belongs to the type, so that `Self` and its generic parameters mean there what they
/// mean in the block.
pub(crate) fn expand_methods(
    haft: &RuntimePath,
    name: Option<&Ident>,
    block: &ItemImpl,
    methods: &[Method<'_>],
) -> TokenStream {
    let lists = expand_lists(haft, name, methods);
    let valid = methods.iter().filter_map(|(_, tool)| tool.as_ref().ok());
    let aliases: TokenStream = valid.map(params::expand_aliases).collect();
    let methods = methods.iter().map(|(declared, tool)| match tool {
        Ok(tool) => expand_method(tool),
        Err(judged) => {
            let (cfgs, judged) = (&declared.cfgs, fallback::expand_judged(declared, judged));
            let is_asked = !judged.is_empty();
            let cfgs = is_asked.then_some(cfgs);
            quote!(#cfgs #judged)
        }
    });
    let mut generics = block.generics.clone();
    let predicates = &mut generics.make_where_clause().predicates;
    predicates.push(parse_quote_spanned! {block.self_ty.span()=>
        Self: ::core::marker::Send + ::core::marker::Sync + 'static
    });
    let (parameters, _, bounds) = generics.split_for_impl();
    let (cfgs, ty): (_, &Type) = (Cfgs::of(&block.attrs), &block.self_ty);
    let implementation = quote! {
        #cfgs
        #[allow(unused_qualifications)]
        impl #parameters #ty #bounds {
            #lists
            #(#methods)*
        }
    };
    if aliases.is_empty() {
        return implementation;
    }
    quote!(#cfgs const _: () = { #aliases #implementation };)
}

/// ```text
/// pub fn tools() -> Toolkit<Self> {
///     from_methods([Self::__tool_issues(), Self::__tool_pulls()])
/// }
/// pub fn into_toolkit(self) -> Toolkit {
///     Toolkit::with_state(Self::tools(), self)
/// }
/// ```
///
/// A named block gives only the first, under its name: what binds the state of all blocks joins them
/// before.
fn expand_lists(haft: &RuntimePath, name: Option<&Ident>, methods: &[Method<'_>]) -> TokenStream {
    let valid = methods.iter().filter(|(_, tool)| tool.is_ok());
    let (cfgs, makers): (Vec<_>, Vec<_>) = valid
        .map(|(declared, _)| (&declared.cfgs, maker(&declared.ident)))
        .unzip();
    let tools = name.cloned().unwrap_or_else(|| format_ident!("tools"));
    let list = quote! {
        /// The tools of this block. Their state is this type: see `with_state`.
        pub fn #tools() -> #haft::Toolkit<Self> {
            #haft::__private::from_methods([#(#cfgs Self::#makers()),*])
        }
    };
    let bound = name.is_none().then(|| {
        quote! {
            /// The tools of this block, with this value as their state.
            pub fn into_toolkit(self) -> #haft::Toolkit {
                #haft::Toolkit::with_state(Self::tools(), self)
            }
        }
    });
    quote!(#list #bound)
}

fn expand_method(tool: &ToolFn<'_>) -> TokenStream {
    let (haft, ident, cfgs) = (
        &tool.declared.runtime,
        &tool.declared.ident,
        &tool.declared.cfgs,
    );
    let (maker, caller, call) = (maker(ident), caller(ident), local("call"));
    let checked = definition::expand_description(tool);
    let described = definition::description(&tool.description);
    let made = definition::expand_made(tool, &tool.name, described);
    // At the method's name, which is where the tool comes from.
    let method = quote_spanned!(super::located_at(ident.span())=> __method(#made, Self::#caller));
    let parameters = params::expand_parameters(tool);
    let body = handler::expand_body(tool, &call);
    let lints = handler::expand_lints(tool);
    quote! {
        #cfgs
        fn #maker() -> #haft::__private::Method<Self> {
            use #haft::__private::method as __method;
            #checked
            #method
        }
        #parameters
        #cfgs
        #lints
        fn #caller<'call>(#call: #haft::Call<'call, Self>) -> #haft::ToolFuture<'call> {
            #body
        }
    }
}

/// The function that makes the tool. What it is for stands before the method's name: behind it, that
/// of `run` could be that of another method, `run_call`.
fn maker(ident: &Ident) -> Ident {
    format_ident!("__tool_{}", ident.unraw())
}

fn caller(ident: &Ident) -> Ident {
    format_ident!("__call_{}", ident.unraw())
}
