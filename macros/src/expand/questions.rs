//! What the compiler is asked about bounds, defaults and examples, where the macro cannot tell.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Expr;
use syn::spanned::Spanned;

use super::values::{bound_name, default_name, example_name, first_of, has, is_option};
use super::{call_at, relocated};
use crate::args::BoundKey;
use crate::bounds::{self, Asks, Fault, Kind, Number, Pair};
use crate::check;
use crate::doc;
use crate::model::{Param, ToolFn};
use crate::types;

/// The questions about one parameter.
pub(super) struct Questions<'a> {
    pub(super) tool: &'a ToolFn<'a>,
    pub(super) index: usize,
    pub(super) param: &'a Param,
    /// Its type, as it can be named anywhere.
    pub(super) ty: TokenStream,
}

impl Questions<'_> {
    pub(super) fn expand(&self) -> TokenStream {
        let (pairs, step, values, types) = (
            self.expand_pairs(),
            self.expand_step(),
            self.expand_values(),
            self.expand_types(),
        );
        quote!(#pairs #step #values #types)
    }

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
                let holds = quote!(#low_name #order #high_name);
                checks.extend(self.must(
                    &holds,
                    first_of(param, low.key.kind()),
                    &fault,
                    &low.value,
                ));
            }
        }
        checks
    }

    fn expand_step(&self) -> Option<TokenStream> {
        let bound = self.param.bound(BoundKey::MultipleOf)?;
        if Number::of(&bound.value).is_some() {
            return None;
        }
        let (step, zero) = (bound_name(bound.key, self.index), self.zero());
        let place = first_of(self.param, Kind::Number);
        Some(self.must(
            &quote!(#step > #zero),
            place,
            &bounds::not_positive(),
            &bound.value,
        ))
    }

    fn zero(&self) -> TokenStream {
        let (haft, ty) = (&self.tool.declared.runtime, &self.ty);
        quote!(<#ty as #haft::__private::Number>::ZERO)
    }

    /// That bounds allow the default and the examples, where that could not be seen. Those of numbers
    /// are constants then.
    fn expand_values(&self) -> TokenStream {
        let param = self.param;
        let mut checks = TokenStream::new();
        if is_nullable(param) {
            return checks;
        }
        if let Some(default) = &param.default {
            let name = default_name(self.index);
            let value = default.value.as_ref();
            let place = match value {
                Some(value) => value.to_token_stream(),
                None => default.key.to_token_stream(),
            };
            checks.extend(self.expand_allowed("a default", value, &name, &place));
        }
        for (at, example) in param.examples.iter().enumerate() {
            if is_checked_example(param, example) || doc::as_literal(example).is_some() {
                let name = example_name(self.index, at);
                let place = example.to_token_stream();
                checks.extend(self.expand_allowed("an example", Some(example), &name, &place));
            }
        }
        checks
    }

    fn expand_allowed(
        &self,
        what: &str,
        value: Option<&Expr>,
        name: &Ident,
        place: &TokenStream,
    ) -> TokenStream {
        // What is generic is no constant; the runtime looks at it.
        if value.is_some_and(|value| self.tool.home.is_generic(value)) {
            return TokenStream::new();
        }
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
            let holds = quote!(#measured #order #bound);
            Some(self.must(&holds, first_of(self.param, key.kind()), &fault, place))
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
        let (haft, param, ty) = (&self.tool.declared.runtime, self.param, &self.ty);
        if self.tool.home.is_generic(&param.ty) {
            return TokenStream::new();
        }
        let question = |question: TokenStream| quote!(!#haft::__private::Probe::<#ty>::#question);
        let asked = param.default.as_ref().filter(|_| may_be_option(param));
        let is_optional = asked.map(|default| {
            let fault = check::default_of_optional("what is in it");
            let (holds, key) = (question(quote!(IS_OPTION)), &default.key);
            self.must(&holds, key.span(), &fault, key)
        });
        let is_map = types::may_be_map(&param.written).then(|| {
            let (holds, written) = (question(quote!(HAS_NUMBER_KEYS)), &param.written);
            self.must(&holds, written.span(), &number_keys(), written)
        });
        quote!(#is_optional #is_map)
    }

    /// ```text
    /// const _: () = {
    ///     const __HOLDS: bool = CONDITION;
    ///     __must(__HOLDS, "tool `f` must ..")
    /// };
    /// ```
    ///
    /// That it does not hold is told `at` the value which is wrong; what cannot be asked of the type, at
    /// the `place` where that is told already.
    fn must(
        &self,
        holds: &TokenStream,
        place: Span,
        fault: &Fault,
        at: &impl ToTokens,
    ) -> TokenStream {
        let (cfgs, name) = (&self.param.cfgs, self.tool.declared.name());
        let text = format!("tool `{name}` must {}\nnote: {}", fault.rule, fault.note);
        let holds = relocated(
            quote!(const __HOLDS: ::core::primitive::bool = #holds;),
            place,
        );
        let call = call_at(at, quote!(__must), &quote!(__HOLDS, #text));
        quote!(#cfgs const _: () = { #holds #call };)
    }
}

/// Whether an example stands in a constant, so that the compiler can compare it.
fn is_checked_example(param: &Param, example: &Expr) -> bool {
    has(param, Kind::Number) && bounds::is_constant(example) && !is_option(example)
}

/// Whether its values are not its numbers. By the name; a default of an alias must be a number then.
fn is_nullable(param: &Param) -> bool {
    types::last_name(&param.written).is_some_and(|name| name == "Nullable")
}

/// Whether the name could be an alias of `Option`. The names here could be too, but nobody does that,
/// and each question has its price.
fn may_be_option(param: &Param) -> bool {
    let is_known =
        |ident: &Ident| types::is_primitive(ident) || ident == "String" || ident == "Vec";
    !types::last_name(&param.written).is_some_and(is_known)
}

fn number_keys() -> Fault {
    Fault {
        rule: "not take a map whose keys are numbers or booleans".to_owned(),
        note: "keys of JSON are strings; take `String` keys, or a `Vec` of a struct".to_owned(),
    }
}
