//! [`RuntimePath`]: the only place that knows where the runtime is.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Path};

use crate::errors::Errors;

/// Where haft is: `::haft`, or what `crate = PATH` says for a crate that renames or re-exports it.
#[derive(Clone)]
pub(crate) struct RuntimePath(TokenStream);

impl RuntimePath {
    /// The path of `crate = PATH`.
    ///
    /// A bad one is reported and used all the same: it may well resolve, and the mistake is told
    /// once.
    pub(crate) fn new(path: &Path, errors: &Errors) -> Self {
        if !is_absolute(path) {
            let note =
                "start it with `::` for a dependency, with `crate` for a module of this crate";
            errors.must(path, "have an absolute path for `crate`", note);
        }
        Self(path.to_token_stream())
    }

    /// A short name for it within a scope, and what makes the name there.
    ///
    /// Shorter to read, and where haft is not found, that is one error and not one for each mention.
    /// (`$crate` cannot be imported, and is always found.)
    pub(crate) fn shortened(self) -> (TokenStream, Self) {
        if self.0.to_string().starts_with('$') {
            return (TokenStream::new(), self);
        }
        // At the path, which is where the error stands.
        let place = Span::call_site().located_at(self.0.span());
        let import = quote_spanned!(place=> use #self as __haft;);
        (import, Self(quote!(__haft)))
    }

    /// The path of a module of the runtime as text, for the attributes of other macros:
    /// `crate = "::haft::serde"`.
    pub(crate) fn text_of(&self, module: &str) -> String {
        // Tokens print with spaces between them, which no path needs.
        format!("{}::{module}", self.0.to_string().replace(' ', ""))
    }
}

impl Default for RuntimePath {
    fn default() -> Self {
        Self(quote!(::haft))
    }
}

impl ToTokens for RuntimePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

/// Whether the path means the same in every module. `$crate` is what a `macro_rules!` of another
/// crate writes.
fn is_absolute(path: &Path) -> bool {
    let is_root = |first: &Ident| first == "crate" || first == "$crate";
    path.leading_colon.is_some()
        || path
            .segments
            .first()
            .is_some_and(|first| is_root(&first.ident))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Path {
        syn::parse_str(text).unwrap()
    }

    #[test]
    fn absolute_paths_start_at_a_crate() {
        assert!(is_absolute(&path("::haft")));
        assert!(is_absolute(&path("crate")));
        assert!(is_absolute(&path("crate::reexports::haft")));
        assert!(!is_absolute(&path("haft")));
        assert!(!is_absolute(&path("self::haft")));
    }

    #[test]
    fn text_has_no_spaces() {
        assert_eq!(RuntimePath::default().text_of("serde"), "::haft::serde");
        assert_eq!(
            RuntimePath(quote!(crate::tools)).text_of("schemars"),
            "crate::tools::schemars"
        );
    }
}
