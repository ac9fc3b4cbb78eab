//! Loops against a mock server of somebody else, which answers 429 and cuts streams at random, and judges its clients.
//!
//! Run by `.ci/run`, which starts the server, sets `HAFT_LLMOCK_URL`, and asks for the verdict afterwards.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test states what holds; a panic is its report"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use haft::anthropic::Anthropic;
use haft::openai::{Chat, Responses, Server};
use haft::{Error, Outcome, Provider, Request, Runner, Toolkit, tool, toolkit};

/// A large enough number of runs of each API that each fault comes several times, in each mode.
const RUNS: usize = 6;

/// How often a run may fail in a row: three of ten streams are cut, and the mock takes more than ten attempts for a
/// storm.
const TRIES: u32 = 9;

struct Count(AtomicUsize);

// The mock cuts a stream after one to six events, and takes each cut stream for lost. One that lacks only its
// `message_stop` is whole, though: the stop reason has come, and it is accepted. So the arguments are long enough that
// a stream has more than seven events, and no cut falls between the last two.
/// Get the current weather for a city.
#[tool]
async fn get_weather(
    count: &Count,
    /// The city name.
    city: String,
    /// The country's name, as it is written there.
    country: String,
    /// What to measure the temperature in.
    unit: String,
) -> String {
    count.0.fetch_add(1, Ordering::SeqCst);
    format!("{city}, {country}: 21 °C, asked for {unit}")
}

/// Each API that the mock speaks, by itself or as another company has it. One retries, or the loop around the run: two
/// backoffs that take turns look like none.
fn providers(max_retries: usize) -> Vec<Box<dyn Provider>> {
    let url = std::env::var("HAFT_LLMOCK_URL").expect("HAFT_LLMOCK_URL is the mock's base URL");
    let anthropic = Anthropic::builder().base_url(format!("{url}/anthropic"));
    let anthropic = anthropic.api_key("none").max_retries(max_retries);
    let responses = Responses::builder().base_url(format!("{url}/v1"));
    let responses = responses.api_key("none").max_retries(max_retries);
    let chats = [
        ("/v1", Server::OpenAi),
        ("/mistral/v1", Server::Mistral),
        ("/groq/openai/v1", Server::Groq),
        ("/together/v1", Server::Together),
        ("/xai/v1", Server::XAi),
    ];
    let chats = chats.map(|(path, server)| {
        let builder = Chat::builder().base_url(format!("{url}{path}"));
        let builder = builder.api_key("none").server(server);
        Box::new(builder.max_retries(max_retries).build().unwrap()) as Box<dyn Provider>
    });
    let mut providers: Vec<Box<dyn Provider>> = vec![
        Box::new(anthropic.build().unwrap()),
        Box::new(responses.build().unwrap()),
    ];
    providers.extend(chats);
    providers
}

/// Runs to the end, as a stream or not; what fails for now is tried again after the wait that the server asks for, or
/// a longer and longer one.
async fn finish(runner: &mut Runner, streams: bool) -> Result<(), Error> {
    let mut tries = 0;
    loop {
        match drive(runner, streams).await {
            Err(error) if error.is_retryable() && tries < TRIES => {
                let longer = Duration::from_millis(60) * 2_u32.pow(tries);
                tokio::time::sleep(error.retry_after().unwrap_or(longer)).await;
                tries += 1;
            }
            ended => return ended,
        }
    }
}

async fn drive(runner: &mut Runner, streams: bool) -> Result<(), Error> {
    if !streams {
        return runner.run_to_completion().await.map(drop);
    }
    while let Some(turn) = runner.next_streaming().await? {
        turn.into_reply().await?;
    }
    Ok(())
}

async fn runs(streams: bool) {
    let each = (0..RUNS).flat_map(|_| providers(if streams { 0 } else { 4 }));
    for (run, provider) in each.enumerate() {
        let api = format!("{provider:?}");
        let count = Arc::new(Count(AtomicUsize::new(0)));
        let kit: Toolkit = toolkit![get_weather].with_shared_state(Arc::clone(&count));
        let question = format!("What is the weather? ({run}, {streams})");
        let request = Request::new("mock").max_tokens(500).user(question);
        // Not eager: a cut reply whose call has run goes on, and is not asked for again, which the mock cannot know.
        let mut runner = Runner::new(provider, kit, request);
        let finished = finish(&mut runner, streams).await;
        finished.unwrap_or_else(|error| panic!("{api}: {error}"));
        assert_eq!(runner.outcome(), Some(Outcome::Completed), "{api}");
        let messages = runner.messages();
        let results: Vec<_> = messages.iter().flat_map(|it| it.tool_results()).collect();
        assert!(
            !results.is_empty(),
            "the mock calls each tool that it is offered"
        );
        let ran = results
            .iter()
            .filter(|result| result.text().contains("21 °C"))
            .count();
        assert_eq!(
            count.0.load(Ordering::SeqCst),
            ran,
            "each call ran once, and its result is kept"
        );
    }
}

#[tokio::test]
#[ignore = "needs the mock server"]
async fn a_busy_server_is_asked_again() {
    runs(false).await;
}

#[tokio::test]
#[ignore = "needs the mock server"]
async fn a_cut_stream_is_an_error_and_the_run_goes_on() {
    runs(true).await;
}
