// The tool's type has the function's name: it would hide the real `str` from the whole module.
use haft::tool;

/// Repeat a text.
#[tool]
async fn str(text: String) -> String {
    text
}

fn main() {}
