//! Reasoning goes back signed, unchanged and in its place, or not at all.

use haft::serde_json::{Value, json};
use haft::{CancellationToken, Message, Outcome};
use haft_tests::server::ServerReply;

use crate::case::{Case, Mode, assistant, call, done, go, text, user};
use crate::events::{begin, delta, last, over, start, stop, stream};

/// Reasoning that was cut before its signature came: the events of its block but for the end.
fn unsigned(index: usize) -> [Value; 2] {
    let block = json!({"type": "thinking", "thinking": "", "signature": ""});
    let words = json!({"type": "thinking_delta", "thinking": "a secret plan"});
    [start(index, &block), delta(index, &words)]
}

/// Says `Go on`, and gives the messages that are then sent, in which nothing of the plan stands.
async fn said_next(case: &mut Case) -> Vec<Value> {
    case.runner.append_messages([Message::user("Go on")]);
    case.run().await.unwrap();
    let messages = case.messages(1);
    let sent = Value::from(messages.clone()).to_string();
    assert!(
        !sent.contains("secret") && !sent.contains("thinking"),
        "{sent}"
    );
    messages
}

fn only_what_the_user_says() -> [Value; 2] {
    [go(), user(&json!([text("Go on")]))]
}

#[tokio::test]
async fn rn_14_reasoning_of_a_stream_that_breaks_does_not_go_back() {
    let [begun, words] = unsigned(0);
    let cut = stream(&[begin(), begun, words]);
    let mode = Mode::Streamed;
    let mut case = Case::start(mode, vec![cut, mode.says("Done.")]).await;
    case.run().await.unwrap_err();
    assert_eq!(said_next(&mut case).await, only_what_the_user_says());
}

#[tokio::test]
async fn rn_14_reasoning_of_a_reply_that_is_cancelled_does_not_go_back() {
    let [begun, words] = unsigned(0);
    let pause = vec![b' '; 64];
    let mut pieces =
        vec![haft_tests::message_stream::frames(&[begin(), begun, words]).into_bytes()];
    pieces.push(pause);
    let mode = Mode::Streamed;
    let mut case = Case::start(mode, vec![ServerReply::sse_in(pieces), mode.says("Done.")]).await;
    let token = CancellationToken::new();
    case.runner.set_cancellation(token.clone());
    {
        let mut turn = case.runner.next_streaming().await.unwrap().unwrap();
        let told = haft::StreamExt::next(&mut turn).await.unwrap().unwrap();
        assert_eq!(told, haft::Event::Thinking("a secret plan".to_owned()));
        token.cancel();
        assert_eq!(turn.into_reply().await.unwrap(), None);
    }
    assert_eq!(case.runner.outcome(), Some(Outcome::Cancelled));
    case.runner.set_cancellation(CancellationToken::new());
    assert_eq!(said_next(&mut case).await, only_what_the_user_says());
}

#[tokio::test]
async fn rn_14_reasoning_that_the_limit_cut_does_not_go_back() {
    for mode in Mode::ALL {
        let thought = json!({"type": "thinking", "thinking": "a secret plan", "signature": ""});
        let cut = match mode {
            Mode::Plain => mode.reply(&json!([text("Well."), thought]), "max_tokens"),
            Mode::Streamed | Mode::Folded => {
                let [begun, words] = unsigned(1);
                let said = [start(0, &text("Well.")), stop(0), begun, words, stop(1)];
                let ended = [last("max_tokens"), over()];
                stream(&[&[begin()], &said[..], &ended].concat())
            }
        };
        let mut case = Case::start(mode, vec![cut, mode.says("Done.")]).await;
        let end = case.run().await.unwrap();
        assert_eq!(
            end.outcome,
            Outcome::Truncated { incomplete: None },
            "{mode:?}"
        );
        let messages = said_next(&mut case).await;
        assert_eq!(messages[1], assistant(&json!([text("Well.")])));
    }
}

/// A call that had begun keeps its reply in the history, but for the reasoning behind it.
#[tokio::test]
async fn rn_14_reasoning_that_was_cut_behind_a_call_that_had_begun_does_not_go_back() {
    let [begun, words] = unsigned(1);
    let cut = stream(&[begin(), start(0, &call("t1", "now")), stop(0), begun, words]);
    let mode = Mode::Streamed;
    let mut case = Case::start(mode, vec![cut, mode.says("Done.")]).await;
    case.runner.set_eager(true);
    case.run().await.unwrap_err();
    let content = json!([call("t1", "now")]);
    let [go, go_on] = only_what_the_user_says();
    let expected = [go, assistant(&content), user(&json!([done("t1")])), go_on];
    assert_eq!(said_next(&mut case).await, expected);
    assert_eq!(case.calls.names(), ["now"]);
}

#[tokio::test]
async fn rn_14_signed_and_redacted_reasoning_goes_back_unchanged_and_in_its_place() {
    let content = json!([
        {"type": "thinking", "thinking": "", "signature": "c2ln/+=="},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        text("Let me look."),
        {"type": "thinking", "thinking": "Hm.\n\u{2028}\u{1f980}", "signature": "bW9yZQ=="},
        call("t1", "now"),
    ]);
    for mode in Mode::ALL {
        let replies = vec![mode.reply(&content, "tool_use"), mode.says("Done.")];
        let mut case = Case::start(mode, replies).await;
        case.run().await.unwrap();
        assert_eq!(case.messages(1)[1], assistant(&content), "{mode:?}");
        let sent = case.bytes(1);
        let bytes = content.to_string();
        assert!(sent.contains(&bytes), "{mode:?}: {sent}");
    }
}
