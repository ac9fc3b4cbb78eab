//! A history that gives way to a summary.

use haft::serde_json::{Value, json};
use haft::testing::ScriptedModel;
use haft::{Message, Outcome, Request, Runner, StopReason, ToolChoice, Toolkit};

use crate::case::{Case, Mode, assistant, call, done, text, user};

pub(crate) fn compaction() -> Value {
    json!({"type": "compaction", "content": "They said: go.", "encrypted_content": "e", "signature": "s"})
}

#[tokio::test]
async fn t_4_a_summary_takes_the_place_of_the_history() {
    for mode in Mode::ALL {
        let replies = vec![
            mode.calls(),
            mode.reply(&json!([compaction()]), "compaction"),
            mode.says("Done."),
        ];
        let mut case = Case::start(mode, replies).await;
        let request = case.runner.request_mut();
        *request = request
            .clone()
            .stop_sequences(["STOP"])
            .tool_choice(ToolChoice::Any)
            .output::<String>()
            .option(
                "context_management",
                json!({"edits": [{"type": "clear_tool_uses_20250919"}]}),
            )
            .option("output_config", json!({"effort": "low"}));
        case.runner.set_max_iterations(2);
        case.next().await.unwrap();
        case.runner
            .compact_before_next_turn(Some("Be short."))
            .unwrap();
        let summary = case.next().await.unwrap();
        assert_eq!(*summary.stop_reason(), StopReason::Compaction);
        assert_eq!(case.calls.names(), ["now"], "its calls were answered first");
        case.runner.append_messages([Message::user("Go on")]);
        let end = case.run().await.unwrap();
        assert_eq!(
            end.outcome,
            Outcome::Completed,
            "a compaction does not count"
        );

        let [first, second, third] = case.bodies().try_into().unwrap();
        assert_eq!(
            second["compaction"],
            json!({"type": "summarize", "instructions": "Be short."})
        );
        assert_eq!(second["messages"].as_array().unwrap().len(), 3);
        for key in ["stop_sequences", "tool_choice", "context_management"] {
            assert_eq!(second.get(key), None, "{key}");
            assert!(
                first.get(key).is_some() && first.get(key) == third.get(key),
                "{key}"
            );
        }
        assert_eq!(second["output_config"], json!({"effort": "low"}));
        assert!(third["output_config"]["format"].is_object());
        assert_eq!(third.get("compaction"), None);
        assert_eq!(
            third["messages"],
            json!([
                assistant(&json!([compaction()])),
                user(&json!([text("Go on")]))
            ])
        );
        assert_eq!(case.betas(1).unwrap(), "compact-2026-09-04");
        let after = case.betas(2).unwrap();
        assert!(
            after.contains("compact-2026-09-04"),
            "the block needs it: {after}"
        );
    }
}

#[tokio::test]
async fn without_a_summary_the_history_stays() {
    for mode in Mode::ALL {
        let empty = json!([{"type": "compaction", "content": null}]);
        let replies = vec![
            mode.calls(),
            mode.reply(&empty, "compaction"),
            mode.says("Done."),
        ];
        let mut case = Case::start(mode, replies).await;
        case.next().await.unwrap();
        case.runner.compact_before_next_turn(None).unwrap();
        case.run().await.unwrap();
        let [_, second, third] = case.bodies().try_into().unwrap();
        assert_eq!(second["compaction"], json!({"type": "summarize"}));
        assert_eq!(third["messages"], second["messages"]);
    }
}

#[tokio::test]
async fn a_compaction_that_fails_is_told_and_over() {
    let mode = Mode::Plain;
    let failure =
        json!({"type": "error", "error": {"type": "invalid_request_error", "message": "no"}});
    let replies = vec![
        mode.calls(),
        haft_tests::server::ServerReply::json(400, &failure),
        mode.says("Done."),
    ];
    let mut case = Case::start(mode, replies).await;
    case.next().await.unwrap();
    case.runner.compact_before_next_turn(None).unwrap();
    case.run().await.unwrap_err();
    case.run().await.unwrap();
    let [_, second, third] = case.bodies().try_into().unwrap();
    assert_eq!(third["messages"], second["messages"]);
    assert_eq!(third.get("compaction"), None);
    assert_eq!(case.calls.names(), ["now"], "it ran once");
}

#[tokio::test]
async fn what_would_compact_twice_is_refused() {
    let mode = Mode::Plain;
    let mut case = Case::start(mode, Vec::new()).await;
    let edits = json!({"edits": [{"type": "compact_20260112"}]});
    let request = case.runner.request_mut();
    *request = request.clone().option("context_management", edits);
    let error = case.runner.compact_before_next_turn(None).unwrap_err();
    assert!(error.to_string().contains("compact_20260112"), "{error}");
    let request = case.runner.request_mut();
    *request = request
        .clone()
        .option("compaction", json!({"type": "summarize"}));
    let error = case.run().await.unwrap_err();
    assert!(
        error.to_string().contains("compact_before_next_turn"),
        "{error}"
    );
    assert_eq!(case.bodies(), Vec::<Value>::new());

    let model = ScriptedModel::new().text("Hello");
    let mut runner = Runner::new(model, Toolkit::new(), Request::new("m").user("Go"));
    let error = runner.compact_before_next_turn(None).unwrap_err();
    assert!(error.to_string().contains("testing"), "{error}");
}

#[tokio::test]
async fn what_the_program_has_appended_keeps_its_words() {
    let mode = Mode::Plain;
    let replies = vec![
        mode.says("Done."),
        mode.reply(&json!([compaction()]), "compaction"),
        mode.says("More."),
    ];
    let mut case = Case::start(mode, replies).await;
    case.run().await.unwrap();
    case.runner.compact_before_next_turn(None).unwrap();
    case.runner.append_messages([Message::user("more")]);
    case.run().await.unwrap();
    assert_eq!(case.messages(1).len(), 2);
    assert_eq!(
        case.messages(2),
        [
            assistant(&json!([compaction()])),
            user(&json!([text("more")]))
        ]
    );
}

#[tokio::test]
async fn code_that_waits_for_results_comes_before_a_summary() {
    let mode = Mode::Plain;
    let mut called = call("t1", "now");
    called["caller"] = json!({"type": "code_execution_20250825", "tool_id": "s1"});
    let server =
        json!({"type": "server_tool_use", "id": "s1", "name": "code_execution", "input": {}});
    let replies = vec![
        mode.reply(&json!([server, called]), "tool_use"),
        mode.calls(),
        mode.reply(&json!([compaction()]), "compaction"),
        mode.says("Done."),
    ];
    let mut case = Case::start(mode, replies).await;
    case.next().await.unwrap();
    case.runner.compact_before_next_turn(None).unwrap();
    // It waits, too.
    case.runner.append_messages([Message::user("Hurry")]);
    case.run().await.unwrap();
    let bodies = case.bodies();
    let compacts: Vec<_> = bodies
        .iter()
        .map(|body| body.get("compaction").is_some())
        .collect();
    assert_eq!(compacts, [false, false, true, false]);
    assert_eq!(case.messages(1)[2], user(&json!([done("t1")])));
    assert_eq!(case.messages(1).len(), 3);
}
