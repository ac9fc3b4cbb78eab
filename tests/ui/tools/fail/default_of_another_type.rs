// A default is what the method would be given.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self, #[arg(default = true)] page: u32) -> String {
        page.to_string()
    }
}

fn main() {}
