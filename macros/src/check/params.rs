//! The rules of parameters: their types, keys, bounds, defaults and examples.

use quote::ToTokens;
use syn::{Attribute, Expr, PatType, Type, TypeReference};

use super::{NAME, fault_of_name};
use crate::args::{Bound, BoundKey};
use crate::bounds::{self, Fault, Number, Pair};
use crate::errors::Errors;
use crate::item::is_of_field;
use crate::model::{Home, Param};
use crate::types;

/// Reports all that is wrong with the arguments that the model gives, their types aside.
pub(super) fn check(params: &[Param], home: Home<'_>, errors: &Errors) {
    check_keys(params, errors);
    check_distinct_keys(params, errors);
    for param in params {
        check_default_of_optional(param, errors);
        check_generic(param, home, errors);
        check_pairs(param, errors);
        check_step(param, errors);
        check_values(param, errors);
    }
}

/// The state is shared by all calls, and lives as long as the toolkit. What looks like borrowed
/// text is meant to come from the model.
pub(crate) fn check_provided(argument: &PatType, reference: &TypeReference, errors: &Errors) {
    check_unadorned(&argument.attrs, "a reference", errors);
    let (rule, note) = match types::bare(&reference.elem) {
        elem if is_borrowed_value(elem) || reference.mutability.is_some() => {
            return check_reference(reference, errors);
        }
        Type::ImplTrait(_) => (
            "name the type of its state",
            "write `&dyn Trait`, or the type",
        ),
        elem if has_elided_reference(elem) => (
            "name the lifetimes inside of what is lent to it",
            "the state lives long: write `&'static` there, or an owned type",
        ),
        _ if is_static(reference) => (
            "not take a `&'static` argument",
            "leave the `'static` out: the state lives as long as the toolkit",
        ),
        _ => return,
    };
    errors.must(reference, rule, note);
}

/// What users of serde write on a field has another name here.
pub(crate) fn check_attributes(attributes: &[Attribute], errors: &Errors) {
    for attribute in attributes.iter().filter(|attribute| is_of_field(attribute)) {
        let rule = "not have an attribute of a field on an argument";
        let note = "`#[arg(default)]`, `#[arg(rename = \"...\")]` and bounds such as `#[arg(min = 1)]` are for arguments";
        errors.must(attribute, rule, note);
    }
}

/// `#[arg]` tells the model of an argument, and this one it does not see.
pub(super) fn check_unadorned(attributes: &[Attribute], what: &str, errors: &Errors) {
    let attributes = attributes.iter();
    for attribute in attributes.filter(|attribute| attribute.path().is_ident("arg")) {
        let rule = format!("not have `#[arg]` on {what}");
        let note = "the program gives it, and the model does not see it";
        errors.must(attribute, rule, note);
    }
}

/// A lifetime that is left out has nothing to be taken from where the type is named by itself.
fn has_elided_reference(ty: &Type) -> bool {
    let mut found = false;
    types::walk(ty, &mut |part| {
        found |= matches!(part, Type::Reference(reference) if reference.lifetime.is_none());
        true
    });
    found
}

fn is_static(reference: &TypeReference) -> bool {
    reference
        .lifetime
        .as_ref()
        .is_some_and(|lifetime| lifetime.ident == "static")
}

/// `str` and slices: what one would borrow if there were somebody to borrow from.
fn is_borrowed_value(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.is_ident("str"),
        Type::Slice(_) => true,
        _ => false,
    }
}

/// Inside of the type too: `Option<&str>` borrows as `&str` does.
pub(crate) fn check_argument_type(ty: &Type, errors: &Errors) {
    types::walk(ty, &mut |part| match part {
        Type::Reference(reference) => {
            check_reference(reference, errors);
            false
        }
        Type::ImplTrait(_) => {
            let note = "write the type that the model's JSON is read into";
            errors.must(part, "have arguments of named types", note);
            false
        }
        _ => true,
    });
    if types::is_context(ty) {
        let note = "the context is lent for the call: write `&CallContext`";
        errors.must(ty, "take `CallContext` by reference", note);
    }
    if types::is_unit(ty) {
        let note = "there is nothing that the model could give for it; leave the argument out";
        errors.must(ty, "not take a `()`", note);
    }
}

/// The arguments live no longer than the call, and nobody else has them: there is nothing to borrow
/// from.
fn check_reference(reference: &TypeReference, errors: &Errors) {
    let owned = "an argument is a value of the call's own";
    let (rule, note) = match types::bare(&reference.elem) {
        _ if reference.mutability.is_some() => (
            "not take a `&mut` argument",
            "take a value of the model's by value; what the program lends is shared by all calls",
        ),
        Type::Path(path) if path.path.is_ident("str") => ("take `String`, not `&str`", owned),
        Type::Slice(_) => ("take a `Vec`, not a slice", owned),
        _ => (
            "take what the model gives by value",
            "only a whole argument can be a reference, to the toolkit's state or the context",
        ),
    };
    errors.must(reference, rule, note);
}

/// Providers refuse other keys too. They come from the names of the arguments, or from `rename`.
fn check_keys(params: &[Param], errors: &Errors) {
    for param in params {
        let key = param.key.value();
        if let Some(fault) = fault_of_name(&key) {
            let stripped = if key.is_empty() && param.ident.to_string().starts_with('_') {
                " without the `_` before it"
            } else {
                ""
            };
            let mend = if param.is_renamed {
                "write another"
            } else {
                "write another with `#[arg(rename = \"...\")]`"
            };
            let note = format!("this one {fault}{stripped}; {mend}");
            errors.must(&param.key, format!("have argument names of {NAME}"), note);
        }
    }
}

/// The model gives each key once, and it must be clear which argument it is for.
fn check_distinct_keys(params: &[Param], errors: &Errors) {
    for (index, param) in params.iter().enumerate() {
        let mut earlier = params.iter().take(index);
        if let Some(earlier) = earlier.find(|earlier| is_clash(earlier, param)) {
            let rule = format!(
                "not have two arguments with the name `{}`",
                param.key.value()
            );
            let note = if earlier.is_renamed || param.is_renamed {
                "the model gives each name once; give one of the two another"
            } else {
                "the model does not see the `_` before a name; rename one of the two"
            };
            errors.must(&param.key, rule, note);
        }
    }
}

/// Of two that are spelled alike the compiler speaks by itself. Two that both have a `#[cfg]` are
/// taken to be alternatives, since it cannot be known here.
fn is_clash(one: &Param, other: &Param) -> bool {
    let are_alternatives = !one.cfgs.is_empty() && !other.cfgs.is_empty();
    one.key.value() == other.key.value() && one.ident != other.ident && !are_alternatives
}

/// What is left out is `None`, which the body can see and a default would hide. An alias of `Option`
/// is found by the compiler.
fn check_default_of_optional(param: &Param, errors: &Errors) {
    if let Some(default) = &param.default
        && let Some(inner) = types::option_of(&param.written)
    {
        let Fault { rule, note } = default_of_optional(&format!("`{}`", tokens(inner)));
        errors.must(&default.key, rule, note);
    }
}

/// `inner` is what is in the `Option`.
pub(crate) fn default_of_optional(inner: &str) -> Fault {
    Fault {
        rule: "not have a default for an `Option`".to_owned(),
        note: format!("left out, it is `None`; take {inner} with the default, or no default"),
    }
}

fn tokens(ty: &Type) -> String {
    ty.to_token_stream()
        .to_string()
        .replace(" :: ", "::")
        .replace(" < ", "<")
        .replace(" >", ">")
}

/// A bound is in a constant of its own, which knows nothing of the block's generic types.
fn check_generic(param: &Param, home: Home<'_>, errors: &Errors) {
    if let Some(bound) = param.bounds.first()
        && home.is_generic(&param.ty)
    {
        let note =
            "a bound is a constant beside the block, where the type is not known; leave it out";
        errors.must(&bound.ident, "not bound what is generic", note);
        return;
    }
    for bound in &param.bounds {
        if home.is_generic(&bound.value) {
            let note =
                "a bound is a constant beside the block, where this is not known; write it out";
            errors.must(&bound.value, "not have a bound that is generic", note);
        }
    }
}

/// Between a lower and an upper bound there must be something.
fn check_pairs(param: &Param, errors: &Errors) {
    for pair in Pair::ALL {
        if let (Some(low), Some(high)) = (written(param, pair.low), written(param, pair.high))
            && !pair.is_kept(low.1, high.1)
        {
            report(low.0, pair.fault(&param.key.value()), errors);
        }
    }
}

fn check_step(param: &Param, errors: &Errors) {
    if let Some((bound, step)) = written(param, BoundKey::MultipleOf)
        && step <= Number::Whole(0)
    {
        report(bound, bounds::not_positive(), errors);
    }
}

/// A bound whose number is written out.
fn written(param: &Param, key: BoundKey) -> Option<(&Expr, Number)> {
    let bound = param.bound(key)?;
    Some((&bound.value, Number::of(&bound.value)?))
}

/// What is given instead, or shown, must be what could be given.
fn check_values(param: &Param, errors: &Errors) {
    if let Some(default) = &param.default {
        check_value(
            param,
            "a default",
            default.value.as_ref(),
            &default.key,
            errors,
        );
    }
    for example in &param.examples {
        check_value(param, "an example", Some(example), example, errors);
    }
}

/// Without a value, it is that of `Default`: 0, or empty.
fn check_value(
    param: &Param,
    what: &str,
    value: Option<&Expr>,
    place: impl ToTokens,
    errors: &Errors,
) {
    for Bound {
        key, value: bound, ..
    } in &param.bounds
    {
        let measured = match value {
            Some(value) => Number::measure(value, key.kind()),
            None => Some(Number::Whole(0)),
        };
        if let (Some(measured), Some(number)) = (measured, Number::of(bound))
            && key.allows(measured, number) == Some(false)
        {
            let fault = bounds::outside(what, &param.key.value(), *key);
            match value {
                Some(value) => report(value, fault, errors),
                None => report(&place, fault, errors),
            }
        }
    }
}

fn report(place: impl ToTokens, fault: Fault, errors: &Errors) {
    errors.must(place, fault.rule, fault.note);
}
