// The compiler tells of mistakes in a body, as if there were no attribute.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        7
    }
}

fn main() {}
