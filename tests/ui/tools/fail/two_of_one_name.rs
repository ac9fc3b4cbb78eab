// Two further blocks have two names.
use haft::tools;

struct Github;

#[tools(name = more)]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

#[tools(name = more)]
impl Github {
    /// List open pull requests.
    #[tool]
    async fn pulls(&self) -> String {
        String::new()
    }
}

fn main() {}
