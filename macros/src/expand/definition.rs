//! The tool's definition: what the model is told, and what the runner acts on.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::params;
use crate::doc::Text;
use crate::model::ToolFn;

/// ```text
/// #[tool(title = "Weather", read_only)]     define("get_weather", "Get ..", &__parameters())
///                                               .with_title("Weather")
///                                               .read_only(true)
/// ```
pub(super) fn expand_made(
    tool: &ToolFn<'_>,
    name: impl ToTokens,
    description: impl ToTokens,
) -> TokenStream {
    let (haft, settings) = (&tool.declared.runtime, &tool.settings);
    let parameters = params::table(tool);
    let title = settings.title.iter();
    let (setters, values): (Vec<_>, Vec<_>) = settings.switches.iter().copied().unzip();
    let setters = setters.into_iter().map(|setter| format_ident!("{setter}"));
    let timeout = settings.timeout.iter().map(|timeout| {
        let (seconds, nanoseconds) = (timeout.as_secs(), timeout.subsec_nanos());
        quote!(::core::time::Duration::new(#seconds, #nanoseconds))
    });
    let (keys, json): (Vec<_>, Vec<_>) = settings.options.iter().cloned().unzip();
    quote! {
        #haft::__private::define(#name, #description, &#parameters)
            #(.with_title(#title))*
            #(.#setters(#values))*
            #(.with_timeout(#timeout))*
            #(.option(#keys, #haft::__private::json(#json)))*
    }
}

/// The text of the description.
pub(super) fn description(text: &Text) -> TokenStream {
    match text {
        Text::Fixed(text) => text.to_token_stream(),
        Text::Expression(..) => quote!(__DESCRIPTION),
    }
}

/// The description, checked by the compiler where it could not be checked here:
///
/// ```text
/// const __DESCRIPTION: &'static str = {
///     use haft::__private::description as __description;
///     __description(TEXT)
/// };
/// ```
///
/// Imported, so that the call stands at the text as a whole, and its error too. A constant by
/// itself, because one in an `impl` is evaluated only where it is used.
pub(super) fn expand_description(tool: &ToolFn<'_>) -> TokenStream {
    let haft = &tool.declared.runtime;
    match &tool.description {
        Text::Fixed(_) => TokenStream::new(),
        Text::Expression(text, span) => {
            let checked = quote_spanned!(*span=> __description(#text));
            quote! {
                const __DESCRIPTION: &'static ::core::primitive::str = {
                    use #haft::__private::description as __description;
                    #checked
                };
            }
        }
    }
}
