// It is a tool once.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    #[tool(name = "list")]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
