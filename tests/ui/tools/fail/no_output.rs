// A type that the model cannot be told is one error.
use haft::tools;

struct Issue;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> Issue {
        Issue
    }
}

fn main() {}
