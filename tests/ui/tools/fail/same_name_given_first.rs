// Two tools of one name are two tools that a model cannot tell apart.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List closed issues.
    #[tool(name = "issues")]
    async fn closed(&self) -> String {
        String::new()
    }

    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
