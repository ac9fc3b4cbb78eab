//! How do I ask a person before a tool runs?
//!
//! `cargo run --bin approval`

use haft::serde_json::json;
use haft::testing::ScriptedModel;
use haft::{Decision, Outcome, Request, Runner, ToolCall, tool, toolkit};

/// Delete a file for good.
#[tool(title = "Delete a file", destructive, approval, timeout = "10s")]
async fn delete_file(path: String) -> String {
    format!("{path} is gone")
}

/// In a program this asks; here, nobody may touch the system's files.
fn ask(call: &ToolCall) -> Decision {
    println!("may I run {} with {}?", call.name(), call.input());
    if call.input().as_str().contains("/etc") {
        Decision::Deny("not in /etc; ask for another file".to_owned())
    } else {
        Decision::Allow
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), haft::Error> {
    let model = ScriptedModel::new()
        .calls([
            ("delete_file", json!({"path": "/etc/passwd"})),
            ("delete_file", json!({"path": "/tmp/old.log"})),
        ])
        .text("One of the two is deleted.");
    let request = Request::new("any").user("Clean up.");
    let mut runner = Runner::new(model, toolkit![delete_file], request);
    let end = loop {
        let end = runner.run_to_completion().await?;
        let Outcome::AwaitingApproval { calls } = &end.outcome else {
            break end;
        };
        for call in calls {
            let decision = ask(call);
            runner.decide(call.id(), decision)?;
        }
    };
    for result in runner
        .messages()
        .iter()
        .flat_map(|message| message.tool_results())
    {
        println!("the model was told: {}", result.text());
    }
    println!("{}", end.reply.text());
    Ok(())
}
