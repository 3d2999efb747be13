//! The files that the registry's own client keeps beside the skills, written along where the profile is its home.

use prowess_fs::FileReadError;
use prowess_install::{Folder, LockEntry};
use prowess_registry::protocol::Millis;
use prowess_registry::{
    ClawhubEntry, ClawhubLock, ClawhubOrigin, SourceReference, fingerprint, published_files,
};
use prowess_types::{Bundle, BundleFile};

use super::listing::PinNote;
use super::plan::Plan;
use super::{Acquire, AcquireError};

/// A lock file larger than this is not read.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// A page that registries add, which counts for the fingerprint of an installed folder.
const CARD: &str = "skill-card.md";

impl Acquire<'_> {
    /// The new text of the mirror when a skill is installed or updated. Only skills of a registry are in it.
    pub(super) fn mirror_with(&self, plan: &Plan, now: u64) -> Result<Option<String>, AcquireError> {
        self.mirror(|lock| {
            let from = &plan.provenance;
            let Some(version) = from.registry.as_ref().and(from.version.clone()) else {
                lock.remove(plan.folder.as_str());
                return;
            };
            let known = lock.get(plan.folder.as_str());
            let installed_at = installed_at(plan, now);
            lock.set(
                plan.folder.as_str(),
                &ClawhubEntry {
                    version: Some(version),
                    installed_at: Millis(installed_at),
                    owner_handle: from.owner.clone(),
                    ..known.unwrap_or_default()
                },
            );
        })
    }

    /// The new text of the mirror when a skill is pinned or let go.
    pub(super) fn mirror_pinned(
        &self,
        folder: &Folder,
        pin: Option<&PinNote>,
    ) -> Result<Option<String>, AcquireError> {
        self.mirror(|lock| {
            if let Some(entry) = lock.get(folder.as_str()) {
                let pinned = pin.map(|_| true);
                let pin_reason = pin.and_then(|pin| pin.reason.clone());
                lock.set(folder.as_str(), &ClawhubEntry { pinned, pin_reason, ..entry });
            }
        })
    }

    /// Returns the new text of the mirror after a skill is removed.
    pub(super) fn mirror_without(&self, folder: &Folder) -> Result<Option<String>, AcquireError> {
        self.mirror(|lock| {
            lock.remove(folder.as_str());
        })
    }

    /// The new text of the mirror when a skill is back: `entry` as the lock knew it, in place of what was there.
    pub(super) fn mirror_again(
        &self,
        folder: &Folder,
        entry: Option<&LockEntry>,
    ) -> Result<Option<String>, AcquireError> {
        self.mirror(|lock| {
            let from = entry.map(|entry| &entry.provenance);
            let version = from.and_then(|from| from.registry.as_ref().and(from.version.clone()));
            let (Some(entry), Some(version)) = (entry, version) else {
                lock.remove(folder.as_str());
                return;
            };
            lock.set(
                folder.as_str(),
                &ClawhubEntry {
                    version: Some(version),
                    installed_at: millis(entry.installed_at),
                    owner_handle: entry.provenance.owner.clone(),
                    pinned: entry.pinned.as_ref().map(|_| true),
                    pin_reason: entry.pinned.as_ref().and_then(|pin| pin.reason.clone()),
                    ..ClawhubEntry::default()
                },
            );
        })
    }

    /// The text of the mirror after a change; none if there is no mirror, or it stays as it is.
    fn mirror(&self, change: impl FnOnce(&mut ClawhubLock)) -> Result<Option<String>, AcquireError> {
        let Some(path) = &self.target.home.mirror else { return Ok(None) };
        let text = match prowess_fs::read_file(path, MAX_BYTES) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) if error.is_missing() => None,
            Err(error) => return Err(unreadable(error)),
        };
        let mut lock = match &text {
            Some(text) => ClawhubLock::parse(text)
                .map_err(|source| AcquireError::Mirror { path: path.clone(), source })?,
            None => ClawhubLock::default(),
        };
        let before = lock.clone();
        change(&mut lock);
        Ok((lock != before).then(|| lock.to_text()))
    }

    /// Returns the files that the registry's client expects in the folder of a skill it would have installed.
    pub(super) fn notes(&self, plan: &Plan, now: u64) -> Vec<BundleFile> {
        let from = &plan.provenance;
        let (Some(_), Some(registry), Some(version)) =
            (&self.target.home.mirror, &from.registry, &from.version)
        else {
            return Vec::new();
        };
        let slug = match SourceReference::parse(&from.source) {
            Ok(SourceReference::Registry(wanted)) => wanted.slug,
            _ => plan.folder.last().to_owned(),
        };
        let installed_at = Millis(installed_at(plan, now));
        let mut origin = ClawhubOrigin::new(registry, &slug, version, installed_at);
        origin.owner_handle.clone_from(&from.owner);
        origin.fingerprint = Some(local_fingerprint(&plan.bundle));
        let bytes = origin.to_text().into_bytes();
        vec![BundleFile { path: ClawhubOrigin::PLACE.to_owned(), bytes, executable: false }]
    }
}

/// The fingerprint that the registry's client computes of a folder.
pub(super) fn local_fingerprint(bundle: &Bundle) -> String {
    let mut counted = published_files(bundle);
    counted.files.extend(bundle.files.iter().filter(|file| file.path == CARD).cloned());
    fingerprint(&counted)
}

fn installed_at(plan: &Plan, now: u64) -> i64 {
    millis(plan.before.as_ref().map_or(now, |entry| entry.installed_at)).0
}

fn millis(time: u64) -> Millis {
    Millis(i64::try_from(time).unwrap_or(i64::MAX))
}

fn unreadable(error: FileReadError) -> AcquireError {
    prowess_install::InstallError::from(error).into()
}
