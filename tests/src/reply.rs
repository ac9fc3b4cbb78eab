//! What the test server answers to one request.

use std::collections::VecDeque;
use std::time::Duration;

use http_body_util::{Either, Full};
use hyper::body::Bytes;
use hyper::header::{
    CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING,
};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::Value;

use crate::fail;
use crate::live::{Live, LiveBody};
use crate::message_stream::{events, frames};
use crate::recording::{Payload, RecordedResponse};
use crate::wire_body::{Pieces, WireBody};

/// How many bytes a cut answer promises beyond those that it sends.
const WITHHELD: usize = 1;

/// One answer of the test server, or one fault of it.
#[derive(Clone, Debug)]
pub struct ServerReply {
    status: StatusCode,
    headers: HeaderMap,
    content: Content,
    delay: Duration,
    is_paced: bool,
    is_broken: bool,
}

#[derive(Clone, Debug)]
enum Content {
    Whole(Bytes),
    Stream(Bytes),
    Pieces(VecDeque<Bytes>),
    Live(LiveBody),
    Cut(Bytes),
    HangUp,
}

/// What a connection has to do for a reply.
pub(crate) enum Action {
    /// Answer and stay open.
    Send(Response<WireBody>),
    /// Write these bytes, if any, and close.
    Break(Vec<u8>),
}

impl ServerReply {
    /// A JSON body.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::raw(status, "application/json", body.to_string())
    }

    /// Any body.
    ///
    /// # Panics
    /// Where the status or the content type cannot be sent.
    pub fn raw(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::new(status, Content::Whole(Bytes::from(body.into())))
            .header("content-type", content_type)
    }

    /// A stream of server-sent events with status 200, sent as the APIs send theirs: chunked, one chunk an event.
    pub fn sse(text: impl Into<String>) -> Self {
        Self::new(200, Content::Stream(Bytes::from(text.into())))
            .header("content-type", "text/event-stream")
    }

    /// A stream of server-sent events with status 200, one chunk a piece.
    pub fn sse_in(pieces: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let pieces = pieces.into_iter().map(Bytes::from).collect();
        Self::new(200, Content::Pieces(pieces)).header("content-type", "text/event-stream")
    }

    /// A stream of server-sent events with status 200 that is told while it is sent.
    pub fn sse_live(live: &Live) -> Self {
        Self::new(200, Content::Live(live.body())).header("content-type", "text/event-stream")
    }

    /// A message of Anthropic's API, as the stream that the API would send.
    ///
    /// # Panics
    /// Where the body is no message.
    pub fn message_stream(body: &Value) -> Self {
        match events(body) {
            Ok(events) => Self::sse(frames(&events)),
            Err(reason) => fail(reason),
        }
    }

    /// No answer: the connection closes once the request has arrived.
    pub fn hang_up() -> Self {
        Self::new(200, Content::HangUp)
    }

    /// A JSON body with status 200 that breaks off: `content-length` promises more than `bytes`, and then the
    /// connection closes. Another `content-type` can be set with [`header`](Self::header).
    pub fn cut(bytes: impl Into<Vec<u8>>) -> Self {
        Self::new(200, Content::Cut(Bytes::from(bytes.into())))
            .header("content-type", "application/json")
    }

    /// With this header, in place of one of the same name.
    ///
    /// # Panics
    /// Where it cannot be sent.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            (Ok(name), Ok(value)) => self.headers.insert(name, value),
            _ => fail(format_args!("no header can be {name:?}: {value:?}")),
        };
        self
    }

    /// Only after this time.
    #[must_use]
    pub const fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Of a stream, each piece by itself: what came before it is sent before it is.
    #[must_use]
    pub const fn paced(mut self) -> Self {
        self.is_paced = true;
        self
    }

    /// Of a stream, without its end: the connection breaks behind the last piece.
    #[must_use]
    pub const fn broken(mut self) -> Self {
        self.is_broken = true;
        self
    }

    fn new(status: u16, content: Content) -> Self {
        let Ok(status) = StatusCode::from_u16(status) else {
            fail(format_args!("no HTTP status is {status}"))
        };
        Self {
            status,
            headers: HeaderMap::new(),
            content,
            delay: Duration::ZERO,
            is_paced: false,
            is_broken: false,
        }
    }

    pub(crate) const fn get_delay(&self) -> Duration {
        self.delay
    }

    pub(crate) fn into_action(self) -> Action {
        let sent = |pieces: Pieces| {
            let pieces = pieces.paced(self.is_paced).broken(self.is_broken);
            Either::Right(Either::Left(pieces))
        };
        let body = match self.content {
            Content::Whole(bytes) => Either::Left(Full::new(bytes)),
            Content::Stream(bytes) => sent(Pieces::of_events(&bytes)),
            Content::Pieces(pieces) => sent(Pieces::new(pieces)),
            Content::Live(live) => Either::Right(Either::Right(live)),
            Content::Cut(bytes) => {
                return Action::Break(cut_answer(self.status, &self.headers, &bytes));
            }
            Content::HangUp => return Action::Break(Vec::new()),
        };
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        Action::Send(response)
    }
}

/// A recorded response, a stream as `text/event-stream`. Headers about the connection are the server's own.
impl From<&RecordedResponse> for ServerReply {
    fn from(recorded: &RecordedResponse) -> Self {
        let (content, content_type) = match &recorded.payload {
            Payload::Body(json) => (
                Content::Whole(Bytes::from(json.text().to_owned())),
                "application/json",
            ),
            Payload::Sse(text) => (
                Content::Stream(Bytes::from(text.clone())),
                "text/event-stream",
            ),
            Payload::Text(text) => (Content::Whole(Bytes::from(text.clone())), "text/plain"),
        };
        let is_stream = matches!(content, Content::Stream(_));
        let mut reply = Self::new(recorded.status, content).header("content-type", content_type);
        for (name, value) in &recorded.headers {
            if !(is_stream && name.eq_ignore_ascii_case(CONTENT_TYPE.as_str())) {
                reply = reply.header(name, value);
            }
        }
        for name in [
            CONNECTION,
            CONTENT_ENCODING,
            CONTENT_LENGTH,
            TRANSFER_ENCODING,
        ] {
            reply.headers.remove(name);
        }
        reply
    }
}

/// The bytes of an answer that breaks off; written here, because no HTTP library sends a wrong length.
fn cut_answer(status: StatusCode, headers: &HeaderMap, bytes: &[u8]) -> Vec<u8> {
    let mut answer = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\n",
        bytes.len() + WITHHELD
    )
    .into_bytes();
    for (name, value) in headers {
        answer.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    answer.extend(b"\r\n");
    answer.extend(bytes);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "no header can be")]
    fn a_header_that_cannot_be_sent_is_refused() {
        let _ = ServerReply::hang_up().header("a", "line\nbreak");
    }

    #[test]
    #[should_panic(expected = "no HTTP status is 42")]
    fn a_status_that_cannot_be_sent_is_refused() {
        let _ = ServerReply::json(42, &Value::Null);
    }

    #[test]
    fn a_recorded_body_is_sent_as_its_text() {
        let body = r#"{"cost": 0.00012243750000000001, "a": 1e-06}"#;
        let recorded =
            format!(r#"{{"status": 400, "headers": {{"content-type": "x/y"}}, "body": {body}}}"#);
        let recorded: RecordedResponse = serde_json::from_str(&recorded).unwrap();
        let reply = ServerReply::from(&recorded);
        assert_eq!(reply.status, 400);
        assert_eq!(reply.headers["content-type"], "x/y");
        assert!(matches!(reply.content, Content::Whole(bytes) if bytes == body));
    }

    #[test]
    fn a_recorded_stream_is_one_whatever_its_headers_say() {
        let headers = [
            ("content-type", "application/json"),
            ("content-length", "3"),
            ("request-id", "r"),
        ];
        let recorded = RecordedResponse {
            status: 201,
            headers: headers
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            payload: Payload::Sse("data: x\n\n".to_owned()),
        };
        let reply = ServerReply::from(&recorded);
        assert_eq!(reply.status, 201);
        assert_eq!(reply.headers.len(), 2);
        assert_eq!(reply.headers["content-type"], "text/event-stream");
        assert_eq!(reply.headers["request-id"], "r");
        assert!(matches!(reply.content, Content::Stream(_)));
    }
}
