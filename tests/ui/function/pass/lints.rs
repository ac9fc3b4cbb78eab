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

use haft::{CallContext, Toolkit, argument, tool, toolkit, tools};

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

const MOST: u32 = 9;

/// Search for flights.
#[tool(
    title = "Flights",
    read_only,
    exclusive,
    timeout = "5s",
    blocking,
    option(eager = true)
)]
fn search(
    context: &CallContext,
    #[arg(rename = "from", pattern = "^[A-Z]{3}$", min_len = 3, example = "FRA")] origin: String,
    #[arg(default = 2, min = 1, max = MOST, example = 3)] seats: u32,
    #[arg(default = Units::Fahrenheit, example = Units::Celsius)] units: Units,
    #[arg(default, max_items = MOST as usize)] legs: Vec<u8>,
    #[cfg(all())]
    #[arg(max = 3)]
    bags: Option<u8>,
    #[cfg(any())] other: Missing,
) -> Result<String, std::fmt::Error> {
    let name = context.tool_name();
    Ok(format!(
        "{name} {origin} {seats} {units:?} {legs:?} {bags:?}"
    ))
}

/// Found by itself.
#[tool(collect)]
pub async fn found() {}

#[derive(Debug)]
struct Github<T, const N: usize>([T; N]);

#[tools]
impl<T: Copy + Into<usize> + Send + Sync + 'static, const N: usize> Github<T, N> {
    const FIRST: usize = 1;

    /// List open issues.
    #[tool(read_only)]
    async fn issues(
        &self,
        own: &Github<T, N>,
        #[arg(default = Self::FIRST, max = 9)] page: usize,
        #[cfg(all())] _word: Option<String>,
    ) -> Result<usize, std::fmt::Error> {
        Ok(page + own.0.len() + self.0.iter().map(|&item| item.into()).sum::<usize>())
    }

    /// Count.
    #[deprecated]
    #[tool(blocking)]
    fn count(&self) -> usize {
        N
    }
}

#[tools(name = pulls)]
impl Github<u8, 2> {
    /// Merge.
    #[tool]
    async fn merge(number: u32) -> u32 {
        number
    }
}

#[derive(Debug)]
struct Own;

#[tools]
impl Own {
    /// Own.
    #[tool]
    async fn own(&self) {}
}

fn main() {
    let kit: Toolkit = toolkit![get_weather, wait, add, search, found];
    assert_eq!(kit.len(), 5);
    let kit = Github::tools().extend(Github::pulls()).unwrap();
    assert_eq!(kit.with_state(Github([1, 2])).len(), 3);
    assert_eq!(Own.into_toolkit().len(), 1);
}
