//! [`HttpStream`]: the answer to a request while it still comes, frame by frame.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::FutureExt;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};

use super::http::{HttpAnswer, HttpClient, seconds};
use super::sse::{Decoder, Frame};
use crate::error::{Error, ErrorKind};

/// How long the end of a body is waited for.
const LINGER: Duration = Duration::from_secs(1);

/// A good answer whose body is still coming.
#[derive(Debug)]
pub(crate) struct HttpStream {
    client: HttpClient,
    response: Response,
    decoder: Decoder,
    /// Since when the next bytes are waited for. It outlives a wait that is given up, so that a caller who looks at
    /// something else now and then is told of a silent server all the same.
    waiting_since: Option<Instant>,
    ended: bool,
}

impl HttpStream {
    pub(super) fn new(client: HttpClient, response: Response) -> Self {
        Self {
            client,
            response,
            decoder: Decoder::default(),
            waiting_since: None,
            ended: false,
        }
    }

    /// Whether the server says that these are events. One that says nothing is taken at the request's word.
    pub(crate) fn is_event_stream(&self) -> bool {
        let Some(kind) = self.response.headers().get(CONTENT_TYPE) else {
            return true;
        };
        let kind = kind.as_bytes().split(|byte| *byte == b';').next();
        kind.is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(b"text/event-stream"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.answer(Bytes::new()).header(name)
    }

    /// This answer with `body` for its body, as a person may read it: for an error that came in a frame.
    pub(crate) fn readable(&self, body: Bytes) -> HttpAnswer {
        self.client.readable(self.answer(body))
    }

    /// The next frame, or `None` at the end. Giving up the wait loses nothing.
    ///
    /// # Errors
    /// Where the connection breaks, or where nothing comes for too long. The stream has then ended.
    pub(crate) async fn next(&mut self) -> Result<Option<Frame>, Error> {
        loop {
            if let Some(frame) = self.decoder.next() {
                return Ok(Some(frame));
            }
            if self.ended {
                return Ok(None);
            }
            let chunk = self.next_chunk().await;
            self.ended = !matches!(chunk, Ok(Some(_)));
            match chunk? {
                Some(chunk) => self.decoder.push(chunk),
                None => return Ok(self.decoder.finish()),
            }
        }
    }

    /// All of the body, where it is no stream of events after all. Instead of [`next`](Self::next), not after it.
    ///
    /// # Errors
    /// As for [`next`](Self::next).
    pub(crate) async fn whole_body(mut self) -> Result<HttpAnswer, Error> {
        let mut body = BytesMut::new();
        while let Some(chunk) = self.next_chunk().await? {
            body.extend_from_slice(&chunk);
        }
        Ok(self.answer(body.freeze()))
    }

    /// Leaves the connection to later requests, where this stream has told all: a body that is dropped before its end
    /// takes the connection with it, and its end may come a moment after its last event. Nobody waits for that.
    pub(crate) fn close(mut self) {
        let at_once = self.response.chunk().now_or_never();
        if self.ended || matches!(at_once, Some(Ok(None) | Err(_))) {
            return;
        }
        // Where nothing can be done behind a back, it costs the connection; so does a server that leaves it open.
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        runtime.spawn(timeout(LINGER, async move {
            while let Ok(Some(_)) = self.response.chunk().await {}
        }));
    }

    fn answer(&self, body: Bytes) -> HttpAnswer {
        HttpAnswer {
            status: self.response.status(),
            headers: self.response.headers().clone(),
            body,
        }
    }

    async fn next_chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let limit = self.client.idle_timeout();
        let since = *self.waiting_since.get_or_insert_with(Instant::now);
        let left = limit.saturating_sub(since.elapsed());
        let chunk = timeout(left, self.response.chunk()).await;
        self.waiting_since = None;
        match chunk {
            Ok(chunk) => chunk.map_err(|error| self.client.failure(error)),
            Err(_) => {
                let (origin, limit) = (self.client.origin(), seconds(limit));
                let words = format!("{origin} sent nothing for {limit}, the `idle_timeout`");
                Err(Error::new(ErrorKind::Timeout, words))
            }
        }
    }
}
