//! How do I look at each call and result, and have a say in it?
//!
//! `cargo run --bin hooks`

use haft::serde_json::json;
use haft::testing::ScriptedModel;
use haft::{
    Decision, Hook, HookCall, HookFuture, Request, Runner, ToolOutput, ToolResult, tool, toolkit,
};

/// Search the mail.
#[tool(read_only)]
async fn search_mail(words: String) -> String {
    format!("1 mail about {words}: your PIN is 4711")
}

/// Send a mail.
#[tool(destructive)]
async fn send_mail(to: String) -> String {
    format!("sent to {to}")
}

/// Lets mail go to colleagues only, and no PIN to the model.
struct Policy;

impl Hook for Policy {
    fn before_call<'a>(&'a self, call: HookCall<'a>) -> HookFuture<'a, Decision> {
        let input = call.input().to_value();
        let to = input
            .get("to")
            .and_then(|to| to.as_str())
            .map(str::to_owned);
        Box::pin(async move {
            // In a program this may ask a service; an error here denies the call.
            Ok(match to {
                Some(to) if !to.ends_with("@example.com") => {
                    Decision::Deny("mail goes to example.com only".to_owned())
                }
                _ => Decision::Allow,
            })
        })
    }

    fn after_call<'a>(
        &'a self,
        call: HookCall<'a>,
        result: &'a ToolResult,
    ) -> HookFuture<'a, Option<ToolOutput>> {
        println!("{}: {}", call.call().name(), result.text());
        let text = result.text();
        let is_secret = text.contains("4711");
        // What is not text (and an error's mark) stands in `ToolOutput::from(result)`.
        Box::pin(
            async move { Ok(is_secret.then(|| ToolOutput::text(text.replace("4711", "****")))) },
        )
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), haft::Error> {
    let model = ScriptedModel::new()
        .calls([
            ("search_mail", json!({"words": "bank"})),
            ("send_mail", json!({"to": "someone@example.org"})),
        ])
        .text("I may not send it.");
    let request = Request::new("any").user("Send my PIN to someone.");
    let mut runner = Runner::new(model, toolkit![search_mail, send_mail], request).hook(Policy);
    let end = runner.run_to_completion().await?;
    for message in runner.messages() {
        for result in message.tool_results() {
            println!("the model was told: {}", result.text());
        }
    }
    println!("{}", end.reply.text());
    Ok(())
}
