// The model sends what the tool's constant names, whatever the handler takes.
use haft::anthropic::tools::{BashCommand, MEMORY_20250818};
use haft::tool;

/// Notes.
#[tool(provider = MEMORY_20250818)]
async fn notes(command: BashCommand) -> String {
    format!("{command:?}")
}

fn main() {}
