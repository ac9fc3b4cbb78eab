//! The main job: annotate functions, put them in a toolkit, let a model use them.
//!
//! `cargo run --bin weather ["your question"]` asks the real API where ANTHROPIC_API_KEY is set, and the test model
//! in the process where it is not.

use std::fmt;

use haft::{Outcome, Request, Runner, argument, tool, toolkit};

#[argument]
#[serde(rename_all = "lowercase")]
enum Units {
    Celsius,
    Fahrenheit,
}

/// There is no weather for this city.
#[derive(Debug)]
struct UnknownCity(String);

impl fmt::Display for UnknownCity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no weather station in {:?}; try a larger city nearby",
            self.0
        )
    }
}

impl std::error::Error for UnknownCity {}

/// Get the current weather for a city.
#[tool]
async fn get_weather(
    /// The city name, such as "Tokyo".
    city: String,
    /// Temperature units; Celsius if left out.
    units: Option<Units>,
) -> Result<String, UnknownCity> {
    // A real program would ask a weather service here.
    let celsius = match city.to_lowercase().as_str() {
        "" => return Err(UnknownCity(city)),
        "tokyo" => 21,
        "oslo" => 4,
        _ => 15,
    };
    Ok(match units.unwrap_or(Units::Celsius) {
        Units::Celsius => format!("{city}: {celsius} °C, clear"),
        Units::Fahrenheit => format!("{city}: {} °F, clear", celsius * 9 / 5 + 32),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), haft::Error> {
    let question = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "What is the weather in Tokyo?".to_owned());
    println!("> {question}");

    let provider = haft::provider_from_env()?;
    // Another provider has other models.
    let model = std::env::var("HAFT_MODEL").unwrap_or_else(|_| "claude-opus-5-5".to_owned());
    let request = Request::new(model).max_tokens(2048).user(question);
    let mut runner = Runner::new(provider, toolkit![get_weather], request).max_iterations(10);

    while let Some(reply) = runner.next_message().await? {
        let text = reply.text();
        if !text.is_empty() {
            println!("{text}");
        }
        for call in reply.tool_calls() {
            println!("  call   {} {}", call.name(), call.input());
        }
        for result in runner.run_calls().await? {
            println!("  result {}", result.text());
        }
    }
    match runner.outcome() {
        Some(Outcome::Completed) | None => {}
        Some(other) => println!("The run ended early: {other:?}"),
    }
    Ok(())
}
