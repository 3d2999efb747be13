//! The thread that turns events into changes.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::change::{ChangeReason, WatchChange, WatchMode};
use super::grid::Grid;
use super::inbox::{Command, Fresh, Inbox, State, WRITE_PATIENCE, Weight};
use super::poll::Poll;
use super::target::{WatchBackend, WatchOptions};

/// A stream of changes that never ends is reported after so many debounces.
const MOST_DEBOUNCES: u32 = 4;
/// The shortest time between two looks at the folders of a target.
const BREATH: Duration = Duration::from_millis(10);
/// The shortest time between two looks at everything after events were lost.
const LONG_BREATH: Duration = Duration::from_secs(1);

pub(super) struct Worker {
    inbox: Arc<Inbox>,
    grid: Grid,
    options: WatchOptions,
    poll: Option<Poll>,
    /// When the first change of the batch came.
    batch_since: Option<Instant>,
    next_look: Instant,
    next_rescan: Instant,
    next_poll: Instant,
    next_check: Instant,
}

impl Worker {
    pub(super) fn new(inbox: Arc<Inbox>) -> Self {
        let options = WatchOptions { backend: WatchBackend::Off, ..WatchOptions::default() };
        let now = Instant::now();
        Self {
            grid: Grid::new(Arc::clone(&inbox), Vec::new(), options),
            inbox,
            options,
            poll: None,
            batch_since: None,
            next_look: now,
            next_rescan: now,
            next_poll: now,
            next_check: now,
        }
    }

    pub(super) fn run(mut self) {
        let inbox = Arc::clone(&self.inbox);
        loop {
            let mut state = inbox.lock();
            if state.stop {
                return;
            }
            let commands = std::mem::take(&mut state.commands);
            if !commands.is_empty() {
                drop(state);
                for command in commands {
                    self.obey(command);
                }
                continue;
            }
            let now = Instant::now();
            give_up_waiting(&mut state, now);
            let may_look = now >= if state.fresh.overflow { self.next_rescan } else { self.next_look };
            if may_look && (state.fresh.overflow || !state.fresh.paths.is_empty()) {
                let fresh = std::mem::take(&mut state.fresh);
                drop(state);
                self.work_on(fresh);
                continue;
            }
            if self.is_due(&state, now) {
                self.emit(&mut state);
                continue;
            }
            if self.options.backend != WatchBackend::Off && now >= self.next_check {
                drop(state);
                self.check();
                continue;
            }
            if self.poll.is_some() && now >= self.next_poll {
                drop(state);
                self.poll();
                continue;
            }
            match self.next_deadline(&state, now) {
                Some(duration) => {
                    let _woken = inbox.work.wait_timeout(state, duration);
                }
                None => {
                    let _woken = inbox.work.wait(state);
                }
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Configure { targets, options, done } => {
                let targets = if options.backend == WatchBackend::Off { Vec::new() } else { targets };
                if options == self.options {
                    self.grid.retarget(targets);
                    // Whoever asked looks at everything that is new.
                    self.grid.entered();
                    if self.grid.degraded.is_some() {
                        self.look_at_everything();
                    }
                } else {
                    self.grid = Grid::new(Arc::clone(&self.inbox), targets, options);
                    self.options = options;
                    self.look_at_everything();
                }
                self.report_health();
                // Whoever asked may be gone.
                let _ = done.send(());
            }
            Command::Unsettled { files, done } => {
                self.grid.barrier();
                let _ = done.send(self.inbox.unsettled(files));
            }
        }
    }

    /// Watches everything that can be watched; compares where that is not enough.
    fn look_at_everything(&mut self) {
        if self.options.backend == WatchBackend::Off {
            self.poll = None;
            return;
        }
        let looks = self.grid.refresh_all();
        // Whoever asked for this looks at everything too.
        self.grid.entered();
        self.poll = self.grid.degraded.is_some().then(|| Poll::begin(looks));
        let now = Instant::now();
        self.next_poll = now + self.options.poll_interval;
        self.next_check = now + self.options.check_interval;
    }

    fn work_on(&mut self, fresh: Fresh) {
        let started = Instant::now();
        if fresh.overflow {
            self.start_over();
            self.next_rescan = Instant::now() + LONG_BREATH;
        } else {
            self.take_in(fresh.paths);
        }
        // A look at many folders takes long, so the next one waits longer.
        self.next_look = Instant::now() + BREATH.max(started.elapsed() * 3);
        self.report_health();
    }

    /// After events were lost nothing is known any more.
    fn start_over(&mut self) {
        let targets = self.grid.targets().cloned().collect();
        self.grid = Grid::new(Arc::clone(&self.inbox), targets, self.options);
        self.look_at_everything();
        let mut change = WatchChange::none(ChangeReason::Watch);
        change.overflow = true;
        change.targets = self.grid.targets().map(|target| target.path.clone()).collect();
        self.add(change);
        self.inbox.lock().health.overflows += 1;
    }

    fn take_in(&mut self, paths: HashMap<PathBuf, Weight>) {
        let mut change = WatchChange::none(ChangeReason::Watch);
        let mut concerned = BTreeSet::new();
        let mut moved = BTreeSet::new();
        let mut suspects = BTreeSet::new();
        for (path, weight) in paths {
            let targets = self.grid.concerned(&path);
            if targets.is_empty() {
                continue;
            }
            if weight == Weight::Structure {
                moved.extend(targets.iter().copied());
                suspects.insert(path.clone());
            }
            concerned.extend(targets);
            change.note(path);
        }
        let was_watching = self.grid.degraded.is_none();
        for target in moved {
            self.grid.refresh(target, &suspects);
        }
        for folder in self.grid.entered() {
            change.note(folder);
        }
        if was_watching && self.grid.degraded.is_some() {
            self.look_at_everything();
        }
        change.targets = concerned.into_iter().filter_map(|target| self.grid.path_of(target)).collect();
        self.add(change);
    }

    /// Notices what no event tells.
    fn check(&mut self) {
        self.next_check = Instant::now() + self.options.check_interval;
        let exchanged = self.grid.exchanged();
        if exchanged.is_empty() {
            return;
        }
        let mut change = WatchChange::none(ChangeReason::Watch);
        for target in exchanged {
            self.grid.refresh(target, &BTreeSet::new());
            if let Some(path) = self.grid.path_of(target) {
                change.note(path.clone());
                change.targets.insert(path);
            }
        }
        for folder in self.grid.entered() {
            change.note(folder);
        }
        self.add(change);
        self.report_health();
    }

    fn poll(&mut self) {
        self.next_poll = Instant::now() + self.options.poll_interval;
        let looks = self.grid.refresh_all();
        // Comparing finds what happened in new folders, too.
        self.grid.entered();
        let Some(poll) = &mut self.poll else { return };
        let mut change = WatchChange::none(ChangeReason::WatchUnavailable);
        for (target, path) in poll.compare(looks) {
            change.targets.extend(self.grid.path_of(target));
            change.note(path);
        }
        if self.grid.degraded.is_none() {
            // From here on events tell; what happened since the last two looks is looked at once more.
            self.poll = None;
            change.overflow = true;
            change.targets = self.grid.targets().map(|target| target.path.clone()).collect();
        }
        self.add(change);
        self.report_health();
    }

    fn add(&mut self, change: WatchChange) {
        if change.is_empty() {
            return;
        }
        let now = Instant::now();
        self.batch_since.get_or_insert(now);
        let mut state = self.inbox.lock();
        state.last_event.get_or_insert(now);
        match &mut state.batch {
            Some(batch) => batch.absorb(change),
            None => state.batch = Some(change),
        }
    }

    /// When the batch is reported: after a debounce of silence, or when it has waited long enough.
    fn due(&self, state: &State) -> Option<Instant> {
        let since = self.batch_since.filter(|_| state.batch.is_some())?;
        let quiet = state.last_event.unwrap_or(since).max(since) + self.options.debounce;
        Some(quiet.min(since + self.options.debounce * MOST_DEBOUNCES))
    }

    fn is_due(&self, state: &State, now: Instant) -> bool {
        self.due(state).is_some_and(|due| now >= due)
    }

    fn emit(&mut self, state: &mut State) {
        self.batch_since = None;
        let Some(batch) = state.batch.take() else { return };
        match &mut state.out {
            Some(out) => out.absorb(batch),
            None => state.out = Some(batch),
        }
        state.health.batches += 1;
        self.inbox.ready.notify_all();
    }

    fn next_deadline(&self, state: &State, now: Instant) -> Option<Duration> {
        let is_off = self.options.backend == WatchBackend::Off;
        let look = (!state.fresh.paths.is_empty()).then_some(self.next_look);
        let rescan = state.fresh.overflow.then_some(self.next_rescan);
        let patience = state.open.values().min().map(|since| *since + WRITE_PATIENCE);
        let poll = self.poll.as_ref().map(|_| self.next_poll);
        let check = (!is_off).then_some(self.next_check);
        let deadlines = [look, rescan, patience, poll, check, self.due(state)];
        deadlines.into_iter().flatten().min().map(|deadline| deadline.saturating_duration_since(now))
    }

    fn report_health(&self) {
        let mode = match (self.options.backend, &self.grid.degraded) {
            (WatchBackend::Off, _) => WatchMode::Off,
            (_, Some(reason)) => WatchMode::Polling { reason: reason.clone() },
            _ => WatchMode::Watching,
        };
        let mut state = self.inbox.lock();
        state.health.mode = mode;
        state.health.directories = self.grid.directories();
        state.health.max_directories = self.options.max_directories;
        state.health.missing = self.grid.missing();
    }
}

/// A writer that neither writes nor closes does not hold up its file for ever.
fn give_up_waiting(state: &mut State, now: Instant) {
    let is_late = |since: &Instant| now.duration_since(*since) >= WRITE_PATIENCE;
    let late: Vec<PathBuf> =
        state.open.iter().filter(|(_, since)| is_late(since)).map(|(path, _)| path.clone()).collect();
    for path in late {
        state.open.remove(&path);
        if !state.fresh.overflow {
            state.fresh.paths.entry(path).or_insert(Weight::Content);
        }
    }
}

/// Whoever waits for a worker that has ended, whatever the cause, is let go.
impl Drop for Worker {
    fn drop(&mut self) {
        let mut state = self.inbox.lock();
        state.stop = true;
        state.commands.clear();
        drop(state);
        self.inbox.ready.notify_all();
    }
}
