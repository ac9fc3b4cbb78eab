// The compiler tells of methods with one name.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }

    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
