// The block gets a function of that name.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }

    pub fn tools() -> u8 {
        3
    }
}

fn main() {
    let _ = Github.into_toolkit();
}
