//! The gateway: what all connections share.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use prowess::types::Secret;
use prowess::{Clock, Live};

use crate::GatewayError;
use crate::desk::Desk;
use crate::door::Door;
use crate::events::Events;
use crate::method::Methods;
use crate::methods;

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
    pub(crate) started_ms: u64,
    pub(crate) desk: Desk,
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
            started_ms,
            desk: Desk::default(),
        })
    }
}
