//! The input of a call, as it comes in parts, and as it goes back.

use std::time::{Duration, Instant};

use haft::serde_json::{Value, json};
use haft::{Event, Outcome, StreamExt};
use haft_tests::message_stream::frames;
use haft_tests::server::ServerReply;

use crate::case::{Case, Mode, call, done};
use crate::events::{begin, last, over, parts, start, stop, whole};

/// A call of `now` with an input, and how often it is called. The last reply is a text.
async fn called(mode: Mode, reply: ServerReply) -> Case {
    let mut case = Case::start(mode, vec![reply, mode.says("Done.")]).await;
    let end = case.run().await.unwrap();
    assert_eq!(end.outcome, Outcome::Completed, "{mode:?}");
    case
}

/// The input of the call in the history that is sent, and the answer to it.
fn sent(case: &Case) -> (Value, Value) {
    let messages = case.messages(1);
    assert_eq!(messages.len(), 3, "{messages:?}");
    let (call, result) = (&messages[1]["content"][0], &messages[2]["content"][0]);
    (call["input"].clone(), result.clone())
}

#[tokio::test]
async fn rn_1_an_input_of_which_nothing_comes_is_the_empty_object() {
    let now = call("t1", "now");
    let none = || whole(&[start(0, &now), stop(0)], "tool_use");
    let empty = || whole(&parts(0, &now, &[""]), "tool_use");
    let cases = [
        (Mode::Plain, Mode::Plain.calls()),
        (Mode::Streamed, none()),
        (Mode::Streamed, empty()),
        (Mode::Folded, none()),
        (Mode::Folded, empty()),
    ];
    for (mode, reply) in cases {
        let case = called(mode, reply).await;
        assert_eq!(case.calls.inputs(), [json!({})], "{mode:?}");
        assert_eq!(sent(&case).0, json!({}));
    }
}

/// A call that begins with an input.
fn oslo() -> Value {
    json!({"type": "tool_use", "id": "t1", "name": "now", "input": {"city": "Oslo"}})
}

#[tokio::test]
async fn rn_2_an_input_that_stands_in_the_begin_of_a_call_is_taken() {
    let begun = || whole(&[start(0, &oslo()), stop(0)], "tool_use");
    // A part of nothing is none.
    let empty = || whole(&parts(0, &oslo(), &[""]), "tool_use");
    let cases = [
        (Mode::Plain, Mode::Plain.reply(&json!([oslo()]), "tool_use")),
        (Mode::Streamed, begun()),
        (Mode::Streamed, empty()),
        (Mode::Folded, begun()),
        (Mode::Folded, empty()),
    ];
    for (mode, reply) in cases {
        let case = called(mode, reply).await;
        assert_eq!(case.calls.inputs(), [json!({"city": "Oslo"})], "{mode:?}");
        assert_eq!(sent(&case).0, json!({"city": "Oslo"}));
    }
}

#[tokio::test]
async fn rn_2_parts_of_an_input_take_the_place_of_the_one_in_the_begin() {
    for mode in Mode::STREAMS {
        let blocks = parts(0, &oslo(), &["{\"city\":", "\"Rome\"}"]);
        let case = called(mode, whole(&blocks, "tool_use")).await;
        assert_eq!(case.calls.inputs(), [json!({"city": "Rome"})], "{mode:?}");
        assert_eq!(sent(&case).0, json!({"city": "Rome"}));
    }
}

/// The case wants the position. haft gives what stands there, and neither line nor column, which a model does not see.
#[tokio::test]
async fn rn_4_input_that_is_no_json_is_told_with_its_place() {
    let long = format!("{{\"text\":\"{}\",\"a\":1,}}", "x".repeat(200));
    for (slip, place) in [
        ("{\"a\":1,}", "near `{\"a\":1,}`"),
        (&long, "xx\",\"a\":1,}`"),
    ] {
        for mode in Mode::STREAMS {
            let (head, tail) = slip.split_at(6);
            let blocks = parts(0, &call("t1", "now"), &[head, tail]);
            let case = called(mode, whole(&blocks, "tool_use")).await;
            assert!(case.calls.names().is_empty(), "{mode:?}");
            let (input, result) = sent(&case);
            assert_eq!(input, json!({}), "only an object may go back");
            assert_eq!(result["is_error"], true);
            let told = result["content"][0]["text"].as_str().unwrap();
            assert!(
                told.starts_with("Error: Invalid input for tool 'now': not JSON: "),
                "{told}"
            );
            assert!(told.ends_with(place) && told.len() < 120, "{told}");
        }
    }
}

#[tokio::test]
async fn rn_4_input_that_is_no_object_is_told_and_does_not_go_back() {
    for mode in Mode::ALL {
        for (input, kind) in [(json!([1]), "an array"), (json!("x"), "the string \"x\"")] {
            let block = json!({"type": "tool_use", "id": "t1", "name": "now", "input": input});
            let case = called(mode, mode.reply(&json!([block]), "tool_use")).await;
            assert!(case.calls.names().is_empty(), "{mode:?}");
            let (sent, result) = sent(&case);
            assert_eq!(sent, json!({}));
            assert_eq!(result["is_error"], true);
            let told = result["content"][0]["text"].as_str().unwrap();
            assert!(told.contains("'now'") && told.contains(kind), "{told}");
        }
    }
}

#[tokio::test]
async fn t_13_a_whole_input_with_a_slip_is_quoted_and_not_guessed_at() {
    for mode in Mode::STREAMS {
        let blocks = parts(0, &call("t1", "now"), &["{\"a\": ", "blah}"]);
        let case = called(mode, whole(&blocks, "tool_use")).await;
        assert!(case.calls.names().is_empty(), "{mode:?}");
        let (input, result) = sent(&case);
        assert_eq!((input, &result["is_error"]), (json!({}), &json!(true)));
        let told = result["content"][0]["text"].as_str().unwrap();
        assert!(
            told.contains("'now'") && told.contains("{\"a\": blah}"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn t_11_a_server_tools_input_is_put_together_and_not_run_here() {
    let search = json!({"type": "server_tool_use", "id": "s1", "name": "now", "input": {}});
    for mode in Mode::STREAMS {
        let mut blocks = parts(0, &search, &["{\"query\"", ":\"a\"}"]);
        blocks.extend(parts(1, &call("t1", "other"), &[]));
        let replies = vec![whole(&blocks, "tool_use"), mode.says("Done.")];
        let mut case = Case::with_tools(mode, &["now", "other"], replies).await;
        case.run().await.unwrap();
        assert_eq!(case.calls.names(), ["other"], "{mode:?}");
        let block = &case.messages(1)[1]["content"][0];
        assert_eq!(block["type"], "server_tool_use");
        assert_eq!(block["input"], json!({"query": "a"}));
    }
}

/// A stream with a call whose input has so many parts of 50 bytes.
fn long_call(count: usize) -> ServerReply {
    let mut pieces = vec!["{\"text\":\"".to_owned()];
    pieces.extend(std::iter::repeat_n("0123456789".repeat(5), count));
    pieces.push("\"}".to_owned());
    let pieces: Vec<_> = pieces.iter().map(String::as_str).collect();
    let blocks = parts(0, &call("t1", "now"), &pieces);
    let events = [&[begin()], &blocks[..], &[last("tool_use"), over()]].concat();
    // As much at once as a network gives, so that it is not the server that takes the time.
    let frames = frames(&events).into_bytes();
    ServerReply::sse_in(frames.chunks(16_384).map(<[u8]>::to_vec))
}

/// How long a run takes from its begin to the end of such a reply.
async fn time(count: usize) -> Duration {
    let mut case = Case::start(Mode::Streamed, vec![long_call(count)]).await;
    let begun = Instant::now();
    let mut parts = 0;
    let mut turn = case.runner.next_streaming().await.unwrap().unwrap();
    while let Some(event) = turn.next().await {
        parts += usize::from(matches!(event.unwrap(), Event::CallInput { .. }));
    }
    let took = begun.elapsed();
    assert_eq!(parts, count + 2);
    took
}

/// Only the best times count, since what else the machine does adds to them.
#[tokio::test]
async fn rn_22_a_long_input_takes_time_by_its_length() {
    let (mut half, mut all) = (Duration::MAX, Duration::MAX);
    for round in 0..12 {
        half = half.min(time(10_000).await);
        all = all.min(time(20_000).await);
        if round >= 2 && all < half * 5 / 2 {
            return;
        }
    }
    panic!("1 MB takes {all:?}, half of it {half:?}");
}

#[tokio::test]
async fn rn_22_a_long_input_arrives_whole() {
    for mode in Mode::STREAMS {
        let case = called(mode, long_call(20_000)).await;
        let input = &case.calls.inputs()[0];
        assert_eq!(input["text"].as_str().map(str::len), Some(1_000_000));
        assert_eq!(sent(&case), (input.clone(), done("t1")));
    }
}
