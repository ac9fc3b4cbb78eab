//! What becomes of replies of the Responses API that are not as they mostly are.

use haft::serde_json::{Value, json};
use haft::{Message, Outcome, Request, Runner, Toolkit, tool, toolkit};
use haft_tests::server::{Server, ServerReply};

use crate::answers::{bodies, of_kind, response, responses, run, says};

/// Tells the time.
#[tool]
fn now() -> &'static str {
    "noon"
}

fn runner(server: &Server) -> Runner {
    let kit: Toolkit = toolkit![now];
    Runner::new(responses(server), kit, Request::new("gpt-5").user("Time?"))
}

fn call(status: &str) -> Value {
    json!({"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "now", "arguments": "{}", "status": status})
}

/// An item says of itself whether it is whole.
#[tokio::test]
async fn of_a_cut_reply_only_a_call_that_is_incomplete_is_cut() {
    for (status, is_cut) in [("completed", false), ("incomplete", true)] {
        let mut cut = response(&[call(status)]);
        cut["status"] = json!("incomplete");
        cut["incomplete_details"] = json!({"reason": "max_output_tokens"});
        let replies = vec![
            ServerReply::json(200, &cut),
            ServerReply::json(200, &response(&[says("Noon.")])),
        ];
        let server = Server::start(replies).await;
        let mut runner = runner(&server);
        run(&mut runner, false).await;
        let Some(Outcome::Truncated { incomplete, .. }) = runner.outcome() else {
            panic!("{:?}", runner.outcome());
        };
        assert_eq!(incomplete.is_some(), is_cut, "{status}");
        runner.append_messages([Message::user("Go on.")]);
        run(&mut runner, false).await;
        let body = &bodies(&server)[1];
        let kept = if is_cut { 0 } else { 1 };
        assert_eq!(of_kind(body, "function_call").len(), kept, "{body}");
        assert_eq!(of_kind(body, "function_call_output").len(), kept, "{body}");
    }
}
