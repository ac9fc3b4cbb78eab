//! Replies that only pause: they go back as they are, and not for ever.

use haft::Outcome;
use haft::serde_json::json;
use haft_tests::server::ServerReply;

use crate::case::{Case, Mode, assistant, call, go, text};
use crate::events::{parts, whole};

#[tokio::test]
async fn t_1_a_pause_goes_on_with_the_same_turn_at_its_end() {
    let content = json!([text("Let me look.")]);
    for mode in Mode::ALL {
        let replies = vec![mode.reply(&content, "pause_turn"), mode.says("Found.")];
        let mut case = Case::start(mode, replies).await;
        assert_eq!(case.run().await.unwrap().reply.text(), "Found.");
        assert_eq!(case.messages(1), [go(), assistant(&content)], "{mode:?}");
        assert!(case.calls.names().is_empty());
    }
}

/// A block as no JSON library would write it.
const ODD: &str = r#"{"type": "server_tool_use", "name":"web_search","id":"s1", "input": {"query" : "\u00e9", "n":1.50e1},"new":[ ]}"#;

#[tokio::test]
async fn rn_7_a_paused_reply_goes_back_to_the_byte() {
    for mode in Mode::ALL {
        let pause = match mode {
            Mode::Plain => {
                let body =
                    format!(r#"{{"type":"message","content":[{ODD}],"stop_reason":"pause_turn"}}"#);
                ServerReply::raw(200, "application/json", body)
            }
            Mode::Streamed | Mode::Folded => {
                let start = format!(
                    r#"data: {{"type":"content_block_start","index":0,"content_block":{ODD}}}"#
                );
                let stream = format!(
                    "data: {{\"type\":\"message_start\",\"message\":{{\"content\":[]}}}}\n\n{start}\n\n\
                     data: {{\"type\":\"content_block_stop\",\"index\":0}}\n\n\
                     data: {{\"type\":\"message_delta\",\"delta\":{{\"stop_reason\":\"pause_turn\"}}}}\n\n\
                     data: {{\"type\":\"message_stop\"}}\n\n"
                );
                ServerReply::sse(stream)
            }
        };
        let mut case =
            Case::with_tools(mode, &["web_search"], vec![pause, mode.says("Found.")]).await;
        case.run().await.unwrap();
        let (first, second) = (case.bytes(0), case.bytes(1));
        let expected = first.replacen(
            "]}]",
            &format!("]}},{{\"role\":\"assistant\",\"content\":[{ODD}]}}]"),
            1,
        );
        assert_eq!(second, expected, "{mode:?}");
        assert!(case.calls.names().is_empty());
    }
}

#[tokio::test]
async fn rn_7_an_input_that_came_in_parts_goes_back_as_its_text() {
    let search = json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}});
    for mode in Mode::STREAMS {
        let blocks = parts(0, &search, &["{\"query\" : ", "\"\\u00e9\", \"n\":1.50e1}"]);
        let replies = vec![whole(&blocks, "pause_turn"), mode.says("Found.")];
        let mut case = Case::start(mode, replies).await;
        case.run().await.unwrap();
        let second = case.bytes(1);
        assert!(
            second.contains(r#""input":{"query" : "\u00e9", "n":1.50e1}"#),
            "{second}"
        );
    }
}

#[tokio::test]
async fn rn_7_pauses_run_out_and_count_toward_the_cap() {
    let search = json!([{"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "a"}}]);
    for mode in Mode::ALL {
        let pauses = || (0..20).map(|_| mode.reply(&search, "pause_turn")).collect();
        let mut case = Case::start(mode, pauses()).await;
        assert_eq!(
            case.run().await.unwrap().outcome,
            Outcome::Paused,
            "{mode:?}"
        );
        assert_eq!(case.bodies().len(), 11, "ten continuations");
        let mut capped = Case::start(mode, pauses()).await;
        capped.runner.set_max_iterations(3);
        let end = capped.run().await.unwrap();
        assert_eq!(
            end.outcome,
            Outcome::Capped {
                pending: Vec::new()
            }
        );
        assert_eq!(capped.bodies().len(), 3);
    }
}

/// What differs from the bare rule of the case: with calls in it, a pause is tool use.
#[tokio::test]
async fn rn_7_a_pause_with_calls_is_tool_use() {
    for mode in Mode::ALL {
        let content = json!([call("t1", "now")]);
        let replies = vec![mode.reply(&content, "pause_turn"), mode.says("Found.")];
        let mut case = Case::start(mode, replies).await;
        case.run().await.unwrap();
        assert_eq!(case.calls.names(), ["now"], "{mode:?}");
        assert_eq!(case.messages(1).len(), 3);
    }
}
