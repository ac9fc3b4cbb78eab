// Methods that everything has, of the names that an expansion calls, do not get in its way.
#![allow(dead_code)]

use haft::serde_json::{Value, json};
use haft::{CallContext, ToolResult, Toolkit, argument, tool, toolkit, tools};

macro_rules! methods {
    ($trait:ident(self): $($name:ident)*) => {
        trait $trait: Sized {
            $(fn $name(self) {})*
        }

        impl<T> $trait for T {}
    };
    ($trait:ident(): $($name:ident)*) => {
        trait $trait: Sized {
            $(fn $name() {})*
        }

        impl<T> $trait for T {}
    };
}

methods!(ByValue(self): convert get_or_init input kind context state call definition tools into_toolkit);
methods!(Builders(self): with_default with_examples with_title with_timeout with_state with_range with_length);
methods!(Setters(self): read_only destructive idempotent open_world exclusive approval strict option min max);
methods!(Bounds(self): exclusive_min exclusive_max multiple_of matching show from_text number text items);
methods!(Without(): default new tools pulls matching);

#[argument]
struct City {
    name: String,
}

#[argument]
#[derive(Debug)]
enum Class {
    Economy,
    Business,
}

/// Get the weather.
#[tool]
async fn get_weather(city: City) -> Result<String, haft::ToolError> {
    Err(haft::ToolError::new(city.name))
}

/// Fail.
#[tool]
async fn fail(day: String) -> Result<u8, std::num::ParseIntError> {
    day.parse()
}

const LEAST: u32 = 1;

/// Search for flights.
#[tool(
    title = "Flights",
    read_only,
    destructive = false,
    idempotent,
    open_world,
    exclusive,
    approval,
    timeout = "5s",
    blocking,
    strict,
    option(defer_loading = true)
)]
fn search(
    context: &CallContext,
    #[arg(pattern = "^[A-Z]{3}$", min_len = 3, max_len = 3, example = "FRA")] from: String,
    #[arg(default = 2, min = LEAST, max = 9, multiple_of = LEAST, example = 3)] seats: u32,
    #[arg(default = 0.5, exclusive_min = 0.0, exclusive_max = 1.0)] share: f64,
    #[arg(default = Class::Business, example = Class::Economy)] class: Class,
    #[arg(default)] text: String,
    #[arg(min_items = 1, max_items = 3)] legs: Option<Vec<u8>>,
) -> String {
    let name = context.tool_name();
    format!("{name} {from} {seats} {share} {class:?} {text:?} {legs:?}")
}

/// Found by itself.
#[tool(collect)]
async fn found() {}

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool(read_only, timeout = "1s")]
    async fn issues(&self, own: &Github, #[arg(default = 3, min = LEAST)] page: u32) -> u32 {
        let _ = own;
        page
    }

    /// Count.
    #[tool(blocking, strict)]
    fn count(&self) -> u8 {
        1
    }
}

#[tools(name = pulls)]
impl Github {
    /// Merge.
    #[tool]
    fn merge() {}
}

/// By paths, since a method of everything comes before one that borrows.
async fn run(kit: &Toolkit, name: &str, input: Value) -> String {
    ToolResult::text(&Toolkit::call(kit, name, input).await)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let kit: Toolkit = toolkit![get_weather, fail, search, found];
    let told = run(&kit, "get_weather", json!({"city": {"name": "Tokyo"}})).await;
    assert_eq!(told, "Error: Tokyo");
    let told = run(&kit, "fail", json!({"day": "x"})).await;
    assert_eq!(told, "Error: invalid digit found in string");
    let told = run(&kit, "search", json!({"from": "FRA"})).await;
    assert_eq!(told, "search FRA 2 0.5 Business \"\" None");
    assert_eq!(Toolkit::collect().unwrap().len(), 1);
    let kit = Github::tools().extend(Github::pulls()).unwrap();
    let kit: Toolkit = Toolkit::with_state(kit, Github);
    assert_eq!(run(&kit, "issues", json!({})).await, "3");
    assert_eq!(run(&kit, "count", json!({})).await, "1");
    assert_eq!(Github.into_toolkit().len(), 2);
}
