//! A home of its own with skills of every kind, and a server over it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess::{Engine, EngineOptions, Live};
use prowess_config::{Env, Overrides};
use prowess_context::{Clock, Models};
use prowess_match::LiveOptions;
use prowess_mcp::{Server, ServerOptions};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio_util::sync::CancellationToken;

/// The text of the skill `tea`.
pub(crate) const TEA: &str = include_str!("../clients/home/work/skills/tea/SKILL.md");

/// A home with its workspace; gone when dropped.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// One without skills.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for path in ["home", "work/skills", "elsewhere"] {
            std::fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        Self { folder }
    }

    /// One with a skill of every kind.
    pub(crate) fn full() -> Self {
        let home = Self::empty();
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/home");
        copy(&fixture, home.path());
        home
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.path().join("work")
    }

    /// Writes a file below the home's folder.
    pub(crate) fn write(&self, path: &str, contents: impl AsRef<[u8]>) {
        let file = self.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, contents).unwrap();
    }

    /// Writes the user's config.
    pub(crate) fn config(&self, text: &str) {
        self.write("home/prowess.json", text);
    }

    pub(crate) fn engine(&self) -> Engine {
        let home = self.path().to_string_lossy().into_owned();
        let env = Env::new(
            [("HOME".to_owned(), home), ("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
            self.workspace(),
        );
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
        Engine::open(EngineOptions {
            env,
            models: Models::in_folder(&models).unwrap(),
            overrides: Overrides {
                home: Some(self.path().join("home")),
                workspace: Some(self.workspace()),
                ..Overrides::default()
            },
            ..EngineOptions::default()
        })
        .unwrap()
    }

    pub(crate) fn live(&self) -> Arc<Live> {
        Arc::new(self.engine().watch(LiveOptions::new(clock())).unwrap())
    }

    pub(crate) fn server(&self) -> Server {
        self.server_until(CancellationToken::new())
    }

    pub(crate) fn server_until(&self, cancel: CancellationToken) -> Server {
        Server::new(self.live(), ServerOptions { cancel, ..ServerOptions::new(clock()) })
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "files have real times, so the clock must be real too")]
pub(crate) fn clock() -> Clock {
    Clock::new(|| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        u64::try_from(since.as_millis()).unwrap()
    })
}

/// A client that writes lines as it likes.
pub(crate) struct Raw {
    read: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    pub(crate) served: tokio::task::JoinHandle<Result<(), prowess_mcp::ServeError>>,
    next: u64,
}

impl Raw {
    /// Connected, and nothing said yet.
    pub(crate) fn connect(server: &Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (server, (read, write)) = (server.clone(), tokio::io::split(theirs));
        let served = tokio::spawn(async move { server.serve(read, write).await });
        let (read, write) = tokio::io::split(ours);
        Self { read: BufReader::new(read).lines(), write, served, next: 0 }
    }

    /// Connected, and past the first words.
    pub(crate) async fn begin(server: &Server) -> Self {
        let mut raw = Self::connect(server);
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "raw", "version": "1" },
        });
        let answer = raw.ask("initialize", params).await;
        assert_eq!(answer["result"]["serverInfo"]["name"], "prowess", "{answer}");
        raw.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        raw
    }

    pub(crate) async fn send(&mut self, line: impl AsRef<[u8]>) {
        self.write.write_all(line.as_ref()).await.unwrap();
        self.write.write_all(b"\n").await.unwrap();
    }

    /// The next line that is no notification.
    pub(crate) async fn answer(&mut self) -> Value {
        loop {
            let line = self.read.next_line().await.unwrap().expect("the server is there");
            let value: Value = serde_json::from_str(&line).expect("a line of JSON");
            if value.get("id").is_some() || value.get("error").is_some() {
                return value;
            }
        }
    }

    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let (id, request) =
            (self.next, json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.send(request.to_string()).await;
        loop {
            let answer = self.answer().await;
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Hangs up.
    pub(crate) async fn end(mut self) -> Result<(), prowess_mcp::ServeError> {
        self.write.shutdown().await.unwrap();
        drop((self.write, self.read));
        self.served.await.unwrap()
    }
}
