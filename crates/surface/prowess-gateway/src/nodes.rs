//! What other machines report: which platform they are, and which programs they have.
//!
//! A report is good for [`FACTS_MS`]; a node that stays repeats it. When a node's connection ends, its report is good
//! for [`GRACE_MS`] more, so that a short interruption changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

use prowess_types::{IgnorePoison as _, RemoteNode};
use tokio::sync::Notify;

/// The lifetime of a report.
pub(crate) const FACTS_MS: u64 = 300_000;
/// Its lifetime after the node disconnected.
pub(crate) const GRACE_MS: u64 = 30_000;
/// Maximum number of nodes; the one with the oldest report is dropped.
const MAX_NODES: usize = 64;

/// What nodes reported, by their device.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    reports: Mutex<BTreeMap<String, Report>>,
    changed: Notify,
}

/// What one node reported.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// Its name for people.
    pub(crate) name: String,
    pub(crate) platform: String,
    pub(crate) bins: BTreeSet<String>,
    pub(crate) expires_ms: u64,
    /// The connection it came on; none once that is over.
    pub(crate) connection: Option<String>,
}

impl Report {
    fn remote(&self) -> RemoteNode {
        let Self { name, platform, bins, .. } = self;
        let note =
            format!("Node {name} ({platform}) is connected: programs that are missing here may be there.");
        RemoteNode { platform: platform.clone(), bins: bins.clone(), note: Some(note) }
    }
}

impl Nodes {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Report>> {
        self.reports.lock().ignore_poison()
    }

    /// A node reported.
    pub(crate) fn report(&self, device: String, report: Report) {
        let mut reports = self.lock();
        if reports.len() >= MAX_NODES && !reports.contains_key(&device) {
            let oldest = reports.iter().min_by_key(|(_, report)| report.expires_ms).map(|(id, _)| id.clone());
            oldest.map(|id| reports.remove(&id));
        }
        reports.insert(device, report);
        drop(reports);
        self.changed.notify_one();
    }

    /// A connection ended; it may have been a node's.
    pub(crate) fn left(&self, connection: &str, now_ms: u64) {
        for report in self.lock().values_mut() {
            if report.connection.as_deref() == Some(connection) {
                report.connection = None;
                report.expires_ms = report.expires_ms.min(now_ms + GRACE_MS);
            }
        }
    }

    /// Forgets reports that are too old.
    pub(crate) fn expire(&self, now_ms: u64) {
        let mut reports = self.lock();
        let before = reports.len();
        reports.retain(|_, report| report.expires_ms > now_ms);
        if reports.len() != before {
            drop(reports);
            self.changed.notify_one();
        }
    }

    /// Forgets a node.
    pub(crate) fn forget(&self, device: &str) {
        if self.lock().remove(device).is_some() {
            self.changed.notify_one();
        }
    }

    /// Waits until something changed.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Every node, by its device.
    pub(crate) fn list(&self) -> Vec<(String, Report)> {
        self.lock().iter().map(|(device, report)| (device.clone(), report.clone())).collect()
    }

    /// What skills may count on.
    pub(crate) fn remotes(&self) -> Vec<RemoteNode> {
        self.lock().values().map(Report::remote).collect()
    }
}
