//! How do I test my tools, and the conversation around them, without a model?
//!
//! `cargo run --bin testing`

use haft::serde_json::json;
use haft::testing::{ScriptedModel, TestModel};
use haft::{Error, Message, Outcome, Request, Runner, Toolkit, tool, toolkit};

/// Convert a price to another currency.
#[tool]
async fn convert(
    /// The price in euros.
    euros: f64,
    /// The currency to convert to, such as "USD".
    currency: String,
) -> Result<String, String> {
    match currency.as_str() {
        "USD" => Ok(format!("{:.2} USD", euros * 1.1)),
        other => Err(format!("{other:?} is not traded here; USD is")),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    // A tool is a function, and is tested as one ...
    assert_eq!(
        convert(10.0, "USD".into()).await,
        Ok("11.00 USD".to_owned())
    );

    // ... or through the toolkit, as a model would call it.
    let kit: Toolkit = toolkit![convert];
    let result = kit.call("convert", json!({"euros": "ten"})).await;
    println!("{}", result.text());
    assert!(result.is_error());

    // A scripted model plays one conversation, and keeps what it was asked.
    let model = ScriptedModel::new()
        .calls([("convert", json!({"euros": 10, "currency": "USD"}))])
        .text("That is 11 dollars.");
    let mut runner = Runner::new(
        model.clone(),
        kit.clone(),
        Request::new("any").user("10 euros in dollars?"),
    );
    let end = runner.run_to_completion().await?;
    assert_eq!(end.outcome, Outcome::Completed);
    let sent = model.requests();
    let told = sent
        .last()
        .and_then(|request| request.messages.last())
        .map(Message::tool_results);
    for result in told.into_iter().flatten() {
        println!("the model was told: {}", result.text());
    }

    // The test model calls every tool once, for a first look at a program.
    let end = Runner::new(TestModel::new(), kit, Request::new("any").user("Go"))
        .run_to_completion()
        .await?;
    println!("{}", end.reply.text());
    Ok(())
}
