// A block without tools is one whose attributes were forgotten.
use haft::tools;

struct Github;

#[tools]
impl Github {
    /// List open issues.
    pub async fn issues(&self) -> String {
        String::new()
    }
}

fn main() {}
