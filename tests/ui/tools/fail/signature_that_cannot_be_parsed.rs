// The compiler tells of mistakes in the language, and of those alone.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self, page u32) -> String {
        String::new()
    }
}

fn main() {
    let _ = Github.into_toolkit();
}
