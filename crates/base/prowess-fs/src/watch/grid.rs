//! The folders that are watched for the targets, and nothing but these.
//!
//! A target is watched from two sides: from above, by the folder it lies in (or the nearest one that exists), which
//! notices when the target comes, goes or is exchanged; and from inside, by the folders that a survey finds.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::inbox::Inbox;
use super::round::{Needs, Round};
use super::support::silent_file_system;
use super::survey::survey;
use super::target::{WatchBackend, WatchOptions, WatchTarget};
use crate::{Stamp, platform};

/// A folder, whatever its path.
type Identity = (u64, u64);

/// What a target is made of: enough to see that it is no longer the same.
pub(super) type Stamps = BTreeMap<PathBuf, Option<Stamp>>;

/// A target, and what it was when it was last looked at.
struct Watched {
    target: WatchTarget,
    identity: Option<Identity>,
}

struct Node {
    identity: Identity,
    /// Targets for which everything in the folder matters.
    inside: BTreeSet<usize>,
    /// Targets for which only one name in it matters.
    above: BTreeSet<usize>,
}

pub(super) struct Grid {
    inbox: Arc<Inbox>,
    /// By number; a number is never used again.
    targets: BTreeMap<usize, Watched>,
    next_number: usize,
    options: WatchOptions,
    system: Option<RecommendedWatcher>,
    nodes: BTreeMap<PathBuf, Node>,
    /// Paths outside of surveyed folders that decide what a target is: the target itself or a folder above it, and
    /// links inside of it.
    doors: BTreeMap<PathBuf, BTreeSet<usize>>,
    /// Folders that are watched since somebody last asked.
    entered: Vec<PathBuf>,
    /// Why not everything is watched.
    pub(super) degraded: Option<String>,
}

impl Grid {
    pub(super) fn new(inbox: Arc<Inbox>, targets: Vec<WatchTarget>, options: WatchOptions) -> Self {
        inbox.forget_all();
        let mut grid = Self {
            inbox,
            targets: BTreeMap::new(),
            next_number: 0,
            options,
            system: None,
            nodes: BTreeMap::new(),
            doors: BTreeMap::new(),
            entered: Vec::new(),
            degraded: None,
        };
        grid.connect();
        for target in targets {
            grid.add(target);
        }
        grid
    }

    fn connect(&mut self) {
        match self.options.backend {
            WatchBackend::Off => {}
            WatchBackend::Polling => self.degraded = Some("polling was asked for".to_owned()),
            WatchBackend::Native => {
                let inbox = Arc::clone(&self.inbox);
                match notify::recommended_watcher(move |event| inbox.receive(event)) {
                    Ok(system) => self.system = Some(system),
                    Err(error) => self.degraded = Some(describe(&error)),
                }
            }
        }
    }

    fn add(&mut self, target: WatchTarget) -> usize {
        let number = self.next_number;
        self.next_number += 1;
        self.targets.insert(number, Watched { target, identity: None });
        number
    }

    /// Exchanges the targets. Those that stay are not looked at again.
    pub(super) fn retarget(&mut self, targets: Vec<WatchTarget>) {
        let mut gone: HashMap<WatchTarget, usize> =
            self.targets.iter().map(|(number, watched)| (watched.target.clone(), *number)).collect();
        let new: Vec<WatchTarget> =
            targets.into_iter().filter(|target| gone.remove(target).is_none()).collect();
        for number in gone.into_values() {
            self.targets.remove(&number);
            self.release(number, &Needs::default());
        }
        for target in new {
            let number = self.add(target);
            self.look(number, &BTreeSet::new());
        }
        self.sweep();
    }

    /// The targets.
    pub(super) fn targets(&self) -> impl Iterator<Item = &WatchTarget> {
        self.targets.values().map(|watched| &watched.target)
    }

    /// The path of a target.
    pub(super) fn path_of(&self, number: usize) -> Option<PathBuf> {
        self.targets.get(&number).map(|watched| watched.target.path.clone())
    }

    pub(super) fn directories(&self) -> usize {
        if self.system.is_some() { self.nodes.len() } else { 0 }
    }

    pub(super) fn missing(&self) -> Vec<PathBuf> {
        let missing = self.targets.values().filter(|watched| watched.identity.is_none());
        missing.map(|watched| watched.target.path.clone()).collect()
    }

    /// The targets that a path belongs to.
    pub(super) fn concerned(&self, path: &Path) -> BTreeSet<usize> {
        let mut concerned = self.doors.get(path).cloned().unwrap_or_default();
        if let Some(node) = self.nodes.get(path) {
            concerned.extend(node.inside.iter().chain(&node.above));
        }
        if let Some(node) = path.parent().and_then(|parent| self.nodes.get(parent)) {
            concerned.extend(&node.inside);
        }
        concerned
    }

    /// Folders that are watched since the last time this was asked; what happened in them before was not reported.
    pub(super) fn entered(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.entered)
    }

    /// The targets that have become something else without an event.
    pub(super) fn exchanged(&self) -> Vec<usize> {
        let is_exchanged = |watched: &Watched| identity_of(&watched.target.path) != watched.identity;
        self.targets.iter().filter(|(_, watched)| is_exchanged(watched)).map(|(number, _)| *number).collect()
    }

    /// Looks at every target again; what could not be watched before is tried again.
    pub(super) fn refresh_all(&mut self) -> BTreeMap<usize, Stamps> {
        self.degraded = None;
        if self.system.is_none() {
            self.connect();
        }
        let numbers: Vec<usize> = self.targets.keys().copied().collect();
        let looks = numbers.into_iter().map(|number| (number, self.look(number, &BTreeSet::new()))).collect();
        self.sweep();
        looks
    }

    /// Looks at a target again. Watches at `suspects` and below may be gone although their folders are there.
    pub(super) fn refresh(&mut self, target: usize, suspects: &BTreeSet<PathBuf>) {
        self.look(target, suspects);
        self.sweep();
    }

    fn look(&mut self, target: usize, suspects: &BTreeSet<PathBuf>) -> Stamps {
        let gone: Vec<PathBuf> = self
            .nodes
            .iter()
            .filter(|(_, node)| node.inside.contains(&target) || node.above.contains(&target))
            .filter(|(path, node)| {
                path.ancestors().any(|above| suspects.contains(above))
                    || identity_of(path) != Some(node.identity)
            })
            .map(|(path, _)| path.clone())
            .collect();
        // Before anything is added: a folder that was renamed is the same folder to the system, and taking away its
        // old name later would take the new one too.
        let mut others = BTreeSet::new();
        for path in gone {
            if let Some(node) = self.drop_node(&path) {
                others.extend(node.inside.into_iter().chain(node.above).filter(|other| *other != target));
            }
        }
        let stamps = self.survey(target);
        for other in others {
            self.survey(other);
        }
        stamps
    }

    fn survey(&mut self, target: usize) -> Stamps {
        let Some(watched) = self.targets.get(&target) else { return Stamps::new() };
        let WatchTarget { path, reach } = watched.target.clone();
        let mut round = Round::new(self, target);
        round.approach(&path);
        let identity = identity_of(&path);
        if identity.is_some()
            && let Ok(real) = path.canonicalize()
        {
            if let Some(name) = silent_file_system(&real) {
                let reason = format!("`{}` is on {name}, which does not report changes", path.display());
                round.grid.degraded = Some(reason);
            }
            survey(&real, &reach, &mut round);
        }
        let Round { needs, stamps, .. } = round;
        if let Some(watched) = self.targets.get_mut(&target) {
            watched.identity = identity;
        }
        self.release(target, &needs);
        stamps
    }

    /// A target no longer needs anything but this.
    fn release(&mut self, target: usize, needs: &Needs) {
        for (path, node) in &mut self.nodes {
            if !needs.inside.contains(path) {
                node.inside.remove(&target);
            }
            if !needs.above.contains(path) {
                node.above.remove(&target);
            }
        }
        for (path, targets) in &mut self.doors {
            if !needs.doors.contains(path) {
                targets.remove(&target);
            }
        }
    }

    /// Lets go of what no target needs.
    fn sweep(&mut self) {
        let is_idle = |node: &Node| node.inside.is_empty() && node.above.is_empty();
        let idle: Vec<PathBuf> =
            self.nodes.iter().filter(|(_, node)| is_idle(node)).map(|(path, _)| path.clone()).collect();
        for path in idle {
            self.drop_node(&path);
        }
        let shut: Vec<PathBuf> = self
            .doors
            .iter()
            .filter(|(_, targets)| targets.is_empty())
            .map(|(path, _)| path.clone())
            .collect();
        for path in shut {
            self.doors.remove(&path);
            if !self.nodes.contains_key(&path) {
                self.inbox.forget(&path);
            }
        }
    }

    fn drop_node(&mut self, path: &Path) -> Option<Node> {
        let node = self.nodes.remove(path)?;
        if !self.doors.contains_key(path) {
            self.inbox.forget(path);
        }
        if let Some(system) = &mut self.system {
            // The system forgets a folder that was removed by itself.
            let _ = system.unwatch(path);
        }
        Some(node)
    }

    /// The node of a folder, watched from now on.
    fn node(&mut self, path: &Path) -> Option<&mut Node> {
        if !self.nodes.contains_key(path) {
            if let Some(system) = &mut self.system {
                if self.nodes.len() >= self.options.max_directories {
                    let most = self.options.max_directories;
                    self.degraded = Some(format!("more than {most} folders would have to be watched"));
                    return None;
                }
                self.inbox.learn(path.to_owned());
                if let Err(error) = system.watch(path, RecursiveMode::NonRecursive) {
                    self.inbox.forget(path);
                    // What is gone or closed to this user has no skills to miss.
                    if !is_absent(&error) {
                        self.degraded = Some(describe(&error));
                    }
                    return None;
                }
            }
            let Some(identity) = identity_of(path) else {
                self.inbox.forget(path);
                return None;
            };
            self.nodes
                .insert(path.to_owned(), Node { identity, inside: BTreeSet::new(), above: BTreeSet::new() });
        }
        self.nodes.get_mut(path)
    }

    /// Events about a path matter for a target, whatever its name.
    pub(super) fn open_door(&mut self, path: &Path, target: usize) {
        self.inbox.learn(path.to_owned());
        self.doors.entry(path.to_owned()).or_default().insert(target);
    }

    /// Everything in a folder matters for a target. Tells whether the folder is watched.
    pub(super) fn watch_inside(&mut self, path: &Path, target: usize) -> bool {
        self.node(path).map(|node| node.inside.insert(target)).is_some()
    }

    /// The doors in a folder matter for a target. Tells whether the folder is watched.
    pub(super) fn watch_above(&mut self, path: &Path, target: usize) -> bool {
        self.node(path).map(|node| node.above.insert(target)).is_some()
    }

    /// Returns when every event of the past has arrived in the inbox.
    ///
    /// Requests and events reach the system's thread by one queue of wake-ups. A request may overtake events that woke
    /// the thread together with it, but those are delivered before the next request is looked at.
    pub(super) fn barrier(&mut self) {
        if let (Some(system), Some((path, _))) = (&mut self.system, self.nodes.first_key_value()) {
            for _ in 0..2 {
                let _ = system.watch(path, RecursiveMode::NonRecursive);
            }
        }
    }
}

pub(super) fn identity_of(path: &Path) -> Option<Identity> {
    platform::follow(path).ok().map(|meta| (meta.stamp.device, meta.stamp.inode))
}

fn is_absent(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => {
            platform::is_missing(error) || error.kind() == std::io::ErrorKind::PermissionDenied
        }
        _ => false,
    }
}

fn describe(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => {
            "the system's limit of watched folders is reached (`fs.inotify.max_user_watches`)".to_owned()
        }
        ErrorKind::Io(error) => format!("the system cannot watch folders: {error}"),
        _ => format!("the system cannot watch folders: {error}"),
    }
}
