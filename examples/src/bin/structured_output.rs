//! How do I get an answer as a type of my own, and not as prose?
//!
//! `cargo run --bin structured_output` asks the real API where ANTHROPIC_API_KEY is set, and plays a scripted reply
//! where it is not.

use haft::testing::ScriptedModel;
use haft::{Provider, Request, Runner, Toolkit, argument};

/// What a customer wrote about.
#[argument]
struct Ticket {
    /// In at most ten words.
    summary: String,
    urgency: Urgency,
    /// As it stands in the letter; left out where there is none.
    order_number: Option<String>,
}

#[argument]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Urgency {
    Low,
    High,
}

const LETTER: &str = "Order A-17 has come without its lid. I need it by Friday! Ada";

fn provider() -> Result<Box<dyn Provider>, haft::Error> {
    if std::env::var_os("ANTHROPIC_API_KEY").is_some() {
        return haft::provider_from_env();
    }
    println!("(no ANTHROPIC_API_KEY is set, so the replies are written down)");
    let model = ScriptedModel::new()
        .text(r#"{"summary": "The lid is missing", "urgency": "high", "order_number": "A-17"}"#)
        .text(r#"{"summary": "The lid is missing", "urgency": "by Friday", "order": "A-17"}"#);
    Ok(Box::new(model))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), haft::Error> {
    let request = Request::new("claude-opus-5-5")
        .user(LETTER)
        .output::<Ticket>();
    let mut runner = Runner::new(provider()?, Toolkit::new(), request);
    // The second reply shows what a model may do that an API does not keep to the schema.
    for _ in 0..2 {
        let reply = runner.run_to_completion().await?.reply;
        match reply.parse::<Ticket>() {
            Ok(ticket) => println!(
                "{} ({:?}, order {:?})",
                ticket.summary, ticket.urgency, ticket.order_number
            ),
            Err(error) => println!("{error}"),
        }
        runner.append_messages([haft::Message::user("Once more, please.")]);
    }
    Ok(())
}
