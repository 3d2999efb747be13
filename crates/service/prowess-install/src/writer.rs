//! The right to change what is installed: one holder at a time, and nothing half done by an earlier one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_fs::Lock;
use prowess_types::{Bundle, BundleFile};

use crate::disk;
use crate::journal::{self, Change, Ended, Journal, Mirrored, Recovered, read_mirror};
use crate::lock::{LockEntry, LockFile, Pin};
use crate::tree::DiskTree;
use crate::{Folder, Home, InstallError, base, failed};

/// The right to change a home. It ends when this is dropped.
///
/// ```
/// use prowess_install::{Existing, Folder, Home, Placement, Provenance, Writer, status};
/// use prowess_types::{Bundle, BundleFile};
///
/// let temporary = tempfile::tempdir()?;
/// let home = Home::new(temporary.path().join("skills"), temporary.path().join(".prowess"));
/// let file = BundleFile { path: "SKILL.md".into(), bytes: b"# Weather\n".to_vec(), executable: false };
/// let bundle = Bundle { files: vec![file] };
/// let provenance = Provenance { name: "weather".into(), source: "./weather".into(), ..Provenance::default() };
/// let placement = Placement::new(Folder::parse("weather")?, &bundle, provenance, 1_700_000_000_000);
///
/// let writer = Writer::open(&home, std::time::Duration::from_secs(5))?;
/// writer.place(&placement, Existing::Refuse)?;
/// assert!(status(&home)?[0].state.is_clean());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    pub(crate) home: Home,
    recovered: Option<Recovered>,
    damaged: Option<PathBuf>,
    _lock: Lock,
}

/// A folder as it shall be.
pub(crate) struct Wanted<'a> {
    pub(crate) folder: &'a Folder,
    /// All files, those of tools included.
    pub(crate) files: Vec<BundleFile>,
    /// The skill as it came.
    pub(crate) upstream: &'a Bundle,
    pub(crate) before: Option<LockEntry>,
    pub(crate) after: LockEntry,
    /// What has the name now.
    pub(crate) old: Option<&'a DiskTree>,
    pub(crate) keeps_old: bool,
    pub(crate) mirror: Option<&'a str>,
    pub(crate) now: u64,
}

impl Writer {
    /// Waits for others, at most `timeout`, and settles what they left undone.
    pub fn open(home: &Home, timeout: Duration) -> Result<Self, InstallError> {
        let lock = Lock::acquire(&home.guarded(), timeout)?;
        let (_, damaged) = LockFile::rescue(home)?;
        let recovered = journal::settle(home)?;
        Ok(Self { home: home.clone(), recovered, damaged, _lock: lock })
    }

    /// What was settled first.
    pub fn recovered(&self) -> Option<&Recovered> {
        self.recovered.as_ref()
    }

    /// Returns the copy of a lock file that could not be read. Its content is no longer known.
    pub fn damaged(&self) -> Option<&Path> {
        self.damaged.as_deref()
    }

    /// What is installed now.
    pub fn lock(&self) -> Result<LockFile, InstallError> {
        LockFile::read(&self.home)
    }

    /// Holds a skill at what it is. `mirror` is the new text of the other tool's lock file.
    pub fn pin(
        &self,
        folder: &Folder,
        reason: Option<&str>,
        mirror: Option<&str>,
    ) -> Result<(), InstallError> {
        let before = self.entry(folder)?;
        let pinned = Some(Pin::new(reason.map(ToOwned::to_owned)));
        let after = LockEntry { pinned, ..before.clone() };
        self.record(folder, Some(before), after, mirror).map(drop)
    }

    /// Lets a skill be updated again, and says whether it was pinned.
    pub fn unpin(&self, folder: &Folder, mirror: Option<&str>) -> Result<bool, InstallError> {
        let before = self.entry(folder)?;
        let was_pinned = before.pinned.is_some();
        let after = LockEntry { pinned: None, ..before.clone() };
        self.record(folder, Some(before), after, mirror)?;
        Ok(was_pinned)
    }

    /// What the lock says about a skill.
    pub(crate) fn entry(&self, folder: &Folder) -> Result<LockEntry, InstallError> {
        let not_installed = || InstallError::NotInstalled { folder: folder.clone() };
        self.lock()?.skills.remove(folder).ok_or_else(not_installed)
    }

    /// Changes what the lock says, and no folder.
    pub(crate) fn record(
        &self,
        folder: &Folder,
        before: Option<LockEntry>,
        after: LockEntry,
        mirror: Option<&str>,
    ) -> Result<Ended, InstallError> {
        if before.as_ref() == Some(&after) && mirror.is_none() {
            return Ok(Ended::default());
        }
        self.run(folder, Change::Record, before, Some(after), mirror)
    }

    /// Makes a folder what it shall be, and the lock with it.
    pub(crate) fn commit(&self, wanted: Wanted<'_>) -> Result<Ended, InstallError> {
        base::store(&self.home, wanted.upstream)?;
        let ended = self.swap_in(wanted).inspect_err(|_| {
            // Without a journal this only removes what was staged.
            let _ = journal::settle(&self.home);
        })?;
        self.prune();
        Ok(ended)
    }

    fn swap_in(&self, wanted: Wanted<'_>) -> Result<Ended, InstallError> {
        let home = &self.home;
        let staged = home.staged_new();
        disk::remove(&home.staging())?;
        disk::write_tree(&staged, &wanted.files)?;
        disk::sync_folder(&home.staging())?;
        // Otherwise a power cut could leave the note of a change without what was staged, as if that had been swapped in.
        disk::sync_folder(&home.skills)?;
        let new = DiskTree::scan(&staged)?.unwrap_or_default().digest();
        let old = wanted.old.map(DiskTree::digest);
        if old.as_ref() == Some(&new) {
            disk::remove(&home.staging())?;
            return self.record(wanted.folder, wanted.before, wanted.after, wanted.mirror);
        }
        disk::mark(&staged)?;
        if let Some(owner) = wanted.folder.owner() {
            let path = home.skills.join(owner);
            prowess_fs::make_folders(&path).map_err(failed("make", &path))?;
        }
        let backup = self.backup_name(wanted.folder, wanted.now)?;
        let change =
            Change::Swap { old, keeps_old: wanted.keeps_old, backup, at: wanted.now, withdraws: false };
        self.run(wanted.folder, change, wanted.before, Some(wanted.after), wanted.mirror)
    }

    pub(crate) fn journal(
        &self,
        folder: &Folder,
        change: Change,
        before: Option<LockEntry>,
        after: Option<LockEntry>,
        mirror: Option<&str>,
    ) -> Result<Journal, InstallError> {
        let mirror = match (&self.home.mirror, mirror) {
            (Some(path), Some(text)) => Some(Mirrored { before: read_mirror(path)?, after: text.to_owned() }),
            _ => None,
        };
        Ok(Journal { folder: folder.clone(), change, before, after, mirror, companions: Vec::new() })
    }

    fn run(
        &self,
        folder: &Folder,
        change: Change,
        before: Option<LockEntry>,
        after: Option<LockEntry>,
        mirror: Option<&str>,
    ) -> Result<Ended, InstallError> {
        let journal = self.journal(folder, change, before, after, mirror)?;
        journal.begin(&self.home)?;
        journal.run(&self.home)
    }

    /// Stored copies that nobody needs any more only take up room, so a failure is none.
    pub(crate) fn prune(&self) {
        if let Ok(lock) = self.lock() {
            let _ = base::prune(&self.home, &lock);
        }
    }

    /// A name in the trash that nothing has.
    pub(crate) fn backup_name(&self, folder: &Folder, now: u64) -> Result<Folder, InstallError> {
        let name = folder.last();
        let mut number = 1_u32;
        loop {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let candidate = Folder::parse(&format!("{now:013}{suffix}-{name}"))?;
            let names = [candidate.to_string(), format!("{candidate}.json")];
            if !names.iter().any(|name| prowess_fs::is_taken(&self.home.trash.join(name))) {
                return Ok(candidate);
            }
            number += 1;
        }
    }
}

/// Settles a change that was interrupted, if there is one. Nothing is locked or written if there is none.
pub fn recover(home: &Home, timeout: Duration) -> Result<Option<Recovered>, InstallError> {
    if !journal::is_pending(home) {
        return Ok(None);
    }
    Ok(Writer::open(home, timeout)?.recovered)
}
