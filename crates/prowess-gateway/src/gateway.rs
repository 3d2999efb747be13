//! The gateway: what all connections share.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use prowess::types::Secret;
use prowess::{Clock, Live, SessionCache};

use crate::GatewayError;
use crate::approvals::Approvals;
use crate::cron::Cron;
use crate::door::Door;
use crate::events::Events;
use crate::method::Methods;
use crate::methods;
use crate::runs::{Journal, Runs};

/// What a gateway is opened with.
#[derive(Clone)]
pub struct GatewayOptions {
    /// Tells the time.
    pub clock: Clock,
    /// What lets a client in.
    pub token: Secret,
    /// Other surfaces below a path, such as `/mcp`. They are behind the same token and the same checks.
    pub mounts: Vec<(String, Router)>,
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
    pub(crate) events: Events,
    pub(crate) methods: Methods,
    pub(crate) runs: Runs,
    pub(crate) approvals: Approvals,
    pub(crate) cron: Cron,
    /// Sessions as they were last read.
    pub(crate) sessions: SessionCache,
    pub(crate) started_ms: u64,
}

impl Gateway {
    /// Opens a gateway over skills that follow the disk.
    pub fn open(live: Arc<Live>, options: GatewayOptions) -> Result<Self, GatewayError> {
        let started_ms = options.clock.now_ms();
        let door = Door::new(options.token.clone());
        Ok(Self {
            live,
            options,
            door,
            events: Events::new(),
            methods: methods::all(),
            runs: Runs::default(),
            approvals: Approvals::default(),
            cron: Cron::default(),
            sessions: SessionCache::default(),
            started_ms,
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
        self.runs.close().await;
    }
}
