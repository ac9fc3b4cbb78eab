//! The pipeline of `#[tool]`: parse, build, check, expand, and beside all that comes out, the
//! errors.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use crate::args::ToolArgs;
use crate::errors::Errors;
use crate::expand;
use crate::item::{ToolItem, function_name};
use crate::model::{Home, ToolFn, ToolType};

/// Expands `#[tool(args)] item`.
pub(crate) fn tool(args: TokenStream, item: &TokenStream) -> TokenStream {
    match syn::parse2(item.clone()) {
        Ok(function) => on_function(args, &function),
        Err(error) => on_something_else(args, item, &error),
    }
}

/// The function stays whatever is wrong, so that nothing that uses it errs as well.
fn on_function(args: TokenStream, function: &ToolItem) -> TokenStream {
    let errors = Errors::about(function.subject());
    let args = ToolArgs::parse(args, &errors);
    let declared = ToolType::new(args.runtime.clone().unwrap_or_default(), function);
    let beside = match ToolFn::new(&declared, Home::Module, args, function, &errors) {
        Ok(tool) => expand::expand(&tool),
        Err(judged) => expand::fallback(&declared, &judged),
    };
    let errors = errors.into_compile_errors();
    quote!(#function #beside #errors)
}

/// The item stays here too. What is wrong in the arguments can be told even so. Of a function that
/// cannot be parsed, the compiler has told already; without a type beside it, it is no tool.
fn on_something_else(args: TokenStream, item: &TokenStream, error: &syn::Error) -> TokenStream {
    let errors = match function_name(item) {
        Some(name) => Errors::about(format!("tool `{}`", name.unraw())),
        None => Errors::about("`#[tool]`"),
    };
    if function_name(item).is_none() {
        let note = "write it above an `async fn` or a plain `fn`";
        errors.must_at(error.span(), "stand on a function", note);
    }
    ToolArgs::parse(args, &errors);
    let errors = errors.into_compile_errors();
    quote!(#item #errors)
}

#[cfg(test)]
mod tests {
    use crate::testing::{assert_errors, expand};

    #[test]
    fn the_item_is_a_function() {
        let rule = "`#[tool]` must stand on a function";
        assert_errors("#[tool] pub struct S;", &[("struct", rule)]);
        assert_errors(
            "#[tool(key)] mod m {}",
            &[
                ("mod", rule),
                ("key", "`#[tool]` must not have a key `key`"),
            ],
        );
    }

    #[test]
    fn a_function_that_cannot_be_parsed_is_told_of_by_the_compiler() {
        let rule = "tool `f` must not have a key `key`";
        assert_errors("#[tool] pub(crate) async fn f(a u8) {}", &[]);
        assert_errors("#[tool(key)] fn f(a u8) {}", &[("key", rule)]);
    }

    #[test]
    fn the_body_may_be_anything() {
        let expansion = expand("/// F\n #[tool] fn f() { let = ; }").to_string();
        assert!(expansion.contains("fn f () { let = ; }"), "{expansion}");
        assert!(!expansion.contains("compile_error"), "{expansion}");
    }
}
