//! A home whose model follows a script, and a gateway over it that can be stopped.

use prowess_testkit::chat::ChatServer;
use prowess_testkit::eventually;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::support::{GatewayHome as _, Home, Running};

/// Makes a server with a script the model of a home.
pub(crate) fn configure(home: &Home, server: &ChatServer, more: &str) {
    let text = format!("{{{}{more}}}", server.settings());
    let file = home.engine().places().config_file.clone();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// A gateway that runs until it is told to stop.
pub(crate) struct Stoppable {
    pub(crate) running: Running,
    stop: oneshot::Sender<()>,
}

impl Stoppable {
    pub(crate) async fn start(home: &Home) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        Self { running: home.start_until(|_| {}, stopped).await, stop }
    }

    /// Tells it to stop and waits until it has.
    pub(crate) async fn stop(self) {
        self.stop.send(()).unwrap();
        self.running.finished().await;
    }
}

impl Running {
    /// The answer of a call that works.
    pub(crate) async fn good(&self, method: &str, params: Value) -> Value {
        let (status, answer) = self.call(method, params).await;
        assert_eq!(status, 200, "{method}: {answer}");
        answer
    }

    /// The message of a call that does not.
    pub(crate) async fn refused(&self, method: &str, params: Value) -> String {
        let (status, answer) = self.call(method, params).await;
        assert_ne!(status, 200, "{method}: {answer}");
        answer["error"]["message"].as_str().unwrap().to_owned()
    }

    /// Gives an agent a message and waits for the end.
    pub(crate) async fn run(&self, message: &str, session: &str) -> Value {
        let run = self.good("runs.start", json!({ "message": message, "session": session })).await;
        let ended = self.good("runs.wait", json!({ "runId": run["runId"], "timeoutMs": 60_000 })).await;
        assert!(["done", "failed", "aborted"].contains(&ended["status"].as_str().unwrap()), "{ended}");
        ended
    }

    /// Asks until something is so.
    pub(crate) async fn until(&self, method: &str, params: Value, is_so: impl Fn(&Value) -> bool) -> Value {
        eventually(method, async || Some(self.good(method, params.clone()).await).filter(&is_so)).await
    }
}
