//! [`Cfgs`]: the conditions under which an item or a parameter is there.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Meta};

/// The `#[cfg]`s of an item or a parameter. An attribute macro gets its item before they are
/// evaluated, so all that is made of the item must carry them on.
#[derive(Clone)]
pub(crate) struct Cfgs {
    predicates: Vec<TokenStream>,
}

impl Cfgs {
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let predicate = |attribute: &Attribute| match &attribute.meta {
            Meta::List(cfg) if cfg.path.is_ident("cfg") => Some(cfg.tokens.clone()),
            _ => None,
        };
        Self {
            predicates: attributes.iter().filter_map(predicate).collect(),
        }
    }

    /// Whether it is there always.
    pub(crate) fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// The attribute for what takes its place where it is not there.
    pub(crate) fn negated(&self) -> TokenStream {
        let predicates = &self.predicates;
        quote!(#[cfg(not(all(#(#predicates),*)))])
    }
}

impl ToTokens for Cfgs {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let predicates = &self.predicates;
        tokens.extend(quote!(#(#[cfg(#predicates)])*));
    }
}
