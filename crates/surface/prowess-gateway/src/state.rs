//! The state that all connections share, and the methods that work on it.

mod method;

use std::fmt;
use std::sync::{Arc, OnceLock};

use axum::Router;
use prowess::Live;
use prowess_context::Clock;
use prowess_sessions::SessionCache;
use prowess_types::Secret;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::GatewayLimits;
use crate::approvals::Approvals;
use crate::clients::Clients;
use crate::codes::OneTimeCodes;
use crate::cron::Cron;
use crate::desk::Desk;
use crate::door::Door;
use crate::events::Events;
use crate::held::HeldChanges;
use crate::metrics::Metrics;
use crate::runs::Runs;

pub(crate) use method::{Call, Method, Methods, method, method_in_writing};

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
    pub limits: GatewayLimits,
}

impl GatewayOptions {
    /// A gateway with the usual limits and nothing mounted.
    pub fn new(clock: Clock, token: Secret) -> Self {
        Self { clock, token, mounts: Vec::new(), limits: GatewayLimits::default() }
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
