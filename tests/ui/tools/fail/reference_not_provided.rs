// The state is the block's type, and must have what its methods take.
use haft::tools;

struct Db;

struct Github;

#[tools]
impl Github {
    /// Find a user.
    #[tool]
    async fn find_user(&self, db: &Db, name: String) -> String {
        let _ = db;
        name
    }
}

fn main() {}
