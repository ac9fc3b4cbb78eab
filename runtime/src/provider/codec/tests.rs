use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use futures_util::{FutureExt as _, StreamExt as _};

use super::*;
use crate::error::ErrorKind;
use crate::message::StopReason;
use crate::provider::Provider as _;
use crate::provider::anthropic::Anthropic;
use crate::provider::test_server::{Server, answer, request};
use crate::request::Request;
use crate::toolkit::Definitions;

const KEY: &str = "a-secret-key-of-ours";
const BEGIN: &str = r#"{"type":"message_start","message":{"id":"m","model":"first","content":[],"usage":{"input_tokens":4}}}"#;
const START: &str =
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
const PART: &str =
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}"#;
const END: &str = r#"{"type":"content_block_stop","index":0}"#;
const LAST: &str = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;
const WHOLE: &[&str] = &[BEGIN, START, PART, END, LAST, STOP];
const OVERLOADED: &str = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded a-secret-key-of-ours"}}"#;

fn stream(events: &[&str]) -> String {
    let frames: String = events
        .iter()
        .map(|data| format!("data: {data}\n\n"))
        .collect();
    answer("200 OK", "text/event-stream; charset=utf-8", &frames)
}

/// As a connection that breaks: more is promised than comes.
fn broken(events: &[&str]) -> String {
    stream(events).replacen("\r\n\r\n", "\r\ncontent-length: 9999\r\n\r\n", 1)
}

struct Told {
    events: Vec<StreamEvent>,
    error: Option<Error>,
    requests: Vec<String>,
}

async fn told(answers: Vec<String>, is_streamed: bool) -> Told {
    let server = Server::new(answers);
    let builder = Anthropic::builder().api_key(KEY).base_url(&server.url);
    let claude = builder.build().unwrap();
    let definitions = Definitions::default();
    let request = Request::new("asked").max_tokens(128_000).user("Hello");
    let call = ModelCall::new(&request, &definitions).streamed(is_streamed);
    let mut stream = claude.send(call);
    assert!(
        server.requests().is_empty(),
        "nothing is sent before it is asked for"
    );
    let (mut events, mut error) = (Vec::new(), None);
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(failed) => error = Some(failed),
        }
    }
    Told {
        events,
        error,
        requests: server.requests(),
    }
}

fn is_whole(events: &[StreamEvent]) {
    assert!(matches!(events[0], StreamEvent::Usage(_)), "{events:?}");
    assert!(
        matches!(events[1], StreamEvent::BlockStart { .. }),
        "{events:?}"
    );
    assert!(
        matches!(events[2], StreamEvent::TextDelta { .. }),
        "{events:?}"
    );
    assert!(matches!(events[3], StreamEvent::BlockStop(_)), "{events:?}");
    assert!(matches!(events[4], StreamEvent::Usage(_)), "{events:?}");
    let [.., StreamEvent::Reply(reply)] = events else {
        panic!("{events:?}");
    };
    assert_eq!(events.len(), 6);
    assert_eq!(
        (reply.text().as_str(), reply.stop_reason()),
        ("Hi", &StopReason::EndTurn)
    );
    assert_eq!(reply.request_id(), Some("req_1"));
}

#[tokio::test]
async fn a_stream_is_told_as_it_comes() {
    let told = told(vec![stream(WHOLE)], true).await;
    assert!(told.error.is_none(), "{:?}", told.error);
    is_whole(&told.events);
    assert!(
        told.requests[0].contains(r#""stream":true"#),
        "{:?}",
        told.requests
    );
}

// RN-12 a.
#[tokio::test]
async fn what_fails_before_content_is_tried_again() {
    for first in [
        stream(&[BEGIN, OVERLOADED]),
        stream(&[OVERLOADED]),
        stream(&[BEGIN, r#"{"type":"ping"}"#]),
        broken(&[BEGIN]),
        stream(&[]),
    ] {
        let told = told(vec![first, stream(WHOLE)], true).await;
        assert!(told.error.is_none(), "{:?}", told.error);
        is_whole(&told.events);
        assert_eq!(told.requests.len(), 2);
    }
}

// RN-11 a and RN-12 b.
#[tokio::test]
async fn what_fails_after_content_is_not_tried_again() {
    let overloaded = stream(&[BEGIN, START, PART, OVERLOADED]);
    let cut = stream(&[BEGIN, START, PART, END]);
    for (first, kind) in [
        (overloaded, ErrorKind::Api),
        (cut, ErrorKind::Protocol),
        (stream(&[BEGIN, START, PART, LAST]), ErrorKind::Protocol),
        (broken(&[BEGIN, START, PART]), ErrorKind::Connection),
    ] {
        let told = told(vec![first, stream(WHOLE)], true).await;
        let error = told.error.unwrap();
        assert_eq!(
            (error.kind(), error.is_retryable()),
            (kind, true),
            "{error}"
        );
        assert_eq!(error.partial_reply().unwrap().text(), "Hi");
        assert!(!format!("{error:#?}").contains(KEY), "{error:#?}");
        assert!(told.events.len() >= 3, "{:?}", told.events);
        assert_eq!(told.requests.len(), 1);
    }
}

#[tokio::test]
async fn an_error_in_a_stream_is_the_typed_error() {
    let told = told(vec![stream(&[BEGIN, START, OVERLOADED])], true).await;
    let error = told.error.unwrap();
    assert_eq!(
        error.to_string(),
        "Anthropic answered 200 OK, overloaded_error: Overloaded *** (request req_1)"
    );
    assert_eq!(error.request_id(), Some("req_1"));
}

#[tokio::test]
async fn a_bad_payload_is_told_with_the_request_and_not_tried_again() {
    let bad = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}"#;
    let told = told(vec![stream(&[BEGIN, bad])], true).await;
    let error = told.error.unwrap();
    assert_eq!(
        error.to_string(),
        "the stream has a `content_block_delta` event whose delta has no `text` (request req_1)"
    );
    assert_eq!(
        (error.request_id(), error.is_retryable()),
        (Some("req_1"), false)
    );
}

// RN-11 b.
#[tokio::test]
async fn only_a_last_word_may_be_missing() {
    for end in [stream(&WHOLE[..5]), broken(&WHOLE[..5])] {
        let told = told(vec![end], true).await;
        assert!(told.error.is_none(), "{:?}", told.error);
        is_whole(&told.events);
    }
    // The last frame has no blank line behind it; and one that is cut is none.
    let whole = stream(&WHOLE[..5]);
    let told_without_line = told(vec![whole.trim_end().to_owned()], true).await;
    is_whole(&told_without_line.events);
    let told_with_half = told(vec![format!("{whole}data: {{\"type\":\"mess")], true).await;
    is_whole(&told_with_half.events);
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_read_all_the_same() {
    let reply = r#"{"id":"m","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}"#;
    let whole = told(vec![answer("200 OK", "application/json", reply)], true).await;
    let [StreamEvent::Reply(reply)] = &whole.events[..] else {
        panic!("{:?} {:?}", whole.events, whole.error);
    };
    assert_eq!(reply.text(), "Hi");
    let no_error = OVERLOADED.replace("overloaded_error", "invalid_request_error");
    let failed = told(vec![answer("200 OK", "application/json", &no_error)], true).await;
    let error = failed.error.unwrap();
    assert_eq!(error.provider_message(), Some("Overloaded ***"));
    assert_eq!(failed.requests.len(), 1);
}

/// A program that stops waiting after an event has the reply, if its last frame was there.
#[tokio::test]
async fn the_reply_comes_with_its_last_frame_also_where_the_body_stays_open() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        request(&mut connection);
        connection.write_all(stream(WHOLE).as_bytes()).unwrap();
        // Until the client closes it.
        let _ = connection.read(&mut [0]);
    });
    let builder = Anthropic::builder().api_key(KEY).base_url(url);
    let (claude, definitions) = (builder.build().unwrap(), Definitions::default());
    let request = Request::new("asked").user("Hello");
    let mut stream = claude.send(ModelCall::new(&request, &definitions).streamed(true));
    let mut events = Vec::new();
    while !events.iter().any(is_block_stop) {
        events.push(stream.next().await.unwrap().unwrap());
    }
    while let Some(event) = stream.next().now_or_never().expect("no wait") {
        events.push(event.unwrap());
    }
    is_whole(&events);
}

const fn is_block_stop(event: &StreamEvent) -> bool {
    matches!(event, StreamEvent::BlockStop(_))
}

#[tokio::test]
async fn what_fails_for_good_is_told_with_what_the_last_attempt_took() {
    let before_content = stream(&[BEGIN, OVERLOADED]);
    let after_content = stream(&[BEGIN, START, PART, OVERLOADED]);
    let cut = stream(&[BEGIN, START, PART]);
    for (answer, is_streamed) in [
        (&before_content, true),
        (&before_content, false),
        (&after_content, false),
        (&cut, false),
    ] {
        let told = told(vec![answer.clone(); 3], is_streamed).await;
        let [StreamEvent::Usage(usage)] = &told.events[..] else {
            panic!("{:?}", told.events);
        };
        assert_eq!((usage.input, told.requests.len()), (4, 3));
        assert!(told.error.unwrap().partial_reply().is_some());
    }
}

#[tokio::test]
async fn a_stream_of_which_only_the_usage_is_there_has_not_begun() {
    let server = Server::new(vec![stream(&[BEGIN, OVERLOADED]), stream(WHOLE)]);
    let builder = Anthropic::builder().api_key(KEY).base_url(&server.url);
    let claude = builder.max_retries(0).build().unwrap();
    let (request, definitions) = (Request::new("a").user("Hello"), Definitions::default());
    let call = ModelCall::new(&request, &definitions).streamed(true);
    let error = claude.send(call).begun().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Api);
    let begun = claude.send(call).begun().await.unwrap();
    let events: Vec<_> = begun.map(Result::unwrap).collect().await;
    is_whole(&events);
}

#[tokio::test]
async fn a_long_plain_request_is_streamed_and_its_reply_told_alone() {
    let cut = stream(&[BEGIN, START, PART, OVERLOADED]);
    let told = told(vec![cut, stream(WHOLE)], false).await;
    let [StreamEvent::Reply(reply)] = &told.events[..] else {
        panic!("{:?} {:?}", told.events, told.error);
    };
    assert_eq!(reply.text(), "Hi");
    assert!(
        told.requests
            .iter()
            .all(|request| request.contains(r#""stream":true"#))
    );
    assert_eq!(
        told.requests.len(),
        2,
        "nobody has seen anything of the first"
    );
}
