// The key names a provider's tool.
use haft::tool;

/// Notes.
#[tool(provider = "memory")]
async fn notes(command: String) -> String {
    command
}

fn main() {}
