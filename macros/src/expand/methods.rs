//! The methods of an `impl` block as tools: functions beside them, and those that give the toolkit.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{ItemImpl, Type, WherePredicate, parse_quote_spanned};

use super::{definition, fallback, handler, local, params};
use crate::cfgs::Cfgs;
use crate::model::{Judged, ToolFn, ToolType};
use crate::runtime_path::RuntimePath;
use crate::types;

/// A method with `#[tool]`, valid or not.
pub(crate) type Method<'a> = (&'a ToolType, Result<ToolFn<'a>, Judged>);

/// The functions that a block gets for all of its methods.
pub(crate) struct Given {
    /// The name of a further block.
    pub(crate) name: Option<Ident>,
    /// Those that the block has already, which is a mistake and has been told.
    pub(crate) taken: Vec<Ident>,
    /// A method that is missing, as it could not be parsed.
    pub(crate) unreadable: Option<Ident>,
}

/// Expands the block. Beside it, which stays as it is, there will be
///
/// ```text
/// const _: () = {
///     impl<T> Github<T> where Self: Send + Sync + 'static {
///         pub fn tools() -> Toolkit<Self> { .. }
///         pub fn into_toolkit(self) -> Toolkit { .. }
///
///         fn __tool_issues() -> Method<Self> { .. }     the definition and the next two
///         fn __parameters_issues() -> .. { .. }         the table of a function's parameters
///         fn __call_issues(..) -> ToolFuture<'_> { .. } how one call becomes one call of the method
///     }
/// };
/// ```
///
/// All of it belongs to the type, so that `Self` and its generic parameters mean there what they
/// mean in the block.
pub(crate) fn expand_methods(
    haft: RuntimePath,
    given: &Given,
    block: &ItemImpl,
    methods: &[Method<'_>],
) -> TokenStream {
    let (import, haft) = haft.shortened();
    let lists = expand_lists(&haft, given, methods);
    let valid = methods.iter().filter_map(|(_, tool)| tool.as_ref().ok());
    let aliases: TokenStream = valid.map(params::expand_aliases).collect();
    let methods = methods.iter().map(|(declared, tool)| match tool {
        Ok(tool) => expand_method(tool),
        Err(judged) => fallback::expand_judged(declared, judged),
    });
    let mut generics = block.generics.clone();
    let predicates = &mut generics.make_where_clause().predicates;
    predicates.extend(bounds_of_state(block));
    let (parameters, _, bounds) = generics.split_for_impl();
    let (cfgs, ty): (_, &Type) = (Cfgs::of(&block.attrs), &block.self_ty);
    quote! {
        #cfgs
        const _: () = {
            #import
            #aliases
            #[allow(clippy::self_named_constructors, unused_qualifications)]
            impl #parameters #ty #bounds {
                #lists
                #(#methods)*
            }
        };
    }
}

/// What a state is. Asked once, at the type, and not by each method.
///
/// Where the type has a lifetime, it is asked of its generic types instead: the compiler would take
/// the bound on the whole for the only way to know, and forget it in futures, where it leaves
/// lifetimes aside.
fn bounds_of_state(block: &ItemImpl) -> Vec<WherePredicate> {
    let (ty, elided) = (&block.self_ty, format_ident!("_"));
    let shared = quote!(::core::marker::Send + ::core::marker::Sync + 'static);
    let has_lifetime =
        block.generics.lifetimes().next().is_some() || types::names(&ty.to_token_stream(), &elided);
    if !has_lifetime {
        return vec![parse_quote_spanned!(ty.span()=> Self: #shared)];
    }
    let generic = block.generics.type_params().map(|param| &param.ident);
    let bounds = generic.map(|generic| parse_quote_spanned!(ty.span()=> #generic: #shared));
    let lives = parse_quote_spanned!(ty.span()=> Self: 'static);
    bounds.chain([lives]).collect()
}

/// ```text
/// pub fn tools() -> Toolkit<Self> {
///     from_methods([Self::__tool_issues(), Self::__tool_pulls()])
/// }
/// pub fn into_toolkit(self) -> Toolkit {
///     Toolkit::with_state(from_methods(..), self)
/// }
/// ```
///
/// A named block gives only the first, under its name: what binds the state of all blocks joins them
/// before. Neither calls the other: of two blocks that give both, that would be a mistake more.
fn expand_lists(haft: &RuntimePath, given: &Given, methods: &[Method<'_>]) -> TokenStream {
    let tools = given.name.clone().unwrap_or_else(|| format_ident!("tools"));
    let into_toolkit = format_ident!("into_toolkit");
    let is_free = |name: &Ident| !given.taken.contains(name);
    let all = expand_list(haft, given, methods);
    let bound = quote!(#haft::Toolkit::with_state({ #all }, self));
    // Beside a mistake, they have their types and are never run.
    let [all, bound] = if given.taken.is_empty() {
        [all, bound]
    } else {
        [(); 2].map(|()| quote!(::core::unreachable!()))
    };
    let list = is_free(&tools).then(|| {
        quote! {
            /// The tools of this block. Their state is this type: see `with_state`.
            pub fn #tools() -> #haft::Toolkit<Self> { #all }
        }
    });
    let bound = (given.name.is_none() && is_free(&into_toolkit)).then(|| {
        quote! {
            /// The tools of this block, with this value as their state.
            pub fn #into_toolkit(self) -> #haft::Toolkit { #bound }
        }
    });
    quote!(#list #bound)
}

/// The list of the methods.
///
/// Where one is missing that the compiler should have refused, and has not, the program must not be
/// without it in silence: the constant is evaluated when all else has been found right.
fn expand_list(haft: &RuntimePath, given: &Given, methods: &[Method<'_>]) -> TokenStream {
    let valid = methods.iter().filter(|(_, tool)| tool.is_ok());
    let (cfgs, makers): (Vec<_>, Vec<_>) = valid
        .map(|(declared, _)| (&declared.cfgs, maker(&declared.ident)))
        .unzip();
    let missing = given.unreadable.as_ref().map(|method| {
        let text = format!("tool `{method}` must have a signature that `#[tools]` can read");
        quote_spanned!(super::located_at(method.span())=> const { ::core::panic!(#text) };)
    });
    quote! {
        #missing
        #haft::__private::from_methods([#(#cfgs Self::#makers()),*])
    }
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
