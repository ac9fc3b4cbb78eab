// What a model can fill in.
use std::collections::{BTreeMap, HashMap};

use haft::{
    Toolkit, argument, schemars, serde,
    serde_json::{Value, json},
    tool, toolkit,
};

#[argument]
struct City {
    name: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(crate = "haft::serde")]
#[schemars(crate = "haft::schemars")]
struct Derived(u8);

type Maybe<T> = Option<T>;

/// Take a value of each kind.
#[tool]
async fn scalars(text: String, yes: bool, letter: char, whole: i64, float: f32) -> String {
    format!("{text} {yes} {letter} {whole} {float}")
}

/// Take a value of each kind.
#[tool]
async fn wrapped(
    maybe: Maybe<City>,
    list: Vec<City>,
    boxed: Box<City>,
    pair: (u8, String),
    array: [u8; 2],
    map: HashMap<String, City>,
    sorted: BTreeMap<String, Vec<Option<u8>>>,
    derived: Derived,
    any: Value,
) -> String {
    let names: Vec<_> = maybe
        .into_iter()
        .chain(list)
        .chain([*boxed])
        .chain(map.into_values())
        .map(|c| c.name)
        .collect();
    format!(
        "{} {pair:?} {array:?} {sorted:?} {} {any}",
        names.join(","),
        derived.0
    )
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![scalars, wrapped];
    let input = json!({"text": "a", "yes": true, "letter": "b", "whole": -1, "float": 0.5});
    assert_eq!(kit.call("scalars", input).await.text(), "a true b -1 0.5");
    let input = json!({
        "list": [{"name": "a"}],
        "boxed": {"name": "b"},
        "pair": [1, "c"],
        "array": [2, 3],
        "map": {"d": {"name": "d"}},
        "sorted": {"e": [4]},
        "derived": 5,
        "any": {"f": null},
    });
    let expected = r#"a,b,d (1, "c") [2, 3] {"e": [Some(4)]} 5 {"f":null}"#;
    assert_eq!(kit.call("wrapped", input).await.text(), expected);
}
