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

/// Blocks as no JSON library would write them.
const ODD: [&str; 2] = [
    r#"{"text":"\u00e9 \/", "type": "text","citations": null}"#,
    r#"{"type": "server_tool_use", "name":"web_search","id":"s1", "input": {"query" : "\u00e9", "n":1.50e1},"new":[ ]}"#,
];

/// A pause with these blocks, each as it is from its begin on.
fn odd_pause(mode: Mode) -> ServerReply {
    if mode == Mode::Plain {
        let content = ODD.join(",");
        let body = format!(r#"{{"content":[{content}],"stop_reason":"pause_turn"}}"#);
        return ServerReply::raw(200, "application/json", body);
    }
    let blocks = ODD.iter().enumerate().flat_map(|(index, block)| {
        [
            format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#),
            format!(r#"{{"type":"content_block_stop","index":{index}}}"#),
        ]
    });
    let begun = r#"{"type":"message_start","message":{"content":[]}}"#;
    let ended = r#"{"type":"message_delta","delta":{"stop_reason":"pause_turn"}}"#;
    let events = [begun.to_owned()].into_iter().chain(blocks);
    let events = events.chain([ended.to_owned()]);
    ServerReply::sse(
        events
            .map(|event| format!("data: {event}\n\n"))
            .collect::<String>(),
    )
}

#[tokio::test]
async fn rn_7_a_paused_reply_goes_back_to_the_byte() {
    for mode in Mode::ALL {
        let replies = vec![odd_pause(mode), mode.says("Found.")];
        let mut case = Case::with_tools(mode, &["web_search"], replies).await;
        case.run().await.unwrap();
        let turn = format!(
            r#"]}},{{"role":"assistant","content":[{}]}}]"#,
            ODD.join(",")
        );
        let expected = case.bytes(0).replacen("]}]", &turn, 1);
        assert_eq!(case.bytes(1), expected, "{mode:?}: and no more");
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
