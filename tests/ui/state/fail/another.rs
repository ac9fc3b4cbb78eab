// The state that is bound has what its tools take.
use haft::{Toolkit, tool, toolkit};

struct Db;

struct Cache;

/// Find a user.
#[tool]
async fn find_user(db: &Db, name: String) -> String {
    let _ = db;
    name
}

fn main() {
    let _: Toolkit = toolkit![find_user].with_state(Cache);
}
