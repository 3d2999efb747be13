//! The gateway: what all connections share.

use std::fmt;
use std::sync::{Arc, OnceLock};

use axum::Router;
use prowess::types::Secret;
use prowess::{Clock, Live, SessionCache};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::GatewayError;
use crate::approvals::Approvals;
use crate::clients::Clients;
use crate::codes::OneTimeCodes;
use crate::cron::Cron;
use crate::desk::Desk;
use crate::door::Door;
use crate::events::Events;
use crate::held::HeldChanges;
use crate::method::Methods;
use crate::metrics::Metrics;
use crate::runs::{Journal, Runs};
use crate::{Limits, methods};

/// What a gateway is opened with.
#[derive(Clone)]
pub struct GatewayOptions {
    /// Tells the time.
    pub clock: Clock,
    /// What lets a client in.
    pub token: Secret,
    /// Other surfaces below a path, such as `/mcp`. They are behind the same token and the same checks.
    pub mounts: Vec<(String, Router)>,
    /// How much it takes on.
    pub limits: Limits,
}

impl GatewayOptions {
    /// A gateway with the usual limits and nothing mounted.
    pub fn new(clock: Clock, token: Secret) -> Self {
        Self { clock, token, mounts: Vec::new(), limits: Limits::default() }
    }
}

impl fmt::Debug for GatewayOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GatewayOptions").finish_non_exhaustive()
    }
}

/// The engine, for clients on sockets.
#[derive(Debug)]
pub struct Gateway {
    /// Skills that follow the disk.
    pub(crate) live: Arc<Live>,
    pub(crate) options: GatewayOptions,
    pub(crate) door: Door,
    pub(crate) clients: Clients,
    pub(crate) events: Events,
    pub(crate) methods: Methods,
    pub(crate) runs: Runs,
    pub(crate) approvals: Approvals,
    /// Changes of settings that wait for a person.
    pub(crate) held: HeldChanges,
    pub(crate) codes: OneTimeCodes,
    /// The address of the gateway seen from this machine, once it serves.
    pub(crate) url: OnceLock<String>,
    pub(crate) cron: Cron,
    /// Sessions as they were last read.
    pub(crate) sessions: SessionCache,
    pub(crate) started_ms: u64,
    pub(crate) metrics: Metrics,
    /// Calls over HTTP that are worked on.
    pub(crate) calls: Semaphore,
    /// Over when the gateway was told to stop.
    pub(crate) stopping: CancellationToken,
    pub(crate) desk: Desk,
}

impl Gateway {
    /// Opens a gateway over skills that follow the disk.
    pub fn open(live: Arc<Live>, options: GatewayOptions) -> Result<Self, GatewayError> {
        let started_ms = options.clock.now_ms();
        let door = Door::new(options.token.clone(), options.clock.clone());
        let clients = Clients::new(&live.engine().places().state);
        let calls = Semaphore::new(options.limits.calls);
        let codes = OneTimeCodes::new(options.clock.clone(), options.limits.code_lifetime);
        let engine = live.engine();
        engine.remove_gateway_pages();
        engine.remove_terminal_proofs();
        Ok(Self {
            live,
            options,
            door,
            clients,
            events: Events::new(),
            methods: methods::all(),
            runs: Runs::default(),
            approvals: Approvals::default(),
            held: HeldChanges::default(),
            codes,
            url: OnceLock::new(),
            cron: Cron::default(),
            sessions: SessionCache::default(),
            started_ms,
            metrics: Metrics::new(),
            calls,
            stopping: CancellationToken::new(),
            desk: Desk::default(),
        })
    }

    /// Begins what goes on without a client: ends what a crash cut off, and keeps automations.
    pub(crate) fn begin(self: &Arc<Self>) {
        let gateway = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let engine = gateway.live.engine();
            let ended = Journal::of(&engine).recover(&engine, &gateway.options.clock);
            if ended > 0 {
                tracing::info!(ended, "ended runs that were cut off");
            }
        });
        tokio::spawn(Arc::clone(self).keep_automations());
    }

    /// Ends what goes on without a client. Traces are whole afterwards.
    pub(crate) async fn settle(&self) {
        self.cron.stop();
        self.drop_codes();
        self.runs.close().await;
    }
}
