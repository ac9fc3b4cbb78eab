// A misspelt key must not be lost in silence.
use haft::tools;

struct Github;

#[tools(nme = pulls)]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
