// A bound is in the schema, which is made once.
use haft::tools;

use haft::schemars::JsonSchema;
use haft::serde::de::DeserializeOwned;

struct Shelf<T>(Vec<T>);

#[tools]
impl<T: DeserializeOwned + JsonSchema + Send + Sync + 'static> Shelf<T> {
    /// Put something in.
    #[tool]
    async fn put(&self, #[arg(min = 1)] value: T) -> String {
        let _ = value;
        String::new()
    }
}

fn main() {}
