// The block gets a function of that name.
use haft::tools;

struct Github;

#[tools(name = issues)]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
