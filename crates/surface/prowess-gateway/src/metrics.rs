//! Figures about the gateway, in the format of Prometheus.
//!
//! Every gateway has its own, so that two in one process do not mix. Names of methods and events are the only labels
//! that vary, and both come from tables: a client cannot make a new one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use prowess_types::IgnorePoison as _;

/// A name, its help text and its type, in the order of the page.
struct Family {
    name: &'static str,
    help: &'static str,
    kind: &'static str,
}

const fn family(name: &'static str, help: &'static str, kind: &'static str) -> Family {
    Family { name, help, kind }
}

const CALLS: Family = family("prowess_gateway_calls_total", "Calls by method and outcome", "counter");
const REQUESTS: Family =
    family("prowess_gateway_http_requests_total", "Requests over HTTP by status", "counter");
const ACCEPTED: Family = family("prowess_gateway_connections_total", "Authenticated connections", "counter");
const NOT_ACCEPTED: Family = family(
    "prowess_gateway_connections_refused_total",
    "Connections that failed authentication, by reason",
    "counter",
);
const FRAMES: Family =
    family("prowess_gateway_frames_total", "Messages on WebSockets by direction", "counter");
const EVICTED: Family =
    family("prowess_gateway_clients_evicted_total", "Clients that were sent away, by reason", "counter");
const DENIED: Family =
    family("prowess_gateway_logins_denied_total", "Tokens that were missing or wrong, by reason", "counter");
const EVENTS: Family = family("prowess_gateway_events_total", "Events by name", "counter");
const CONNECTIONS: Family = family("prowess_gateway_connections", "Open connections", "gauge");
const CLIENTS: Family =
    family("prowess_gateway_clients", "Clients on a WebSocket that said who they are", "gauge");
const UPTIME: Family =
    family("prowess_gateway_uptime_seconds", "How long the gateway has been serving", "gauge");
const DURATIONS: Family =
    family("prowess_gateway_call_duration_seconds", "How long calls took, by method", "histogram");

/// From a tenth of a millisecond to what an installer takes.
const BUCKETS: [f64; 12] = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0];

/// The result of a call.
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

/// The labels of a figure. They sort as they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Labels {
    None,
    Call { method: &'static str, outcome: &'static str },
    Status(u16),
    Reason(&'static str),
    Event(&'static str),
    Direction(&'static str),
}

impl Labels {
    fn text(self) -> String {
        match self {
            Self::None => String::new(),
            Self::Call { method, outcome } => format!("{{method=\"{method}\",outcome=\"{outcome}\"}}"),
            Self::Status(status) => format!("{{status=\"{status}\"}}"),
            Self::Reason(reason) => format!("{{reason=\"{reason}\"}}"),
            Self::Event(event) => format!("{{event=\"{event}\"}}"),
            Self::Direction(direction) => format!("{{direction=\"{direction}\"}}"),
        }
    }
}

/// How many values fell under each bound, and their sum.
#[derive(Clone, Copy, Debug, Default)]
struct Histogram {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: f64,
}

impl Histogram {
    fn record(&mut self, value: f64) {
        for (count, bound) in self.buckets.iter_mut().zip(BUCKETS) {
            *count += u64::from(value <= bound);
        }
        self.count += 1;
        self.sum += value;
    }
}

/// The figures of one gateway.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    counters: Mutex<BTreeMap<(&'static str, Labels), u64>>,
    durations: Mutex<BTreeMap<&'static str, Histogram>>,
    open: Arc<AtomicU64>,
    clients: Arc<AtomicU64>,
    received: AtomicU64,
    sent: AtomicU64,
}

impl Metrics {
    fn count(&self, family: &Family, labels: Labels, more: u64) {
        *self.counters.lock().ignore_poison().entry((family.name, labels)).or_default() += more;
    }

    /// A method was called.
    pub(crate) fn call(&self, method: &'static str, outcome: CallOutcome, took: Duration) {
        self.count(&CALLS, Labels::Call { method, outcome: outcome.as_str() }, 1);
        self.durations.lock().ignore_poison().entry(method).or_default().record(took.as_secs_f64());
    }

    /// A request over HTTP was answered.
    pub(crate) fn request(&self, status: u16) {
        self.count(&REQUESTS, Labels::Status(status), 1);
    }

    /// A connection is open for as long as this is kept.
    pub(crate) fn connection(&self) -> Counted {
        self.count(&ACCEPTED, Labels::None, 1);
        Counted::new(&self.open)
    }

    /// A client is connected for as long as this is kept.
    pub(crate) fn client(&self) -> Counted {
        Counted::new(&self.clients)
    }

    /// Counts messages from and to a client.
    pub(crate) fn frames(&self, received: u64, sent: u64) {
        self.received.fetch_add(received, Ordering::Relaxed);
        self.sent.fetch_add(sent, Ordering::Relaxed);
    }

    /// A connection failed authentication.
    pub(crate) fn not_accepted(&self, reason: &'static str) {
        self.count(&NOT_ACCEPTED, Labels::Reason(reason), 1);
    }

    /// A token was missing or wrong.
    pub(crate) fn denied(&self, reason: &'static str) {
        self.count(&DENIED, Labels::Reason(reason), 1);
    }

    /// A client was sent away.
    pub(crate) fn evicted(&self, reason: &'static str) {
        self.count(&EVICTED, Labels::Reason(reason), 1);
    }

    /// Something happened.
    pub(crate) fn event(&self, name: &'static str) {
        self.count(&EVENTS, Labels::Event(name), 1);
    }

    /// Things happened too fast to tell their names.
    pub(crate) fn events_unseen(&self, count: u64) {
        self.count(&EVENTS, Labels::Event("unseen"), count);
    }

    /// Everything, as Prometheus reads it.
    pub(crate) fn text(&self, uptime: Duration) -> String {
        let mut counters = self.counters.lock().ignore_poison().clone();
        counters.insert((FRAMES.name, Labels::Direction("in")), self.received.load(Ordering::Relaxed));
        counters.insert((FRAMES.name, Labels::Direction("out")), self.sent.load(Ordering::Relaxed));
        let mut text = String::new();
        for family in [&CALLS, &REQUESTS, &ACCEPTED, &NOT_ACCEPTED, &FRAMES, &EVICTED, &DENIED, &EVENTS] {
            let mut figures = counters.iter().filter(|((name, _), _)| *name == family.name).peekable();
            if figures.peek().is_some() {
                describe(&mut text, family);
                for ((name, labels), value) in figures {
                    let _ = writeln!(text, "{name}{} {value}", labels.text());
                }
                text.push('\n');
            }
        }
        let (open, clients) = (self.open.load(Ordering::Relaxed), self.clients.load(Ordering::Relaxed));
        let gauges = [
            (&CONNECTIONS, open.to_string()),
            (&CLIENTS, clients.to_string()),
            (&UPTIME, uptime.as_secs_f64().to_string()),
        ];
        for (family, value) in gauges {
            describe(&mut text, family);
            let _ = writeln!(text, "{} {value}\n", family.name);
        }
        self.write_durations(&mut text);
        text
    }

    fn write_durations(&self, text: &mut String) {
        let durations = self.durations.lock().ignore_poison().clone();
        if durations.is_empty() {
            return;
        }
        describe(text, &DURATIONS);
        let name = DURATIONS.name;
        for (method, Histogram { buckets, count, sum }) in durations {
            for (bound, below) in BUCKETS.iter().zip(buckets) {
                let _ = writeln!(text, "{name}_bucket{{method=\"{method}\",le=\"{bound}\"}} {below}");
            }
            let _ = writeln!(text, "{name}_bucket{{method=\"{method}\",le=\"+Inf\"}} {count}");
            let _ = writeln!(text, "{name}_sum{{method=\"{method}\"}} {sum}");
            let _ = writeln!(text, "{name}_count{{method=\"{method}\"}} {count}");
        }
        text.push('\n');
    }
}

fn describe(text: &mut String, family: &Family) {
    let _ = writeln!(text, "# HELP {0} {1}\n# TYPE {0} {2}", family.name, family.help, family.kind);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_counters_gauges_and_cumulative_buckets() {
        let metrics = Metrics::default();
        metrics.call("health", CallOutcome::Answered, Duration::from_millis(2));
        metrics.call("health", CallOutcome::Refused, Duration::from_secs(2));
        metrics.events_unseen(3);
        let kept = metrics.client();
        let text = metrics.text(Duration::from_millis(1500));
        drop(kept);
        for lines in [
            "# HELP prowess_gateway_calls_total Calls by method and outcome\n# TYPE prowess_gateway_calls_total counter\n\
             prowess_gateway_calls_total{method=\"health\",outcome=\"ok\"} 1\n",
            "prowess_gateway_events_total{event=\"unseen\"} 3\n",
            "prowess_gateway_clients 1\n",
            "prowess_gateway_uptime_seconds 1.5\n",
            "prowess_gateway_call_duration_seconds_bucket{method=\"health\",le=\"0.001\"} 0\n",
            "prowess_gateway_call_duration_seconds_bucket{method=\"health\",le=\"0.005\"} 1\n",
            "prowess_gateway_call_duration_seconds_bucket{method=\"health\",le=\"5\"} 2\n",
            "prowess_gateway_call_duration_seconds_bucket{method=\"health\",le=\"+Inf\"} 2\n\
             prowess_gateway_call_duration_seconds_sum{method=\"health\"} 2.002\n\
             prowess_gateway_call_duration_seconds_count{method=\"health\"} 2\n",
        ] {
            assert!(text.contains(lines), "{lines}\n{text}");
        }
        assert!(metrics.text(Duration::ZERO).contains("prowess_gateway_clients 0\n"));
    }
}
