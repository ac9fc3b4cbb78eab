//! How do I make tools of a type's methods?
//!
//! `cargo run --bin methods`

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use haft::serde_json::json;
use haft::{Json, Toolkit, tools};

#[derive(Default)]
struct Notes {
    // The state is shared by all calls, so what changes is behind a lock.
    by_title: Mutex<BTreeMap<String, String>>,
}

#[tools]
impl Notes {
    /// List the titles of all notes.
    #[tool(read_only)]
    async fn list(&self) -> Json<Vec<String>> {
        Json(self.read(|notes| notes.keys().cloned().collect()))
    }

    /// Write a note. One of that title is replaced.
    #[tool(idempotent)]
    async fn write(&self, #[arg(min_len = 1, max_len = 80)] title: String, text: String) {
        self.read(|notes| notes.insert(title, text));
    }

    fn read<T>(&self, look: impl FnOnce(&mut BTreeMap<String, String>) -> T) -> T {
        look(&mut self.by_title.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A second block has a name, and gives a toolkit of its own.
#[tools(name = dangerous)]
impl Notes {
    /// Delete a note for good.
    #[tool(destructive, approval)]
    async fn delete(&self, title: String) -> Result<(), String> {
        let gone = self.read(|notes| notes.remove(&title));
        gone.map(drop)
            .ok_or_else(|| format!("there is no note '{title}'"))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), haft::Error> {
    let kit: Toolkit = Notes::tools()
        .extend(Notes::dangerous())?
        .with_state(Notes::default());
    println!("tools: {:?}", kit.names().collect::<Vec<_>>());
    for (name, input) in [
        (
            "write",
            json!({"title": "haft", "text": "The handle of a tool."}),
        ),
        ("write", json!({"title": "", "text": "Nothing."})),
        ("list", json!({})),
        ("delete", json!({"title": "helve"})),
    ] {
        println!("{name}: {}", kit.call(name, input).await.text());
    }
    Ok(())
}
