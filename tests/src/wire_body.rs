//! A response body that is sent in pieces, without a length, as the APIs send their streams.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::{Either, Full};
use hyper::body::{Body, Bytes, Frame};

use crate::live::LiveBody;

/// What the server sends: a body of known length, one in pieces, or one that is told meanwhile.
pub(crate) type WireBody = Either<Full<Bytes>, Either<Pieces, LiveBody>>;

/// The pieces still to send, one HTTP chunk each.
#[derive(Debug)]
pub(crate) struct Pieces {
    pieces: VecDeque<Bytes>,
    /// Whether what was given goes out before the next piece is given.
    is_paced: bool,
    /// Whether what was given has gone out.
    is_out: bool,
    /// Whether the connection breaks behind the last one.
    is_broken: bool,
}

impl Pieces {
    /// Without the empty ones: HTTP has no chunks of no bytes.
    pub(crate) fn new(mut pieces: VecDeque<Bytes>) -> Self {
        pieces.retain(|piece| !piece.is_empty());
        Self {
            pieces,
            is_paced: false,
            is_out: false,
            is_broken: false,
        }
    }

    pub(crate) const fn paced(mut self, is_paced: bool) -> Self {
        self.is_paced = is_paced;
        self
    }

    pub(crate) const fn broken(mut self, is_broken: bool) -> Self {
        self.is_broken = is_broken;
        self
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
        Self::new(pieces)
    }
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.is_paced && !std::mem::replace(&mut self.is_out, true) {
            // Whoever waits for a body sends what he has.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.is_out = false;
        Poll::Ready(match self.pieces.pop_front() {
            Some(piece) => Some(Ok(Frame::data(piece))),
            None if self.is_broken => Some(Err(io::ErrorKind::ConnectionAborted.into())),
            None => None,
        })
    }

    fn is_end_stream(&self) -> bool {
        self.pieces.is_empty() && !self.is_broken
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
            let pieces = Vec::from(Pieces::of_events(text.as_bytes()).pieces);
            assert_eq!(pieces.len(), count, "{text:?}");
            assert_eq!(pieces.concat(), text.as_bytes());
        }
    }
}
