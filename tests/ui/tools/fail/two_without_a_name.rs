// Each block gives a function, and the second block's must have another name.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

#[tools]
impl Github {
    /// List open pull requests.
    #[tool]
    async fn pulls(&self) -> String {
        String::new()
    }
}

fn main() {}
