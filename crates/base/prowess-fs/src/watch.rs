//! Noticing changes.
//!
//! A [`Watcher`] watches folders, never files, and only those that a [walk](crate::walk) would look into: one watch per
//! folder, not below the depth of the walk, none in `.git`, `node_modules` and their like, and never more than
//! [`WatchOptions::max_directories`]. What does not exist yet is watched through the nearest folder above that does. A
//! new folder is watched before it is read, so nothing that is put into it is missed. Where the system cannot watch,
//! files are compared at an interval instead, and [`Watcher::health`] says why.
//!
//! Invariants: whatever happens, memory and descriptors stay bounded; when events are lost, everything is looked at
//! again; a change is reported after the folders it brought are watched.
//!
//! What this module refuses to do: read the content of files, or decide what a change means.

mod change;
mod grid;
mod inbox;
mod names;
mod poll;
mod round;
mod support;
mod survey;
mod target;
mod worker;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

pub use change::{ChangeReason, Health, WatchChange, WatchMode};
pub use target::{WatchBackend, WatchOptions, WatchReach, WatchTarget};

use inbox::{Command, Inbox};
use prowess_types::IgnorePoison as _;
use worker::Worker;

/// Watches targets on a thread of its own, which ends with it.
///
/// ```
/// use std::time::Duration;
/// use prowess_fs::{WatchOptions, WatchReach, WatchTarget, Watcher};
/// let folder = tempfile::tempdir()?;
/// let target = WatchTarget { path: folder.path().join("a.json"), reach: WatchReach::File };
/// let options = WatchOptions { debounce: Duration::from_millis(20), ..WatchOptions::default() };
/// let watcher = Watcher::start(vec![target.clone()], options)?;
/// std::fs::write(&target.path, "{}")?;
/// let change = watcher.next(Duration::from_secs(60)).expect("a change");
/// assert!(change.targets.contains(&target.path));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Watcher {
    inbox: Arc<Inbox>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Starts to watch. When this returns, every later change will be reported. Fails only if there can be no thread.
    pub fn start(targets: Vec<WatchTarget>, options: WatchOptions) -> std::io::Result<Self> {
        let inbox = Arc::new(Inbox::new());
        let worker = Worker::new(Arc::clone(&inbox));
        let thread = std::thread::Builder::new().name("prowess-watch".to_owned()).spawn(|| worker.run())?;
        let watcher = Self { inbox, thread: Some(thread) };
        watcher.configure(targets, options);
        Ok(watcher)
    }

    /// Watches other targets, or in another way. When this returns, every later change will be reported.
    pub fn configure(&self, targets: Vec<WatchTarget>, options: WatchOptions) {
        self.ask(|done| Command::Configure { targets, options, done });
    }

    /// The next change, if one comes in time. None at once after [`Self::close`].
    pub fn next(&self, timeout: Duration) -> Option<WatchChange> {
        let state = self.inbox.lock();
        let (mut state, _) = self
            .inbox
            .ready
            .wait_timeout_while(state, timeout, |state| state.out.is_none() && !state.stop)
            .ignore_poison();
        state.out.take()
    }

    /// Those of the files about which more changes wait to be reported, or that somebody is writing at this moment.
    /// A file that was read before this call and is not among them was read whole.
    pub fn unsettled<'a>(&self, files: impl IntoIterator<Item = &'a Path>) -> BTreeSet<PathBuf> {
        let files = files.into_iter().map(Path::to_owned).collect();
        self.ask(|done| Command::Unsettled { files, done })
    }

    /// How well it can see.
    pub fn health(&self) -> Health {
        self.inbox.lock().health.clone()
    }

    /// Stops watching and wakes whoever waits for a change.
    pub fn close(&self) {
        self.inbox.lock().stop = true;
        self.inbox.work.notify_all();
        self.inbox.ready.notify_all();
    }

    /// Returns true if it was closed.
    pub fn is_closed(&self) -> bool {
        self.inbox.lock().stop
    }

    /// Hands a wish to the worker and waits for the answer.
    fn ask<T: Default>(&self, command: impl FnOnce(Sender<T>) -> Command) -> T {
        let (done, answer) = channel();
        let mut state = self.inbox.lock();
        if state.stop {
            return T::default();
        }
        state.commands.push(command(done));
        drop(state);
        self.inbox.work.notify_one();
        // An error means that the worker has ended, and with it every wish.
        answer.recv().unwrap_or_default()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.close();
        if let Some(thread) = self.thread.take() {
            // A panic of the worker was reported on its own thread.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher").field("health", &self.health()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
