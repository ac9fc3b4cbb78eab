//! Bounds, defaults and examples: what the table has of them.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Expr, LitStr};

use super::questions::Questions;
use super::{params, relocated};
use crate::args::BoundKey;
use crate::bounds::Kind;
use crate::doc;
use crate::model::{Param, ToolFn};
use crate::runtime_path::RuntimePath;
use crate::types;

/// What stands before the table of parameters.
///
/// ```text
/// #[arg(min = 1, max = MOST)]    type __Type0 = u32;
/// days: u32                      const __MIN0: <__Type0 as Number>::Bound = { 1 };
///                                const __MAX0: <__Type0 as Number>::Bound = { MOST };
///                                static __RANGE0: Range<<__Type0 as Number>::Bound> = Range { .. };
///                                const _: () = __must(__MIN0 <= __MAX0, "tool `f` must ..");
/// ```
///
/// Each expression of the user's stands once, so that what is wrong with it is told once: what is
/// compared is a constant, and what is not stands where it is used.
pub(super) struct Values<'a> {
    tool: &'a ToolFn<'a>,
    /// What the compiler is asked.
    asked: TokenStream,
}

impl<'a> Values<'a> {
    pub(super) fn new(tool: &'a ToolFn<'a>) -> Self {
        let params = tool.params.iter().enumerate();
        let asked = params.map(|(index, param)| {
            let ty = type_of(tool, index, param);
            Questions {
                tool,
                index,
                param,
                ty,
            }
            .expand()
        });
        let asked = asked.collect();
        Self { tool, asked }
    }

    pub(super) fn expand_items(&self) -> TokenStream {
        let (haft, asked) = (&self.tool.declared.runtime, &self.asked);
        let import = (!asked.is_empty()).then(|| quote!(use #haft::__private::must as __must;));
        let probes = types::names(asked, &format_ident!("Probe")).then(|| {
            quote! {
                #[allow(unused_imports)]
                use #haft::__private::ProbeOtherwise as _;
            }
        });
        let params = self.tool.params.iter().enumerate();
        let items = params.map(|(index, param)| {
            let (alias, constants, bounds) = (
                self.expand_alias(index, param),
                self.expand_constants(index, param),
                self.expand_bounds(index, param),
            );
            quote!(#alias #constants #bounds)
        });
        quote!(#import #probes #(#items)* #asked)
    }

    /// A row of the table, with all that `#[arg]` adds to it.
    ///
    /// ```text
    /// __parameter::<u32>("days", "")    with_range::<u32>(
    ///                                       __parameter::<u32>("days", "").with_default(|| 3, ..),
    ///                                       &__RANGE0,
    ///                                   )
    /// ```
    pub(super) fn expand_row(&self, index: usize, param: &Param) -> TokenStream {
        let haft = &self.tool.declared.runtime;
        let row = params::expand_row(haft, param);
        let default = self.expand_default(index, param);
        let examples = self.expand_examples(index, param);
        let row = quote!(#row #default #examples);
        let kinds = Kind::ALL.into_iter().filter(|kind| has(param, *kind));
        kinds.fold(row, |row, kind| {
            let (with, name) = (with_name(kind), static_name(kind, index));
            let ty = type_of(self.tool, index, param);
            let place = first_of(param, kind);
            let with = relocated(quote!(#haft::__private::#with::<#ty>), place);
            let bounds = relocated(quote!(&#name), place);
            quote!(#with(#row, #bounds))
        })
    }

    /// The constant for an expression where it is compared, else the expression.
    fn named_or(&self, name: &Ident, param: &Param, value: impl ToTokens) -> TokenStream {
        if self.is_asked(name) {
            relocated(name.to_token_stream(), first_of(param, Kind::Number))
        } else {
            value.to_token_stream()
        }
    }

    fn is_asked(&self, name: &Ident) -> bool {
        types::names(&self.asked, name)
    }

    /// ```text
    /// type __Type0 = u32;
    /// ```
    ///
    /// What is asked of the type is asked where bounds and default stand; that there is such a type is
    /// asked in its own place.
    fn expand_alias(&self, index: usize, param: &Param) -> Option<TokenStream> {
        let home = self.tool.home;
        let is_asked = !param.bounds.is_empty() || param.default.is_some();
        let is_named =
            !home.is_generic(&param.ty) && (is_asked || types::may_be_map(&param.written));
        is_named.then(|| {
            let (cfgs, name, ty) = (&param.cfgs, alias_name(index), home.outside(&param.ty));
            quote!(#cfgs type #name = #ty;)
        })
    }

    /// Bounds, and what is compared with them, each as a constant of the type that it must have.
    fn expand_constants(&self, index: usize, param: &Param) -> TokenStream {
        let tool = self.tool;
        let bounds = param.bounds.iter().map(|bound| {
            let ty = bound_type(tool, index, param, bound.key);
            let value = braced(
                tool.home.outside(&bound.value),
                first_of(param, bound.key.kind()),
            );
            (bound_name(bound.key, index), ty, value)
        });
        let default = param
            .default
            .iter()
            .filter_map(|default| Some((default_name(index), default.value.as_ref()?)));
        let examples = param.examples.iter().enumerate();
        let examples = examples.map(|(at, example)| (example_name(index, at), example));
        let values = default.chain(examples);
        let asked = values.filter(|(name, _)| self.is_asked(name));
        // Only beside bounds of numbers are they compared.
        let asked = asked.map(|(name, value)| {
            let ty = number_type(tool, index, param);
            let value = braced(tool.home.outside(value), first_of(param, Kind::Number));
            (name, ty, value)
        });
        let constants = bounds.chain(asked).map(|(name, ty, value)| {
            let cfgs = &param.cfgs;
            quote!(#cfgs const #name: #ty = #value;)
        });
        constants.collect()
    }

    /// The bounds of each kind, as the table refers to them. At the first of that kind: so a type that
    /// cannot have them is one error.
    fn expand_bounds(&self, index: usize, param: &Param) -> TokenStream {
        let haft = &self.tool.declared.runtime;
        let cfgs = &param.cfgs;
        let kinds = Kind::ALL.into_iter().filter(|kind| has(param, *kind));
        let statics = kinds.map(|kind| {
            let (name, ty) = (static_name(kind, index), type_name(kind));
            let argument = (kind == Kind::Number).then(|| {
                let bound = number_type(self.tool, index, param);
                quote!(<#bound>)
            });
            let made = self.expand_made(index, param, kind);
            let item = quote!(static #name: #haft::__private::#ty #argument = #made;);
            let item = relocated(item, first_of(param, kind));
            quote!(#cfgs #item)
        });
        statics.collect()
    }

    /// ```text
    /// Length::matching(__PATTERN0).min(__MIN_LEN0).max(__MAX_LEN0)
    /// ```
    fn expand_made(&self, index: usize, param: &Param, kind: Kind) -> TokenStream {
        let haft = &self.tool.declared.runtime;
        let ty = type_name(kind);
        let start = match param.bound(BoundKey::Pattern) {
            Some(pattern) if kind == Kind::Text => {
                let pattern = bound_name(pattern.key, index);
                quote!(matching(#pattern))
            }
            _ => quote!(NONE),
        };
        let bounds = param.bounds.iter();
        let bounds = bounds.filter(|bound| bound.key.kind() == kind);
        let bounds = bounds.filter(|bound| bound.key != BoundKey::Pattern);
        let setters = bounds.map(|bound| {
            let setter = format_ident!("{}", setter_name(bound.key));
            let value = bound_name(bound.key, index);
            quote!(.#setter(#value))
        });
        quote!(#haft::__private::#ty::#start #(#setters)*)
    }

    /// ```text
    /// .with_default(|| Units::Celsius, |__value| haft::__shown!(__value))
    /// ```
    fn expand_default(&self, index: usize, param: &Param) -> Option<TokenStream> {
        let haft = &self.tool.declared.runtime;
        let default = param.default.as_ref()?;
        let ty = type_of(self.tool, index, param);
        let (value, place) = match &default.value {
            None => {
                let place = default.key.span();
                let of_type = relocated(quote!(<#ty as ::core::default::Default>::default), place);
                (of_type, place)
            }
            Some(value) => {
                let made = self.named_or(&default_name(index), param, expand_value(haft, value));
                (quote!(|| #made), value.span())
            }
        };
        let shown = expand_shown(haft, place);
        Some(quote!(.with_default(#value, #shown)))
    }

    /// ```text
    /// .with_examples(|__examples| { Vec::push(__examples, 3); .. }, |__value| haft::__shown!(__value))
    /// ```
    ///
    /// Of an `Option`, an example is what is in it: to be absent needs no example.
    fn expand_examples(&self, index: usize, param: &Param) -> Option<TokenStream> {
        let haft = &self.tool.declared.runtime;
        let first = param.examples.first()?;
        let list = super::local("examples");
        let pushes = param.examples.iter().enumerate().map(|(at, example)| {
            let value = self.named_or(&example_name(index, at), param, expand_value(haft, example));
            let is_inner = types::option_of(&param.written).is_some() && !is_option(example);
            let value = if is_inner {
                quote!(::core::option::Option::Some(#value))
            } else {
                value
            };
            quote!(::std::vec::Vec::push(#list, #value);)
        });
        let shown = expand_shown(haft, first.span());
        Some(quote!(.with_examples(|#list| { #(#pushes)* }, #shown)))
    }
}

/// The type, by a name that can stand anywhere; a generic one has none.
fn type_of(tool: &ToolFn<'_>, index: usize, param: &Param) -> TokenStream {
    if tool.home.is_generic(&param.ty) {
        param.ty.clone()
    } else {
        alias_name(index).to_token_stream()
    }
}

/// A constant's value, as a whole where its type stands: what is wrong with that is then one error.
fn braced(value: TokenStream, place: Span) -> TokenStream {
    let mut braces = Group::new(Delimiter::Brace, value);
    braces.set_span(Span::call_site().located_at(place));
    braces.into_token_stream()
}

/// What a bound is.
fn bound_type(tool: &ToolFn<'_>, index: usize, param: &Param, key: BoundKey) -> TokenStream {
    match (key.kind(), key) {
        (Kind::Number, _) => number_type(tool, index, param),
        (_, BoundKey::Pattern) => quote!(&::core::primitive::str),
        (Kind::Text | Kind::List, _) => quote!(::core::primitive::usize),
    }
}

/// What bounds of numbers are. At the first of their keys, as all that is asked of the type for them.
fn number_type(tool: &ToolFn<'_>, index: usize, param: &Param) -> TokenStream {
    let (haft, ty) = (&tool.declared.runtime, type_of(tool, index, param));
    relocated(
        quote!(<#ty as #haft::__private::Number>::Bound),
        first_of(param, Kind::Number),
    )
}

/// A string literal stands for a `String` too, which has none of its own.
fn expand_value(haft: &RuntimePath, value: &Expr) -> TokenStream {
    match doc::as_literal(value) {
        Some(text) => expand_text_value(haft, text),
        None => value.to_token_stream(),
    }
}

fn expand_text_value(haft: &RuntimePath, text: &LitStr) -> TokenStream {
    relocated(quote!(#haft::__private::from_text(#text)), text.span())
}

fn expand_shown(haft: &RuntimePath, place: Span) -> TokenStream {
    let value = super::local("value");
    relocated(quote!(|#value| #haft::__shown!(#value)), place)
}

/// `None` and `Some(..)`, told by their names.
pub(super) fn is_option(value: &Expr) -> bool {
    let path = match value {
        Expr::Path(path) => path,
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path,
            _ => return false,
        },
        _ => return false,
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "Some" || last.ident == "None")
}

pub(super) fn has(param: &Param, kind: Kind) -> bool {
    param.bounds.iter().any(|bound| bound.key.kind() == kind)
}

/// Where the first bound of this kind stands.
pub(super) fn first_of(param: &Param, kind: Kind) -> Span {
    let mut bounds = param.bounds.iter();
    let first = bounds.find(|bound| bound.key.kind() == kind);
    first.map_or_else(Span::call_site, |bound| bound.ident.span())
}

fn alias_name(index: usize) -> Ident {
    format_ident!("__Type{index}")
}

pub(super) fn bound_name(key: BoundKey, index: usize) -> Ident {
    format_ident!("__{}{index}", key.name().to_uppercase())
}

pub(super) fn default_name(index: usize) -> Ident {
    format_ident!("__DEFAULT{index}")
}

pub(super) fn example_name(index: usize, at: usize) -> Ident {
    format_ident!("__EXAMPLE{index}_{at}")
}

fn static_name(kind: Kind, index: usize) -> Ident {
    format_ident!("__{}{index}", type_name(kind).to_string().to_uppercase())
}

fn type_name(kind: Kind) -> Ident {
    format_ident!(
        "{}",
        match kind {
            Kind::Number => "Range",
            Kind::Text => "Length",
            Kind::List => "Items",
        }
    )
}

fn with_name(kind: Kind) -> Ident {
    format_ident!("with_{}", type_name(kind).to_string().to_lowercase())
}

/// The runtime's name for it: the kind is told by the type.
fn setter_name(key: BoundKey) -> &'static str {
    match key {
        BoundKey::MinLen | BoundKey::MinItems => "min",
        BoundKey::MaxLen | BoundKey::MaxItems => "max",
        other => other.name(),
    }
}
