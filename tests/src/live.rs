//! [`Live`]: an answer that is told while it is sent, in whatever time that takes.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use hyper::body::{Body, Bytes, Frame};

/// The side that tells. Dropped before its end, it breaks the connection.
#[derive(Debug, Default)]
pub struct Live(Shared);

/// The side that is sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveBody(Shared);

#[derive(Clone, Debug, Default)]
struct Shared(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    pieces: VecDeque<Bytes>,
    end: Option<End>,
    waker: Option<Waker>,
    /// All of it was taken.
    is_taken: bool,
    /// And the server came back for more, having sent what it took.
    is_drained: bool,
}

#[derive(Clone, Copy, Debug)]
enum End {
    Whole,
    Broken,
}

impl Live {
    /// With nothing told yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sends this next, as a chunk.
    pub fn send(&self, piece: impl Into<Vec<u8>>) {
        let piece = piece.into();
        // HTTP has no chunks of no bytes.
        if !piece.is_empty() {
            self.change(|state| state.pieces.push_back(piece.into()));
        }
    }

    /// All is told.
    pub fn end(self) {
        self.change(|state| state.end = Some(End::Whole));
    }

    /// The connection closes behind what was told.
    pub fn breaks(self) {
        self.change(|state| state.end = Some(End::Broken));
    }

    /// Whether all that was told is on its way.
    #[must_use]
    pub fn is_drained(&self) -> bool {
        self.0.lock().is_drained
    }

    pub(crate) fn body(&self) -> LiveBody {
        LiveBody(self.0.clone())
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.0.lock();
        change(&mut state);
        (state.is_taken, state.is_drained) = (false, false);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.change(|state| {
            state.end.get_or_insert(End::Broken);
        });
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Body for LiveBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let mut state = self.0.lock();
        if let Some(piece) = state.pieces.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        if !std::mem::replace(&mut state.is_taken, true) {
            // The server sends what it took while it waits. A broken body would be the end before that.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        state.is_drained = true;
        match state.end {
            Some(End::Whole) => Poll::Ready(None),
            Some(End::Broken) => Poll::Ready(Some(Err(io::ErrorKind::ConnectionAborted.into()))),
            None => {
                state.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;
    use crate::server::{Server, ServerReply};

    /// A server that answers so, and a client that has asked it.
    fn asked(live: &Live) -> (Server, TcpStream) {
        let reply = ServerReply::sse_live(live);
        let server = Server::answering(move |_, _| reply.clone());
        let address = server.url().strip_prefix("http://").unwrap();
        let mut client = TcpStream::connect(address).unwrap();
        let patience = Duration::from_secs(20);
        client.set_read_timeout(Some(patience)).unwrap();
        client
            .write_all(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
            .unwrap();
        (server, client)
    }

    fn read_to(client: &mut TcpStream, end: &str) -> String {
        let mut told = String::new();
        let mut byte = [0];
        while !told.ends_with(end) {
            client.read_exact(&mut byte).unwrap();
            told.push(byte[0].into());
        }
        told
    }

    #[test]
    fn what_is_told_is_sent_before_more_is() {
        let live = Live::new();
        assert!(!live.is_drained());
        let (_server, mut client) = asked(&live);
        live.send("one");
        read_to(&mut client, "\r\n\r\n3\r\none\r\n");
        live.send("");
        live.send("two");
        assert_eq!(read_to(&mut client, "two\r\n"), "3\r\ntwo\r\n");
        while !live.is_drained() {
            std::thread::yield_now();
        }
        live.end();
        assert_eq!(read_to(&mut client, "0\r\n\r\n"), "0\r\n\r\n");
    }

    #[test]
    fn what_breaks_sends_all_it_has_and_closes() {
        for is_dropped in [false, true] {
            let live = Live::new();
            let (_server, mut client) = asked(&live);
            live.send("one");
            if is_dropped {
                drop(live);
            } else {
                live.breaks();
            }
            let mut told = String::new();
            client.read_to_string(&mut told).unwrap();
            assert!(told.ends_with("\r\n\r\n3\r\none\r\n"), "{told}");
        }
    }
}
