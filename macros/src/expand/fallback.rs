//! What stands beside a function with mistakes: enough of a tool that what uses it has no errors of
//! its own.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;
use syn::ext::IdentExt;

use super::{expand_constants, expand_type};
use crate::model::ToolType;

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
pub(crate) fn fallback(declared: &ToolType) -> TokenStream {
    if !declared.is_possible {
        return TokenStream::new();
    }
    let name = LitStr::new(&declared.ident.unraw().to_string(), declared.ident.span());
    let constants = expand_constants(declared, &name, &"");
    let implementation = expand_stub(declared);
    expand_type(declared, &quote!(#constants #implementation))
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
