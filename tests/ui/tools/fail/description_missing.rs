// The model chooses a tool by its description.
use haft::tools;

struct Github;

#[tools]
impl Github {
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
