//! What a call costs beside the function that it calls: time and allocations, of three small arguments.
//!
//! `cargo bench -p haft --bench dispatch`. The floor is `direct`: the arguments read into a struct of serde's, and the
//! function called.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use futures_util::FutureExt;
use haft::__private::{Input, Parameter, define, parameter, read};
use haft::serde_json::{self, Value};
use haft::{RawJson, ToolCall, Toolkit, argument, tool, toolkit};
use serde::Deserialize;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

const INPUT: &str = r#"{"city": "Tokyo", "days": 3, "units": "celsius"}"#;

#[argument]
#[serde(rename_all = "lowercase")]
enum Units {
    Celsius,
    Fahrenheit,
}

/// Get the weather forecast of a city.
#[tool]
async fn forecast(city: String, days: u32, units: Option<Units>) -> String {
    let unit = match units {
        Some(Units::Fahrenheit) => 'F',
        Some(Units::Celsius) | None => 'C',
    };
    // Nothing that would hide the costs around it.
    drop(black_box((city, days)));
    String::from(unit)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    city: String,
    days: u32,
    units: Option<Units>,
}

type Rows = (
    Parameter<String>,
    (Parameter<u32>, (Parameter<Option<Units>>, ())),
);

/// As an expansion has it.
fn rows() -> Rows {
    (
        parameter::<String>("city", ""),
        (
            parameter::<u32>("days", ""),
            (parameter::<Option<Units>>("units", ""), ()),
        ),
    )
}

fn main() {
    divan::Divan::default()
        .sample_size(1000)
        .config_with_args()
        .main();
}

/// The floor: a struct of serde's, and the function.
#[divan::bench]
fn direct(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(1_u8)).bench(|| {
        let Arguments { city, days, units } = serde_json::from_str(black_box(INPUT)).ok()?;
        forecast(city, days, units).now_or_never()
    });
}

/// Only the struct.
#[divan::bench]
fn read_by_serde(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(1_u8))
        .bench(|| serde_json::from_str::<Arguments>(black_box(INPUT)));
}

/// Only the table of parameters.
#[divan::bench]
fn read_by_table(bencher: Bencher<'_, '_>) {
    let definition = define("forecast", "", &rows());
    bencher
        .counter(ItemsCount::new(1_u8))
        .bench(|| read(&rows(), Input::new(&definition, black_box(INPUT))));
}

/// A key that is written with escapes: what the second pass costs.
#[divan::bench]
fn read_thoroughly(bencher: Bencher<'_, '_>) {
    let input = INPUT.replace("city", "c\\u0069ty");
    let definition = define("forecast", "", &rows());
    bencher
        .counter(ItemsCount::new(1_u8))
        .bench(|| read(&rows(), Input::new(&definition, black_box(&input))));
}

/// The whole of it, of a call as a provider decodes it.
#[divan::bench]
fn toolkit_run(bencher: Bencher<'_, '_>) {
    let kit: Toolkit = toolkit![forecast];
    let input = RawJson::parse(INPUT).unwrap_or_else(|_| RawJson::empty_object());
    let call = ToolCall::new("toolu_1", "forecast", input);
    bencher
        .counter(ItemsCount::new(1_u8))
        .bench(|| kit.run(black_box(&call)).now_or_never());
}

/// The same, where the input is a value, which has to become text first.
#[divan::bench]
fn toolkit_call(bencher: Bencher<'_, '_>) {
    let kit: Toolkit = toolkit![forecast];
    let input: Value = serde_json::from_str(INPUT).unwrap_or_default();
    bencher
        .counter(ItemsCount::new(1_u8))
        .with_inputs(|| input.clone())
        .bench_values(|input| kit.call("forecast", input).now_or_never());
}
