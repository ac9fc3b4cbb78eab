// The block says it for all of its methods.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool(crate = ::haft)]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
