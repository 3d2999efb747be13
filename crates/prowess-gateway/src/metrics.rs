//! Figures about the gateway, in the format of Prometheus.
//!
//! Every gateway has its own, so that two in one process do not mix. Names of methods and events are the only labels
//! that vary, and both come from tables: a client cannot make a new one.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use metrics::{
    counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram, with_local_recorder,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

const CALLS: &str = "prowess_gateway_calls_total";
const DURATIONS: &str = "prowess_gateway_call_duration_seconds";
const REQUESTS: &str = "prowess_gateway_http_requests_total";
const CONNECTIONS: &str = "prowess_gateway_connections";
const ACCEPTED: &str = "prowess_gateway_connections_total";
const NOT_ACCEPTED: &str = "prowess_gateway_connections_refused_total";
const CLIENTS: &str = "prowess_gateway_clients";
const FRAMES: &str = "prowess_gateway_frames_total";
const EVICTED: &str = "prowess_gateway_clients_evicted_total";
const DENIED: &str = "prowess_gateway_logins_denied_total";
const EVENTS: &str = "prowess_gateway_events_total";
const UPTIME: &str = "prowess_gateway_uptime_seconds";

/// From a tenth of a millisecond to what an installer takes.
const BUCKETS: [f64; 12] = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0];

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallOutcome {
    Answered,
    Refused,
    Failed,
}

impl CallOutcome {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "ok",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// The figures of one gateway.
pub(crate) struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    open: Arc<AtomicU64>,
    clients: Arc<AtomicU64>,
    received: AtomicU64,
    sent: AtomicU64,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        // Only a list of buckets without any could be refused.
        let builder = PrometheusBuilder::new();
        let builder = builder
            .set_buckets_for_metric(Matcher::Full(DURATIONS.to_owned()), &BUCKETS)
            .unwrap_or_else(|_| PrometheusBuilder::new());
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        with_local_recorder(&recorder, || {
            describe_counter!(CALLS, "Calls by method and outcome");
            describe_histogram!(DURATIONS, "How long calls took, by method");
            describe_counter!(REQUESTS, "Requests over HTTP by status");
            describe_gauge!(CONNECTIONS, "Open connections");
            describe_counter!(ACCEPTED, "Connections that were let in");
            describe_counter!(NOT_ACCEPTED, "Connections that were not let in, by reason");
            describe_gauge!(CLIENTS, "Clients on a WebSocket that said who they are");
            describe_counter!(FRAMES, "Messages on WebSockets by direction");
            describe_counter!(EVICTED, "Clients that were sent away, by reason");
            describe_counter!(DENIED, "Tokens that were missing or wrong, by reason");
            describe_counter!(EVENTS, "Events by name");
            describe_gauge!(UPTIME, "How long the gateway has been serving");
        });
        Self {
            recorder,
            handle,
            open: Arc::default(),
            clients: Arc::default(),
            received: AtomicU64::new(0),
            sent: AtomicU64::new(0),
        }
    }

    fn with(&self, record: impl FnOnce()) {
        with_local_recorder(&self.recorder, record);
    }

    /// A method was called.
    pub(crate) fn call(&self, method: &'static str, outcome: CallOutcome, took: Duration) {
        self.with(|| {
            counter!(CALLS, "method" => method, "outcome" => outcome.as_str()).increment(1);
            histogram!(DURATIONS, "method" => method).record(took);
        });
    }

    /// A request over HTTP was answered.
    pub(crate) fn request(&self, status: u16) {
        self.with(|| counter!(REQUESTS, "status" => status.to_string()).increment(1));
    }

    /// A connection is open for as long as this is kept.
    pub(crate) fn connection(&self) -> Counted {
        self.with(|| counter!(ACCEPTED).increment(1));
        Counted::new(&self.open)
    }

    /// A client is connected for as long as this is kept.
    pub(crate) fn client(&self) -> Counted {
        Counted::new(&self.clients)
    }

    /// So many messages came from and went to a client.
    pub(crate) fn frames(&self, received: u64, sent: u64) {
        self.received.fetch_add(received, Ordering::Relaxed);
        self.sent.fetch_add(sent, Ordering::Relaxed);
    }

    /// A connection was not let in.
    pub(crate) fn not_accepted(&self, reason: &'static str) {
        self.with(|| counter!(NOT_ACCEPTED, "reason" => reason).increment(1));
    }

    /// A token was missing or wrong.
    pub(crate) fn denied(&self, reason: &'static str) {
        self.with(|| counter!(DENIED, "reason" => reason).increment(1));
    }

    /// A client was sent away.
    pub(crate) fn evicted(&self, reason: &'static str) {
        self.with(|| counter!(EVICTED, "reason" => reason).increment(1));
    }

    /// Something happened.
    pub(crate) fn event(&self, name: &'static str) {
        self.with(|| counter!(EVENTS, "event" => name).increment(1));
    }

    /// Things happened too fast to tell their names.
    pub(crate) fn events_unseen(&self, count: u64) {
        self.with(|| counter!(EVENTS, "event" => "unseen").increment(count));
    }

    /// Folds what was recorded. Without it samples pile up.
    pub(crate) fn upkeep(&self) {
        self.handle.run_upkeep();
    }

    /// Everything, as Prometheus reads it.
    pub(crate) fn text(&self, uptime: Duration) -> String {
        self.with(|| {
            gauge!(CONNECTIONS).set(self.open.load(Ordering::Relaxed) as f64);
            gauge!(CLIENTS).set(self.clients.load(Ordering::Relaxed) as f64);
            counter!(FRAMES, "direction" => "in").absolute(self.received.load(Ordering::Relaxed));
            counter!(FRAMES, "direction" => "out").absolute(self.sent.load(Ordering::Relaxed));
            gauge!(UPTIME).set(uptime.as_secs_f64());
        });
        self.handle.render()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// Something that is counted for as long as it lasts.
#[derive(Debug)]
pub(crate) struct Counted(Arc<AtomicU64>);

impl Counted {
    fn new(all: &Arc<AtomicU64>) -> Self {
        all.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(all))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
