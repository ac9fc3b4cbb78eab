//! One connection of the test server: reads requests, asks for the reply to each, and answers or breaks.

use std::future::poll_fn;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::reply::{Action, ServerReply};
use crate::server::RequestSeen;

/// Gives the reply to a request.
pub(crate) type Answer = dyn Fn(RequestSeen) -> ServerReply + Send + Sync;

/// Becomes true, or loses its sender, when the server stops.
pub(crate) type Stop = watch::Receiver<bool>;

/// Waits for the server to stop.
pub(crate) async fn stopped(stop: &mut Stop) {
    // An error means that the sender is gone, and with it the server.
    let _ = stop.wait_for(|stops| *stops).await;
}

/// Answers what comes over `stream` until the other side closes, a reply breaks the connection, or the server stops and
/// the answer that is being sent is through.
pub(crate) async fn serve(
    stream: TcpStream,
    answer: Arc<Answer>,
    mut stop: Stop,
) -> io::Result<()> {
    let last_words = Mutex::new(Vec::new());
    let replies_stop = stop.clone();
    let service = service_fn(|request| {
        let reply = act(request, &*answer, replies_stop.clone());
        let last_words = &last_words;
        // Boxed, because a connection that gives its stream back must be movable.
        Box::pin(async move {
            match reply.await? {
                Action::Send(response) => Ok(response),
                Action::Break(bytes) => {
                    *last_words.lock().unwrap_or_else(PoisonError::into_inner) = bytes;
                    Err(io::Error::from(io::ErrorKind::ConnectionAborted))
                }
            }
        })
    });

    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let mut stops = false;
    loop {
        tokio::select! {
            // How it ended is the client's to judge.
            _ = poll_fn(|context| connection.poll_without_shutdown(context)) => break,
            () = stopped(&mut stop), if !stops => {
                stops = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
        }
    }
    let mut stream = connection.into_parts().io.into_inner();
    let last_words = last_words
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    stream.write_all(&last_words).await?;
    stream.shutdown().await
}

async fn act(request: Request<Incoming>, answer: &Answer, stop: Stop) -> io::Result<Action> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?;
    let reply = answer(RequestSeen {
        method: head.method.to_string(),
        path: head.uri.to_string(),
        headers: head.headers,
        body: body.to_bytes().to_vec(),
    });
    Ok(if is_over(reply.get_delay(), stop).await {
        reply.into_action()
    } else {
        Action::Break(Vec::new())
    })
}

/// Waits; false if the server stopped meanwhile.
async fn is_over(delay: Duration, mut stop: Stop) -> bool {
    if delay.is_zero() {
        return true;
    }
    tokio::select! {
        () = tokio::time::sleep(delay) => true,
        () = stopped(&mut stop) => false,
    }
}
