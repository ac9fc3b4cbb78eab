//! How do I keep a run and go on with it later, in another process?
//!
//! `cargo run --bin resume`

use haft::serde_json::{self, json};
use haft::testing::ScriptedModel;
use haft::{Decision, Outcome, Request, RunState, Runner, Toolkit, tool, toolkit};

/// Pay a bill.
#[tool(destructive, approval)]
async fn pay(amount: u32) -> String {
    format!("paid {amount}")
}

fn tools() -> Toolkit {
    toolkit![pay]
}

/// Runs until a person has to be asked; what is to be kept meanwhile.
async fn begin(model: ScriptedModel) -> Result<String, Box<dyn std::error::Error>> {
    let request = Request::new("any").user("Pay my bill of 30.");
    let mut runner = Runner::new(model, tools(), request);
    let end = runner.run_to_completion().await?;
    println!("the run stopped: {:?}", end.outcome);
    Ok(serde_json::to_string(&runner.state())?)
}

/// Goes on when the person has answered.
async fn go_on(model: ScriptedModel, stored: &str) -> Result<(), Box<dyn std::error::Error>> {
    let state: RunState = serde_json::from_str(stored)?;
    let mut runner = Runner::resume(model, tools(), state)?;
    if let Some(Outcome::AwaitingApproval { calls }) = runner.outcome() {
        for call in calls {
            runner.decide(call.id(), Decision::Allow)?;
        }
    }
    println!("{}", runner.run_to_completion().await?.reply.text());
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new()
        .calls([("pay", json!({"amount": 30}))])
        .text("Your bill is paid.");
    let stored = begin(model.clone()).await?;
    println!("{} bytes are kept", stored.len());
    go_on(model, &stored).await
}
