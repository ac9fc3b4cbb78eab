// An expansion warns of nothing, however much the user's crate asks for.
#![deny(
    warnings,
    future_incompatible,
    let_underscore,
    nonstandard_style,
    rust_2018_idioms,
    unused
)]
#![deny(
    missing_debug_implementations,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts
)]
#![deny(
    unit_bindings,
    unreachable_pub,
    unused_lifetimes,
    unused_qualifications,
    unused_results
)]
#![deny(
    redundant_lifetimes,
    variant_size_differences,
    missing_docs,
    private_interfaces
)]
#![deny(
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    unused_import_braces
)]
#![forbid(unsafe_code)]
//! A crate.

use haft::{Toolkit, argument, tool, toolkit};

#[argument]
#[derive(Debug)]
struct City {
    name: String,
}

#[argument]
#[derive(Debug)]
enum Units {
    /// As in the north.
    Celsius,
    Fahrenheit,
}

/// Get the weather.
#[tool]
async fn get_weather(
    mut city: City,
    _units: Option<Units>,
    days: Vec<u8>,
) -> Result<String, String> {
    city.name.push_str("!");
    Ok(format!("{} {days:?}", city.name))
}

/// Wait.
#[tool]
async fn wait() {}

/// Add two numbers.
#[tool]
fn add(a: u8, b: u8) -> u8 {
    a + b
}

fn main() {
    let kit: Toolkit = toolkit![get_weather, wait, add];
    assert_eq!(kit.len(), 3);
}
