//! [`Errors`]: collects what is wrong with one item, so that all its mistakes are told in one go.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes of one item, in the order in which they are found.
///
/// Parsing, building and checking all add to the same one, in turn and each for itself, so it is
/// shared by reference and has a cell inside. Whoever makes one must read it in the end: a lost
/// error would be a broken tool that compiles.
pub(crate) struct Errors {
    subject: String,
    /// `None` once read.
    found: RefCell<Option<Vec<syn::Error>>>,
}

impl Errors {
    /// For mistakes of `subject`, with which each text starts: "tool `get_weather`".
    pub(crate) fn about(subject: impl Into<String>) -> Self {
        Self {
            subject: subject.into(),
            found: RefCell::new(Some(Vec::new())),
        }
    }

    /// Adds that the subject must `rule`, under the tokens `at`; the note says how to mend it.
    pub(crate) fn must(&self, at: impl ToTokens, rule: impl Display, note: impl Display) {
        self.add(|text| syn::Error::new_spanned(at, text), rule, note);
    }

    /// The same where there are no tokens, but only the place of another parser's complaint.
    pub(crate) fn must_at(&self, at: Span, rule: impl Display, note: impl Display) {
        self.add(|text| syn::Error::new(at, text), rule, note);
    }

    fn add(
        &self,
        error: impl FnOnce(String) -> syn::Error,
        rule: impl Display,
        note: impl Display,
    ) {
        let text = format!("{} must {rule}\nnote: {note}", self.subject);
        self.found
            .borrow_mut()
            .get_or_insert_default()
            .push(error(text));
    }

    /// Whether nothing is wrong so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.borrow().as_ref().is_none_or(Vec::is_empty)
    }

    /// How many there are so far, to tell whether a part is without any.
    pub(crate) fn count(&self) -> usize {
        self.found.borrow().as_ref().map_or(0, Vec::len)
    }

    /// A `compile_error!` for each.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        let found = self.found.take().unwrap_or_default();
        found.iter().map(syn::Error::to_compile_error).collect()
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        // Only where nothing else has failed: a second panic would abort the compiler and hide the
        // first.
        if !std::thread::panicking() {
            debug_assert!(
                self.found.take().is_none(),
                "the errors about {} were not read",
                self.subject
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn each_mistake_is_a_compile_error_of_its_own() {
        let errors = Errors::about("tool `x`");
        assert!(errors.is_empty());
        errors.must(quote!(a), "be good", "try");
        errors.must_at(Span::call_site(), "be better", "try again");
        assert!(!errors.is_empty());
        let expected = quote! {
            ::core::compile_error! { "tool `x` must be good\nnote: try" }
            ::core::compile_error! { "tool `x` must be better\nnote: try again" }
        };
        assert_eq!(
            errors.into_compile_errors().to_string(),
            expected.to_string()
        );
    }

    #[test]
    #[should_panic(expected = "the errors about tool `x` were not read")]
    fn dropping_them_unread_is_a_bug() {
        drop(Errors::about("tool `x`"));
    }
}
