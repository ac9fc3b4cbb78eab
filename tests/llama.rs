//! A two-tool loop against a real server of somebody else: llama.cpp's, which speaks the Messages API.
//!
//! Run by `.ci/run`, which starts the server and sets `HAFT_LLAMA_URL`.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::sync::atomic::{AtomicUsize, Ordering};

use haft::anthropic::Anthropic;
use haft::{Outcome, Request, Runner, argument, tool, toolkit};

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[argument]
enum Units {
    Celsius,
    Fahrenheit,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather(
    /// The city name.
    city: String,
    /// Temperature units.
    units: Option<Units>,
) -> String {
    CALLS.fetch_add(1, Ordering::SeqCst);
    match units {
        Some(Units::Fahrenheit) => format!("{city}: 70 °F"),
        Some(Units::Celsius) | None => format!("{city}: 21 °C"),
    }
}

/// Get the local time of a city.
#[tool]
async fn get_time(
    /// The city name.
    city: String,
) -> String {
    CALLS.fetch_add(1, Ordering::SeqCst);
    format!("{city}: 12:00")
}

#[tokio::test]
#[ignore = "needs a llama.cpp server at HAFT_LLAMA_URL"]
async fn a_loop_runs_to_its_end_on_a_server_of_somebody_else() {
    let url = std::env::var("HAFT_LLAMA_URL")
        .expect("HAFT_LLAMA_URL is the base URL of a llama.cpp server");
    let provider = Anthropic::builder()
        .api_key("none")
        .base_url(url)
        .build()
        .unwrap();
    let request = Request::new("any")
        .max_tokens(600)
        .stop_sequences(["</tool_call>"])
        .user("What is the weather in Tokyo, and what time is it there?");
    let mut runner =
        Runner::new(provider, toolkit![get_weather, get_time], request).max_iterations(8);
    let end = runner.run_to_completion().await.unwrap();
    assert_eq!(end.outcome, Outcome::Completed, "{:?}", runner.messages());
    assert!(CALLS.load(Ordering::SeqCst) > 0, "the model called a tool");
    let results: Vec<_> = runner
        .messages()
        .iter()
        .flat_map(|m| m.tool_results().cloned().collect::<Vec<_>>())
        .collect();
    assert!(
        results.iter().all(|result| !result.is_error()),
        "its arguments fitted: {results:?}"
    );
}
