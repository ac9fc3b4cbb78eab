// A parameter under a condition is there when it holds, for the function, the schema and the reader.
#![deny(warnings)]

use haft::{Tool, Toolkit, serde_json::json, tool, toolkit};

/// Run a program.
#[tool]
async fn run(
    #[cfg(all())] program: String,
    #[cfg(any())] program: u8,
    /// Not there.
    #[cfg(any())]
    elevated: Elevated,
    count: u8,
    #[cfg(all())] _count_again: Option<u8>,
) -> String {
    format!("{program} {count}")
}

/// Tell the time.
#[tool]
async fn now(#[cfg(any())] zone: Zone) -> u8 {
    12
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let definition = Tool::<()>::definition(&run {});
    let properties = definition.input_schema()["properties"].as_object().unwrap();
    assert_eq!(
        properties.keys().collect::<Vec<_>>(),
        ["program", "count", "count_again"]
    );
    let kit: Toolkit = toolkit![run, now];
    assert_eq!(kit.call("now", json!({})).await.text(), "12");
    assert_eq!(
        kit.call("run", json!({"program": "ls", "count": 2}))
            .await
            .text(),
        "ls 2"
    );
    assert!(
        kit.call(
            "run",
            json!({"program": "ls", "count": 2, "elevated": true})
        )
        .await
        .is_error()
    );
    assert_eq!(run("ls".to_owned(), 2, None).await, "ls 2");
}
