// All that the model sends is one value.
use haft::anthropic::tools::MemoryCommand;
use haft::tool;

/// Notes.
#[tool(provider = haft::anthropic::tools::MEMORY_20250818)]
async fn notes(command: MemoryCommand, path: String) -> String {
    format!("{command:?} {path}")
}

fn main() {}
