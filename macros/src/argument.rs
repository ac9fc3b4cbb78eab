//! `#[argument]`: derives what the type of an argument needs, with haft's own serde and schemars.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Field, Fields, Meta, MetaList, Path, Token, Variant, parse_quote,
};

use crate::args::ArgumentArgs;
use crate::cfgs::Cfgs;
use crate::doc;
use crate::errors::Errors;
use crate::runtime_path::RuntimePath;

/// Expands `#[argument(args)] item`.
pub(crate) fn argument(args: TokenStream, item: &TokenStream) -> TokenStream {
    match parse(item.clone()) {
        Ok(declared) => on_type(args, declared),
        Err(error) => on_something_else(args, item, &error),
    }
}

fn parse(item: TokenStream) -> syn::Result<DeriveInput> {
    let declared: DeriveInput = syn::parse2(item)?;
    match &declared.data {
        Data::Union(data) => Err(syn::Error::new(data.union_token.span, "unexpected union")),
        Data::Struct(_) | Data::Enum(_) => Ok(declared),
    }
}

/// The type stays whatever is wrong, and has both traits in the end, so that the tools that take it
/// do not err as well.
fn on_type(args: TokenStream, mut declared: DeriveInput) -> TokenStream {
    let errors = Errors::about(format!("argument `{}`", declared.ident.unraw()));
    let args = ArgumentArgs::parse(args, &errors);
    let derived = derived(&declared.attrs);
    check_derived(&derived, &errors);
    take_arg_of_fields(&mut declared.data, &errors);
    let derives = expand_derives(&args.runtime, &declared, &derived);
    mend_derived(&args.runtime, &mut declared.attrs, &derived);
    keep_order_of_variants(&mut declared.data);
    let unit = expand_unit_enum(&args.runtime, &declared);
    let errors = errors.into_compile_errors();
    quote!(#derives #declared #unit #errors)
}

/// A value of an enum without data is shown to the model by its name, which its schema has, so that
/// it can be a default without `Serialize`.
///
/// ```text
/// enum Units { Celsius, Fahrenheit }    impl haft::__private::UnitEnum for Units {}
/// ```
fn expand_unit_enum(haft: &RuntimePath, declared: &DeriveInput) -> Option<TokenStream> {
    let Data::Enum(data) = &declared.data else {
        return None;
    };
    let is_unit = |variant: &Variant| matches!(variant.fields, Fields::Unit);
    let is_generic = !declared.generics.params.is_empty();
    if is_generic || data.variants.is_empty() || !data.variants.iter().all(is_unit) {
        return None;
    }
    let (ident, cfgs) = (&declared.ident, Cfgs::of(&declared.attrs));
    Some(quote! {
        #cfgs
        #[automatically_derived]
        impl #haft::__private::UnitEnum for #ident {}
    })
}

fn on_something_else(args: TokenStream, item: &TokenStream, error: &syn::Error) -> TokenStream {
    let errors = Errors::about("`#[argument]`");
    let note = "any other type is an argument as it is if it has `Deserialize` and `JsonSchema`";
    errors.must_at(error.span(), "stand on a struct or an enum", note);
    ArgumentArgs::parse(args, &errors);
    let errors = errors.into_compile_errors();
    quote!(#item #errors)
}

/// What is for the arguments of a function has another name on a field. It is taken off, as the
/// compiler does not know it.
fn take_arg_of_fields(data: &mut Data, errors: &Errors) {
    let fields: Vec<&mut Field> = match data {
        Data::Struct(data) => data.fields.iter_mut().collect(),
        Data::Enum(data) => data
            .variants
            .iter_mut()
            .flat_map(|variant| &mut variant.fields)
            .collect(),
        Data::Union(_) => Vec::new(),
    };
    let note = "write `#[schemars(range(min = 1))]`, `length` or `regex`, and `#[serde(default)]`";
    for field in fields {
        let is_arg = |attribute: &Attribute| attribute.path().is_ident("arg");
        for attribute in field.attrs.iter().filter(|attribute| is_arg(attribute)) {
            errors.must(attribute, "not have `#[arg]` on a field", note);
        }
        field.attrs.retain(|attribute| !is_arg(attribute));
    }
}

/// What the type derives by itself. A list that cannot be read is left to the compiler.
fn derived(attributes: &[Attribute]) -> Vec<Path> {
    let paths = |attribute: &Attribute| {
        let list = Punctuated::<Path, Token![,]>::parse_terminated;
        attribute.parse_args_with(list).unwrap_or_default()
    };
    let is_derive = |attribute: &&Attribute| is_named(attribute.path(), "derive");
    let derives = attributes.iter().filter(is_derive);
    derives.flat_map(paths).collect()
}

/// A second derive would be a conflicting implementation, which the compiler reports deep inside of
/// serde.
///
/// Only what stands below `#[argument]` can be seen: a derive above it is gone when the macro runs.
fn check_derived(derived: &[Path], errors: &Errors) {
    for name in ["Deserialize", "JsonSchema"] {
        for path in derived.iter().filter(|path| is_named(path, name)) {
            let note = "`#[argument]` does it: remove it here";
            errors.must(path, format!("not derive `{name}`"), note);
        }
    }
}

/// By the last segment, since the traits can be written `serde::Deserialize`. Another trait of the
/// same name would be taken for it; a derive macro cannot be asked what it is.
fn is_named(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

/// ```text
/// enum Units { .. }         #[derive(::haft::serde::Deserialize)]
///                           #[serde(crate = "::haft::serde", deny_unknown_fields)]
///                           #[derive(::haft::schemars::JsonSchema)]
///                           #[schemars(crate = "::haft::schemars")]
///                           enum Units { .. }
/// ```
///
/// Without what the type derives by itself: that is a mistake, and has been told.
fn expand_derives(haft: &RuntimePath, declared: &DeriveInput, derived: &[Path]) -> TokenStream {
    let is_missing = |name| !derived.iter().any(|path| is_named(path, name));
    let deserialize = is_missing("Deserialize").then(|| {
        let path = haft.text_of("serde");
        // Who derives `Serialize` too may have said it.
        let found = (!says(&declared.attrs, "serde", "crate")).then(|| quote!(crate = #path,));
        let closed = refuses_unknown_keys(declared).then(|| quote!(deny_unknown_fields));
        quote!(#[derive(#haft::serde::Deserialize)] #[serde(#found #closed)])
    });
    let schema = is_missing("JsonSchema").then(|| {
        let path = haft.text_of("schemars");
        quote!(#[derive(#haft::schemars::JsonSchema)] #[schemars(crate = #path)])
    });
    quote!(#deserialize #schema)
}

/// What the type derives by itself may have no crate to find: without another error, it finds
/// haft's.
///
/// ```text
/// #[derive(Deserialize)]    #[derive(Deserialize)]
/// struct City { .. }        #[serde(crate = "::haft::serde")]
///                           struct City { .. }
/// ```
fn mend_derived(haft: &RuntimePath, attributes: &mut Vec<Attribute>, derived: &[Path]) {
    let is_derived = |name| derived.iter().any(|path| is_named(path, name));
    if is_derived("Deserialize") && !says(attributes, "serde", "crate") {
        let path = haft.text_of("serde");
        attributes.push(parse_quote!(#[serde(crate = #path)]));
    }
    if is_derived("JsonSchema") && !says(attributes, "schemars", "crate") {
        let path = haft.text_of("schemars");
        attributes.push(parse_quote!(#[schemars(crate = #path)]));
    }
}

/// Whether to refuse keys that the type does not have, as its schema says. Not with `flatten`,
/// where other keys may be meant for the flattened field; and where there are no keys, there is
/// nothing to refuse.
fn refuses_unknown_keys(declared: &DeriveInput) -> bool {
    let has_keys = match &declared.data {
        Data::Struct(data) => matches!(data.fields, Fields::Named(_)),
        Data::Enum(_) | Data::Union(_) => true,
    };
    let says_so = |word| says(&declared.attrs, "serde", word);
    let mut fields = fields(&declared.data).into_iter();
    has_keys
        && !says_so("deny_unknown_fields")
        && !says_so("transparent")
        && !fields.any(|field| says(&field.attrs, "serde", "flatten"))
}

fn fields(data: &Data) -> Vec<&Field> {
    match data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => {
            let fields = data.variants.iter().flat_map(|variant| &variant.fields);
            fields.collect()
        }
        Data::Union(data) => data.fields.named.iter().collect(),
    }
}

/// Whether one of the attributes is `#[owner(.., word, ..)]`.
fn says(attributes: &[Attribute], owner: &str, word: &str) -> bool {
    let is_word = |token| matches!(token, TokenTree::Ident(ident) if ident == word);
    let says = |list: &MetaList| list.tokens.clone().into_iter().any(is_word);
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident(owner) && says(list),
        Meta::Path(_) | Meta::NameValue(_) => false,
    })
}

/// ```text
/// enum Mode {               enum Mode {
///     /// Quick.                /// Quick.
///     Fast,                     Fast,
///     Slow,                     #[schemars(extend("x-haft" = true))]
/// }                             Slow,
///                           }
/// ```
///
/// schemars lists the variants that have nothing to tell first, in one `enum`. With something to
/// tell they stay in their place. The runtime takes it off the schema again.
fn keep_order_of_variants(data: &mut Data) {
    let Data::Enum(data) = data else { return };
    if data.variants.iter().any(is_documented) {
        for variant in data.variants.iter_mut().filter(|variant| is_plain(variant)) {
            let mark = parse_quote!(#[schemars(extend("x-haft" = true))]);
            variant.attrs.push(mark);
        }
    }
}

fn is_plain(variant: &Variant) -> bool {
    matches!(variant.fields, Fields::Unit) && !is_documented(variant)
}

fn is_documented(variant: &Variant) -> bool {
    variant.attrs.iter().any(doc::is_doc)
}

#[cfg(test)]
mod tests {
    use crate::testing::assert_errors;

    #[test]
    fn the_item_is_a_struct_or_an_enum() {
        let rule = "`#[argument]` must stand on a struct or an enum";
        assert_errors("#[argument] fn f() {}", &[("fn", rule)]);
        assert_errors("#[argument] pub union U { a: u8 }", &[("union", rule)]);
        assert_errors(
            "#[argument(key)] type T = u8;",
            &[
                ("type", rule),
                ("key", "`#[argument]` must not have a key `key`"),
            ],
        );
    }

    #[test]
    fn each_trait_is_derived_once() {
        assert_errors(
            "#[argument]
            #[derive(Debug, Deserialize)]
            #[core::prelude::v1::derive(schemars::JsonSchema)]
            struct A;",
            &[
                ("Deserialize", "argument `A` must not derive `Deserialize`"),
                (
                    "schemars::JsonSchema",
                    "argument `A` must not derive `JsonSchema`",
                ),
            ],
        );
        assert_errors("#[argument] #[derive(Debug, Serialize)] struct A;", &[]);
    }
}
