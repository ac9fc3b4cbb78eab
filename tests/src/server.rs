//! A loopback HTTP/1.1 server in the process that answers as the test says and keeps what arrived.

use std::fmt::{self, Debug, Formatter};
use std::io;
use std::net::TcpListener;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use hyper::header::HeaderMap;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};

use crate::bodies::record_body;
use crate::connection::{Answer, Stop, serve, stopped};
use crate::fail;
pub use crate::reply::ServerReply;

/// How long a stopping server waits for answers under way. A client that sits in the thread that drops the
/// server cannot read them, so it must not wait for ever.
const GRACE: Duration = Duration::from_secs(1);

/// A running server. It stops when it is dropped: answers under way are finished, delayed ones are not sent, and its
/// thread has ended when the drop returns.
///
/// It runs in a thread of its own, so it also answers while the runtime of the test is blocked.
pub struct Server {
    url: String,
    log: Arc<Log>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct RequestSeen {
    /// The method, in upper case.
    pub method: String,
    /// The path, and the query if there was one.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl RequestSeen {
    /// The body as JSON.
    ///
    /// # Errors
    /// Where it is none.
    pub fn json(&self) -> serde_json::Result<Value> {
        serde_json::from_slice(&self.body)
    }

    /// The first header of this name, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// What arrived so far, and under which name it is to be written down.
#[derive(Default)]
struct Log {
    requests: Mutex<Vec<RequestSeen>>,
    record_as: OnceLock<String>,
}

impl Log {
    /// Keeps the request, and gives its number.
    fn add(&self, request: RequestSeen) -> usize {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let number = requests.len();
        if let Some(test_name) = self.record_as.get() {
            record_body(test_name, number, &request.body);
        }
        requests.push(request);
        number
    }
}

impl Server {
    /// Answers request number k with reply k, in the order in which the requests have arrived whole. A request
    /// beyond the last is answered with status 500 and an error that says so.
    ///
    /// # Panics
    /// Where no server can be started.
    pub async fn start(replies: Vec<ServerReply>) -> Self {
        let last = replies.len();
        Self::with(move |number, _| {
            replies
                .get(number)
                .cloned()
                .unwrap_or_else(|| beyond(number, last))
        })
        .await
    }

    /// Answers each request as the handler says, which is given its number, from 0. A handler that panics takes
    /// the server down, and the test when the server is dropped.
    ///
    /// # Panics
    /// Where no server can be started.
    pub async fn with<H>(handler: H) -> Self
    where
        H: Fn(usize, &RequestSeen) -> ServerReply + Send + Sync + 'static,
    {
        Self::answering(handler)
    }

    /// The same, outside of a runtime.
    ///
    /// # Panics
    /// Where no server can be started.
    pub fn answering<H>(handler: H) -> Self
    where
        H: Fn(usize, &RequestSeen) -> ServerReply + Send + Sync + 'static,
    {
        let log = Arc::new(Log::default());
        let answer = {
            let log = Arc::clone(&log);
            move |request: RequestSeen| handler(log.add(request.clone()), &request)
        };
        Self::spawned(log, Arc::new(answer))
    }

    /// As [`with`](Self::with), but what has arrived is not kept: for a server that is asked very often.
    ///
    /// # Panics
    /// Where no server can be started.
    pub fn forgetful<H>(handler: H) -> Self
    where
        H: Fn(&RequestSeen) -> ServerReply + Send + Sync + 'static,
    {
        let answer = move |request: RequestSeen| handler(&request);
        Self::spawned(Arc::default(), Arc::new(answer))
    }

    /// Writes the body of each request down, see [`record_body`]. The first name stays.
    #[must_use]
    pub fn record_as(self, test_name: &str) -> Self {
        self.log.record_as.get_or_init(|| test_name.to_owned());
        self
    }

    /// The address, as in `http://127.0.0.1:4000`: no slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Every request that has arrived whole, in order.
    pub fn requests(&self) -> Vec<RequestSeen> {
        self.log
            .requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn spawned(log: Arc<Log>, answer: Arc<Answer>) -> Self {
        Self::spawn(log, answer)
            .unwrap_or_else(|error| fail(format_args!("no test server: {error}")))
    }

    fn spawn(log: Arc<Log>, answer: Arc<Answer>) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let url = format!("http://{}", listener.local_addr()?);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (stop, stops) = watch::channel(false);
        let run = move || run(&runtime, listener, &answer, stops);
        let thread = thread::Builder::new()
            .name("test server".to_owned())
            .spawn(run)?;
        Ok(Self {
            url,
            log,
            stop,
            thread: Some(thread),
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
            && !thread::panicking()
        {
            resume_unwind(panic);
        }
    }
}

impl Debug for Server {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

fn beyond(number: usize, last: usize) -> ServerReply {
    let message = format!(
        "request number {number} (from 0) arrived, but the test server has {last} replies only"
    );
    let error = json!({"type": "error", "error": {"type": "api_error", "message": message}});
    // A client that goes by this header does not try the same again.
    ServerReply::json(500, &error).header("x-should-retry", "false")
}

fn run(runtime: &Runtime, listener: TcpListener, answer: &Arc<Answer>, stop: Stop) {
    if let Err(error) = runtime.block_on(accept(listener, answer, stop)) {
        fail(format_args!("the test server broke down: {error}"));
    }
}

async fn accept(listener: TcpListener, answer: &Arc<Answer>, mut stop: Stop) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            () = stopped(&mut stop) => break,
            Some(ended) = connections.join_next() => pass_on_panic(ended),
            accepted = listener.accept() => {
                let (stream, _) = accepted?;
                stream.set_nodelay(true)?;
                connections.spawn(serve(stream, Arc::clone(answer), stop.clone()));
            }
        }
    }
    let end = async {
        while let Some(ended) = connections.join_next().await {
            pass_on_panic(ended);
        }
    };
    // What has not ended by then is dropped with the set.
    let _ = tokio::time::timeout(GRACE, end).await;
    Ok(())
}

/// Ends the server if a handler has panicked. How connections end otherwise is the client's to judge.
fn pass_on_panic(ended: Result<io::Result<()>, JoinError>) {
    if let Some(panic) = ended.err().and_then(|error| error.try_into_panic().ok()) {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::Command;
    use std::sync::mpsc;
    use std::time::Instant;
    use std::{env, fs};

    use super::*;

    /// A blocking client, so that each test also shows that the server needs no turn of the test's runtime.
    struct Client(BufReader<TcpStream>);

    struct Answer {
        status: u16,
        head: String,
        body: String,
    }

    impl Client {
        fn new(server: &Server) -> Self {
            let stream = TcpStream::connect(server.url().strip_prefix("http://").unwrap()).unwrap();
            stream
                .set_read_timeout(Some(Duration::from_secs(20)))
                .unwrap();
            Self(BufReader::new(stream))
        }

        fn send(&mut self, head: &str, body: &str) {
            let length = body.len();
            let text = format!(
                "{head} HTTP/1.1\r\nHost: x\r\nX-Name: v\r\nContent-Length: {length}\r\n\r\n{body}"
            );
            self.0.get_mut().write_all(text.as_bytes()).unwrap();
        }

        fn ask(&mut self, body: &str) -> Answer {
            self.send("POST /path?q=1", body);
            self.answer()
        }

        fn answer(&mut self) -> Answer {
            let head = self.head();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let body = match length {
                Some(length) => self.exactly(length.parse().unwrap()),
                None => self.chunks().concat(),
            };
            Answer {
                status: head[9..12].parse().unwrap(),
                head,
                body,
            }
        }

        fn head(&mut self) -> String {
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                assert!(
                    self.0.read_line(&mut head).unwrap() > 0,
                    "closed after {head:?}"
                );
            }
            head
        }

        fn chunks(&mut self) -> Vec<String> {
            let mut chunks = Vec::new();
            loop {
                let mut size = String::new();
                self.0.read_line(&mut size).unwrap();
                let size = usize::from_str_radix(size.trim_end(), 16).unwrap();
                let chunk = self.exactly(size);
                assert_eq!(self.exactly(2), "\r\n");
                if size == 0 {
                    return chunks;
                }
                chunks.push(chunk);
            }
        }

        fn exactly(&mut self, length: usize) -> String {
            let mut bytes = vec![0; length];
            self.0.read_exact(&mut bytes).unwrap();
            String::from_utf8(bytes).unwrap()
        }

        fn rest(&mut self) -> Vec<u8> {
            let mut bytes = Vec::new();
            self.0.read_to_end(&mut bytes).unwrap();
            bytes
        }
    }

    #[tokio::test]
    async fn replies_come_in_order_over_one_connection() {
        let replies = vec![
            ServerReply::json(200, &json!({"n": 0})),
            ServerReply::raw(429, "text/plain", "slow down"),
        ];
        let server = Server::start(replies).await;
        let mut client = Client::new(&server);
        let first = client.ask("first");
        assert_eq!((first.status, first.body.as_str()), (200, r#"{"n":0}"#));
        assert!(
            first
                .head
                .contains("\r\ncontent-type: application/json\r\n"),
            "{}",
            first.head
        );
        let second = client.ask("second");
        assert_eq!((second.status, second.body.as_str()), (429, "slow down"));
        assert!(
            second.head.contains("\r\ncontent-type: text/plain\r\n"),
            "{}",
            second.head
        );
    }

    #[tokio::test]
    async fn requests_are_kept_in_order() {
        let server = Server::start(vec![ServerReply::json(200, &json!({})); 2]).await;
        assert!(server.requests().is_empty());
        let mut client = Client::new(&server);
        client.ask("{\"a\": 1}");
        client.send("GET /other", "");
        client.answer();
        let requests = server.requests();
        assert_eq!(requests.len(), 2);
        assert_eq!(
            (requests[0].method.as_str(), requests[0].path.as_str()),
            ("POST", "/path?q=1")
        );
        assert_eq!(requests[0].header("x-name"), Some("v"));
        assert_eq!(requests[0].header("x-none"), None);
        assert_eq!(requests[0].json().unwrap(), json!({"a": 1}));
        assert_eq!(
            (requests[1].method.as_str(), requests[1].path.as_str()),
            ("GET", "/other")
        );
        assert!(requests[1].body.is_empty());
        requests[1].json().unwrap_err();
    }

    #[tokio::test]
    async fn a_request_too_many_is_kept_and_told() {
        let server = Server::start(vec![ServerReply::json(200, &json!({}))]).await;
        let mut client = Client::new(&server);
        client.ask("");
        let answer = client.ask("too many");
        assert_eq!(answer.status, 500);
        let error: Value = serde_json::from_str(&answer.body).unwrap();
        let message = error["error"]["message"].as_str().unwrap();
        assert_eq!(
            message,
            "request number 1 (from 0) arrived, but the test server has 1 replies only"
        );
        assert_eq!(server.requests()[1].body, b"too many");
    }

    #[tokio::test]
    async fn a_stream_is_sent_in_chunks() {
        let server = Server::start(vec![
            ServerReply::sse("event: a\ndata: 1\n\ndata: 2\n\n"),
            ServerReply::sse(""),
        ])
        .await;
        let mut client = Client::new(&server);
        client.send("POST /", "");
        let head = client.head();
        assert!(
            head.contains("\r\ncontent-type: text/event-stream\r\n"),
            "{head}"
        );
        assert!(
            head.contains("\r\ntransfer-encoding: chunked\r\n"),
            "{head}"
        );
        assert_eq!(client.chunks(), ["event: a\ndata: 1\n\n", "data: 2\n\n"]);
        assert_eq!(client.ask("").body, "");
    }

    #[tokio::test]
    async fn a_broken_stream_has_no_end() {
        let pieces = || ["data: 1\n\n", "data: 2\n\n"].map(Vec::from);
        let server = Server::forgetful(move |request| {
            let reply = ServerReply::sse_in(pieces()).paced();
            match &request.body[..] {
                b"whole" => reply,
                _ => reply.broken(),
            }
        });
        let mut client = Client::new(&server);
        assert_eq!(client.ask("whole").body, "data: 1\n\ndata: 2\n\n");
        client.send("POST /", "broken");
        client.head();
        let rest = String::from_utf8(client.rest()).unwrap();
        assert!(rest.contains("data: 2") && !rest.ends_with("0\r\n\r\n"));
        assert!(server.requests().is_empty());
    }

    #[tokio::test]
    async fn headers_and_delays_are_kept_to() {
        let reply = ServerReply::json(200, &json!({}))
            .header("Retry-After", "3")
            .header("content-type", "x/y");
        let server = Server::start(vec![reply.delay(Duration::from_millis(30))]).await;
        let start = Instant::now();
        let answer = Client::new(&server).ask("");
        assert!(start.elapsed() >= Duration::from_millis(30));
        assert!(
            answer.head.contains("\r\nretry-after: 3\r\n"),
            "{}",
            answer.head
        );
        assert_eq!(answer.head.matches("content-type").count(), 1);
        assert!(
            answer.head.contains("\r\ncontent-type: x/y\r\n"),
            "{}",
            answer.head
        );
    }

    #[tokio::test]
    async fn hanging_up_sends_nothing_and_closes() {
        let server = Server::start(vec![
            ServerReply::hang_up(),
            ServerReply::json(200, &json!({})),
        ])
        .await;
        let mut client = Client::new(&server);
        client.send("POST /", "x");
        assert_eq!(client.rest(), b"");
        assert_eq!(server.requests().len(), 1);
        assert_eq!(Client::new(&server).ask("").status, 200);
    }

    #[tokio::test]
    async fn a_cut_answer_sends_all_it_has_and_closes() {
        let bytes = "ä".repeat(3_000_000);
        let replies = vec![
            ServerReply::json(200, &json!({})),
            ServerReply::cut(bytes.clone()).header("content-type", "x/y"),
        ];
        let server = Server::start(replies).await;
        let mut client = Client::new(&server);
        client.ask("");
        client.send("POST /", "x");
        let head = client.head();
        assert!(
            head.starts_with("HTTP/1.1 200 OK\r\n") && head.contains("content-type: x/y\r\n"),
            "{head}"
        );
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .unwrap();
        assert!(length.parse::<usize>().unwrap() > bytes.len());
        assert!(client.rest() == bytes.as_bytes());
    }

    #[tokio::test]
    async fn a_handler_sees_number_and_request() {
        let server = Server::with(|number, request| {
            ServerReply::json(
                200,
                &json!([number, String::from_utf8_lossy(&request.body), request.path]),
            )
        })
        .await;
        let mut client = Client::new(&server);
        assert_eq!(client.ask("a").body, r#"[0,"a","/path?q=1"]"#);
        assert_eq!(client.ask("b").body, r#"[1,"b","/path?q=1"]"#);
    }

    #[tokio::test]
    async fn connections_are_served_side_by_side() {
        let (told, heard) = mpsc::channel();
        let told = Mutex::new(told);
        let server = Server::with(move |number, _| {
            told.lock().unwrap().send(number).unwrap();
            let hour = if number == 0 { 3600 } else { 0 };
            ServerReply::json(200, &json!(number)).delay(Duration::from_secs(hour))
        })
        .await;
        let mut slow = Client::new(&server);
        slow.send("POST /", "");
        assert_eq!(heard.recv().unwrap(), 0);
        assert_eq!(Client::new(&server).ask("").body, "1");
        let start = Instant::now();
        drop(server);
        assert!(
            start.elapsed() < GRACE,
            "the drop waited for the delayed answer"
        );
        assert_eq!(slow.rest(), b"");
    }

    #[tokio::test]
    async fn dropping_closes_idle_connections_and_the_port() {
        let server = Server::start(vec![ServerReply::json(200, &json!({}))]).await;
        let address = server.url().strip_prefix("http://").unwrap().to_owned();
        let (mut used, mut fresh) = (Client::new(&server), Client::new(&server));
        used.ask("");
        let start = Instant::now();
        drop(server);
        assert!(
            start.elapsed() < GRACE,
            "the drop waited for idle connections"
        );
        assert_eq!((used.rest(), fresh.rest()), (Vec::new(), Vec::new()));
        TcpStream::connect(address).unwrap_err();
    }

    #[tokio::test]
    async fn dropping_finishes_an_answer_under_way() {
        const LENGTH: usize = 20_000_000;
        let (told, heard) = mpsc::channel();
        let told = Mutex::new(told);
        let server = Server::with(move |_, _| {
            told.lock().unwrap().send(()).unwrap();
            ServerReply::raw(200, "x/y", vec![b'x'; LENGTH])
        })
        .await;
        let mut client = Client::new(&server);
        let reading = thread::spawn(move || client.ask("").body.len());
        heard.recv().unwrap();
        drop(server);
        assert_eq!(reading.join().unwrap(), LENGTH);
    }

    #[tokio::test]
    async fn dropping_does_not_wait_for_a_client_that_does_not_read() {
        let (told, heard) = mpsc::channel();
        let told = Mutex::new(told);
        let server = Server::with(move |_, _| {
            told.lock().unwrap().send(()).unwrap();
            ServerReply::raw(200, "x/y", vec![0; 100_000_000])
        })
        .await;
        let mut client = Client::new(&server);
        client.send("POST /", "");
        heard.recv().unwrap();
        let start = Instant::now();
        drop(server);
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[tokio::test]
    #[should_panic(expected = "the handler says no")]
    async fn a_panic_of_the_handler_ends_the_test() {
        let server = Server::with(|_, _| panic!("the handler says no")).await;
        let mut client = Client::new(&server);
        client.send("POST /", "");
        assert_eq!(client.rest(), b"");
    }

    #[tokio::test]
    async fn bodies_are_written_where_the_environment_says() {
        const NAME: &str = "server::tests::bodies_are_written_where_the_environment_says";
        if env::var_os("HAFT_TESTS_CHILD").is_some() {
            let server = Server::start(Vec::new()).await.record_as(NAME);
            let mut client = Client::new(&server);
            client.ask("{}");
            client.ask("[]");
            return;
        }
        // A process can only be given an environment when it starts.
        let folder = env::temp_dir().join(format!("haft-tests-recorded-{}", std::process::id()));
        let mut child = Command::new(env::current_exe().unwrap());
        child
            .args(["--exact", NAME])
            .env("HAFT_TESTS_CHILD", "1")
            .env("HAFT_BODIES", &folder);
        assert!(child.output().unwrap().status.success());
        let body =
            |n| fs::read(folder.join(format!("{}-{n}.json", NAME.replace(':', "_")))).unwrap();
        assert_eq!((body(0), body(1)), (b"{}".to_vec(), b"[]".to_vec()));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }
}
