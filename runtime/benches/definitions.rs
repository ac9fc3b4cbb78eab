//! What it costs to offer a thousand tools: to put them into a toolkit, and to write their definitions for an API.
//!
//! `cargo bench -p haft --bench definitions`. The counter is the tools, so that times divide by it.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher};
use haft::serde_json::{Value, json};
use haft::{
    Call, Dialect, FunctionTool, Tool, ToolDefinition, ToolFuture, ToolOutput, Toolkit, argument,
    tool,
};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

const TOOLS: usize = 1_000;

#[argument]
#[serde(rename_all = "lowercase")]
enum Units {
    Celsius,
    Fahrenheit,
}

/// Get the weather forecast of a city.
#[tool]
async fn forecast(
    /// The city.
    city: String,
    #[arg(min = 1, max = 14)] days: u32,
    units: Option<Units>,
) -> usize {
    let fahrenheit = matches!(units, Some(Units::Fahrenheit));
    let celsius = matches!(units, Some(Units::Celsius));
    city.len() + usize::from(fahrenheit) + usize::from(celsius) + days as usize
}

/// A tool under another name.
struct Named(ToolDefinition);

impl<S> Tool<S> for Named {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _: Call<'a, S>) -> ToolFuture<'a> {
        Box::pin(async { Ok(ToolOutput::default()) })
    }
}

fn main() {
    divan::Divan::default().config_with_args().main();
}

/// Tools with the schema of `forecast` as data, under names of their own.
fn given() -> Toolkit {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "The city."},
            "days": {"type": "integer", "minimum": 1, "maximum": 14},
            "units": {"type": "string", "enum": ["celsius", "fahrenheit"]},
        },
        "required": ["city", "days"],
        "additionalProperties": false,
    });
    let one = |at: usize| {
        let name = format!("tool_{at}");
        let echo = |input: Value| async { input };
        FunctionTool::from_schema(name, "Forecast.", schema.clone(), echo).ok()
    };
    joined((0..TOOLS).filter_map(one).map(|tool| tool.strict(true)))
}

/// The definition of `#[tool]`, again and again.
fn declared() -> Toolkit {
    let schema = Tool::<()>::definition(&forecast {}).input_schema();
    let one = |at: usize| {
        let definition =
            ToolDefinition::new(format!("tool_{at}"), forecast::DESCRIPTION, schema.clone());
        definition
            .ok()
            .map(|definition| Named(definition.strict(true)))
    };
    joined((0..TOOLS).filter_map(one))
}

fn joined(tools: impl Iterator<Item = impl Tool + 'static>) -> Toolkit {
    tools.fold(Toolkit::new(), |kit, tool| {
        kit.with(tool).unwrap_or_default()
    })
}

/// Only the toolkit.
#[divan::bench]
fn toolkit_of_given(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(TOOLS)).bench(given);
}

#[divan::bench]
fn toolkit_of_declared(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(TOOLS)).bench(declared);
}

/// The definitions of a toolkit that has not been asked for them.
#[divan::bench(args = [Dialect::Plain, Dialect::OpenAiStrict, Dialect::Gemini])]
fn first_definitions(bencher: Bencher<'_, '_>, dialect: Dialect) {
    bencher
        .counter(ItemsCount::new(TOOLS))
        .with_inputs(given)
        .bench_values(|kit| kit.definitions_for(dialect).map(|all| (kit, all)));
}

/// The definitions again: a copy.
#[divan::bench]
fn further_definitions(bencher: Bencher<'_, '_>) {
    let kit = given();
    bencher
        .counter(ItemsCount::new(TOOLS))
        .bench(|| kit.definitions_for(Dialect::OpenAiStrict));
}
