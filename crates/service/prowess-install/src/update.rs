//! Bringing an installed skill to another version without destroying what was changed in it.

use std::collections::BTreeSet;

use prowess_types::{Bundle, BundleFile};

use crate::drift::Drift;
use crate::lock::LockEntry;
use crate::merge::{MergeReport, SkillMerge, merge};
use crate::place::{Checked, Placed, Placement, with_notes};
use crate::tree::{DiskTree, folder_files};
use crate::writer::{Wanted, Writer};
use crate::{Folder, Home, InstallError, LockFile, base};

/// What happens to local edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edits {
    /// A folder that was edited is left alone, and the edits are named.
    Refuse,
    /// They are merged. If both sides disagree, nothing happens and the conflicts are named.
    Merge,
    /// They are merged, and the conflicts are left in the files for the user to resolve.
    MergeWithMarkers,
    /// They give way; a copy of the folder is kept in the trash.
    Overwrite,
}

/// How a skill was updated.
#[derive(Debug)]
pub struct SkillUpdate {
    /// Where it is, and what was kept.
    pub placed: Placed,
    /// What was done to its files.
    pub report: MergeReport,
}

/// What an update would meet.
#[derive(Clone, Debug)]
pub struct UpdatePlan {
    /// What was edited here.
    pub drift: Drift,
    /// What a merge would give; or why there can be none.
    pub merged: Result<SkillMerge, String>,
    notes: Vec<BundleFile>,
}

/// Looks at what an update to `bundle` would do. Nothing is changed.
pub fn plan_update(home: &Home, folder: &Folder, bundle: &Bundle) -> Result<UpdatePlan, InstallError> {
    let lock = LockFile::read(home)?;
    let entry =
        lock.skills.get(folder).ok_or_else(|| InstallError::NotInstalled { folder: folder.clone() })?;
    home.check_way(folder)?;
    let tree = DiskTree::scan(&home.target(folder))?;
    UpdatePlan::new(home, folder, entry, tree.as_ref(), bundle)
}

impl UpdatePlan {
    fn new(
        home: &Home,
        folder: &Folder,
        entry: &LockEntry,
        tree: Option<&DiskTree>,
        there: &Bundle,
    ) -> Result<Self, InstallError> {
        let Some(tree) = tree else {
            let merged = merge(&Bundle::default(), &BTreeSet::new(), &Bundle::default(), there);
            return Ok(Self { drift: Drift::default(), merged: Ok(merged), notes: Vec::new() });
        };
        let drift = Drift::between(entry, tree);
        let is_note = |file: &BundleFile| entry.notes.iter().any(|note| note.as_str() == file.path);
        let mut notes = Vec::new();
        let merged = folder_files(&home.target(folder))?.map(|local| {
            let (found, files) = local.files.into_iter().partition(is_note);
            notes = found;
            let here = with_known_modes(Bundle { files }, entry);
            let base = if drift.is_empty() { here.clone() } else { base::restore(home, entry) };
            let stored: BTreeSet<&str> = base.files.iter().map(|file| file.path.as_str()).collect();
            let paths = entry.files.keys().filter(|path| !entry.notes.contains(path));
            let lost = paths.filter(|path| !stored.contains(path.as_str())).map(ToString::to_string);
            merge(&base, &lost.collect(), &here, there)
        });
        Ok(Self { drift, merged, notes })
    }
}

/// Where the disk does not say what can be run, the lock does.
fn with_known_modes(mut bundle: Bundle, entry: &LockEntry) -> Bundle {
    if cfg!(not(unix)) {
        for file in &mut bundle.files {
            let known = entry.files.iter().find(|(path, _)| path.as_str() == file.path);
            file.executable = known.is_some_and(|(_, known)| known.executable);
        }
    }
    bundle
}

impl Writer {
    /// Updates an installed skill. One whose folder is gone is put back.
    pub fn update(&self, placement: &Placement<'_>, edits: Edits) -> Result<SkillUpdate, InstallError> {
        let folder = &placement.folder;
        let checked = Checked::new(placement)?;
        let before = self.entry(folder)?;
        self.home.check_way(folder)?;
        let target = self.home.target(folder);
        let tree = DiskTree::scan(&target)?;
        let after = checked.entry(placement, Some(&before));
        let is_same = before.hash == checked.hash;
        if is_same && tree.is_some() && placement.notes.is_empty() && edits != Edits::Overwrite {
            let ended = self.record(folder, Some(before), after, placement.mirror.as_deref())?;
            let placed = Placed::new(target, checked.hash, ended);
            return Ok(SkillUpdate { placed, report: MergeReport::default() });
        }
        // Where nothing comes, no edit is in danger.
        let edits = if is_same && edits == Edits::Refuse { Edits::Merge } else { edits };
        if let Some(pin) = before.pinned.as_ref().filter(|_| !is_same) {
            return Err(InstallError::Pinned { folder: folder.clone(), reason: pin.reason.clone() });
        }
        let plan = UpdatePlan::new(&self.home, folder, &before, tree.as_ref(), placement.bundle)?;
        let notes = if placement.notes.is_empty() { &plan.notes } else { &placement.notes };
        let is_edited = !plan.drift.is_empty();
        let (files, report) = if is_edited && edits == Edits::Overwrite {
            (placement.bundle.files.clone(), overwriting(plan.merged.ok()))
        } else {
            let merged = allowed(folder, edits, &plan.drift, plan.merged)?;
            (merged.bundle.files, merged.report)
        };
        let ended = self.commit(Wanted {
            folder,
            files: with_notes(files, notes),
            upstream: placement.bundle,
            before: Some(before),
            after,
            old: tree.as_ref(),
            keeps_old: is_edited && edits == Edits::Overwrite,
            mirror: placement.mirror.as_deref(),
            now: placement.now,
        })?;
        Ok(SkillUpdate { placed: Placed::new(target, checked.hash, ended), report })
    }
}

/// The merge, if it may be used.
fn allowed(
    folder: &Folder,
    edits: Edits,
    drift: &Drift,
    merged: Result<SkillMerge, String>,
) -> Result<SkillMerge, InstallError> {
    let folder = folder.clone();
    if edits == Edits::Refuse && !drift.is_empty() {
        let merge = merged.ok().map(|merged| Box::new(merged.report));
        return Err(InstallError::Edited { folder, drift: Box::new(drift.clone()), merge });
    }
    match merged {
        Err(reason) => Err(InstallError::Unmergeable { folder, reason }),
        Ok(SkillMerge { report, .. }) if edits == Edits::Merge && !report.conflicts.is_empty() => {
            Err(InstallError::Conflicts { folder, report: Box::new(report) })
        }
        Ok(merged) => Ok(merged),
    }
}

/// What is said when everything comes from there.
fn overwriting(merged: Option<SkillMerge>) -> MergeReport {
    let Some(SkillMerge { mut report, .. }) = merged else { return MergeReport::default() };
    let conflicts = std::mem::take(&mut report.conflicts).into_iter().map(|conflict| conflict.path);
    report.taken.extend(conflicts.chain(std::mem::take(&mut report.merged)));
    report.taken.append(&mut report.kept);
    report.taken.sort();
    report
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
