//! Bounds, defaults and examples: what the table of parameters has of them.

mod checks;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Expr, LitStr};

use self::checks::Checks;
use super::{params, relocated};
use crate::args::BoundKey;
use crate::bounds::Kind;
use crate::doc;
use crate::model::{Home, Param, ToolFn};
use crate::runtime_path::RuntimePath;
use crate::types;

/// What stands before the table of parameters.
///
/// ```text
/// #[arg(min = 1, max = MOST)]    const __MAX0: <u32 as Number>::Bound = MOST;
/// days: u32                      const __MIN0: <u32 as Number>::Bound = 1;
///                                const _: () = __must(__MIN0 <= __MAX0, "tool `f` must ..");
///                                static __RANGE0: Range<<u32 as Number>::Bound> = Range { .. };
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
            let checks = Checks { tool, index, param };
            let (pairs, values, types) = (
                checks.expand_pairs(),
                checks.expand_values(),
                checks.expand_types(),
            );
            quote!(#pairs #values #types)
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
            let (constants, bounds) = (
                self.expand_constants(index, param),
                self.expand_bounds(index, param),
            );
            quote!(#constants #bounds)
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
            let (with, name, ty) = (with_name(kind), static_name(kind, index), &param.ty);
            let place = first_of(param, kind);
            let with = relocated(quote!(#haft::__private::#with::<#ty>), place);
            let bounds = relocated(quote!(&#name), place);
            quote!(#with(#row, #bounds))
        })
    }

    /// The constant for an expression where it is compared, else the expression.
    fn named_or(&self, name: &Ident, value: impl ToTokens) -> TokenStream {
        if self.is_asked(name) {
            name.to_token_stream()
        } else {
            value.to_token_stream()
        }
    }

    fn is_asked(&self, name: &Ident) -> bool {
        types::names(&self.asked, name)
    }

    /// What is compared, each as a constant of the type that it must have.
    fn expand_constants(&self, index: usize, param: &Param) -> TokenStream {
        let tool = self.tool;
        let bounds = param.bounds.iter().map(|bound| {
            let ty = bound_type(tool, param, bound.key.kind());
            (bound_name(bound.key, index), ty, &bound.value)
        });
        let default = param.default.iter().filter_map(|default| {
            let value = default.value.as_ref()?;
            Some((default_name(index), outside(tool, &param.ty), value))
        });
        let examples = param.examples.iter().enumerate().map(|(at, example)| {
            let ty = bound_type(tool, param, Kind::Number);
            (example_name(index, at), ty, example)
        });
        let all = bounds.chain(default).chain(examples);
        let asked = all.filter(|(name, ..)| self.is_asked(name));
        let constants = asked.map(|(name, ty, value)| {
            let (cfgs, value) = (&param.cfgs, outside(tool, value));
            quote!(#cfgs const #name: #ty = #value;)
        });
        constants.collect()
    }

    /// The bounds of each kind, as the table refers to them.
    fn expand_bounds(&self, index: usize, param: &Param) -> TokenStream {
        let haft = &self.tool.declared.runtime;
        let cfgs = &param.cfgs;
        let kinds = Kind::ALL.into_iter().filter(|kind| has(param, *kind));
        let statics = kinds.map(|kind| {
            let (name, ty) = (static_name(kind, index), type_name(kind));
            let argument = (kind == Kind::Number).then(|| {
                let bound = bound_type(self.tool, param, kind);
                quote!(<#bound>)
            });
            let made = self.expand_made(index, param, kind);
            quote!(#cfgs static #name: #haft::__private::#ty #argument = #made;)
        });
        statics.collect()
    }

    /// ```text
    /// Length::matching("^[a-z]*$").min(1).max(80)
    /// ```
    fn expand_made(&self, index: usize, param: &Param, kind: Kind) -> TokenStream {
        let haft = &self.tool.declared.runtime;
        let ty = type_name(kind);
        let start = match param.bound(BoundKey::Pattern) {
            Some(pattern) if kind == Kind::Text => {
                let pattern = outside(self.tool, &pattern.value);
                quote!(matching(#pattern))
            }
            _ => quote!(NONE),
        };
        let bounds = param.bounds.iter();
        let bounds = bounds.filter(|bound| bound.key.kind() == kind);
        let bounds = bounds.filter(|bound| bound.key != BoundKey::Pattern);
        let setters = bounds.map(|bound| {
            let setter = format_ident!("{}", setter_name(bound.key));
            let value = outside(self.tool, &bound.value);
            let value = self.named_or(&bound_name(bound.key, index), value);
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
        let ty = &param.ty;
        let (value, place) = match &default.value {
            None => {
                let place = default.key.span();
                let of_type = relocated(quote!(<#ty as ::core::default::Default>::default), place);
                (of_type, place)
            }
            Some(value) => {
                let made = self.named_or(&default_name(index), expand_value(haft, value));
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
            let value = self.named_or(&example_name(index, at), expand_value(haft, example));
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

/// What bounds of a kind are. At the first key of that kind: so a type that cannot have them is one
/// error.
fn bound_type(tool: &ToolFn<'_>, param: &Param, kind: Kind) -> TokenStream {
    if kind != Kind::Number {
        return quote!(::core::primitive::usize);
    }
    let haft = &tool.declared.runtime;
    let ty = outside(tool, &param.ty);
    relocated(
        quote!(<#ty as #haft::__private::Number>::Bound),
        first_of(param, kind),
    )
}

/// An expression or a type, as it is written in an item of its own.
fn outside(tool: &ToolFn<'_>, tokens: impl ToTokens) -> TokenStream {
    match tool.home {
        Home::Module => tokens.to_token_stream(),
        Home::Block(block) => types::without_self(tokens.to_token_stream(), &block.self_ty),
    }
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
    let shown = relocated(quote!(#haft::__shown!), place);
    quote!(|#value| #shown(#value))
}

/// `None` and `Some(..)`, told by their names.
fn is_option(value: &Expr) -> bool {
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

fn has(param: &Param, kind: Kind) -> bool {
    param.bounds.iter().any(|bound| bound.key.kind() == kind)
}

/// Where the first bound of this kind stands.
fn first_of(param: &Param, kind: Kind) -> Span {
    let mut bounds = param.bounds.iter();
    let first = bounds.find(|bound| bound.key.kind() == kind);
    first.map_or_else(Span::call_site, |bound| bound.ident.span())
}

fn bound_name(key: BoundKey, index: usize) -> Ident {
    format_ident!("__{}{index}", key.name().to_uppercase())
}

fn default_name(index: usize) -> Ident {
    format_ident!("__DEFAULT{index}")
}

fn example_name(index: usize, at: usize) -> Ident {
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
