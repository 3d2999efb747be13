//! Opening a gateway, and its background work.

use std::sync::{Arc, OnceLock};

use prowess::Live;
use prowess_sessions::SessionCache;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::approvals::Approvals;
use crate::clients::Clients;
use crate::codes::OneTimeCodes;
use crate::cron::Cron;
use crate::desk::Desk;
use crate::door::Door;
use crate::events::Events;
use crate::held::HeldChanges;
use crate::metrics::Metrics;
use crate::runs::{Journal, Runs};
use crate::state::{Gateway, GatewayOptions};
use crate::{GatewayError, methods};

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
            metrics: Metrics::default(),
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
