// A tool that takes something of the state needs a state that has it.
use haft::testing::TestModel;
use haft::{Request, Runner, tool, toolkit};

struct Db;

/// Find a user.
#[tool]
async fn find_user(db: &Db, name: String) -> String {
    let _ = db;
    name
}

fn main() {
    let _ = Runner::new(TestModel::new(), toolkit![find_user], Request::new("any"));
}
