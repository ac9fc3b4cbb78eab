//! How do I show what the model says while it says it, and what its tools do?
//!
//! `cargo run --bin streaming`

use std::io::Write as _;
use std::time::Duration;

use haft::serde_json::json;
use haft::testing::{ScriptedModel, ScriptedReply};
use haft::{CallContext, Event, Request, Runner, StreamExt, tool, toolkit};

/// Count the words of a book.
#[tool(read_only)]
async fn count_words(call: &CallContext, title: String) -> usize {
    for part in 1..=3 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        // For whoever follows the run; the model is told the result only.
        call.progress(format!("part {part} of {title}"));
    }
    206_052
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), haft::Error> {
    let look = ScriptedReply::new()
        .text("Let me count. ")
        .call("count_words", json!({"title": "Moby Dick"}));
    let model = ScriptedModel::new()
        .reply(look)
        .text("It has 206,052 words.");
    let request = Request::new("any").user("How long is Moby Dick?");
    // Calls start as soon as the model has moved on from them.
    let mut runner = Runner::new(model, toolkit![count_words], request).eager(true);

    let mut events = runner.all_streaming();
    while let Some(event) = events.next().await {
        match event? {
            Event::Text(text) => print!("{text}"),
            Event::ToolStarted(call) => println!("[{} {}]", call.name(), call.input()),
            Event::ToolProgress { content, .. } => {
                println!("[{}]", content.as_text().unwrap_or("..."));
            }
            Event::ToolFinished(result) => println!("[{}]", result.text()),
            Event::End(end) => println!("\n({:?}, {} tokens)", end.outcome, end.usage.output),
            _ => {}
        }
        // What has no line end yet is to be seen, too.
        std::io::stdout().flush().ok();
    }
    Ok(())
}
