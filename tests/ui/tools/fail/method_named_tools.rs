// The block gets a function of that name.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn tools(&self) -> String {
        String::new()
    }
}

fn main() {}
