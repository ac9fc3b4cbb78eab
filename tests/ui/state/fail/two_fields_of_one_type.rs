// A tool asks for a type, and could not say which of two it means.
use haft::State;

struct Db;

#[derive(State)]
struct App {
    users: Db,
    orders: Db,
}

fn main() {
    let _ = App { users: Db, orders: Db };
}
