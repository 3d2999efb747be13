//! The state of the automations of a gateway.

use prowess::Engine;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::schedule::Zone;
use crate::runs::RunView;

/// Keeps the automations of a gateway.
#[derive(Debug, Default)]
pub(crate) struct Cron {
    pub(crate) changed: Notify,
    pub(crate) stopped: CancellationToken,
}

/// The outcome of a request to run a job now.
#[derive(Debug)]
pub(crate) enum Manual {
    /// It runs.
    Started(Box<RunView>),
    /// It runs already.
    Running,
    /// It is not due, and was to run only if it is.
    NotDue,
}

/// The time zone of schedules that name none: `TZ`, else that of the machine.
pub(crate) fn zone(engine: &Engine) -> Zone {
    let named = engine.env().trimmed("TZ").and_then(|name| jiff::tz::TimeZone::get(name).ok());
    Zone(named.unwrap_or_else(jiff::tz::TimeZone::system))
}

impl Cron {
    pub(crate) fn stop(&self) {
        self.stopped.cancel();
    }
}
