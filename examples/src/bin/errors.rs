//! What does the model read when a tool fails, and what does my program see?
//!
//! `cargo run --bin errors` plays a conversation with a scripted model, so that the failures come for sure.

use haft::serde_json::json;
use haft::testing::ScriptedModel;
use haft::{Outcome, Request, Runner, ToolError, tool, toolkit};

/// Read a file of the project.
#[tool]
async fn read_file(
    /// The path, from the project's folder.
    path: String,
) -> Result<String, ToolError> {
    if path.contains("..") {
        // Words for the model: what is wrong, and what to do instead.
        return Err(ToolError::new(
            "the path leaves the project; give one inside it",
        ));
    }
    // Any error will do: the model reads its message and those of its sources.
    Ok(std::fs::read_to_string(path)?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), haft::Error> {
    let model = ScriptedModel::new()
        .calls([
            ("read_file", json!({"path": "../secret"})),
            ("read_file", json!({"path": "no/such/file"})),
        ])
        .calls([
            ("read_fil", json!({})),
            ("read_file", json!({"file": "Cargo.toml"})),
        ])
        .text("I give up.")
        .fails(401, "invalid x-api-key");
    let mut runner = Runner::new(
        model,
        toolkit![read_file],
        Request::new("any").user("What is in the secret?"),
    );

    // A tool's failure is a result for the model, and the run goes on.
    while let Some(reply) = runner.next_message().await? {
        println!("the model: {:?}", reply.text());
        for result in runner.run_calls().await? {
            println!("  told: {}", result.text());
        }
    }
    assert_eq!(
        runner.run_to_completion().await?.outcome,
        Outcome::Completed
    );

    // A provider's failure is an error for the program, and nothing of the run is lost.
    runner.append_messages([haft::Message::user("Try again.")]);
    if let Err(error) = runner.run_to_completion().await {
        println!(
            "{error} (status {:?}, worth a retry: {})",
            error.status(),
            error.is_retryable()
        );
    }
    println!("{} messages are kept", runner.messages().len());
    Ok(())
}
