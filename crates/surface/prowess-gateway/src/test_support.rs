//! A gateway without sockets, over a home of its own, with a clock that a test moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prowess::{Engine, EngineOptions};
use prowess_config::{Env, Overrides};
use prowess_context::Clock;
use prowess_match::LiveOptions;
use prowess_testkit::Programs;
use prowess_testkit::chat::ChatServer;
use prowess_types::Secret;
use serde_json::Value;
use tokio::sync::broadcast;

use crate::access::{Caller, Role, Scope};
use crate::events::{Event, Published};
use crate::refusal::Refusal;
use crate::state::Call;
use crate::{Gateway, GatewayOptions};

/// A test that waits longer than this waits in vain.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) const TOKEN: &str = "a-token-for-tests";

/// A home and the time in it.
pub(crate) struct Home {
    home: prowess_testkit::Home,
    now: Arc<AtomicU64>,
}

impl Home {
    /// An empty home, in 2026.
    pub(crate) fn new() -> Self {
        Self { home: prowess_testkit::Home::new(), now: Arc::new(AtomicU64::new(1_780_000_000_000)) }
    }

    pub(crate) fn path(&self) -> &std::path::Path {
        self.home.path()
    }

    /// A home whose model is a server with a script.
    pub(crate) fn with_model(server: &ChatServer, more: &str) -> Self {
        let home = Self::new();
        home.home.config(&format!("{{{}{more}}}", server.settings()));
        home
    }

    pub(crate) fn engine(&self) -> Engine {
        let work = self.home.workspace();
        let env = Env::new(self.home.variables(Programs::System), work.clone());
        let overrides = Overrides { workspace: Some(work), ..Overrides::default() };
        Engine::open(EngineOptions { env, overrides, ..EngineOptions::default() }).unwrap()
    }

    /// What time it is.
    pub(crate) fn clock(&self) -> Clock {
        let now = Arc::clone(&self.now);
        Clock::new(move || now.load(Ordering::SeqCst))
    }

    /// Lets time pass.
    pub(crate) fn pass(&self, time: Duration) {
        self.now.fetch_add(u64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }

    pub(crate) fn gateway(&self) -> Arc<Gateway> {
        let clock = self.clock();
        let live = Arc::new(self.engine().watch(LiveOptions::new(clock.clone())).unwrap());
        let options = GatewayOptions::new(clock, Secret::new(TOKEN));
        Arc::new(Gateway::open(live, options).unwrap())
    }
}

/// A gateway and its home, which ends with it.
pub(crate) struct TestGateway {
    pub(crate) gateway: Arc<Gateway>,
    _home: Home,
}

impl TestGateway {
    pub(crate) fn new() -> Self {
        let home = Home::new();
        Self { gateway: home.gateway(), _home: home }
    }
}

/// A call of an operator with every scope.
pub(crate) fn operators(gateway: &Arc<Gateway>) -> Call {
    let caller = Caller {
        connection: "test".to_owned(),
        role: Role::Operator,
        scopes: Scope::ALL.into_iter().collect(),
        client: "test".to_owned(),
        device: None,
        is_person: false,
    };
    Call::new(Arc::clone(gateway), Arc::new(caller))
}

/// Calls a method as an operator with every scope.
pub(crate) async fn call(gateway: &Arc<Gateway>, method: &str, params: Value) -> Result<Value, Refusal> {
    let answer = gateway.methods.call(operators(gateway), method, params).await?;
    Ok(serde_json::from_str(&answer).expect("answers are JSON"))
}

/// The answer of a call that works.
pub(crate) async fn good(gateway: &Arc<Gateway>, method: &str, params: Value) -> Value {
    call(gateway, method, params).await.unwrap_or_else(|refusal| panic!("{method}: {}", refusal.message))
}

/// The message of a call that does not.
pub(crate) async fn refused(gateway: &Arc<Gateway>, method: &str, params: Value) -> String {
    call(gateway, method, params).await.expect_err("a refusal").message
}

/// A client that watches.
pub(crate) struct Watcher(broadcast::Receiver<Arc<Published>>);

impl Watcher {
    pub(crate) fn new(gateway: &Gateway) -> Self {
        Self(gateway.events.subscribe())
    }

    /// Takes events up to the first that is wanted; that one is the last.
    pub(crate) async fn until(&mut self, is_wanted: impl Fn(&Event) -> bool) -> Vec<Event> {
        let mut seen = Vec::new();
        loop {
            let event = tokio::time::timeout(PATIENCE, self.0.recv()).await;
            let told = event.unwrap_or_else(|_| panic!("only {seen:?}")).unwrap();
            let payload = serde_json::from_str(&told.payload).unwrap();
            let event = Event::new(told.name, payload);
            let is_last = is_wanted(&event);
            seen.push(event);
            if is_last {
                return seen;
            }
        }
    }

    /// The payload of the next event of this name.
    pub(crate) async fn next(&mut self, name: &str) -> Value {
        self.until(|event| event.name == name).await.pop().unwrap().payload
    }

    /// Takes events up to the end of a run.
    pub(crate) async fn finished(&mut self) -> Vec<Event> {
        self.until(|event| event.name == "run" && event.payload["kind"] == "finished").await
    }
}
