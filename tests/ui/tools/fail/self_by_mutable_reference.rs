// All calls share the state.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&mut self) -> String {
        String::new()
    }
}

fn main() {}
