//! A program together with everything it started.

use std::sync::atomic::{AtomicBool, Ordering};

/// How a group is told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// It may put its things in order.
    Terminate,
    /// It may not.
    Kill,
}

/// What belongs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// A process group.
    Group,
    /// A session with its terminal, in which an interactive shell makes a group for every command.
    #[cfg(unix)]
    Session,
}

/// A process group that does not outlive this value.
#[derive(Debug)]
pub(crate) struct Group {
    leader: u32,
    extent: Extent,
    is_over: AtomicBool,
}

impl Group {
    pub(crate) fn new(leader: u32, extent: Extent) -> Self {
        Self { leader, extent, is_over: AtomicBool::new(false) }
    }

    /// Sends a signal to everybody in it.
    pub(crate) fn signal(&self, signal: Signal) {
        // A number that is free again may already belong to somebody else.
        if !self.is_over.load(Ordering::Acquire) {
            send(self.leader, self.extent, signal);
        }
    }

    /// Ends whoever is left, once and for all.
    pub(crate) fn end(&self) {
        if !self.is_over.swap(true, Ordering::AcqRel) {
            send(self.leader, self.extent, Signal::Kill);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(unix)]
fn send(leader: u32, extent: Extent, signal: Signal) {
    use rustix::process::{self, Pid};
    let Some(leader) = i32::try_from(leader).ok().and_then(Pid::from_raw) else { return };
    let signal = match signal {
        Signal::Terminate => process::Signal::TERM,
        Signal::Kill => process::Signal::KILL,
    };
    // Whoever is gone already needs no signal.
    let _ = process::kill_process_group(leader, signal);
    if extent == Extent::Session {
        for member in session_members(leader) {
            let _ = process::kill_process(member, signal);
        }
    }
}

/// Ending the program itself is left to its handle: groups are a notion of Unix.
#[cfg(not(unix))]
fn send(_leader: u32, _extent: Extent, _signal: Signal) {}

#[cfg(target_os = "linux")]
fn session_members(leader: rustix::process::Pid) -> Vec<rustix::process::Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let member = rustix::process::Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
            let status = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // The name, in parentheses, may have anything in it; then come state, parent, group, session.
            let session: i32 = status.rsplit(')').next()?.split_whitespace().nth(3)?.parse().ok()?;
            (session == leader.as_raw_nonzero().get()).then_some(member)
        })
        .collect()
}

/// Elsewhere the terminal's hang-up reaches them.
#[cfg(all(unix, not(target_os = "linux")))]
fn session_members(_leader: rustix::process::Pid) -> Vec<rustix::process::Pid> {
    Vec::new()
}
