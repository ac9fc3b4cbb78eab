//! Streams over real connections, with a server that breaks them on purpose.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::timeout;

use super::{HttpAnswer, HttpClient, HttpRequest, HttpSettings, HttpStream};
use crate::error::{Answer, Error, ErrorKind};

const KEY: &str = "a-secret-key-of-ours";

/// What the server does with a connection, after it has read the request.
#[derive(Clone)]
enum Step {
    Send(String),
    Pause(Duration),
    /// Keeps the connection open and silent until the client closes it.
    Hold,
    /// Reads another request on the same connection.
    Request,
}

/// A server that answers each connection by the next script, and then closes it.
struct Server {
    url: String,
    served: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Server {
    fn new(scripts: Vec<Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (served, stop) = (Arc::default(), Arc::default());
        let server = Self { url, served, stop };
        let (served, stop) = (Arc::clone(&server.served), Arc::clone(&server.stop));
        listener.set_nonblocking(true).unwrap();
        thread::spawn(move || {
            let mut scripts = scripts.into_iter();
            while !stop.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((connection, _)) => {
                        served.fetch_add(1, Ordering::Relaxed);
                        let script = scripts.next().unwrap_or_default();
                        thread::spawn(move || play(connection, script));
                    }
                    Err(_) => thread::sleep(Duration::from_millis(1)),
                }
            }
        });
        server
    }

    fn served(&self) -> usize {
        self.served.load(Ordering::Relaxed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn play(mut connection: TcpStream, script: Vec<Step>) {
    connection.set_nonblocking(false).unwrap();
    let longest = Some(Duration::from_secs(10));
    connection.set_read_timeout(longest).unwrap();
    read_request(&mut connection);
    for step in script {
        match step {
            // The client may be gone already.
            Step::Send(text) => drop(connection.write_all(text.as_bytes())),
            Step::Pause(time) => thread::sleep(time),
            Step::Hold => drop(connection.read(&mut [0])),
            Step::Request => read_request(&mut connection),
        }
    }
}

/// Returns also when the client closes the connection.
fn read_request(connection: &mut TcpStream) {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.ends_with(b"\r\n\r\n{}") {
        match connection.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(read) => request.extend_from_slice(&buffer[..read]),
        }
    }
}

fn send(text: &str) -> Step {
    Step::Send(text.to_owned())
}

/// The head of an answer with a body in chunks.
fn head(status: &str, kind: &str) -> Step {
    Step::Send(format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nretry-after-ms: 1\r\nrequest-id: req_1\r\n\
         transfer-encoding: chunked\r\n\r\n"
    ))
}

fn ok() -> Step {
    head("200 OK", "text/event-stream; charset=utf-8")
}

fn chunk(text: &str) -> Step {
    Step::Send(format!("{:x}\r\n{text}\r\n", text.len()))
}

/// Without this the connection breaks.
fn end() -> Step {
    send("0\r\n\r\n")
}

fn settings(server: &Server) -> HttpSettings {
    let mut settings = HttpSettings::new(&server.url, "/");
    settings.header("x-api-key", KEY).unwrap();
    settings.timeout = Duration::from_secs(10);
    settings.idle_timeout = Duration::from_secs(10);
    settings
}

fn client(server: &Server, set: impl FnOnce(&mut HttpSettings)) -> HttpClient {
    let mut settings = settings(server);
    set(&mut settings);
    HttpClient::new(settings).unwrap()
}

/// What a codec makes of an answer of the server.
fn api_error(answer: &HttpAnswer) -> Error {
    let text = String::from_utf8_lossy(&answer.body);
    let headers = answer.to_answer();
    Error::new(ErrorKind::Api, text).with_answer(headers)
}

/// A step of a codec that reads the first frame; an error may be in it.
async fn first_frame(mut stream: HttpStream) -> Result<(String, HttpStream), Error> {
    let frame = stream.next().await?;
    let frame = frame.ok_or_else(|| Error::new(ErrorKind::Connection, "no content"))?;
    let text = String::from_utf8(frame.data.to_vec()).unwrap();
    if frame.event() != Some("error") {
        return Ok((text, stream));
    }
    let answer = stream.readable(frame.data);
    let answer = Answer {
        retryable: text.starts_with("busy"),
        ..answer.to_answer()
    };
    Err(Error::new(ErrorKind::Api, text).with_answer(answer))
}

async fn open(client: &HttpClient) -> Result<(String, HttpStream), Error> {
    let body = Bytes::from_static(b"{}");
    client
        .open(HttpRequest::new(body), api_error, first_frame)
        .await
}

async fn next(stream: &mut HttpStream) -> String {
    let frame = stream.next().await.unwrap().unwrap();
    String::from_utf8(frame.data.to_vec()).unwrap()
}

fn good() -> Vec<Step> {
    vec![ok(), chunk("data: 1\n\nda"), chunk("ta: 2\n\n"), end()]
}

fn busy() -> Vec<Step> {
    vec![ok(), chunk("event: error\ndata: busy\n\n"), end()]
}

#[tokio::test]
async fn a_stream_gives_its_frames_and_then_nothing() {
    let server = Server::new(vec![good()]);
    let (first, mut stream) = open(&client(&server, |_| ())).await.unwrap();
    assert!(stream.is_event_stream());
    assert_eq!((first, next(&mut stream).await), ("1".into(), "2".into()));
    for _ in 0..2 {
        assert_eq!(stream.next().await.unwrap(), None);
    }
}

#[tokio::test]
async fn an_event_without_a_blank_line_is_not_complete() {
    let server = Server::new(vec![vec![ok(), chunk("data: 1\n\ndata: 2"), end()]]);
    let (_, mut stream) = open(&client(&server, |_| ())).await.unwrap();
    let frame = stream.next().await.unwrap().unwrap();
    assert_eq!((&*frame.data, frame.complete), (&b"2"[..], false));
    assert_eq!(stream.next().await.unwrap(), None);
}

#[tokio::test]
async fn what_fails_before_content_is_tried_again() {
    let refused = vec![head("529 Overloaded", "text/plain"), chunk("full"), end()];
    let server = Server::new(vec![busy(), refused, good()]);
    let (first, _) = open(&client(&server, |_| ())).await.unwrap();
    assert_eq!((&*first, server.served()), ("1", 3));
}

#[tokio::test]
async fn a_plain_request_is_tried_again_and_read_whole() {
    let refused = vec![head("529 Overloaded", "text/plain"), chunk("full"), end()];
    let server = Server::new(vec![refused, good()]);
    let client = client(&server, |_| ());
    let body = Bytes::from_static(b"{}");
    let answer = client.post(HttpRequest::new(body), api_error, Ok).await;
    assert_eq!(&*answer.unwrap().body, b"data: 1\n\ndata: 2\n\n");
    assert_eq!(server.served(), 2);
}

#[tokio::test]
async fn retries_end() {
    let server = Server::new(vec![busy(), busy(), good()]);
    let client = client(&server, |settings| settings.retry.max_retries = 1);
    let error = open(&client).await.unwrap_err();
    assert_eq!((error.to_string().as_str(), server.served()), ("busy", 2));
    assert_eq!(error.retry_after(), Some(Duration::from_millis(1)));
}

#[tokio::test]
async fn what_no_retry_can_help_is_not_tried_again() {
    let stupid = vec![ok(), chunk("event: error\ndata: stupid\n\n"), end()];
    let server = Server::new(vec![stupid, good()]);
    let error = open(&client(&server, |_| ())).await.unwrap_err();
    assert_eq!((error.to_string().as_str(), server.served()), ("stupid", 1));
}

#[tokio::test]
async fn a_connection_that_breaks_before_content_is_tried_again() {
    let server = Server::new(vec![vec![ok(), chunk(": hi\n\ndata: 1")], good()]);
    let (first, _) = open(&client(&server, |_| ())).await.unwrap();
    assert_eq!((&*first, server.served()), ("1", 2));
}

#[tokio::test]
async fn a_connection_that_breaks_after_content_is_an_error() {
    let server = Server::new(vec![vec![ok(), chunk("data: 1\n\ndata: 2")], good()]);
    let (_, mut stream) = open(&client(&server, |_| ())).await.unwrap();
    let error = stream.next().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connection);
    let words = format!("the connection to {} broke", server.url);
    assert!(error.to_string().starts_with(&words), "{error}");
    assert_eq!(stream.next().await.unwrap(), None);
    assert_eq!(server.served(), 1);
}

#[tokio::test]
async fn a_server_that_falls_silent_is_told() {
    let server = Server::new(vec![vec![ok(), chunk("data: 1\n\n"), Step::Hold]]);
    let client = client(&server, |settings| {
        settings.idle_timeout = Duration::from_millis(200);
    });
    let (_, mut stream) = open(&client).await.unwrap();
    let error = stream.next().await.unwrap_err();
    assert!(error.is_timeout() && error.is_retryable());
    let words = format!("{} sent nothing for 0.2 s, the `idle_timeout`", server.url);
    assert_eq!(error.to_string(), words);
    assert_eq!(stream.next().await.unwrap(), None);
}

#[tokio::test]
async fn a_wait_that_is_given_up_loses_no_bytes() {
    let pause = Step::Pause(Duration::from_millis(60));
    let halves = vec![
        ok(),
        chunk("data: 1\n\nda"),
        pause,
        chunk("ta: 2\n\n"),
        end(),
    ];
    let server = Server::new(vec![halves]);
    let (_, mut stream) = open(&client(&server, |_| ())).await.unwrap();
    let frame = loop {
        if let Ok(frame) = timeout(Duration::from_millis(5), stream.next()).await {
            break frame.unwrap().unwrap();
        }
    };
    assert_eq!(&*frame.data, b"2");
}

#[tokio::test]
async fn waits_that_are_given_up_count_as_one() {
    let server = Server::new(vec![vec![ok(), chunk("data: 1\n\n"), Step::Hold]]);
    let client = client(&server, |settings| {
        settings.idle_timeout = Duration::from_millis(200);
    });
    let (_, mut stream) = open(&client).await.unwrap();
    let error = loop {
        if let Ok(told) = timeout(Duration::from_millis(5), stream.next()).await {
            break told.unwrap_err();
        }
    };
    assert!(error.is_timeout());
}

#[tokio::test]
async fn an_answer_must_begin_in_time() {
    let server = Server::new(vec![vec![Step::Hold]]);
    let client = client(&server, |settings| {
        settings.timeout = Duration::from_millis(50);
        settings.retry.max_retries = 0;
    });
    let error = open(&client).await.unwrap_err();
    assert!(error.is_timeout());
    let words = format!("{} did not answer within 0.05 s, the `timeout`", server.url);
    assert_eq!(error.to_string(), words);
}

#[tokio::test]
async fn a_stream_may_take_longer_than_its_beginning() {
    let pause = Step::Pause(Duration::from_millis(400));
    let slow = vec![
        ok(),
        chunk("data: 1\n\n"),
        pause,
        chunk("data: 2\n\n"),
        end(),
    ];
    let server = Server::new(vec![slow]);
    let client = client(&server, |settings| {
        settings.timeout = Duration::from_millis(300);
        let limited = reqwest::Client::builder().timeout(Duration::from_millis(300));
        let tls = rustls::ClientConfig::builder_with_provider(Arc::new(
            rustls::crypto::ring::default_provider(),
        ))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
        settings.client = Some(limited.tls_backend_preconfigured(tls).build().unwrap());
    });
    let (_, mut stream) = open(&client).await.unwrap();
    assert_eq!(next(&mut stream).await, "2");
}

#[tokio::test]
async fn a_body_without_events_is_read_whole() {
    let json = "application/json";
    let server = Server::new(vec![vec![
        head("200 OK", json),
        chunk("{\"a\""),
        chunk(":1}"),
        end(),
    ]]);
    let whole = async |stream: HttpStream| {
        assert!(!stream.is_event_stream());
        stream.whole_body().await
    };
    let body = Bytes::from_static(b"{}");
    let client = client(&server, |_| ());
    let answer = client
        .open(HttpRequest::new(body), api_error, whole)
        .await
        .unwrap();
    assert_eq!(&*answer.body, b"{\"a\":1}");
    assert_eq!(answer.header("request-id").as_deref(), Some("req_1"));
}

#[tokio::test]
async fn errors_keep_the_key_to_themselves() {
    let refused = format!("no such key: {KEY}");
    let server = Server::new(vec![
        vec![head("401 No", "text/plain"), chunk(&refused), end()],
        vec![ok(), chunk("data: 1\n\n"), end()],
    ]);
    let client = client(&server, |_| ());
    let error = open(&client).await.unwrap_err();
    assert_eq!(error.to_string(), "no such key: ***");
    let (_, stream) = open(&client).await.unwrap();
    let answer = stream.readable(refused.into());
    assert_eq!(&*answer.body, b"no such key: ***");
    assert_eq!(answer.header("request-id").as_deref(), Some("req_1"));
}

/// One connection for so many requests, each answered by a body that ends after a while.
fn kept_alive(requests: usize, pause: Duration) -> Vec<Step> {
    let answer = [ok(), chunk("data: 1\n\n"), Step::Pause(pause), end()];
    let answers = std::iter::repeat_n(answer, requests).collect::<Vec<_>>();
    answers.join(&Step::Request)
}

#[tokio::test]
async fn a_stream_that_is_closed_leaves_its_connection_to_a_later_request() {
    for pause in [0, 5] {
        let script = kept_alive(5, Duration::from_millis(pause));
        let server = Server::new(vec![script]);
        let client = client(&server, |_| ());
        for _ in 0..5 {
            let (_, stream) = open(&client).await.unwrap();
            stream.close();
            // As long as a tool takes. A request at once may need another connection, which is kept, too.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(server.served(), 1, "with {pause} ms");
    }
}

#[tokio::test]
async fn a_server_that_leaves_a_stream_open_costs_a_connection() {
    let open_end = vec![ok(), chunk("data: 1\n\n"), Step::Hold];
    let server = Server::new(vec![open_end, good()]);
    let client = client(&server, |_| ());
    let (_, stream) = open(&client).await.unwrap();
    stream.close();
    let next = timeout(Duration::from_secs(5), open(&client)).await;
    assert_eq!((next.unwrap().unwrap().0, server.served()), ("1".into(), 2));
}

/// As where a program makes a runtime for each thing that it asks.
#[test]
fn a_stream_is_not_waited_for_whose_runtime_stands_still() {
    let new = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
    };
    let server = Server::new(vec![vec![ok(), chunk("data: 1\n\n"), Step::Hold], good()]);
    let client = client(&server, |_| ());
    let (first, second) = (new(), new());
    first.block_on(async { open(&client).await.unwrap().1.close() });
    let next = async { timeout(Duration::from_secs(5), open(&client)).await };
    assert_eq!(second.block_on(next).unwrap().unwrap().0, "1");
}

#[test]
fn a_provider_can_send_the_future_to_another_thread() {
    fn is_send(_: impl Send) {}
    let server = Server::new(Vec::new());
    let client = client(&server, |_| ());
    let model = &String::new();
    is_send(client.open(
        HttpRequest::new(Bytes::new()),
        api_error,
        async |mut stream| {
            let first = stream.next().await?;
            Ok((first, stream, model))
        },
    ));
}

#[tokio::test]
async fn of_an_endless_error_only_the_beginning_is_read() {
    let page = "x".repeat(3 << 20);
    let script = vec![head("400 No", "text/html"), chunk(&page), end()];
    let server = Server::new(vec![script]);
    let client = client(&server, |_| ());
    let length = |answer: &HttpAnswer| Error::new(ErrorKind::Api, answer.body.len().to_string());
    let error = client.post(HttpRequest::new(&b"{}"[..]), length, Ok);
    let error = error.await.unwrap_err();
    assert_eq!(error.to_string(), (1 << 20).to_string());
}
