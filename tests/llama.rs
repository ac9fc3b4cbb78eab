//! A two-tool loop, and schemas of many types, against a real server of somebody else: llama.cpp's, which speaks all three
//! APIs.
//!
//! Run by `.ci/run`, which starts the server and sets `HAFT_LLAMA_URL`.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

mod types;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use haft::anthropic::Anthropic;
use haft::openai::{Chat, Responses, Server};
use haft::{Api, Message, Outcome, Provider, Request, Runner, Toolkit, argument, tool, toolkit};

static RUNS: AtomicUsize = AtomicUsize::new(0);

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
    RUNS.fetch_add(1, Ordering::SeqCst);
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
    RUNS.fetch_add(1, Ordering::SeqCst);
    format!("{city}: 12:00")
}

fn url() -> String {
    std::env::var("HAFT_LLAMA_URL").expect("HAFT_LLAMA_URL is the base URL of a llama.cpp server")
}

fn anthropic() -> Anthropic {
    let builder = Anthropic::builder().api_key("none").base_url(url());
    builder.build().unwrap()
}

/// Each API that the server speaks, and where a request says that the model is to stop behind a call.
fn providers() -> [(Box<dyn Provider>, &'static str); 3] {
    let v1 = format!("{}/v1", url());
    let chat = Chat::builder()
        .base_url(&v1)
        .server(Server::LlamaCpp)
        .build();
    let responses = Responses::builder().base_url(v1).provider_tools(false);
    [
        (Box::new(anthropic()), "stop_sequences"),
        (Box::new(chat.unwrap()), "stop"),
        // The API has no such field; this server has.
        (Box::new(responses.build().unwrap()), "stop"),
    ]
}

#[tokio::test]
#[ignore = "needs a llama.cpp server at HAFT_LLAMA_URL"]
async fn a_loop_runs_to_its_end_on_a_server_of_somebody_else() {
    for (provider, stop) in providers() {
        let api = provider.api();
        let before = RUNS.load(Ordering::SeqCst);
        let request = Request::new("any")
            .max_tokens(600)
            .option(stop, vec!["</tool_call>"])
            .user("What is it like in Tokyo?");
        let kit = toolkit![get_weather, get_time];
        let mut runner = Runner::new(provider, kit, request).max_iterations(200);
        converse(&mut runner, &api).await;
        let runs = RUNS.load(Ordering::SeqCst) - before;
        let results = results(&runner);
        assert_eq!(runs, results, "{api}: each call that was answered ran once");
        println!(
            "{api}: {runs} calls in {} replies",
            runner.iteration_count()
        );
    }
}

/// The model's weights are random, so it is asked on until it has called both tools, and in both modes.
async fn converse(runner: &mut Runner, api: &Api) {
    for n in 0..40 {
        // In both modes by turns: the server's streams differ from those of the API in small things.
        if n % 2 == 0 {
            runner.run_to_completion().await.unwrap();
        } else {
            while let Some(turn) = runner.next_streaming().await.unwrap() {
                turn.into_reply().await.unwrap();
            }
        }
        let outcome = runner.outcome();
        let messages = runner.messages();
        assert_eq!(outcome, Some(Outcome::Completed), "{api}: {messages:#?}");
        let both = BTreeSet::from(["get_time".to_owned(), "get_weather".to_owned()]);
        if n > 2 && called(runner) == both {
            return;
        }
        runner.append_messages([Message::user(format!("And in city {n}?"))]);
    }
    panic!("{api}: only {:?} were called", called(runner));
}

/// The names of the tools that were called.
fn called(runner: &Runner) -> BTreeSet<String> {
    runner
        .messages()
        .iter()
        .flat_map(|message| {
            message
                .tool_calls()
                .map(|call| call.name().to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// How many results there are, none of them an error: arguments that the server constrains by a schema fit it.
fn results(runner: &Runner) -> usize {
    let messages = runner.messages();
    let results: Vec<_> = messages.iter().flat_map(Message::tool_results).collect();
    assert!(
        results.iter().all(|result| !result.is_error()),
        "{results:?}"
    );
    results.len()
}

#[tokio::test]
#[ignore = "needs a llama.cpp server at HAFT_LLAMA_URL"]
async fn a_server_makes_a_grammar_of_the_schema_of_each_type() {
    let provider = Arc::new(anthropic());
    // All at once are longer than the model's context.
    for (name, tool) in types::tools() {
        let kit: Toolkit = Toolkit::new().with(tool).unwrap();
        // The server makes the grammar, or refuses to, before the first token.
        let request = Request::new("any").max_tokens(1).user("Go.");
        let mut runner = Runner::new(provider.clone(), kit, request);
        let end = runner.run_to_completion().await;
        let end = end.unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert!(matches!(end.outcome, Outcome::Truncated { .. }), "{name}");
    }
}
