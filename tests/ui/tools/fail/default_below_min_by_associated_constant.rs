// `Self` is the block's type, in a default as in a body.
use haft::tools;

struct Github;

#[tools]
impl Github {
    const LEAST: u32 = 1;

    /// List open issues.
    #[tool]
    async fn issues(&self, #[arg(default = 0, min = Self::LEAST)] page: u32) -> String {
        page.to_string()
    }
}

fn main() {}
