//! Where events arrive, and where changes leave.
//!
//! The system's events come on a thread of their own, faster than anybody reads them. Here they are reduced to the few
//! that can matter, and kept within bounds. One lock guards everything that is waiting, and nobody holds it while
//! doing anything slow.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};

use notify::event::{
    AccessKind, AccessMode, CreateKind, Event, EventKind, ModifyKind, RemoveKind, RenameMode,
};
use prowess_types::IgnorePoison as _;

use super::change::{Health, MAX_PATHS, WatchChange, WatchMode};
use super::names::{is_ignored, is_skill_file, is_text};
use super::target::{WatchOptions, WatchTarget};
use crate::platform::{self, Kind};

/// A file that was written and not closed is believed complete after this long without another write.
pub(super) const WRITE_PATIENCE: Duration = Duration::from_secs(5);
/// So many half-written files are remembered.
const MAX_OPEN: usize = 1_024;

/// Something the owner of the watcher wants.
pub(super) enum Command {
    Configure { targets: Vec<WatchTarget>, options: WatchOptions, done: Sender<()> },
    Unsettled { files: Vec<PathBuf>, done: Sender<BTreeSet<PathBuf>> },
}

/// Events that were not yet worked on.
#[derive(Default)]
pub(super) struct Fresh {
    /// What happened to which path.
    pub(super) paths: HashMap<PathBuf, Weight>,
    /// The system lost events, or there were too many to keep.
    pub(super) overflow: bool,
}

/// What an event may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// The content of a file.
    Content,
    /// Which folders there are.
    Structure,
}

pub(super) struct State {
    pub(super) fresh: Fresh,
    /// When the last event that matters came.
    pub(super) last_event: Option<Instant>,
    /// Waits for the debounce.
    pub(super) batch: Option<WatchChange>,
    /// Waits to be taken.
    pub(super) out: Option<WatchChange>,
    /// Files that somebody is writing, with the time of the last write.
    pub(super) open: HashMap<PathBuf, Instant>,
    pub(super) commands: Vec<Command>,
    pub(super) stop: bool,
    pub(super) health: Health,
}

/// The meeting place of the system, the worker and the owner.
pub(super) struct Inbox {
    state: Mutex<State>,
    pub(super) work: Condvar,
    pub(super) ready: Condvar,
    /// Folders, links and missing targets: events about these paths matter, whatever they are called.
    known: RwLock<HashSet<PathBuf>>,
}

impl Inbox {
    pub(super) fn new() -> Self {
        let health = Health {
            mode: WatchMode::Off,
            directories: 0,
            max_directories: 0,
            missing: Vec::new(),
            overflows: 0,
            batches: 0,
        };
        let state = State {
            fresh: Fresh::default(),
            last_event: None,
            batch: None,
            out: None,
            open: HashMap::new(),
            commands: Vec::new(),
            stop: false,
            health,
        };
        Self {
            state: Mutex::new(state),
            work: Condvar::new(),
            ready: Condvar::new(),
            known: RwLock::new(HashSet::new()),
        }
    }

    /// A thread that panicked left nothing half done: every change under the lock is one assignment.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().ignore_poison()
    }

    pub(super) fn learn(&self, path: PathBuf) {
        self.known.write().ignore_poison().insert(path);
    }

    pub(super) fn forget(&self, path: &Path) {
        self.known.write().ignore_poison().remove(path);
    }

    pub(super) fn forget_all(&self) {
        self.known.write().ignore_poison().clear();
    }

    fn is_known(&self, path: &Path) -> bool {
        self.known.read().ignore_poison().contains(path)
    }

    /// Takes what the system says.
    pub(super) fn receive(&self, event: notify::Result<Event>) {
        let event = match event {
            Ok(event) if !event.need_rescan() => event,
            // Whatever was lost can only be found by looking.
            _ => return self.overflow(),
        };
        if is_repeated(event.kind) {
            return;
        }
        for path in event.paths {
            let weight = self.weigh(&path, event.kind);
            self.track_writer(&path, event.kind);
            if let Some(weight) = weight {
                self.note(path, weight);
            }
        }
    }

    fn overflow(&self) {
        let mut state = self.lock();
        state.fresh.paths.clear();
        state.fresh.overflow = true;
        state.last_event = Some(Instant::now());
        drop(state);
        self.work.notify_one();
    }

    pub(super) fn note(&self, path: PathBuf, weight: Weight) {
        let mut state = self.lock();
        state.last_event = Some(Instant::now());
        if state.fresh.overflow {
            return;
        }
        let heaviest = state.fresh.paths.entry(path).or_insert(weight);
        *heaviest = weight.max(*heaviest);
        if state.fresh.paths.len() > MAX_PATHS {
            state.fresh.paths.clear();
            state.fresh.overflow = true;
        }
        drop(state);
        self.work.notify_one();
    }

    /// What an event can change; none if it cannot matter.
    fn weigh(&self, path: &Path, kind: EventKind) -> Option<Weight> {
        let moves = matches!(
            kind,
            EventKind::Create(_)
                | EventKind::Remove(_)
                | EventKind::Modify(ModifyKind::Name(_))
                | EventKind::Any
        );
        if self.is_known(path) {
            return Some(if moves { Weight::Structure } else { Weight::Content });
        }
        let name = path.file_name()?;
        if is_ignored(name) {
            return None;
        }
        if is_text(name) {
            return Some(if moves && is_skill_file(name) { Weight::Structure } else { Weight::Content });
        }
        let is_folder_gone = matches!(kind, EventKind::Remove(RemoveKind::Folder));
        let may_be_new = match kind {
            EventKind::Create(CreateKind::Folder) => return Some(Weight::Structure),
            EventKind::Modify(ModifyKind::Name(RenameMode::From)) | EventKind::Remove(_) => false,
            _ => moves,
        };
        let is_folder_or_link = || matches!(platform::examine(path), Ok(Some(meta)) if matches!(meta.kind, Kind::Folder | Kind::Link));
        (is_folder_gone || may_be_new && is_folder_or_link()).then_some(Weight::Structure)
    }

    /// Only Linux tells when a writer has finished.
    fn track_writer(&self, path: &Path, kind: EventKind) {
        if !cfg!(target_os = "linux") || !path.file_name().is_some_and(is_text) {
            return;
        }
        let mut state = self.lock();
        if matches!(kind, EventKind::Modify(ModifyKind::Data(_))) {
            if state.open.len() < MAX_OPEN || state.open.contains_key(path) {
                state.open.insert(path.to_owned(), Instant::now());
            }
        } else if !matches!(kind, EventKind::Modify(ModifyKind::Metadata(_)) | EventKind::Create(_)) {
            state.open.remove(path);
        }
    }

    /// Those of the files about which more news waits, or which somebody is still writing. Only the worker may ask:
    /// what it is working on waits nowhere.
    pub(super) fn unsettled(&self, files: Vec<PathBuf>) -> BTreeSet<PathBuf> {
        let state = self.lock();
        let waits = |change: &Option<WatchChange>, file: &Path| {
            change.as_ref().is_some_and(|change| change.is_about(file))
        };
        let is_unsettled = |file: &PathBuf| {
            state.fresh.overflow
                || state.fresh.paths.contains_key(file)
                || state.open.contains_key(file)
                || waits(&state.batch, file)
                || waits(&state.out, file)
        };
        files.into_iter().filter(is_unsettled).collect()
    }
}

/// Events that say nothing, or say again what another one said.
fn is_repeated(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access != AccessKind::Close(AccessMode::Write),
        EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => true,
        _ => false,
    }
}
