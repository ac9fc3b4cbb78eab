// The program gives the state, and the model does not see it.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(#[arg(rename = "github")] &self) -> String {
        String::new()
    }
}

fn main() {}
