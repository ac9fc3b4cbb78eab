//! The tool's `Tool`: its definition, and how one call of the model becomes one call of the
//! function.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::{definition, local, params};
use crate::model::{Argument, CallKind, Home, Provided, ToolFn};

/// ```text
/// impl<__State> Tool<__State> for get_weather {
///     fn definition(&self) -> &ToolDefinition { .. }
///     fn call<'call>(&'call self, __call: Call<'call, __State>) -> ToolFuture<'call> { .. }
/// }
/// ```
///
/// For every state that provides what the function takes.
pub(super) fn expand_implementation(tool: &ToolFn<'_>) -> TokenStream {
    let (haft, ident) = (&tool.declared.runtime, &tool.declared.ident);
    let definition = expand_definition(tool);
    let call = expand_call(tool);
    let (bounded, bounds) = (expand_bounded(tool), expand_bounds(tool));
    let lints = expand_lints(tool);
    quote! {
        #bounded
        #[automatically_derived]
        #lints
        impl<__State> #haft::Tool<__State> for #ident #bounds {
            #definition
            #call
        }
    }
}

/// The lints are about the choice of a conversion, which tries more than it takes, and about paths
/// that are absolute.
pub(super) fn expand_lints(tool: &ToolFn<'_>) -> TokenStream {
    let deprecated = tool.is_deprecated.then(|| quote!(deprecated,));
    quote!(#[allow(#deprecated clippy::needless_borrow, unused_imports, unused_qualifications)])
}

/// ```text
/// where __State: Provide<Db>, __State: Provide<CallContext>
/// ```
fn expand_bounds(tool: &ToolFn<'_>) -> TokenStream {
    let haft = &tool.declared.runtime;
    let types = tool.provided.iter().enumerate().map(|(index, provided)| {
        if provided.cfgs.is_empty() {
            provided.ty.clone()
        } else {
            bounded(index).to_token_stream()
        }
    });
    let provides = types.map(|ty| quote!(__State: #haft::__private::Provide<#ty>));
    // Another thread shares the state.
    let shared = (tool.call == CallKind::Blocking)
        .then(|| quote!(__State: ::core::marker::Send + ::core::marker::Sync + 'static));
    let bounds: Vec<_> = provides.chain(shared).collect();
    if bounds.is_empty() {
        return TokenStream::new();
    }
    quote!(where #(#bounds),*)
}

/// A bound cannot have a `#[cfg]`, so it takes an alias, which is the context where there is no
/// argument: every state provides that.
///
/// ```text
/// #[cfg(unix)] db: &Db     #[cfg(unix)]
///                          type __Bounded0 = Db;
///                          #[cfg(not(all(unix)))]
///                          type __Bounded0 = CallContext;
/// ```
fn expand_bounded(tool: &ToolFn<'_>) -> TokenStream {
    let haft = &tool.declared.runtime;
    let provided = tool.provided.iter().enumerate();
    let conditional = provided.filter(|(_, provided)| !provided.cfgs.is_empty());
    let aliases = conditional.map(|(index, Provided { ty, cfgs })| {
        let (alias, otherwise) = (bounded(index), cfgs.negated());
        quote! {
            #cfgs
            type #alias = #ty;
            #otherwise
            type #alias = #haft::CallContext;
        }
    });
    aliases.collect()
}

fn bounded(index: usize) -> Ident {
    format_ident!("__Bounded{index}")
}

/// ```text
/// let __lent0 = Provide::<Db>::provide_in(Call::state(&__call), Call::context(&__call));
/// let __state = Call::state(&__call);
/// ```
///
/// `place` is the type that has both, and `whole` a value of it.
fn expand_lent(tool: &ToolFn<'_>, place: &TokenStream, whole: &Ident) -> TokenStream {
    let haft = &tool.declared.runtime;
    let lent = tool.provided.iter().enumerate().map(|(index, provided)| {
        let (cfgs, ty, name) = (&provided.cfgs, &provided.ty, lent(index));
        let given = quote! {
            #haft::__private::Provide::<#ty>::provide_in(
                #place::state(&#whole),
                #place::context(&#whole),
            )
        };
        // At the type, which the state of an `impl` block may not provide.
        let given = super::relocated(given, ty.span());
        quote!(#cfgs let #name = #given;)
    });
    let takes_state = |argument: &Argument| matches!(argument, Argument::Receiver);
    let receiver = tool.arguments.iter().any(takes_state).then(|| {
        let state = local("state");
        quote!(let #state = #place::state(&#whole);)
    });
    quote!(#receiver #(#lent)*)
}

fn lent(index: usize) -> Ident {
    local(&format!("lent{index}"))
}

/// Made at the first use, once for all values and states of the tool: a `static` in a generic
/// function is not generic. Methods are called by their paths, as a trait of the user's could have
/// one of the same name.
fn expand_definition(tool: &ToolFn<'_>) -> TokenStream {
    let haft = &tool.declared.runtime;
    let made = definition::expand_made(tool, quote!(Self::NAME), quote!(Self::DESCRIPTION));
    quote! {
        fn definition(&self) -> &#haft::ToolDefinition {
            static DEFINITION: ::std::sync::OnceLock<#haft::ToolDefinition> =
                ::std::sync::OnceLock::new();
            ::std::sync::OnceLock::get_or_init(&DEFINITION, || { #made })
        }
    }
}

fn expand_call(tool: &ToolFn<'_>) -> TokenStream {
    let haft = &tool.declared.runtime;
    let call = local("call");
    let body = expand_body(tool, &call);
    quote! {
        fn call<'call>(
            &'call self,
            #call: #haft::Call<'call, __State>,
        ) -> #haft::ToolFuture<'call> {
            #body
        }
    }
}

/// ```text
/// let __input = Call::arguments(&__call);
/// Box::pin(async move {
///     let (__arg0, (__arg1, ())) = read(&__parameters(), __input)?;
///     match returned(get_weather(__arg0, __arg1).await) { .. }
/// })
/// ```
///
/// Input and state are taken out first, so that the future holds what the function takes and not
/// the whole state: with that it would be `Send` only for some.
pub(super) fn expand_body(tool: &ToolFn<'_>, call: &Ident) -> TokenStream {
    let haft = &tool.declared.runtime;
    let input = local("input");
    let parameters = params::table(tool);
    let values = quote!(#haft::__private::read(&#parameters, #input)?);
    let arguments = params::expand_arguments(&tool.params, &values);
    let returned = expand_returned(tool);
    let (before, run) = if tool.call == CallKind::Blocking {
        expand_blocking(tool, call, &returned)
    } else {
        let place = quote!(#haft::Call);
        (expand_lent(tool, &place, call), returned)
    };
    // At the function's name, where the error stands if the future is not `Send`.
    let future = quote_spanned! {tool.declared.ident.span()=>
        ::std::boxed::Box::pin(async move { #arguments #run })
    };
    quote! {
        let #input = #haft::Call::arguments(&#call);
        #before
        #future
    }
}

/// ```text
/// let __owned = own(&__call);       run_blocking(move || {
///                                       let __lent0 = ..(Owned::state(&__owned), ..);
///                                       match returned(look_up(__lent0, __arg0)) { .. }
///                                   }).await
/// ```
///
/// The thread may outlive the call, so it holds the state and the context by itself.
fn expand_blocking(
    tool: &ToolFn<'_>,
    call: &Ident,
    returned: &TokenStream,
) -> (TokenStream, TokenStream) {
    let haft = &tool.declared.runtime;
    let owned = local("owned");
    let lent = expand_lent(tool, &quote!(#haft::__private::Owned), &owned);
    let is_lent = !lent.is_empty();
    let before = is_lent.then(|| quote!(let #owned = #haft::__private::own(&#call);));
    let run = quote! {
        #haft::__private::run_blocking(move || { #lent #returned }).await
    };
    (before.unwrap_or_default(), run)
}

/// ```text
/// match returned::<Result<String, WeatherError>, _>(get_weather(__arg0, __arg1).await) {
///     Ok(__output) => __output,
///     Err(__error) => { .. }
/// }
/// ```
///
/// `returned` alone demands something of the result's type, which it is given by name: that is
/// where the error stands.
fn expand_returned(tool: &ToolFn<'_>) -> TokenStream {
    let (haft, ty) = (&tool.declared.runtime, &tool.returns.ty);
    let output = local("output");
    // The value whose type may be wrong, and so at that type.
    let error = Ident::new("__error", tool.returns.error);
    let value = expand_function_call(tool);
    let told = expand_error(tool, &error);
    quote! {
        match #haft::__private::returned::<#ty, _>(#value) {
            ::core::result::Result::Ok(#output) => #output,
            ::core::result::Result::Err(#error) => #told,
        }
    }
}

/// ```text
/// get_weather(__arg0, __arg1).await
/// ```
fn expand_function_call(tool: &ToolFn<'_>) -> TokenStream {
    let ident = &tool.declared.ident;
    let function = match tool.home {
        Home::Module => quote!(#ident),
        Home::Block(_) => quote!(Self::#ident),
    };
    let arguments = tool
        .arguments
        .iter()
        .filter_map(|argument| match *argument {
            Argument::Receiver => Some((None, local("state"))),
            Argument::Model(index) => tool
                .params
                .get(index)
                .map(|param| (Some(&param.cfgs), params::argument(index))),
            Argument::Program(index) => tool
                .provided
                .get(index)
                .map(|provided| (Some(&provided.cfgs), lent(index))),
        });
    let (cfgs, arguments): (Vec<_>, Vec<_>) = arguments.unzip();
    let awaited = match tool.call {
        CallKind::Inline | CallKind::Blocking => None,
        CallKind::Awaited => Some(quote!(.await)),
    };
    quote!(#function(#(#cfgs #arguments),*) #awaited)
}

/// ```text
/// {
///     use haft::__private::{FromBoxed as _, ..};
///     Err((&&&&&__error).__kind().convert(__error.0))
/// }
/// ```
///
/// Which kind an error is, and so how it is told, is chosen by method resolution: the compiler
/// takes off one reference after the other until a kind fits.
fn expand_error(tool: &ToolFn<'_>, error: &Ident) -> TokenStream {
    let haft = &tool.declared.runtime;
    let told = quote_spanned!(error.span()=> (&&&&&#error).__kind().convert(#error.0));
    quote! {{
        use #haft::__private::{
            FromBoxed as _, FromDisplay as _, FromError as _, FromToolError as _, FromUnknown as _,
        };
        ::core::result::Result::Err(#told)
    }}
}
