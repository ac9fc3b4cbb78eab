// A type that the model cannot fill in is one error.
use haft::tools;

struct Filter;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self, filter: Filter) -> String {
        let _ = filter;
        String::new()
    }
}

fn main() {}
