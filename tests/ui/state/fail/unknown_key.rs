// A slip in a key is told, with the keys that there are.
use haft::State;

#[derive(State)]
struct App {
    #[state(skipped)]
    users: u8,
}

fn main() {
    let _ = App { users: 1 }.users;
}
