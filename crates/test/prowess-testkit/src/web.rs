//! A real HTTP server on this machine that answers as it is told, faults included.
//!
//! Each connection is one request. What a test wants to know afterwards is in [`Web::requests`].

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::listener::Listener;
use crate::wait_until;

/// What a client asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebRequest {
    /// The method, in capitals.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl WebRequest {
    /// The next request of a connection; none when the client closed it.
    pub(crate) fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_whitespace().map(str::to_owned);
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut request = Self { method, path, headers, body: Vec::new() };
        let length = request.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
        request.body.resize(length, 0);
        reader.read_exact(&mut request.body)?;
        Ok(Some(request))
    }

    /// The first header of a name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }

    /// The path without its query.
    pub fn page(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }
}

/// What goes wrong with an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// The connection closes without a word.
    HangUp,
    /// Nothing comes, and the connection stays open until the client closes it.
    Silence,
    /// The body is repeated until the client has enough, and no length is announced.
    Endless,
    /// The connection closes after so many bytes of the body.
    DieAfter(usize),
    /// After so many bytes of the body nothing comes for a time; then the rest.
    StallAfter(usize, Duration),
    /// The body comes in pieces of so many bytes, with a pause after each.
    Drip(usize, Duration),
}

/// What the server answers.
#[derive(Clone, Debug)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// What is announced; the truth unless set.
    length: Option<usize>,
    fault: Fault,
}

impl Answer {
    /// 200 with a body.
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::status(200, body)
    }

    /// A status with a body.
    pub fn status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), length: None, fault: Fault::None }
    }

    /// 200 with JSON.
    pub fn json(value: &Value) -> Self {
        Self::ok(value.to_string())
    }

    /// 404.
    pub fn not_found() -> Self {
        Self::status(404, "Not found")
    }

    /// A redirect.
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::status(status, "").header("location", to)
    }

    /// A body that is small on the way and has so many bytes when it is unpacked.
    pub fn gzip_bomb(unpacked: usize) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&vec![b' '; unpacked]).expect("memory");
        Self::ok(encoder.finish().expect("memory")).header("content-encoding", "gzip")
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Announces another length than the body has.
    #[must_use]
    pub fn claiming(mut self, length: usize) -> Self {
        self.length = Some(length);
        self
    }

    /// Makes something go wrong.
    #[must_use]
    pub fn with(mut self, fault: Fault) -> Self {
        self.fault = fault;
        self
    }

    fn send(&self, mut stream: &TcpStream, stop: &AtomicBool) -> io::Result<()> {
        match self.fault {
            Fault::HangUp => return Ok(()),
            Fault::Silence => return io::copy(&mut stream, &mut io::sink()).map(drop),
            _ => {}
        }
        let mut head = format!("HTTP/1.1 {} Told So\r\nconnection: close\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if self.fault != Fault::Endless {
            head.push_str(&format!("content-length: {}\r\n", self.length.unwrap_or(self.body.len())));
        }
        stream.write_all((head + "\r\n").as_bytes())?;
        match self.fault {
            Fault::None | Fault::HangUp | Fault::Silence => stream.write_all(&self.body),
            Fault::Endless => loop {
                stream.write_all(&self.body)?;
            },
            Fault::DieAfter(count) => stream.write_all(&self.body[..count.min(self.body.len())]),
            Fault::StallAfter(count, pause) => {
                let (before, after) = self.body.split_at(count.min(self.body.len()));
                stream.write_all(before)?;
                rest(pause, stop);
                stream.write_all(after)
            }
            Fault::Drip(count, pause) => self.body.chunks(count.max(1)).try_for_each(|piece| {
                stream.write_all(piece)?;
                rest(pause, stop);
                if stop.load(Ordering::Relaxed) { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
            }),
        }
    }
}

/// Waits, but not longer than the server lives.
fn rest(pause: Duration, stop: &AtomicBool) {
    let end = Instant::now() + pause;
    while Instant::now() < end && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(5).min(pause));
    }
}

/// The server. It ends when it is dropped.
pub struct Web {
    listener: Listener,
    requests: Arc<Mutex<Vec<WebRequest>>>,
}

impl Web {
    /// Starts a server that answers each request with what the function says.
    pub fn start(answer: impl Fn(&WebRequest) -> Answer + Send + Sync + 'static) -> Self {
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        let listener = Listener::start(move |stream, stop| {
            let Ok(Some(request)) = WebRequest::read(&mut BufReader::new(stream)) else { return };
            log.lock().expect("the log").push(request.clone());
            // A client may go away in the middle; that is its right.
            let _ = answer(&request).send(stream, stop);
        });
        Self { listener, requests }
    }

    /// Starts a server of pages by their path; any other path is answered with 404.
    pub fn pages(pages: Vec<(&'static str, Answer)>) -> Self {
        Self::start(move |request| {
            let page = pages.iter().find(|(path, _)| *path == request.page());
            page.map_or_else(Answer::not_found, |(_, answer)| answer.clone())
        })
    }

    /// Starts a server that gives these answers, one for each request, and then hangs up.
    pub fn script(answers: Vec<Answer>) -> Self {
        let answers = Mutex::new(VecDeque::from(answers));
        Self::start(move |_| {
            let next = answers.lock().expect("the script").pop_front();
            next.unwrap_or_else(|| Answer::ok("").with(Fault::HangUp))
        })
    }

    /// The address of a path on this server, by number.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.listener.address())
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.listener.address().port()
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<WebRequest> {
        self.requests.lock().expect("the log").clone()
    }

    /// Method and path of the requests so far.
    pub fn targets(&self) -> Vec<String> {
        self.requests().iter().map(|request| format!("{} {}", request.method, request.path)).collect()
    }

    /// Waits until so many requests came.
    pub fn wait_for_requests(&self, count: usize) {
        wait_until("requests", || self.requests.lock().expect("the log").len() >= count);
    }
}
