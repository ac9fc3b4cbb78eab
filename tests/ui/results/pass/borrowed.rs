//! A result may borrow from what is lent, with or without a named lifetime.
use std::borrow::Cow;

use haft::serde::Serialize;
use haft::{CallContext, Json, Toolkit, tool, toolkit, tools};

struct Db(String);

#[derive(Serialize)]
#[serde(crate = "haft::serde")]
struct Row<'a> {
    name: &'a str,
}

/// A named lifetime.
#[tool]
async fn named<'a>(db: &'a Db, call: &CallContext) -> &'a str {
    let _ = call;
    &db.0
}

/// An elided one.
#[tool]
fn elided(db: &Db) -> Cow<'_, str> {
    Cow::Borrowed(&db.0)
}

/// Inside of others.
#[tool]
async fn inside<'a>(db: &'a Db, call: &CallContext) -> Result<Option<Json<Row<'a>>>, &'a str> {
    if call.turn() > 9 {
        return Err(&db.0);
    }
    Ok(Some(Json(Row { name: &db.0 })))
}

/// As the state has it.
#[tool]
fn whole(db: &Db) -> Option<&String> {
    Some(&db.0)
}

/// On another thread.
#[tool(blocking)]
fn blocking<'a>(db: &'a Db) -> &'a str {
    &db.0
}

#[tools]
impl Db {
    /// Of the state.
    #[tool]
    async fn own<'a>(&'a self, call: &CallContext) -> &'a str {
        let _ = call;
        &self.0
    }
}

fn main() {
    let _: Toolkit = toolkit![named, elided, inside, whole, blocking].with_state(Db(String::new()));
    let _: Toolkit = Db(String::new()).into_toolkit();
}
