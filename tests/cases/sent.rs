//! What is sent behind a reply: results, echoes, containers, definitions.

use std::time::Duration;

use haft::serde_json::{Value, json};
use haft::{ErrorKind, Message, Outcome, Toolkit, tool, toolkit};

use crate::case::{Calls, Case, Mode, assistant, call, done, go, message, text, user};

/// Says nothing.
#[tool]
async fn silent() -> &'static str {
    ""
}

/// Has nothing to say.
#[tool]
async fn nothing() {}

#[tokio::test]
async fn rn_18_no_empty_text_is_sent() {
    for mode in Mode::ALL {
        let called = json!([text(""), call("t1", "silent"), call("t2", "nothing")]);
        let replies = vec![
            mode.reply(&called, "tool_use"),
            mode.says(""),
            mode.says("Hello again."),
        ];
        let mut case = Case::with_kit(mode, toolkit![silent, nothing], replies).await;
        assert_eq!(case.run().await.unwrap().outcome, Outcome::Completed);
        let empty = |id: &str| json!({"type": "tool_result", "tool_use_id": id});
        let history = [
            go(),
            assistant(&json!([call("t1", "silent"), call("t2", "nothing")])),
            user(&json!([empty("t1"), empty("t2")])),
        ];
        assert_eq!(case.messages(1), history, "{mode:?}");
        case.runner.append_messages([Message::user("Hello?")]);
        case.run().await.unwrap();
        let messages = case.messages(2);
        assert_eq!(messages[..3], history, "{mode:?}");
        assert_eq!(
            messages[3..],
            [user(&json!([text("Hello?")]))],
            "no empty message"
        );
    }
}

/// A call in a container.
fn worked(mode: Mode, container: &str) -> haft_tests::server::ServerReply {
    let mut message = message(&json!([call("t1", "now")]), "tool_use");
    message["container"] = json!({"id": container, "expires_at": "2026-12-01T00:00:00Z"});
    mode.message(&message)
}

/// The containers that three requests ask for, with this one set by the program.
async fn containers(mode: Mode, own: Option<Value>) -> Vec<Option<Value>> {
    let replies = vec![worked(mode, "c1"), worked(mode, "c2"), mode.says("Done.")];
    let mut case = Case::start(mode, replies).await;
    if let Some(own) = own {
        let options = &mut case.runner.request_mut().options;
        options.insert("container".to_owned(), own);
    }
    case.run().await.unwrap();
    let bodies = case.bodies();
    bodies
        .iter()
        .map(|body| body.get("container").cloned())
        .collect()
}

/// T2 for the first of the replies.
#[tokio::test]
async fn rn_23_a_run_stays_in_its_container() {
    for mode in Mode::ALL {
        let asked = containers(mode, None).await;
        assert_eq!(
            asked,
            [None, Some(json!("c1")), Some(json!("c2"))],
            "{mode:?}"
        );
    }
}

#[tokio::test]
async fn t_2_a_container_that_the_program_has_chosen_stays() {
    for mode in Mode::ALL {
        for own in [json!("own"), json!({"id": "own", "skills": [1]})] {
            let asked = containers(mode, Some(own.clone())).await;
            assert_eq!(asked, vec![Some(own); 3], "{mode:?}");
        }
    }
}

#[tokio::test]
async fn rn_23_a_container_that_is_set_up_without_an_id_gets_it() {
    let with = |id: &str| Some(json!({"skills": [1], "id": id}));
    for mode in Mode::ALL {
        let skills = json!({"skills": [1]});
        let asked = containers(mode, Some(skills.clone())).await;
        assert_eq!(asked, [Some(skills), with("c1"), with("c2")], "{mode:?}");
    }
}

#[tokio::test]
async fn rn_29_two_calls_of_one_id_are_an_error_and_neither_runs() {
    let twice = json!([call("t1", "now"), call("t1", "now")]);
    for mode in Mode::STREAMS {
        let mut case = Case::start(mode, vec![mode.reply(&twice, "tool_use")]).await;
        let error = case.run().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
        assert!(error.to_string().contains("same id"), "{error}");
        assert!(case.calls.names().is_empty(), "{mode:?}");
        assert_eq!(case.runner.messages(), [Message::user("Go")]);
    }
}

/// The rule that haft has picked: results first, and then what the program has added.
#[tokio::test]
async fn t_5_what_is_appended_while_calls_are_pending_is_sent_behind_their_results() {
    for mode in Mode::ALL {
        for by_edit in [false, true] {
            let replies = vec![mode.calls(), mode.says("Done.")];
            let mut case = Case::start(mode, replies).await;
            case.next().await.unwrap();
            let hurry = Message::user("And hurry");
            if by_edit {
                case.runner.request_mut().messages.push(hurry);
            } else {
                case.runner.append_messages([hurry]);
            }
            case.run().await.unwrap();
            let sent = [
                go(),
                assistant(&json!([call("t1", "now")])),
                user(&json!([done("t1")])),
                user(&json!([text("And hurry")])),
            ];
            assert_eq!(case.messages(1), sent, "{mode:?}");
        }
    }
}

/// Waits.
#[tool(
    title = "Wait",
    read_only,
    idempotent,
    exclusive,
    timeout = "30s",
    approval
)]
async fn wait(calls: &Calls, seconds: u32) -> usize {
    let _ = seconds;
    calls.names().len()
}

#[tokio::test]
async fn t_7_a_definition_has_only_the_keys_of_the_api() {
    let calls = Calls::default();
    let function = calls.tool("function").read_only(true).idempotent(true);
    let function = function
        .exclusive(true)
        .with_timeout(Duration::from_secs(30));
    let kit: Toolkit = toolkit![wait].with_state(calls);
    let kit = kit.with(function.approval(true)).unwrap();
    let mut case = Case::with_kit(Mode::Plain, kit, vec![Mode::Plain.says("Done.")]).await;
    case.run().await.unwrap();
    let body = &case.bodies()[0];
    for tool in body["tools"].as_array().unwrap() {
        let keys: Vec<_> = tool.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["name", "description", "input_schema"]);
    }
    let properties = body["tools"][0]["input_schema"]["properties"]
        .as_object()
        .unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["seconds"]);
}
