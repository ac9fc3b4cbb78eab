// There is one function behind a tool, and nobody to choose a type.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues<T>(&self) -> String {
        String::new()
    }
}

fn main() {}
