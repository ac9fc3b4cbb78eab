//! How does a model keep notes from one conversation to the next?
//!
//! `cargo run --bin memory`
//!
//! The notes lie in a directory of the temporary ones. Without a server a test model shows it; `HAFT_LLAMA_URL` names a
//! server that speaks Anthropic's API and has none of its tools, such as llama.cpp's, and ANTHROPIC_API_KEY asks the real
//! one.

use std::path::Path;

use haft::anthropic::Anthropic;
use haft::handlers::FileMemory;
use haft::serde_json::json;
use haft::testing::ScriptedModel;
use haft::{Event, Provider, Request, Runner, StreamExt, Toolkit};

/// Whom to ask: a real server, or one that says what is written here.
fn provider(script: ScriptedModel) -> Result<Box<dyn Provider>, haft::Error> {
    if let Ok(url) = std::env::var("HAFT_LLAMA_URL") {
        let builder = Anthropic::builder().api_key("none").base_url(url);
        return Ok(Box::new(builder.provider_tools(false).build()?));
    }
    if std::env::var_os("ANTHROPIC_API_KEY").is_some() {
        return Ok(Box::new(Anthropic::from_env()?));
    }
    Ok(Box::new(script))
}

/// One conversation, of which the next knows nothing but the notes.
async fn conversation(
    notes: &Path,
    question: &str,
    script: ScriptedModel,
) -> Result<(), haft::Error> {
    let kit: Toolkit = Toolkit::new().with(FileMemory::open(notes)?)?;
    let request = Request::new("claude-opus-5-5")
        .max_tokens(600)
        // Where llama.cpp's models end a call.
        .stop_sequences(["</tool_call>"])
        .system("Look at your notes first, and write down what you will need again.")
        .user(question);
    println!("> {question}");
    let mut runner = Runner::new(provider(script)?, kit, request).max_iterations(5);
    let mut events = runner.all_streaming();
    while let Some(event) = events.next().await {
        match event? {
            Event::ToolStarted(call) => println!("  {} {}", call.name(), call.input()),
            Event::ToolFinished(result) => {
                let text = result.text();
                println!("    {}", text.lines().last().unwrap_or_default());
            }
            Event::Reply(reply) if !reply.text().is_empty() => println!("{}", reply.text()),
            _ => {}
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let notes = std::env::temp_dir().join(format!("haft-notes-{}", std::process::id()));
    let path = "/memories/people.md";
    let writes = ScriptedModel::new()
        .calls([("memory", json!({"command": "view", "path": "/memories"}))])
        .calls([(
            "memory",
            json!({"command": "create", "path": path, "file_text": "Ada likes tea.\n"}),
        )])
        .text("I have written it down.");
    conversation(&notes, "Ada likes tea.", writes).await?;
    let reads = ScriptedModel::new()
        .calls([("memory", json!({"command": "view", "path": path}))])
        .text("Tea.");
    conversation(&notes, "What does Ada drink?", reads).await?;
    std::fs::remove_dir_all(notes)?;
    Ok(())
}
