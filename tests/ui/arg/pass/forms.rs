// All keys of `#[arg]`, with literals, constants and expressions, on all types that have them.
#![deny(warnings)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use haft::serde_json::{Value, json};
use haft::{Nullable, Tool, Toolkit, argument, tool, toolkit};

#[argument]
#[derive(haft::serde::Serialize)]
#[serde(crate = "haft::serde")]
struct Size(u8);

#[argument]
#[derive(Debug, Default)]
#[serde(rename_all = "lowercase")]
enum Units {
    #[default]
    Celsius,
    Kelvin,
}

#[argument]
#[derive(Debug, Default, haft::serde::Serialize)]
struct Place {
    latitude: f64,
    longitude: f64,
}

const LEAST: u32 = 1;
const MOST: u32 = 9;
const CODE: &str = "^[A-Z]{3}$";
const ABOUT: &str = "The airport.";

mod limits {
    pub const SHORTEST: usize = 2;
}

fn tomorrow() -> String {
    String::from("tomorrow")
}

/// Search for flights.
#[tool]
#[allow(clippy::too_many_arguments)]
async fn search(
    #[arg(description = ABOUT, rename = "from", pattern = CODE, min_len = 3, max_len = 3, example = "FRA")]
    origin: String,
    /// Where to.
    #[arg(rename = "to")]
    #[arg(example = "RIO", example = "HND")]
    r#type: Cow<'static, str>,
    #[arg(default = tomorrow())] day: String,
    #[arg(default = 2, min = LEAST, max = MOST, multiple_of = LEAST, example = MOST)] seats: u32,
    #[arg(default = -1, exclusive_min = -2, exclusive_max = i64::MAX)] delta: i64,
    #[arg(default = 0.5, min = 0.0, max = 1.0, multiple_of = 0.25)] share: f64,
    #[arg(default)] units: Units,
    #[arg(default = Units::Kelvin, example = Units::Celsius)] other_units: Units,
    #[arg(default, example = Place { latitude: 1.0, longitude: 2.0 })] place: Place,
    #[arg(default = vec![1, 2], min_items = 1, max_items = 3)] legs: Vec<u8>,
    #[arg(min = 1, max = 5, example = 3, example = Some(4))] bags: Option<u8>,
    #[arg(min_len = limits::SHORTEST, example = "Ann")] name: Option<String>,
    #[arg(max_items = 2)] stops: Option<Vec<String>>,
    #[arg(max = 5)] floor: Nullable<i8>,
    #[arg(default = Nullable(Some(3)), min = 1, max = MOST, example = Nullable(None))]
    level: Nullable<u32>,
    #[arg(default)] flags: BTreeMap<String, bool>,
    #[arg(default, max_items = 2)] tags: BTreeSet<String>,
    #[arg(default, max_items = 2)] codes: HashSet<String>,
    #[arg(default, max_items = 2)] queue: VecDeque<u8>,
    #[arg(default = "all", max_len = 9)] text: Box<str>,
    #[arg(default = json!({"a": [1]}))] more: Value,
    #[arg(default = Size(3))] size: Size,
    #[arg(default = true)] direct: bool,
    #[arg(default = 'x')] mark: char,
    #[arg(default = (1, 2.0))] pair: (u8, f32),
    #[arg(default = if MOST > 5 { [1; 3] } else { [0; 3] })] list: [u8; 3],
    #[arg()]
    #[arg(max = 9)]
    last: u8,
) -> String {
    format!(
        "{origin} {type} {day} {seats} {delta} {share} {units:?} {other_units:?} {legs:?} {bags:?} {name:?} \
         {stops:?} {floor:?} {level:?} {flags:?} {tags:?} {codes:?} {queue:?} {text} {more} {direct} {mark} {pair:?} {list:?} \
         {last} {} {} {}",
        size.0, place.latitude, place.longitude
    )
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let schema = Tool::<()>::definition(&search {}).input_schema();
    assert_eq!(schema["required"], json!(["from", "to", "floor", "last"]));
    let properties = &schema["properties"];
    assert_eq!(
        properties["from"],
        json!({
            "type": "string", "description": "The airport.", "examples": ["FRA"],
            "minLength": 3, "maxLength": 3, "pattern": "^[A-Z]{3}$",
        })
    );
    assert_eq!(properties["to"]["examples"], json!(["RIO", "HND"]));
    assert_eq!(properties["bags"]["examples"], json!([3, 4]));
    assert_eq!(properties["other_units"]["default"], json!("kelvin"));
    assert_eq!(properties["place"]["examples"][0]["latitude"], json!(1.0));
    let kit: Toolkit = toolkit![search];
    let input = json!({"from": "FRA", "to": "RIO", "floor": null, "last": 7});
    assert_eq!(
        kit.call("search", input).await.text(),
        "FRA RIO tomorrow 2 -1 0.5 Celsius Kelvin [1, 2] None None None Nullable(None) Nullable(Some(3)) {} {} {} [] all {\"a\":[1]} \
         true x (1, 2.0) [1, 1, 1] 7 3 0 0"
    );
    let problems = kit
        .call(
            "search",
            json!({"from": "FRA", "to": "RIO", "floor": 6, "last": 7, "bags": 0, "legs": []}),
        )
        .await;
    assert!(problems.is_error());
    assert_eq!(problems.text().lines().count(), 3, "{}", problems.text());
}
