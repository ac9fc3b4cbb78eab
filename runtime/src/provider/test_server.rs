//! A server for tests that give each connection its answer, byte by byte.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A server that gives each connection the next answer, and then closes it.
pub(super) struct Server {
    pub(super) url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(super) fn new(answers: Vec<String>) -> Self {
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

    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// A request as it came, headers and body.
pub(super) fn request(connection: &mut TcpStream) -> String {
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    while !is_whole(&request) {
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

pub(super) fn answer(status: &str, kind: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nrequest-id: req_1\r\nretry-after-ms: 1\r\nconnection: close\r\n\r\n{body}"
    )
}

/// Whether all of the body is there that the headers tell of.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    length.is_some_and(|length| body.len() >= length.parse().unwrap())
}
