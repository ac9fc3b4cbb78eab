//! `#[derive(State)]`: each field of a struct is something that a toolkit's state provides.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Field, Fields, Ident, Member};

use crate::args::{FieldArgs, StateArgs};
use crate::errors::Errors;
use crate::types;

/// Expands `#[derive(State)] item`.
pub(crate) fn state(item: TokenStream) -> TokenStream {
    let declared: DeriveInput = match syn::parse2(item) {
        Ok(declared) => declared,
        Err(error) => return error.into_compile_error(),
    };
    let errors = Errors::about(format!("state `{}`", declared.ident.unraw()));
    let args = StateArgs::parse(&declared.attrs, &errors);
    let parts = parts(&declared, &errors);
    // The first of two fields stays, so that tools that take it do not err as well.
    let parts = distinct(parts, &errors);
    let parts = without_generic(&declared, parts, &errors);
    let implementations = parts.iter().map(|part| expand_part(&args, &declared, part));
    let implementations: TokenStream = implementations.collect();
    let errors = errors.into_compile_errors();
    quote!(#implementations #errors)
}

/// A field that is provided.
struct Part<'a> {
    member: Member,
    field: &'a Field,
}

/// The fields that are not skipped.
fn parts<'a>(declared: &'a DeriveInput, errors: &Errors) -> Vec<Part<'a>> {
    let Data::Struct(data) = &declared.data else {
        let note = "implement `Provide` by hand, or put it in a field of a struct";
        errors.must(&declared.ident, "be a struct", note);
        return Vec::new();
    };
    let is_kept = |field: &&Field| !FieldArgs::parse(&field.attrs, errors).skip;
    match &data.fields {
        Fields::Unit => Vec::new(),
        Fields::Named(_) | Fields::Unnamed(_) => {
            let members = data.fields.members().zip(&data.fields);
            let kept = members.filter(|(_, field)| is_kept(field));
            kept.map(|(member, field)| Part { member, field }).collect()
        }
    }
}

/// A tool asks for a type: of two fields it could not be told which is meant.
fn distinct<'a>(parts: Vec<Part<'a>>, errors: &Errors) -> Vec<Part<'a>> {
    let mut seen = HashMap::new();
    let mut kept = Vec::new();
    for part in parts {
        let ty = part.field.ty.to_token_stream().to_string();
        let Some(earlier) = seen.get(&ty) else {
            seen.insert(ty, part.member.clone());
            kept.push(part);
            continue;
        };
        let rule = format!(
            "not have two fields of one type, here and in `{}`",
            name(earlier)
        );
        let note = "give one a type of its own, or write `#[state(skip)]` above it";
        errors.must(&part.field.ty, rule, note);
    }
    kept
}

/// A type that is generic could be that of any other field.
fn without_generic<'a>(
    declared: &DeriveInput,
    mut parts: Vec<Part<'a>>,
    errors: &Errors,
) -> Vec<Part<'a>> {
    let is_generic = |ident: &Ident| {
        let mut generic = declared.generics.type_params();
        generic.any(|param| param.ident == *ident)
    };
    if parts.len() > 1 {
        parts.retain(|part| {
            let is_open = types::last_name(&part.field.ty).is_some_and(is_generic);
            if is_open {
                let rule = "not provide a generic type beside others";
                let note = "it could be one of them; put it into a type of its own, \
                            or write `#[state(skip)]` above it";
                errors.must(&part.field.ty, rule, note);
            }
            !is_open
        });
    }
    parts
}

fn name(member: &Member) -> String {
    member.to_token_stream().to_string()
}

/// ```text
/// struct App { db: Db }      impl Provide<Db> for App {
///                                fn provide(&self) -> &Db { &self.db }
///                            }
/// ```
fn expand_part(args: &StateArgs, declared: &DeriveInput, part: &Part<'_>) -> TokenStream {
    let (haft, ident) = (&args.runtime, &declared.ident);
    let (generics, arguments, bounds) = declared.generics.split_for_impl();
    let (member, ty) = (&part.member, &part.field.ty);
    // The trait at the field, so that it is clear which one the compiler speaks of.
    let provide = quote_spanned!(ty.span()=> #haft::Provide<#ty>);
    quote! {
        #[automatically_derived]
        #[allow(unused_qualifications)]
        impl #generics #provide for #ident #arguments #bounds {
            fn provide(&self) -> &#ty {
                &self.#member
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::assert_errors;

    #[test]
    fn it_is_a_struct() {
        let rule = "state `S` must be a struct";
        assert_errors("#[derive(State)] enum S { A }", &[("S", rule)]);
        assert_errors("#[derive(State)] struct S;", &[]);
        assert_errors(
            "#[derive(State)] struct S<'a, T: Copy>(W<T>, &'a str) where T: Eq;",
            &[],
        );
        assert_errors("#[derive(State)] struct S<T>(T);", &[]);
        assert_errors(
            "#[derive(State)] struct S<T>(T, u8);",
            &[(
                "T",
                "state `S` must not provide a generic type beside others",
            )],
        );
    }

    #[test]
    fn a_type_is_there_once() {
        let rule = "state `S` must not have two fields of one type, here and in `a`";
        assert_errors(
            "#[derive(State)] struct S { a: Db, b: u8, c: Db }",
            &[("Db", rule)],
        );
        assert_errors(
            "#[derive(State)] struct S { a: Db, #[state(skip)] c: Db }",
            &[],
        );
    }

    #[test]
    fn keys_are_known() {
        assert_errors(
            "#[derive(State)] #[state(skip)] struct S { #[state(crate = ::haft)] a: u8 }",
            &[
                ("skip", "state `S` must not have a key `skip`"),
                ("crate", "state `S` must not have a key `crate`"),
            ],
        );
    }
}
