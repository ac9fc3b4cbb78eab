// The state is there for the next call too.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(self) -> String {
        String::new()
    }
}

fn main() {}
