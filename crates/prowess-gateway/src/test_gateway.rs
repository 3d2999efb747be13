//! A gateway for tests of its parts, over a home of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prowess::types::Secret;
use prowess::{Clock, Engine, EngineOptions, Env, LiveOptions, Overrides};

use crate::{Gateway, GatewayOptions};

pub(crate) const TOKEN: &str = "a-token-for-tests";

/// A gateway, its home (which ends with it) and its clock.
pub(crate) struct TestGateway {
    pub(crate) gateway: Arc<Gateway>,
    pub(crate) now_ms: Arc<AtomicU64>,
    _home: tempfile::TempDir,
}

impl TestGateway {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let now_ms = Arc::new(AtomicU64::new(1_700_000_000_000));
        let clock = Arc::clone(&now_ms);
        let clock = Clock::new(move || clock.load(Ordering::Relaxed));
        let folder = home.path().to_string_lossy().into_owned();
        let engine = Engine::open(EngineOptions {
            env: Env::new([("HOME".to_owned(), folder)], home.path()),
            overrides: Overrides {
                home: Some(home.path().join("home")),
                workspace: Some(home.path().join("work")),
                ..Overrides::default()
            },
            ..EngineOptions::default()
        })
        .unwrap();
        let live = Arc::new(engine.watch(LiveOptions::new(clock.clone())).unwrap());
        let options = GatewayOptions::new(clock, Secret::new(TOKEN));
        Self { gateway: Arc::new(Gateway::open(live, options).unwrap()), now_ms, _home: home }
    }
}
