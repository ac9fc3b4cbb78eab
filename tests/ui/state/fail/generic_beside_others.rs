//! A generic type could be that of another field, which the compiler tells in words of its own.
use haft::State;

#[derive(State)]
struct App<Client> {
    client: Client,
    name: String,
}

fn main() {}
