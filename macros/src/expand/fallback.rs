//! What stands beside a function with mistakes: enough of a tool that what uses it has no errors of
//! its own.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::LitStr;
use syn::ext::IdentExt;

use super::{expand_constants, expand_type, params};
use crate::model::{Judged, Returned, ToolType};

/// The tool's type with an empty implementation, as far as the type can be there at all:
///
/// ```text
/// struct get_weather {}
/// const _: () = {
///     impl get_weather { .. }
///     impl<__State> Tool<__State> for get_weather { .. }
/// };
/// ```
///
/// It has the function's name, not an empty one, so that `toolkit!` does not find two tools of the
/// same name.
pub(crate) fn fallback(declared: &ToolType, judged: &Judged) -> TokenStream {
    let judged = expand_judged(declared, judged);
    if !declared.is_possible {
        let (cfgs, import) = (&declared.cfgs, &declared.import);
        return if judged.is_empty() {
            judged
        } else {
            quote!(#cfgs const _: () = { #import #judged };)
        };
    }
    let name = LitStr::new(&declared.ident.unraw().to_string(), declared.ident.span());
    let constants = expand_constants(declared, &name, &"");
    let implementation = expand_stub(declared);
    expand_type(declared, &quote!(#constants #implementation #judged))
}

/// What the compiler is to judge of a tool with mistakes, so that it tells its own beside them:
///
/// ```text
/// fn __types_get_weather() {
///     use haft::__private::parameter as __parameter;
///     let _ = __parameter::<String>("", "");
///     let _ = haft::__private::returned::<String, _>;
/// }
/// ```
pub(super) fn expand_judged(declared: &ToolType, judged: &Judged) -> TokenStream {
    if judged.params.is_empty() && judged.returns.is_none() {
        return TokenStream::new();
    }
    let (haft, cfgs) = (&declared.runtime, &declared.cfgs);
    let name = format_ident!("__types_{}", declared.ident.unraw());
    let rows = judged.params.iter().map(|param| {
        let (cfgs, row) = (&param.cfgs, params::expand_row(haft, param));
        quote!(#cfgs let _ = #row;)
    });
    let import = (!judged.params.is_empty())
        .then(|| quote!(use #haft::__private::parameter as __parameter;));
    let returned = judged
        .returns
        .as_ref()
        .map(|Returned { ty, .. }| quote!(let _ = #haft::__private::returned::<#ty, _>;));
    quote! {
        #cfgs
        fn #name() {
            #import
            #(#rows)*
            #returned
        }
    }
}

/// It is never run, since nothing that has a `compile_error!` in it is.
fn expand_stub(declared: &ToolType) -> TokenStream {
    let (haft, ident) = (&declared.runtime, &declared.ident);
    quote! {
        #[automatically_derived]
        impl<__State> #haft::Tool<__State> for #ident {
            fn definition(&self) -> &#haft::ToolDefinition {
                ::core::unreachable!()
            }

            fn call<'call>(
                &'call self,
                _: #haft::Call<'call, __State>,
            ) -> #haft::ToolFuture<'call> {
                ::core::unreachable!()
            }
        }
    }
}
