//! A response body that is sent in pieces, without a length, as the APIs send their streams.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::{Either, Full};
use hyper::body::{Body, Bytes, Frame};

use crate::live::LiveBody;

/// What the server sends: a body of known length, one in pieces, or one that is told meanwhile.
pub(crate) type WireBody = Either<Full<Bytes>, Either<Pieces, LiveBody>>;

/// The pieces still to send, one HTTP chunk each.
#[derive(Debug)]
pub(crate) struct Pieces(VecDeque<Bytes>);

impl Pieces {
    /// Without the empty ones: HTTP has no chunks of no bytes.
    pub(crate) fn new(mut pieces: VecDeque<Bytes>) -> Self {
        pieces.retain(|piece| !piece.is_empty());
        Self(pieces)
    }

    /// Cuts a stream of server-sent events after each event.
    pub(crate) fn of_events(text: &[u8]) -> Self {
        let mut pieces = VecDeque::new();
        let mut start = 0;
        for (end, pair) in text.windows(2).enumerate() {
            if pair == b"\n\n" && end >= start {
                pieces.extend(text.get(start..end + 2).map(Bytes::copy_from_slice));
                start = end + 2;
            }
        }
        pieces.extend(
            text.get(start..)
                .filter(|rest| !rest.is_empty())
                .map(Bytes::copy_from_slice),
        );
        Self(pieces)
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_cut_after_each_event_and_nothing_is_lost() {
        for (text, count) in [
            ("", 0),
            ("a", 1),
            ("a\n\nb\n\n", 2),
            ("a\n\n\n\nb", 3),
            ("\n\n\n", 2),
            ("a\r\n\r\nb", 1),
        ] {
            let pieces = Vec::from(Pieces::of_events(text.as_bytes()).0);
            assert_eq!(pieces.len(), count, "{text:?}");
            assert_eq!(pieces.concat(), text.as_bytes());
        }
    }
}
