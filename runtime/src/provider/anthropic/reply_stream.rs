//! [`open`]: a reply over the network, event by event, from the first content on.

use std::collections::VecDeque;
use std::future::ready;

use futures_util::stream::try_unfold;

use super::accumulate::{Accumulator, cut};
use super::decode::Asked;
use super::event::{self, Event};
use super::{PATH, encode, failure, read_answer};
use crate::error::{Answer, Error, ErrorKind};
use crate::provider::ModelCall;
use crate::stream::{ReplyStream, StreamEvent};
use crate::transport::{Frame, HttpClient, HttpStream};

/// Asks for a stream, until one has begun or no retry is left. Where only the reply is wanted, one begins with its end.
///
/// # Errors
/// The last failure.
pub(super) async fn open<'a>(
    http: &'a HttpClient,
    call: ModelCall<'a>,
) -> Result<ReplyStream<'a>, Error> {
    let (body, asked) = (encode::body(call, true)?, Asked::from(call));
    let begin = |frames| begin(http, frames, asked, call.is_streamed());
    http.open(PATH, body, failure::error, begin).await
}

/// Reads until content is there, after which nothing may be asked for again.
async fn begin<'a>(
    http: &'a HttpClient,
    frames: HttpStream,
    asked: Asked<'a>,
    is_streamed: bool,
) -> Result<ReplyStream<'a>, Error> {
    if !frames.is_event_stream() {
        // The server does not stream, though it was asked to.
        let answer = frames.whole_body().await?;
        let reply = read_answer(http, answer, asked)?;
        return Ok(ReplyStream::from_future(ready(Ok(reply))));
    }
    let mut incoming = Incoming::new(frames, asked);
    while !incoming.told.iter().any(is_content) {
        incoming.advance().await?;
        if !is_streamed {
            incoming.told.retain(is_reply);
        }
    }
    Ok(ReplyStream::new(try_unfold(
        incoming,
        |mut incoming| async {
            let event = incoming.next().await?;
            Ok(event.map(|event| (event, incoming)))
        },
    )))
}

/// What may be told once only. Before it stands no more than the usage.
const fn is_content(event: &StreamEvent) -> bool {
    matches!(event, StreamEvent::BlockStart { .. }) || is_reply(event)
}

const fn is_reply(event: &StreamEvent) -> bool {
    matches!(event, StreamEvent::Reply(_))
}

/// A reply whose frames still come.
struct Incoming<'a> {
    frames: HttpStream,
    accumulator: Accumulator<'a>,
    request_id: Option<String>,
    /// What is to be told next.
    told: VecDeque<StreamEvent>,
}

impl<'a> Incoming<'a> {
    fn new(frames: HttpStream, asked: Asked<'a>) -> Self {
        let request_id = frames.header("request-id");
        Self {
            accumulator: Accumulator::new(asked, request_id.clone()),
            frames,
            request_id,
            told: VecDeque::new(),
        }
    }

    async fn next(&mut self) -> Result<Option<StreamEvent>, Error> {
        while self.told.is_empty() && !self.accumulator.is_over() {
            self.advance().await?;
        }
        Ok(self.told.pop_front())
    }

    /// Reads one frame, or the end.
    async fn advance(&mut self) -> Result<(), Error> {
        let advanced = match self.frames.next().await {
            Ok(Some(frame)) => {
                let read = self.read(&frame);
                if self.accumulator.is_over() {
                    self.frames.close().await;
                }
                read
            }
            Ok(None) => self.end(cut),
            Err(error) => self.end(|| error),
        };
        advanced.map_err(|error| self.failed(error))
    }

    fn read(&mut self, frame: &Frame) -> Result<(), Error> {
        match event::read(frame.event(), &frame.data) {
            // Cut in the middle: what follows is the end, which says so.
            Err(_) if !frame.complete => Ok(()),
            Ok(Some(Event::Failed)) => {
                let answer = self.frames.readable(frame.data.clone());
                Err(failure::error(&answer))
            }
            Ok(Some(event)) => self.accumulator.add(event, &mut self.told),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The end, whether the server has closed the stream or it broke: it counts only where something is missing.
    fn end(&mut self, error: impl FnOnce() -> Error) -> Result<(), Error> {
        let reply = self.accumulator.finish()?.ok_or_else(error)?;
        self.told.push_back(StreamEvent::Reply(reply));
        Ok(())
    }

    /// An error with what else is known: the request's id, and what was there of the reply.
    fn failed(&mut self, error: Error) -> Error {
        let error = match (&self.request_id, error.kind()) {
            (request_id, ErrorKind::Protocol) => {
                let suffix = request_id.as_ref().map(|id| format!(" (request {id})"));
                let line = format!("{error}{}", suffix.unwrap_or_default());
                Error::protocol(line).with_answer(Answer {
                    status: 200,
                    request_id: request_id.clone(),
                    retryable: error.is_retryable(),
                    ..Answer::default()
                })
            }
            _ => error,
        };
        match self.accumulator.partial() {
            Some(reply) => error.with_partial_reply(reply),
            None => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::sync::{Arc, Mutex};
    use std::thread;

    use futures_util::StreamExt as _;

    use super::*;
    use crate::message::StopReason;
    use crate::provider::Provider as _;
    use crate::provider::anthropic::Anthropic;
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

    /// A server that gives each connection the next answer, and then closes it.
    struct Server {
        url: String,
        requests: Arc<Mutex<Vec<String>>>,
    }

    impl Server {
        fn new(answers: Vec<String>) -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            let requests: Arc<Mutex<Vec<String>>> = Arc::default();
            let log = Arc::clone(&requests);
            thread::spawn(move || {
                for answer in answers {
                    let (mut connection, _) = listener.accept().unwrap();
                    log.lock().unwrap().push(request(&mut connection));
                    connection.write_all(answer.as_bytes()).unwrap();
                }
            });
            Self { url, requests }
        }

        fn requests(&self) -> Vec<String> {
            self.requests.lock().unwrap().clone()
        }
    }

    /// The bodies end in a list of messages, which no header does.
    fn request(connection: &mut TcpStream) -> String {
        let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
        while !request.ends_with(b"]}]}") {
            let read = connection.read(&mut buffer).unwrap();
            assert!(
                read > 0,
                "closed after {:?}",
                String::from_utf8_lossy(&request)
            );
            request.extend_from_slice(&buffer[..read]);
        }
        String::from_utf8(request).unwrap()
    }

    fn answer(kind: &str, body: &str) -> String {
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nrequest-id: req_1\r\nretry-after-ms: 1\r\nconnection: close\r\n\r\n{body}"
        )
    }

    fn stream(events: &[&str]) -> String {
        let frames: String = events
            .iter()
            .map(|data| format!("data: {data}\n\n"))
            .collect();
        answer("text/event-stream; charset=utf-8", &frames)
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
        let reply =
            r#"{"id":"m","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn"}"#;
        let whole = told(vec![answer("application/json", reply)], true).await;
        let [StreamEvent::Reply(reply)] = &whole.events[..] else {
            panic!("{:?} {:?}", whole.events, whole.error);
        };
        assert_eq!(reply.text(), "Hi");
        let no_error = OVERLOADED.replace("overloaded_error", "invalid_request_error");
        let failed = told(vec![answer("application/json", &no_error)], true).await;
        let error = failed.error.unwrap();
        assert_eq!(error.provider_message(), Some("Overloaded ***"));
        assert_eq!(failed.requests.len(), 1);
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
}
