//! How does a tool get at my database, my configuration, or what it is called for?
//!
//! `cargo run --bin state`

use std::sync::Mutex;

use haft::serde_json::json;
use haft::{CallContext, Error, State, Toolkit, tool, toolkit};

/// What the program has, and the model knows nothing of.
#[derive(State)]
struct App {
    users: Users,
    log: Log,
}

struct Users(Vec<(u32, &'static str)>);

#[derive(Default)]
struct Log(Mutex<Vec<String>>);

/// Find a user by number.
#[tool]
async fn find_user(
    users: &Users,
    log: &Log,
    call: &CallContext,
    number: u32,
) -> Result<String, String> {
    // What is taken by reference comes from the state, and the context from the call.
    if let Ok(mut lines) = log.0.lock() {
        lines.push(format!("{} looked for {number}", call.call_id()));
    }
    let found = users.0.iter().find(|(of, _)| *of == number);
    found
        .map(|(_, name)| (*name).to_owned())
        .ok_or_else(|| format!("there is no user {number}"))
}

/// How many users there are.
#[tool]
async fn count_users(users: &Users) -> usize {
    users.0.len()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let app = App {
        users: Users(vec![(1, "Ada"), (2, "Grace")]),
        log: Log::default(),
    };
    // A tool whose state is not bound does not compile.
    let kit: Toolkit = toolkit![find_user, count_users].with_state(app);
    for (name, input) in [
        ("find_user", json!({"number": 2})),
        ("find_user", json!({"number": 3})),
        ("count_users", json!({})),
    ] {
        println!(
            "{name} {input}: {}",
            kit.call(name, input.clone()).await.text()
        );
    }
    Ok(())
}
