// The name is that of a function.
use haft::tools;

struct Github;

#[tools(name = github::pulls)]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
