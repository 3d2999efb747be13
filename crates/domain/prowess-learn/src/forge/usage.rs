//! The promoted skills that are not used.

use prowess_sessions::{SessionFilter, Sessions};
use serde::Serialize;

use super::record::{DraftRecord, DraftStatus};
use super::{Forge, ForgeError};

/// The time without use after which a skill may go, in milliseconds: thirty days.
const IDLE: u64 = 30 * 24 * 60 * 60 * 1000;
/// Sessions that are looked at, the last ones.
const SESSIONS: usize = 1_000;

/// A promoted skill that may be retired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unused {
    /// Its name.
    pub name: String,
    /// When it was last used, in milliseconds since 1970; none if it never was.
    pub last_used: Option<u64>,
    /// For how many days nobody used it.
    pub idle_days: u64,
}

impl Forge<'_> {
    /// Promoted skills that no session used for thirty days, the longest idle first. Nothing happens to them.
    pub fn unused(&self, now: u64) -> Result<Vec<Unused>, ForgeError> {
        let promoted: Vec<DraftRecord> =
            self.list()?.into_iter().filter(|record| record.status == DraftStatus::Promoted).collect();
        let since = |record: &DraftRecord| record.current_version().map_or(now, |version| version.at);
        if promoted.iter().all(|record| now.saturating_sub(since(record)) < IDLE) {
            return Ok(Vec::new());
        }
        let filter = SessionFilter { limit: Some(SESSIONS), ..SessionFilter::default() };
        let sessions = Sessions::of(self.context).list(&filter);
        let runs = || sessions.iter().flat_map(|session| &session.summary.runs);
        let mut unused: Vec<Unused> = promoted
            .iter()
            .filter_map(|record| {
                let uses = runs().filter(|run| run.skills.contains(&record.name));
                let last_used = uses.map(|run| run.started).max();
                let idle = now.saturating_sub(last_used.unwrap_or_default().max(since(record)));
                let day = 24 * 60 * 60 * 1000;
                (idle >= IDLE).then(|| Unused { name: record.name.clone(), last_used, idle_days: idle / day })
            })
            .collect();
        unused.sort_by_key(|unused| std::cmp::Reverse(unused.idle_days));
        Ok(unused)
    }
}
