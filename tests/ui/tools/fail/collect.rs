// A state is made by the program, and only tools without one are collected.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool(collect)]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
