// Only a method can be called.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }

    /// How many there are.
    #[tool]
    const COUNT: u8 = 3;
}

fn main() {
    let _ = Github.into_toolkit();
}
