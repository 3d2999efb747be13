//! A small server that answers as a test says, a client for it, and a toy archive.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use prowess_net::{Client, NetOptions, NetworkReach};
use prowess_registry::{GitOptions, RegistryClient, SourceContext};
use prowess_types::{Bundle, BundleFile};
use serde_json::Value;

/// What a client asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("the body is JSON")
    }
}

/// What the server says.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Claims this many bytes and sends fewer.
    pub(crate) claimed: Option<usize>,
}

impl Answer {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), claimed: None }
    }

    pub(crate) fn json(value: &Value) -> Self {
        Self::new(200, value.to_string())
    }

    pub(crate) fn not_found() -> Self {
        Self::new(404, "Skill not found")
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// A server on loopback. It lives as long as the test.
pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (log, answer) = (Arc::clone(&asked), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                thread::spawn(move || serve(stream, &log, answer.as_ref()));
            }
        });
        Self { url, asked }
    }

    /// Answers each path with its body, and everything else with 404.
    pub(crate) fn of(pages: Vec<(&'static str, Answer)>) -> Self {
        Self::start(move |asked| {
            let path = asked.target.split('?').next().unwrap_or_default();
            pages
                .iter()
                .find(|(page, _)| *page == path)
                .map_or_else(Answer::not_found, |(_, answer)| answer.clone())
        })
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn targets(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| format!("{} {}", asked.method, asked.target)).collect()
    }
}

fn serve(stream: TcpStream, log: &Mutex<Vec<Asked>>, answer: &dyn Fn(&Asked) -> Answer) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or(0) == 0 {
        return;
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut body = vec![0; length.map_or(0, |(_, value)| value.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    let asked = Asked { method, target, headers, body };
    log.lock().unwrap().push(asked.clone());
    let Answer { status, headers, body, claimed } = answer(&asked);
    let mut stream = stream;
    let mut head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n");
    head += &format!("content-length: {}\r\n", claimed.unwrap_or(body.len()));
    head.extend(headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")));
    // A client that has seen enough may be gone.
    let _ = stream.write_all((head + "\r\n").as_bytes()).and_then(|()| stream.write_all(&body));
}

/// A client for servers of this machine, which asks once.
pub(crate) fn http() -> Client {
    Client::new(NetOptions { reach: NetworkReach::Loopback, retries: 0, ..NetOptions::default() })
        .expect("a client")
}

/// An archive for tests: a JSON object of paths and texts.
pub(crate) fn unpack(bytes: &[u8], _name: &str) -> Result<Bundle, String> {
    let files: std::collections::BTreeMap<String, String> =
        serde_json::from_slice(bytes).map_err(|_| "it is damaged".to_owned())?;
    let file =
        |(path, text): (String, String)| BundleFile { path, bytes: text.into_bytes(), executable: false };
    Ok(Bundle { files: files.into_iter().map(file).collect() })
}

/// The paths of a bundle.
pub(crate) fn paths(bundle: &Bundle) -> Vec<&str> {
    bundle.files.iter().map(|file| file.path.as_str()).collect()
}

/// Calls with everything a fetch needs, against a registry at `base`.
pub(crate) fn with_context<T>(base: &str, folder: &Path, call: impl FnOnce(&SourceContext<'_>) -> T) -> T {
    let http = http();
    let registry = RegistryClient::new(&http, base, None);
    let environment = [("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())];
    let mut git = GitOptions::new(Path::new("git"), &environment);
    git.allow_local = true;
    call(&SourceContext {
        registry: &registry,
        http: &http,
        unpack: &unpack,
        git,
        folder,
        home: Some(folder),
    })
}
