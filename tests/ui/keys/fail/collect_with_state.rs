// A program collects its tools before it has a state for them.
use haft::tool;

struct Db;

/// Find a user.
#[tool(collect)]
async fn find_user(db: &Db, name: String) -> String {
    let _ = db;
    name
}

fn main() {}
