// What can be an argument, with serde's and schemars' own attributes.
#![deny(warnings)]

use std::borrow::Cow;
use std::collections::BTreeMap;

use haft::{
    Toolkit, argument,
    serde_json::{Value, json},
    tool, toolkit,
};

#[argument]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    #[default]
    Celsius,
    /// As in America.
    Fahrenheit,
}

#[derive(Debug)]
#[argument]
#[serde(rename_all = "camelCase")]
pub(crate) struct Place<'a> {
    /// Its name.
    city_name: Cow<'a, str>,
    #[serde(default)]
    units: Units,
}

#[argument]
#[derive(Debug)]
struct Unit;

#[argument]
#[derive(Debug)]
struct Pair(u8, Option<String>);

#[argument]
#[derive(Debug)]
#[serde(transparent)]
struct Transparent {
    value: u8,
}

#[argument]
#[derive(Debug)]
struct Flat {
    #[serde(flatten)]
    known: Known,
    #[serde(flatten)]
    other: BTreeMap<String, Value>,
}

#[argument]
#[derive(Debug)]
#[serde(deny_unknown_fields)]
struct Known {
    first: u8,
}

#[argument]
#[derive(Debug)]
#[serde(tag = "kind")]
enum Shape<T> {
    Circle { radius: T },
    Square { side: T },
}

/// Show all of it.
#[tool]
async fn show(
    place: Place<'_>,
    pair: Pair,
    one: Transparent,
    flat: Flat,
    shape: Shape<u8>,
) -> String {
    format!("{place:?} {pair:?} {one:?} {flat:?} {shape:?}")
}

/// Show nothing.
#[tool]
async fn unit(unit: Unit) -> String {
    format!("{unit:?}")
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![show, unit];
    let input = json!({
        "place": {"cityName": "Tokyo", "units": "fahrenheit"},
        "pair": [1, null],
        "one": 2,
        "flat": {"first": 3, "second": 4},
        "shape": {"kind": "Square", "side": 5},
    });
    let expected = "Place { city_name: \"Tokyo\", units: Fahrenheit } Pair(1, None) Transparent { value: 2 } \
        Flat { known: Known { first: 3 }, other: {\"second\": Number(4)} } Square { side: 5 }";
    assert_eq!(kit.call("show", input).await.text(), expected);
    assert_eq!(kit.call("unit", json!({"unit": null})).await.text(), "Unit");
    let typo = json!({"place": {"cityName": "Tokyo", "unit": "celsius"}});
    assert!(kit.call("show", typo).await.text().contains("unit"));
    let _ = (Units::Celsius, Shape::Circle { radius: 1 });
}
