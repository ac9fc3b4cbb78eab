//! Bounds, defaults and examples: what the table has of them, and what the compiler is asked about
//! them where the macro cannot tell.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Expr, LitStr};

use super::{params, relocated};
use crate::args::BoundKey;
use crate::bounds::{self, Asks, Fault, Kind, Number, Pair};
use crate::check;
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

/// The questions about one parameter.
struct Checks<'a> {
    tool: &'a ToolFn<'a>,
    index: usize,
    param: &'a Param,
}

impl Checks<'_> {
    /// That bounds leave room, where they are not both written out.
    fn expand_pairs(&self) -> TokenStream {
        let param = self.param;
        let mut checks = TokenStream::new();
        for pair in Pair::ALL {
            let (Some(low), Some(high)) = (param.bound(pair.low), param.bound(pair.high)) else {
                continue;
            };
            if Number::of(&low.value).is_none() || Number::of(&high.value).is_none() {
                let names = [pair.low, pair.high].map(|key| bound_name(key, self.index));
                let ([low_name, high_name], order) = (
                    names,
                    if pair.includes_both {
                        quote!(<=)
                    } else {
                        quote!(<)
                    },
                );
                let fault = pair.fault(&param.key.value());
                checks.extend(self.must(
                    &quote!(#low_name #order #high_name),
                    &fault,
                    low.value.span(),
                ));
            }
        }
        checks.extend(self.expand_step());
        checks
    }

    fn expand_step(&self) -> Option<TokenStream> {
        let bound = self.param.bound(BoundKey::MultipleOf)?;
        if Number::of(&bound.value).is_some() {
            return None;
        }
        let (step, zero) = (bound_name(bound.key, self.index), self.zero());
        Some(self.must(
            &quote!(#step > #zero),
            &bounds::not_positive(),
            bound.value.span(),
        ))
    }

    fn zero(&self) -> TokenStream {
        let haft = &self.tool.declared.runtime;
        let ty = outside(self.tool, &self.param.ty);
        quote!(<#ty as #haft::__private::Number>::ZERO)
    }

    /// That bounds allow the default and the examples, where that could not be seen. Those of numbers
    /// are constants then.
    fn expand_values(&self) -> TokenStream {
        let param = self.param;
        let mut checks = TokenStream::new();
        if let Some(default) = &param.default {
            let name = default_name(self.index);
            let place = match &default.value {
                Some(value) => value.span(),
                None => default.key.span(),
            };
            let value = default.value.as_ref();
            checks.extend(self.expand_allowed("a default", value, &name, place));
        }
        for (at, example) in param.examples.iter().enumerate() {
            if is_checked_example(param, example) || doc::as_literal(example).is_some() {
                let name = example_name(self.index, at);
                let place = example.span();
                checks.extend(self.expand_allowed("an example", Some(example), &name, place));
            }
        }
        checks
    }

    fn expand_allowed(
        &self,
        what: &str,
        value: Option<&Expr>,
        name: &Ident,
        place: Span,
    ) -> TokenStream {
        let bounds = self.param.bounds.iter();
        let checks = bounds.filter_map(|bound| {
            let key = bound.key;
            if Number::of(&bound.value).is_some()
                && value.is_none_or(|value| Number::measure(value, key.kind()).is_some())
            {
                return None;
            }
            let measured = self.measured(value, key.kind(), name)?;
            let order = match key.asks() {
                Asks::AtLeast => quote!(>=),
                Asks::AtMost => quote!(<=),
                Asks::Above => quote!(>),
                Asks::Below => quote!(<),
                // Of floats it cannot be said by `%`; the runtime looks at them.
                Asks::MultipleOf | Asks::Match => return None,
            };
            let bound = bound_name(key, self.index);
            let fault = bounds::outside(what, &self.param.key.value(), key);
            Some(self.must(&quote!(#measured #order #bound), &fault, place))
        });
        checks.collect()
    }

    /// What a bound of this kind judges: see [`Number::measure`]. `None` where it is known only when
    /// the program runs.
    fn measured(&self, value: Option<&Expr>, kind: Kind, name: &Ident) -> Option<TokenStream> {
        match (kind, value) {
            (Kind::Number, None) => Some(self.zero()),
            (Kind::Number, Some(_)) => Some(name.to_token_stream()),
            (Kind::Text | Kind::List, None) => Some(quote!(0)),
            (Kind::Text | Kind::List, Some(value)) => match Number::measure(value, kind)? {
                Number::Whole(count) => {
                    let count = usize::try_from(count).ok()?;
                    Some(quote!(#count))
                }
                Number::Float(_) => None,
            },
        }
    }

    /// What only the compiler knows of a type: whether it is an `Option`, and whether its keys are
    /// numbers. A type that names a generic one cannot be asked here.
    fn expand_types(&self) -> TokenStream {
        let (haft, param) = (&self.tool.declared.runtime, self.param);
        let ty = outside(self.tool, &param.ty);
        if self.tool.home.is_generic(&param.ty) {
            return TokenStream::new();
        }
        let question = |question: TokenStream| quote!(!#haft::__private::Probe::<#ty>::#question);
        let asked = param.default.as_ref().filter(|_| may_be_option(param));
        let is_optional = asked.map(|default| {
            let fault = check::default_of_optional("T");
            self.must(&question(quote!(IS_OPTION)), &fault, default.key.span())
        });
        let is_map = types::may_be_map(&param.written).then(|| {
            let fault = number_keys();
            let place = param.written.span();
            self.must(&question(quote!(HAS_NUMBER_KEYS)), &fault, place)
        });
        quote!(#is_optional #is_map)
    }

    /// ```text
    /// const _: () = __must(CONDITION, "tool `f` must ..");
    /// ```
    fn must(&self, condition: &TokenStream, fault: &Fault, place: Span) -> TokenStream {
        let (cfgs, name) = (&self.param.cfgs, self.tool.declared.name());
        let text = format!("tool `{name}` must {}\nnote: {}", fault.rule, fault.note);
        let call = relocated(quote!(__must(#condition, #text)), place);
        quote!(#cfgs const _: () = #call;)
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

/// Whether an example stands in a constant, so that the compiler can compare it.
fn is_checked_example(param: &Param, example: &Expr) -> bool {
    has(param, Kind::Number) && bounds::is_constant(example) && !is_option(example)
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

/// Whether the name could be an alias of `Option`. The names here could be too, but nobody does that,
/// and each question has its price.
fn may_be_option(param: &Param) -> bool {
    let is_known =
        |ident: &Ident| types::is_primitive(ident) || ident == "String" || ident == "Vec";
    !types::last_name(&param.written).is_some_and(is_known)
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

fn number_keys() -> Fault {
    Fault {
        rule: "not take a map whose keys are numbers or booleans".to_owned(),
        note: "keys of JSON are strings; take `String` keys, or a `Vec` of a struct".to_owned(),
    }
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
