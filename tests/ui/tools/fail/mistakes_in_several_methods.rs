// All mistakes of a block are told in one go, and nothing follows from them.
use haft::tools;

struct Page;

struct Github;

#[tools(nme = pulls)]
impl Github {
    /// List open issues.
    #[tool(nme = "issues")]
    async fn issues(&mut self, filter: &str) -> String {
        filter.to_owned()
    }

    #[tool]
    async fn pulls(&self, page: Page) -> String {
        let _ = page;
        String::new()
    }
}

fn main() {
    let _ = Github.into_toolkit();
}
