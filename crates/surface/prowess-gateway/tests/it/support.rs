//! A gateway on a port of its own, over a home of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use prowess::{Engine, EngineOptions, Live};
use prowess_config::{Env, Overrides};
use prowess_context::Clock;
use prowess_gateway::{Gateway, GatewayOptions};
use prowess_match::LiveOptions;
pub(crate) use prowess_testkit::Home;
use prowess_testkit::{Programs, SkillFile};
use prowess_types::Secret;
use serde_json::Value;
use tokio::net::TcpListener;

pub(crate) const TOKEN: &str = "a-token-for-tests";

/// What the gateway's tests do with a home.
pub(crate) trait GatewayHome {
    /// An engine over the home.
    fn engine(&self) -> Engine;

    /// Starts a gateway; it ends with the runtime of the test.
    async fn start(&self) -> Running {
        self.start_with(|_| {}).await
    }

    /// The same, with other options.
    async fn start_with(&self, change: impl FnOnce(&mut GatewayOptions)) -> Running {
        self.start_until(change, std::future::pending()).await
    }

    /// The same, until something is over.
    async fn start_until(
        &self,
        change: impl FnOnce(&mut GatewayOptions),
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Running {
        serve(&self.engine(), change, stop).await
    }
}

impl GatewayHome for Home {
    fn engine(&self) -> Engine {
        Engine::open(EngineOptions {
            env: Env::new(self.variables(Programs::System), self.workspace()),
            overrides: Overrides { workspace: Some(self.workspace()), ..Overrides::default() },
            ..EngineOptions::default()
        })
        .unwrap()
    }
}

/// A small skill with a description.
pub(crate) fn skill(name: &str, description: &str) -> SkillFile {
    SkillFile::new(name).description(description).body(&format!("\n# {name}\n"))
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
        tokio::time::timeout(std::time::Duration::from_mins(2), self.serving).await.unwrap().unwrap();
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
