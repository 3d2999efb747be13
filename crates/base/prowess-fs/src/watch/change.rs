//! What a watcher reports: changes, and how well it can see them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// More paths than this in one batch mean "everything".
pub(super) const MAX_PATHS: usize = 4_096;

/// The reason why skills may have to be read anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeReason {
    /// A file or a folder changed.
    Watch,
    /// Somebody asked for it.
    Manual,
    /// Another machine came, went or changed.
    RemoteNode,
    /// A config file changed.
    ConfigChange,
    /// A change was found by comparing, because watching is not possible.
    WatchUnavailable,
}

/// Everything that changed within one debounce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchChange {
    /// The files and folders, links resolved; empty if [`Self::overflow`]. A folder that was not watched before stands
    /// for everything in it.
    pub paths: BTreeSet<PathBuf>,
    /// The [targets](super::WatchTarget) they belong to.
    pub targets: BTreeSet<PathBuf>,
    /// How it was noticed.
    pub reason: ChangeReason,
    /// Too much happened to name it: everything may have changed.
    pub overflow: bool,
}

impl WatchChange {
    pub(super) fn none(reason: ChangeReason) -> Self {
        Self { paths: BTreeSet::new(), targets: BTreeSet::new(), reason, overflow: false }
    }

    /// Returns true if it may be about a path: it names the path or a folder above it.
    pub fn is_about(&self, path: &Path) -> bool {
        self.overflow || path.ancestors().any(|place| self.paths.contains(place))
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.overflow && self.targets.is_empty()
    }

    /// Adds a path without ever growing beyond bounds.
    pub(super) fn note(&mut self, path: PathBuf) {
        if !self.overflow {
            self.paths.insert(path);
            self.bound();
        }
    }

    /// Adds what a later change says.
    pub(super) fn absorb(&mut self, later: Self) {
        self.paths.extend(later.paths);
        self.targets.extend(later.targets);
        self.overflow |= later.overflow;
        if later.reason == ChangeReason::WatchUnavailable {
            self.reason = later.reason;
        }
        self.bound();
    }

    fn bound(&mut self) {
        self.overflow |= self.paths.len() > MAX_PATHS;
        if self.overflow {
            self.paths.clear();
        }
    }
}

/// The method of noticing changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "mode")]
pub enum WatchMode {
    /// The system reports them.
    Watching,
    /// Files are compared at an interval; what the system still reports is used too.
    Polling {
        /// The reason.
        reason: String,
    },
    /// They are not.
    Off,
}

/// How well a watcher can see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// The method of noticing changes.
    #[serde(flatten)]
    pub mode: WatchMode,
    /// The number of folders that the system watches for us.
    pub directories: usize,
    /// How many it may.
    pub max_directories: usize,
    /// Targets that do not exist; their creation will be noticed.
    pub missing: Vec<PathBuf>,
    /// The number of times that so much happened at once that everything had to be looked at again.
    pub overflows: u64,
    /// The number of batches of changes that were reported.
    pub batches: u64,
}
