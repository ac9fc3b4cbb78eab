//! What users of serde would write on a field has another name on an argument.
use haft::tool;

/// Show a page.
#[tool]
async fn show_page(#[serde(default)] number: u32) -> u32 {
    number
}

fn main() {}
