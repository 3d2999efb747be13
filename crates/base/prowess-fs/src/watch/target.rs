//! What is watched, and how.

use std::path::PathBuf;
use std::time::Duration;

use crate::WalkRules;

/// Something to watch. It need not exist yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WatchTarget {
    /// Its absolute path, links not resolved.
    pub path: PathBuf,
    /// How much of it matters.
    pub reach: WatchReach,
}

/// How much of a target matters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WatchReach {
    /// The file itself.
    File,
    /// The folders down to a depth, and the Markdown and JSON files in them.
    Folders {
        /// How deep; 0 is the folder alone.
        depth: usize,
    },
    /// The skills that a walk with these rules finds.
    Skills {
        /// The rules of the walk.
        rules: Box<WalkRules>,
        /// Folders inside of a skill whose JSON files matter too.
        beside: &'static [&'static str],
    },
}

/// The way changes are noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WatchBackend {
    /// The system reports changes, as long as it can.
    #[default]
    Native,
    /// Files are compared at an interval.
    Polling,
    /// Changes are not noticed.
    Off,
}

/// Options of a watcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchOptions {
    /// The way changes are noticed.
    pub backend: WatchBackend,
    /// The quiet time before a change is reported. A stream that never ends is reported every four
    /// times as long.
    pub debounce: Duration,
    /// The maximum number of folders that are watched; beyond that, polling takes over.
    pub max_directories: usize,
    /// The interval at which files are compared when they cannot be watched.
    pub poll_interval: Duration,
    /// The interval at which the targets are compared with the ones that are watched, since no event reports
    /// when a folder far above was exchanged.
    pub check_interval: Duration,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            backend: WatchBackend::Native,
            debounce: Duration::from_millis(250),
            max_directories: 8_192,
            poll_interval: Duration::from_secs(2),
            check_interval: Duration::from_secs(5),
        }
    }
}
