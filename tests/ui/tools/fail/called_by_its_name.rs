// A method is no path of its own.
use haft::{Toolkit, toolkit, tools};

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {
    let _: Toolkit = toolkit![Github::issues];
}
