// What a function by itself cannot take, a method cannot either.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self, repository: &str) -> String {
        repository.to_owned()
    }
}

fn main() {}
