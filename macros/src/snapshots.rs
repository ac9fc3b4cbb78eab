//! Expansions as formatted Rust, reviewed: `tests/expand/<case>.rs` becomes
//! `tests/expand/<case>.expanded.rs`.
//!
//! `HAFT_BLESS=1 cargo test` writes what comes out now.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::quote;

use crate::testing::expand;

/// A test for each case, so that all that changed are seen in one go.
macro_rules! cases {
    ($($case:ident)*) => {
        $(#[test]
        fn $case() {
            check(stringify!($case));
        })*

        const CASES: &[&str] = &[$(stringify!($case)),*];
    };
}

cases! {
    arg
    arg_cfg
    arg_of_map
    argument_crate_path
    argument_denies_already
    argument_derived
    argument_derived_with_crate
    argument_documented_variants
    argument_enum
    argument_flatten
    argument_newtype
    argument_struct
    argument_transparent
    blocking
    blocking_provided
    cfg
    collect
    crate_path
    deprecated
    description_constant
    doc_expressions
    fallback
    fallback_method
    fallback_primitive
    fallback_twice
    fallback_variadic
    lifetimes
    name_and_description
    no_parameters
    not_a_function
    plain
    plain_fn
    provided
    provided_cfg
    provider_tool
    raw_identifiers
    settings
    state
    toolkit
    toolkit_empty
    toolkit_fallback
    tools
    tools_cfg
    tools_description
    tools_fallback
    tools_generic
    tools_named
    tools_of_trait
}

#[test]
fn each_file_is_a_case() {
    let mut files: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| !name(path).ends_with(".expanded.rs"));
    files.sort();
    let names: Vec<_> = files.iter().map(|path| name(path)).collect();
    assert_eq!(
        names,
        CASES
            .iter()
            .map(|case| format!("{case}.rs"))
            .collect::<Vec<_>>(),
        "cases, in order"
    );
}

fn check(case: &str) {
    let source = fs::read_to_string(folder().join(format!("{case}.rs"))).unwrap();
    let expanded = format(&expand(&source));
    let path = folder().join(format!("{case}.expanded.rs"));
    if env::var_os("HAFT_BLESS").is_some() {
        fs::write(&path, &expanded).unwrap();
    }
    let reviewed = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        expanded,
        reviewed,
        "{} differs; review it with HAFT_BLESS=1",
        path.display()
    );
}

/// What `toolkit!` becomes is a block, which is no item of a file.
fn format(expansion: &TokenStream) -> String {
    let file = syn::parse2(expansion.clone())
        .or_else(|_| syn::parse2(quote!(fn expanded() #expansion)))
        .expect("an expansion is Rust");
    prettyplease::unparse(&file)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand")
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
