//! Lists of sessions for frequent callers: sessions that did not change on disk are not read again.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use prowess_fs::Stamp;
use prowess_types::IgnorePoison as _;

use super::{SessionFilter, SessionId, SessionListing, Sessions};

/// Remembers sessions as they were read. Lines are only ever added, so a file that looks the same is the same.
#[derive(Debug, Default)]
pub struct SessionCache(Mutex<HashMap<SessionId, (Stamp, SessionListing)>>);

impl Sessions {
    /// Returns the same as [`list`](Self::list), with as little reading as possible.
    pub fn list_with(&self, cache: &SessionCache, filter: &SessionFilter) -> Vec<SessionListing> {
        // A thread that panicked while holding it left whole entries.
        let mut known = cache.0.lock().ignore_poison();
        let ids = self.ids();
        let there: HashSet<&SessionId> = ids.iter().collect();
        known.retain(|id, _| there.contains(id));
        let listed = ids.into_iter().map(|id| {
            let stamp = prowess_fs::stamp(&self.file_of(&id)).ok().flatten();
            if let (Some(stamp), Some((then, listing))) = (&stamp, known.get(&id))
                && stamp == then
            {
                return listing.clone();
            }
            let listing = self.listing(id.clone());
            if let Some(stamp) = stamp {
                known.insert(id, (stamp, listing.clone()));
            }
            listing
        });
        let wanted = listed
            .filter(|listing| filter.agent.as_ref().is_none_or(|agent| listing.summary.agent == *agent));
        wanted.take(filter.limit.unwrap_or(usize::MAX)).collect()
    }
}
