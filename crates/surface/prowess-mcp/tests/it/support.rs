//! A home of its own with skills of every kind, and a server over it.

use std::path::Path;
use std::sync::Arc;

use prowess::{Engine, EngineOptions, Live};
use prowess_config::{Env, Overrides};
use prowess_context::{Clock, Models};
use prowess_match::LiveOptions;
use prowess_mcp::{Server, ServerOptions};
pub(crate) use prowess_testkit::Home;
use prowess_testkit::Programs;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio_util::sync::CancellationToken;

/// The text of the skill `tea`.
pub(crate) const TEA: &str = include_str!("../clients/home/ws/skills/tea/SKILL.md");

/// A home with a skill of every kind.
pub(crate) fn full() -> Home {
    let home = Home::new();
    home.tree.lay_recorded(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/home"));
    home
}

/// What the tests of MCP do with a home.
pub(crate) trait McpHome {
    /// An engine over the home.
    fn engine(&self) -> Engine;

    /// Its skills, which follow the disk.
    fn live(&self) -> Arc<Live> {
        Arc::new(self.engine().watch(LiveOptions::new(clock())).unwrap())
    }

    /// A server over the home.
    fn server(&self) -> Server {
        self.server_until(CancellationToken::new())
    }

    /// The same, until it is cancelled.
    fn server_until(&self, cancel: CancellationToken) -> Server {
        Server::new(self.live(), ServerOptions { cancel, ..ServerOptions::new(clock()) })
    }
}

impl McpHome for Home {
    fn engine(&self) -> Engine {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models");
        Engine::open(EngineOptions {
            env: Env::new(self.variables(Programs::System), self.workspace()),
            models: Models::in_folder(&models).unwrap(),
            overrides: Overrides { workspace: Some(self.workspace()), ..Overrides::default() },
            ..EngineOptions::default()
        })
        .unwrap()
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
