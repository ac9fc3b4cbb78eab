//! How do I say more about an argument: a default, examples, bounds?
//!
//! The model reads them in the schema, the compiler compares them, and what breaks them is told to
//! the model before the function runs.
//!
//! `cargo run --bin arguments`

use haft::serde_json::{Value, json, to_string_pretty};
use haft::{Nullable, Toolkit, argument, tool, toolkit};

#[argument]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Class {
    Economy,
    Business,
}

/// Bounds of a field are schemars' own attributes, for the model to read.
#[argument]
#[derive(Debug)]
struct Passenger {
    name: String,
    #[schemars(range(max = 120))]
    age: u8,
    /// Null where there is none; the model has to say so.
    passport: Nullable<String>,
}

const MOST: usize = 9;

/// Search for flights.
#[tool(read_only)]
async fn search_flights(
    /// The airport.
    #[arg(
        rename = "from",
        pattern = "^[A-Z]{3}$",
        example = "FRA",
        example = "NRT"
    )]
    origin: String,
    #[arg(min_items = 1, max_items = MOST)] passengers: Vec<Passenger>,
    #[arg(default = Class::Economy)] class: Class,
    /// The most that it may cost, in euros.
    #[arg(exclusive_min = 0.0)]
    budget: Option<f64>,
    #[arg(default = 1, min = 1)] page: u32,
) -> String {
    let who: Vec<_> = passengers
        .iter()
        .map(|who| format!("{} ({}, {:?})", who.name, who.age, *who.passport))
        .collect();
    format!("page {page} of {class:?} flights from {origin} for {who:?} below {budget:?}")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), haft::Error> {
    let kit: Toolkit = toolkit![search_flights];
    // What the compiler cannot know, such as whether a pattern is one, a test can.
    haft::testing::check(&kit)?;
    for definition in kit.definitions() {
        println!("{}", text(definition.input_schema()));
    }
    let ada = json!({"name": "Ada", "age": 36, "passport": null});
    for input in [
        json!({"from": "FRA", "passengers": [ada]}),
        json!({"from": "Frankfurt", "passengers": [], "budget": 0, "page": null}),
    ] {
        let result = kit.call("search_flights", input.clone()).await;
        println!("\n{input}\n{}", result.text());
    }
    Ok(())
}

fn text(schema: &Value) -> String {
    to_string_pretty(schema).unwrap_or_default()
}
