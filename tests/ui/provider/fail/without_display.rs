// The API requires the size of the display.
use haft::anthropic::tools::{COMPUTER_20251124, ComputerAction20251124};
use haft::tool;

/// The desktop.
#[tool(provider = COMPUTER_20251124)]
async fn desktop(action: ComputerAction20251124) -> String {
    format!("{action:?}")
}

fn main() {}
