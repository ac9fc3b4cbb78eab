//! Why a reply stopped: which calls run, what is kept, and what is sent when the run goes on.

use haft::serde_json::{Value, json};
use haft::{Message, Outcome, StopReason};

use crate::case::{Case, Mode, assistant, call, done, go, message, text, user};
use crate::events::{begin, delta, input, last, over, start, stop, stream, whole};

#[tokio::test]
async fn rn_3_a_call_that_was_cut_off_does_not_run() {
    for mode in Mode::ALL {
        // A plain body has what could be read of it; a stream has the text.
        let (cut, raw) = ("{\"path\":\"a.t", "{\"path\":\"a.t\"}");
        let whole_block =
            json!({"type": "tool_use", "id": "t1", "name": "now", "input": {"path": "a.t"}});
        let (reply, kept) = match mode {
            Mode::Plain => (mode.reply(&json!([whole_block]), "max_tokens"), raw),
            Mode::Streamed | Mode::Folded => {
                let blocks = [start(0, &call("t1", "now")), input(0, cut), stop(0)];
                (whole(&blocks, "max_tokens"), cut)
            }
        };
        let mut case = Case::start(mode, vec![reply]).await;
        let end = case.run().await.unwrap();
        let Outcome::Truncated { incomplete } = end.outcome else {
            panic!("{mode:?}: {:?}", end.outcome)
        };
        assert_eq!(incomplete.unwrap().input().as_str(), kept, "{mode:?}");
        assert!(case.calls.names().is_empty());
        assert_eq!(case.runner.messages(), [Message::user("Go")]);
        assert_eq!(case.bodies().len(), 1, "nothing is asked by itself");
    }
}

#[tokio::test]
async fn rn_8_a_server_tool_without_its_result_is_neither_run_nor_answered() {
    let search = json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "a"}});
    for mode in Mode::ALL {
        let content = json!([search, call("t1", "now")]);
        let replies = vec![mode.reply(&content, "tool_use"), mode.says("Done.")];
        let mut case = Case::with_tools(mode, &["web_search", "now"], replies).await;
        case.run().await.unwrap();
        assert_eq!(case.calls.names(), ["now"], "{mode:?}");
        let sent = [go(), assistant(&content), user(&json!([done("t1")]))];
        assert_eq!(case.messages(1), sent, "and nothing follows the result");
    }
}

/// A refusal with this content.
fn refusal(content: &Value) -> Value {
    let mut refusal = message(content, "refusal");
    refusal["stop_details"] = json!({"type": "refusal", "category": "cyber", "explanation": "No."});
    refusal
}

#[tokio::test]
async fn rn_9_a_refused_reply_runs_no_call_and_leaves_nothing() {
    for mode in Mode::ALL {
        for content in [json!([]), json!([text("I"), call("t1", "now")])] {
            let replies = vec![mode.message(&refusal(&content)), mode.says("Done.")];
            let mut case = Case::start(mode, replies).await;
            let end = case.run().await.unwrap();
            let Outcome::Refused { details, started } = end.outcome else {
                panic!("{mode:?}: {:?}", end.outcome)
            };
            let details = details.unwrap();
            assert_eq!(details.category.as_deref(), Some("cyber"));
            assert_eq!(details.explanation.as_deref(), Some("No."));
            assert!(started.is_empty() && case.calls.names().is_empty());
            case.runner.append_messages([Message::user("Else")]);
            case.run().await.unwrap();
            assert_eq!(case.messages(1), [go(), user(&json!([text("Else")]))]);
        }
    }
}

#[tokio::test]
async fn rn_9_only_calls_behind_the_last_change_of_model_run() {
    let fallback = |to: &str| json!({"type": "fallback", "from": {"model": "claude-test"}, "to": {"model": to}});
    let content = json!([
        call("a", "first"),
        fallback("two"),
        call("b", "second"),
        fallback("three"),
        call("c", "third"),
    ]);
    for mode in Mode::ALL {
        let replies = vec![mode.reply(&content, "tool_use"), mode.says("Done.")];
        let mut case = Case::with_tools(mode, &["first", "second", "third"], replies).await;
        case.run().await.unwrap();
        assert_eq!(case.calls.names(), ["third"], "{mode:?}");
        let sent = [go(), assistant(&content), user(&json!([done("c")]))];
        assert_eq!(case.messages(1), sent);
    }
}

#[tokio::test]
async fn rn_17_what_is_newer_than_haft_is_kept_and_ends_the_run() {
    let quantum = json!({"type": "quantum_block", "x": 1, "id": 7, "text": {"a": 1.0e2}});
    let content = json!([quantum, call("t1", "now")]);
    for mode in Mode::ALL {
        let newer = match mode {
            Mode::Plain => mode.reply(&content, "new_reason"),
            Mode::Streamed | Mode::Folded => stream(&[
                begin(),
                start(0, &quantum),
                delta(0, &json!({"type": "spin_delta", "spin": 2})),
                json!({"type": "entangled", "index": {"not": "a number"}}),
                json!({"type": "collapsed", "index": 0}),
                stop(0),
                start(1, &call("t1", "now")),
                stop(1),
                last("new_reason"),
                over(),
            ]),
        };
        let mut case = Case::start(mode, vec![newer, mode.says("Done.")]).await;
        let end = case.run().await.unwrap();
        let Outcome::Unknown {
            stop_reason,
            pending,
        } = end.outcome
        else {
            panic!("{mode:?}: {:?}", end.outcome)
        };
        assert_eq!(stop_reason, StopReason::Other("new_reason".into()));
        assert_eq!(pending[0].id(), "t1");
        case.run().await.unwrap();
        assert!(case.calls.names().is_empty(), "{mode:?}");
        let messages = case.messages(1);
        assert_eq!(messages[1], assistant(&content));
        let result = &messages[2]["content"][0];
        assert_eq!(
            (&result["tool_use_id"], &result["is_error"]),
            (&json!("t1"), &json!(true))
        );
    }
}

#[tokio::test]
async fn rn_17_a_known_delta_without_its_field_is_an_error() {
    let block = start(0, &json!({"type": "text", "text": ""}));
    for kind in [
        "text_delta",
        "input_json_delta",
        "thinking_delta",
        "signature_delta",
        "citations_delta",
    ] {
        for mode in Mode::STREAMS {
            let bad = delta(0, &json!({"type": kind}));
            let reply = stream(&[
                begin(),
                block.clone(),
                bad,
                stop(0),
                last("end_turn"),
                over(),
            ]);
            let mut case = Case::start(mode, vec![reply]).await;
            let error = case.run().await.unwrap_err();
            assert_eq!(error.kind(), haft::ErrorKind::Protocol, "{kind}: {error}");
            assert!(error.to_string().contains("whose delta has no"), "{error}");
            assert_eq!(case.bodies().len(), 1, "asking again would not help");
        }
    }
}
