// The methods of a trait are the trait's, which has no others.
use haft::tools;

trait Issues {
    async fn issues(&self) -> String;
}

struct Github;

#[tools]
impl Issues for Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
