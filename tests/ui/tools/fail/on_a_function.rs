// A function by itself is a tool by `#[tool]`.
use haft::tools;

/// List open issues.
#[tools]
async fn issues() -> String {
    String::new()
}

fn main() {}
