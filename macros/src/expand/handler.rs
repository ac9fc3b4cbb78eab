//! The tool's `Tool`: its definition, and how one call of the model becomes one call of the
//! function.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::{local, params};
use crate::model::{CallKind, ToolFn};

/// ```text
/// impl<__State> Tool<__State> for get_weather {
///     fn definition(&self) -> &ToolDefinition { .. }
///     fn call<'call>(&'call self, __call: Call<'call, __State>) -> ToolFuture<'call> { .. }
/// }
/// ```
///
/// For every state, since the function takes nothing out of one. The lints are about the choice of
/// a conversion, which tries more than it takes, and about paths that are absolute.
pub(super) fn expand_implementation(tool: &ToolFn<'_>) -> TokenStream {
    let (haft, ident) = (&tool.declared.runtime, &tool.declared.ident);
    let definition = expand_definition(tool);
    let call = expand_call(tool);
    let allow_deprecated = tool.is_deprecated.then(|| quote!(#[allow(deprecated)]));
    quote! {
        #[automatically_derived]
        #[allow(clippy::needless_borrow, unused_imports, unused_qualifications)]
        #allow_deprecated
        impl<__State> #haft::Tool<__State> for #ident {
            #definition
            #call
        }
    }
}

/// Made at the first use, once for all values and states of the tool: a `static` in a generic
/// function is not generic. Methods are called by their paths, as a trait of the user's could have
/// one of the same name.
fn expand_definition(tool: &ToolFn<'_>) -> TokenStream {
    let haft = &tool.declared.runtime;
    quote! {
        fn definition(&self) -> &#haft::ToolDefinition {
            static DEFINITION: ::std::sync::OnceLock<#haft::ToolDefinition> =
                ::std::sync::OnceLock::new();
            ::std::sync::OnceLock::get_or_init(&DEFINITION, || {
                #haft::__private::define(Self::NAME, Self::DESCRIPTION, &__parameters())
            })
        }
    }
}

/// ```text
/// fn call<'call>(&'call self, __call: Call<'call, __State>) -> ToolFuture<'call> {
///     let __input = Call::input(&__call);
///     Box::pin(async move {
///         let (__arg0, (__arg1, ())) = read(&__parameters(), __input)?;
///         match returned(get_weather(__arg0, __arg1).await) { .. }
///     })
/// }
/// ```
///
/// The input is taken out first, so that the future holds no state: with one it would be `Send`
/// only for some.
fn expand_call(tool: &ToolFn<'_>) -> TokenStream {
    let haft = &tool.declared.runtime;
    let (call, input) = (local("call"), local("input"));
    let values = quote!(#haft::__private::read(&__parameters(), #input)?);
    let arguments = params::expand_arguments(&tool.params, &values);
    let returned = expand_returned(tool);
    // At the function's name, where the error stands if the future is not `Send`.
    let future = quote_spanned! {tool.declared.ident.span()=>
        ::std::boxed::Box::pin(async move { #arguments #returned })
    };
    quote! {
        fn call<'call>(
            &'call self,
            #call: #haft::Call<'call, __State>,
        ) -> #haft::ToolFuture<'call> {
            let #input = #haft::Call::input(&#call);
            #future
        }
    }
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
    let cfgs = tool.params.iter().map(|param| &param.cfgs);
    let arguments = (0..tool.params.len()).map(params::argument);
    let awaited = match tool.call {
        CallKind::Inline => None,
        CallKind::Awaited => Some(quote!(.await)),
    };
    quote!(#ident(#(#cfgs #arguments),*) #awaited)
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
