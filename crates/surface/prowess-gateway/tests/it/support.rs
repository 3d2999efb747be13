//! A gateway on a port of its own, over a home of its own.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess::{Engine, EngineOptions, Live};
use prowess_config::{Env, Overrides};
use prowess_context::Clock;
use prowess_gateway::{Gateway, GatewayOptions};
use prowess_match::LiveOptions;
use prowess_types::Secret;
use serde_json::Value;
use tokio::net::TcpListener;

pub(crate) const TOKEN: &str = "a-token-for-tests";

/// A home with its workspace; gone when dropped.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// An empty home.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("home")).unwrap();
        std::fs::create_dir_all(folder.path().join("work")).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.path().join("work")
    }

    /// Writes a file below the home's folder.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    /// A small skill in the workspace.
    pub(crate) fn skill(&self, name: &str, description: &str) {
        let text = format!("---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n");
        self.write(&format!("work/skills/{name}/SKILL.md"), &text);
    }

    /// A program that is found from now on.
    pub(crate) fn program(&self, name: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let file = format!("bin/{name}");
        self.write(&file, "#!/bin/sh\n");
        std::fs::set_permissions(self.path().join(file), std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn engine(&self) -> Engine {
        let home = self.path().to_string_lossy().into_owned();
        let path = format!("{home}/bin:/usr/bin:/bin");
        let env = Env::new([("HOME".to_owned(), home), ("PATH".to_owned(), path)], self.workspace());
        Engine::open(EngineOptions {
            env,
            overrides: Overrides {
                home: Some(self.path().join("home")),
                workspace: Some(self.workspace()),
                ..Overrides::default()
            },
            ..EngineOptions::default()
        })
        .unwrap()
    }

    /// Starts a gateway; it ends with the runtime of the test.
    pub(crate) async fn start(&self) -> Running {
        self.start_with(|_| {}).await
    }

    /// The same, with other options.
    pub(crate) async fn start_with(&self, change: impl FnOnce(&mut GatewayOptions)) -> Running {
        self.start_until(change, std::future::pending()).await
    }

    /// The same, until something is over.
    pub(crate) async fn start_until(
        &self,
        change: impl FnOnce(&mut GatewayOptions),
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Running {
        serve(&self.engine(), change, stop).await
    }
}

/// Starts a gateway over an engine.
pub(crate) async fn serve(
    engine: &Engine,
    change: impl FnOnce(&mut GatewayOptions),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Running {
    let mut options = GatewayOptions::new(Clock::new(crate::client::now_ms), Secret::new(TOKEN));
    change(&mut options);
    let live = Arc::new(engine.watch(LiveOptions::new(options.clock.clone())).unwrap());
    serve_live(live, options, stop).await
}

/// Starts a gateway over skills that follow the disk already.
pub(crate) async fn serve_live(
    live: Arc<Live>,
    options: GatewayOptions,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Running {
    let gateway = Gateway::open(live, options).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async move { gateway.serve(listener, stop).await.unwrap() });
    Running { address, serving }
}

/// A gateway that runs.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    serving: tokio::task::JoinHandle<()>,
}

/// A client for plain requests.
pub(crate) fn http() -> reqwest::Client {
    prowess_net::provide_cryptography();
    reqwest::Client::new()
}

impl Running {
    /// Waits until it serves no more.
    pub(crate) async fn finished(self) {
        tokio::time::timeout(std::time::Duration::from_secs(20), self.serving).await.unwrap().unwrap();
    }

    /// A call over HTTP: status and answer.
    pub(crate) async fn call(&self, method: &str, params: Value) -> (u16, Value) {
        let url = format!("http://{}/api/v1/{method}", self.address);
        let request = http().post(url).bearer_auth(TOKEN).json(&params);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// A call that loosens something, confirmed at the terminal: what it answers then.
    pub(crate) async fn confirmed(&self, engine: &Engine, method: &str, params: Value) -> Value {
        let (status, held) = self.call(method, params).await;
        assert_eq!(
            (status, &held["error"]["details"]["code"]),
            (403, &"needs-confirmation".into()),
            "{held}"
        );
        let proof = engine.terminal_proof().unwrap();
        let id = &held["error"]["details"]["confirmationId"];
        let params = serde_json::json!({ "id": id, "decision": "confirm", "proof": proof.proof.expose() });
        let (status, answer) = self.call("confirmation.resolve", params).await;
        assert_eq!(status, 200, "{answer}");
        answer["result"].clone()
    }
}
