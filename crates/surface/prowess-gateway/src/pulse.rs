//! What the gateway does by itself: signs of life, news about skills, following the token in the config, and forgetting
//! what nodes reported long ago.

use std::sync::{Arc, Weak};
use std::time::Duration;

use prowess::{Engine, Live};
use prowess_match::{AgentView, Subscription};
use prowess_types::Secret;
use serde_json::json;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::events::Event;
use crate::handshake::hello::{TICK_MS, health};
use crate::limits::MAX_CONNECTIONS;
use crate::presence::Expelled;
use crate::state::Gateway;

const HEALTH: Duration = Duration::from_mins(1);
/// Who came and who went is told at most this often.
const PRESENCE: Duration = Duration::from_secs(1);
/// The interval of polling for changes without an event.
const LOOK: Duration = Duration::from_secs(1);
/// Number of polls between two searches for programs.
const PROGRAMS: u32 = 5;
/// The time that the thread that waits for changes of skills has to notice the stop.
const PATIENCE: Duration = Duration::from_secs(1);
/// Reports of nodes that come close together are taken as one.
const SETTLE: Duration = Duration::from_millis(250);
/// The time that clients have to read the last messages.
const FAREWELL: Duration = Duration::from_secs(4);

impl Gateway {
    /// Begins what the gateway does by itself. It ends with [`Gateway::hang_up`] or with the runtime.
    pub(crate) fn start_pulse(self: &Arc<Self>) {
        tokio::spawn(Arc::clone(self).beat());
        tokio::spawn(Arc::clone(self).follow_nodes());
        tokio::spawn(Arc::clone(self).follow_changes());
        let (gateway, subscription) = (Arc::downgrade(self), self.live.subscribe());
        let thread = std::thread::Builder::new().name("prowess-gateway-skills".to_owned());
        if let Err(error) = thread.spawn(move || follow_skills(&gateway, &subscription)) {
            tracing::error!(%error, "clients will not be notified of changed skills");
        }
    }

    /// Tells every client that the gateway ends, and waits a moment for them to take it.
    pub(crate) async fn hang_up(&self) {
        self.events.publish(Event::new("shutdown", json!({ "reason": "gateway stopping" })));
        self.clients.stopping.cancel();
        let all = u32::try_from(MAX_CONNECTIONS).unwrap_or(u32::MAX);
        let _ = tokio::time::timeout(FAREWELL, self.clients.connections.acquire_many(all)).await;
    }

    async fn beat(self: Arc<Self>) {
        let every = |period: Duration| {
            let mut interval = interval_at(Instant::now() + period, period);
            interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
            interval
        };
        let mut tick = every(Duration::from_millis(TICK_MS));
        let (mut well, mut presence) = (every(HEALTH), every(PRESENCE));
        loop {
            tokio::select! {
                _ = tick.tick() => {
                    self.events.publish(Event::new("tick", json!({ "ts": self.options.clock.now_ms() })));
                }
                _ = well.tick() => self.tell_health(),
                _ = presence.tick() => {
                    self.tell_presence();
                    self.clients.nodes.expire(self.options.clock.now_ms());
                }
                () = self.clients.stopping.cancelled() => return,
            }
        }
    }

    fn tell_health(&self) {
        if let Ok(health) = health(self) {
            self.clients.presence.health_told();
            let state = self.clients.presence.state();
            self.events.publish_state(Event::new("health", health), Some(state));
        }
    }

    fn tell_presence(&self) {
        if self.clients.presence.take_change() {
            let list = self.clients.presence.list(self.options.clock.now_ms());
            let event = Event::new("presence", json!({ "presence": list }));
            self.events.publish_state(event, Some(self.clients.presence.state()));
        }
    }

    /// Follows what is not told of by itself: another config, programs that came or went, skills that are there and
    /// cannot be used. The skills of the default agent are kept open for that: without any, nothing on the disk is
    /// followed, and runs would go by an old config.
    async fn follow_changes(self: Arc<Self>) {
        let mut last: Option<Look> = None;
        let mut look = interval_at(Instant::now(), LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for round in 1_u32.. {
            tokio::select! {
                _ = look.tick() => {}
                () = self.clients.stopping.cancelled() => return,
            }
            let (live, before) = (Arc::clone(&self.live), last.clone());
            let looked = tokio::task::spawn_blocking(move || {
                if round.is_multiple_of(PROGRAMS) {
                    live.judge_again();
                }
                Look::take(&live, before)
            });
            let Ok(now) = looked.await else { continue };
            if let Some(before) = &last {
                if now.config != before.config {
                    self.events.publish(Event::new("config.changed", json!({ "hash": now.config })));
                }
                if let Some(token) = now.token.as_ref().filter(|_| now.token != before.token) {
                    tracing::info!("the token was changed; clients must come back with the new one");
                    self.door.change(token.clone());
                    self.clients.presence.expel(Expelled::Everybody);
                }
                // What changes the snapshot has been told of already.
                if now.snapshot == before.snapshot && now.report != before.report {
                    self.events.publish(Event::new("skills.changed", json!({ "reason": "status" })));
                }
            }
            last = Some(now);
        }
    }

    /// Lets skills count what nodes have.
    async fn follow_nodes(self: Arc<Self>) {
        let mut told = Vec::new();
        loop {
            tokio::select! {
                () = self.clients.nodes.changed() => {}
                () = self.clients.stopping.cancelled() => return,
            }
            tokio::time::sleep(SETTLE).await;
            let nodes = self.clients.nodes.remotes();
            if nodes == told {
                continue;
            }
            told.clone_from(&nodes);
            let live = Arc::clone(&self.live);
            // A panic in there was reported already, and the next report tries again.
            let _ = tokio::task::spawn_blocking(move || live.notify_remote(nodes)).await;
        }
    }
}

/// What was there at a look.
#[derive(Clone)]
struct Look {
    engine: Engine,
    view: Option<Arc<AgentView>>,
    /// The hash of the config file.
    config: Option<String>,
    /// What lets clients in, as the config has it.
    token: Option<Secret>,
    /// The id of the snapshot.
    snapshot: Option<String>,
    /// What is told about the skills, as text.
    report: Option<String>,
}

impl Look {
    /// Looks; what is the same as before is not read again.
    fn take(live: &Live, before: Option<Self>) -> Self {
        // An agent that cannot be opened now is tried again the next time.
        let view = live.view(None).ok();
        let engine = live.engine();
        let same_engine =
            before.as_ref().filter(|before| Arc::ptr_eq(before.engine.context(), engine.context()));
        let (config, token) = match same_engine {
            Some(before) => (before.config.clone(), before.token.clone()),
            None => (
                engine.config_snapshot().ok().map(|config| config.hash),
                // One that fails to resolve now changes nothing.
                engine.gateway_token().ok().flatten().or_else(|| before.as_ref()?.token.clone()),
            ),
        };
        let is_same_view = |before: &&Self| match (&before.view, &view) {
            (Some(before), Some(now)) => Arc::ptr_eq(before, now),
            _ => false,
        };
        let (snapshot, report) = match before.as_ref().filter(is_same_view) {
            Some(before) => (before.snapshot.clone(), before.report.clone()),
            None => (
                view.as_ref().map(|view| view.snapshot().id().to_owned()),
                view.as_ref().and_then(|view| serde_json::to_string(&view.inventory().status()).ok()),
            ),
        };
        Self { engine, view, config, token, snapshot, report }
    }
}

/// Tells clients of changed skills, until the gateway or the skills end.
fn follow_skills(gateway: &Weak<Gateway>, subscription: &Subscription) {
    while !subscription.is_closed() {
        let event = subscription.next(PATIENCE);
        let Some(gateway) = gateway.upgrade() else { return };
        if gateway.clients.stopping.is_cancelled() {
            return;
        }
        if let Some(payload) = event.and_then(|event| serde_json::to_value(event).ok()) {
            gateway.events.publish(Event::new("skills.changed", payload));
        }
    }
}

#[cfg(test)]
#[path = "pulse_tests.rs"]
mod tests;
