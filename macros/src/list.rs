//! `toolkit!`: the tools of a toolkit, each a path, and none twice.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Path, PathSegment, Token};

use crate::errors::Errors;
use crate::expand::{call_at, relocated};

/// Expands `toolkit![tools]`, which comes with the path of haft before it: `$crate; a, b::c`.
pub(crate) fn list(input: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| {
        let haft: Path = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok((haft, input.parse::<TokenStream>()?))
    };
    match parser.parse2(input) {
        Ok((haft, tools)) => on_tools(&haft, tools),
        Err(error) => error.into_compile_error(),
    }
}

fn on_tools(haft: &Path, tools: TokenStream) -> TokenStream {
    let errors = Errors::about("`toolkit!`");
    let paths = Punctuated::<Path, Token![,]>::parse_terminated.parse2(tools);
    let kit = match &paths {
        Ok(paths) => {
            let (methods, tools): (Vec<_>, Vec<_>) = paths.iter().partition(|path| is_method(path));
            for method in methods {
                let rule = "list tools that are no methods";
                let note = "those of a `#[tools]` block come together, from its `tools()` or `into_toolkit()`";
                errors.must(method, rule, note);
            }
            expand(haft, &tools)
        }
        Err(error) => {
            let note = "write `toolkit![add, weather::get_weather]`";
            errors.must_at(error.span(), "list tools by their paths", note);
            quote!(#haft::Toolkit::new())
        }
    };
    let errors = errors.into_compile_errors();
    quote!({ #errors #kit })
}

/// ```text
/// toolkit![add, greet]      const __NAMES: &[&str] = &[<add as Listed>::TOOL_NAME, ..];
///                           const _: () = __is_distinct(__NAMES, 1);
///                           from_distinct(vec![Arc::new(<add as Listed>::TOOL), ..])
/// ```
///
/// All that is said of a tool stands at its path, so that a path which is no tool is one error, and
/// a name that is there before an error at the later tool.
fn expand(haft: &Path, paths: &[&Path]) -> TokenStream {
    let names = paths
        .iter()
        .map(|path| listed(haft, path, &quote!(TOOL_NAME)));
    let tools = paths.iter().map(|path| listed(haft, path, &quote!(TOOL)));
    let checks = paths.iter().enumerate().skip(1).map(|(at, path)| {
        let check = call_at(path, quote!(__is_distinct), &quote!(__NAMES, #at));
        quote!(const _: () = #check;)
    });
    let checks = (paths.len() > 1).then(|| {
        quote! {
            const _: () = {
                use #haft::__private::is_distinct as __is_distinct;
                const __NAMES: &[&::core::primitive::str] = &[#(#names),*];
                #(#checks)*
            };
        }
    });
    quote! {
        #checks
        #haft::__private::from_distinct(::std::vec![#(::std::sync::Arc::new(#tools)),*])
    }
}

/// Whether this is `Type::method`, which the compiler would take for a type in a type. By the case of
/// the letters: a module that is written like a type must be imported.
fn is_method(path: &Path) -> bool {
    let is_type = |segment: &PathSegment| {
        let name = segment.ident.unraw().to_string();
        name.starts_with(|first: char| first.is_uppercase())
    };
    let mut segments = path.segments.iter().rev().skip(1);
    segments.next().is_some_and(is_type)
}

fn listed(haft: &Path, path: &Path, constant: &TokenStream) -> TokenStream {
    let listed = relocated(haft.to_token_stream(), path.span());
    quote_spanned!(Span::call_site().located_at(path.span())=>
        <#path as #listed::__private::Listed>::#constant
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::expand;

    #[test]
    fn methods_are_not_listed() {
        let told = |source: &str| expand(source).to_string().matches("are no methods").count();
        assert_eq!(told("toolkit![add, Github::issues, a::B::<u8>::c]"), 2);
        assert_eq!(told("toolkit![add, crate::a::Add, r#type, ::a::b]"), 0);
    }
}
