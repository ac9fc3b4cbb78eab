// Tools run side by side, so that their futures must be `Send`. The error points at what is not.
use haft::tools;

use std::rc::Rc;

async fn look_up(_repository: &str) {}

struct Github;

#[tools]
impl Github {
    /// List open issues.
    #[tool]
    async fn issues(&self, repository: String) -> String {
        let repository = Rc::new(repository);
        look_up(&repository).await;
        repository.to_string()
    }
}

fn main() {}
