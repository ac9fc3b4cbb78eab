// The state is lent for the call.
use haft::tools;

use std::sync::Arc;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(self: Arc<Self>) -> String {
        String::new()
    }
}

fn main() {}
