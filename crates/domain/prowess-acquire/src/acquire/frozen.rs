//! Installing exactly what the lock says.

use std::path::PathBuf;

use prowess_install::{Folder, Installed, LockEntry, VerifyState, original_files, unlisted};
use prowess_registry::{Fetched, Resolved, SourceReference};

use super::install::is_hash;
use super::plan::{Action, Plan};
use super::source::{Got, Progress, Which};
use super::{Acquire, AcquireError};

/// The steps that make the disk match the lock.
#[derive(Clone, Debug)]
pub struct FrozenPlan {
    /// Skills that are missing, each with exactly the files of the lock.
    pub missing: Vec<Plan>,
    /// Folders that are as they should be.
    pub intact: Vec<String>,
    /// Skills that the lock does not name. They stay.
    pub extra: Vec<PathBuf>,
}

impl Acquire<'_> {
    /// Gets what is missing of the lock, or of some skills in it. Nothing is written. Whatever is not exactly what the
    /// lock says is named, all of it, and nothing is installed then.
    pub fn plan_frozen(
        &self,
        names: &[String],
        progress: &mut dyn FnMut(&str, u64, Option<u64>),
    ) -> Result<FrozenPlan, AcquireError> {
        self.recover()?;
        let home = &self.target.home;
        let mut plan = FrozenPlan { missing: Vec::new(), intact: Vec::new(), extra: Vec::new() };
        let mut problems = Vec::new();
        let mut wanted: Vec<Installed> = Vec::new();
        for installed in self.chosen(names)? {
            let folder = &installed.folder;
            match &installed.state {
                VerifyState::Clean => plan.intact.push(folder.to_string()),
                VerifyState::Gone => wanted.push(installed),
                VerifyState::Edited(drift) => problems.push(format!("`{folder}` was edited: {drift}")),
                VerifyState::Replaced => problems.push(format!("`{folder}` is a link or a file")),
            }
        }
        for installed in wanted {
            let folder = installed.folder.to_string();
            match self.frozen(&installed, &mut |done, total| progress(&folder, done, total)) {
                Ok(one) => plan.missing.push(one),
                Err(error) => problems.push(format!("`{folder}`: {}", prowess_text::describe_error(&error))),
            }
        }
        if !problems.is_empty() {
            return Err(AcquireError::NotFrozen { problems });
        }
        if names.is_empty() {
            plan.extra = unlisted(home)?.iter().map(|folder| home.target(folder)).collect();
        }
        Ok(plan)
    }

    fn frozen(&self, installed: &Installed, progress: Progress<'_>) -> Result<Plan, AcquireError> {
        let Installed { folder, entry, .. } = installed;
        let got = if let Some(stored) = self.stored(folder, entry)? {
            stored
        } else {
            let wanted = self.locked_source(folder.as_str(), entry, Which::Locked)?;
            self.fetch(&wanted, progress)?
        };
        let found = prowess_fs::tree_hash(&got.fetched.bundle);
        if !is_hash(&entry.hash, &found) {
            let (folder, locked) = (folder.clone(), entry.hash.to_string());
            return Err(prowess_install::InstallError::Frozen { folder, locked, found }.into());
        }
        let mut plan = self.plan(got, folder.clone(), Action::Restore, Some(entry.clone()))?;
        plan.provenance = entry.provenance.clone();
        Ok(plan)
    }

    /// Returns the files as they came, from the copies that are kept for merges: no request is needed.
    fn stored(&self, folder: &Folder, entry: &LockEntry) -> Result<Option<Got>, AcquireError> {
        let bundle = original_files(&self.target.home, folder)?;
        if !is_hash(&entry.hash, &prowess_fs::tree_hash(&bundle)) {
            return Ok(None);
        }
        let from = &entry.provenance;
        let Ok(reference) = SourceReference::parse(&from.source) else { return Ok(None) };
        let resolved = Resolved {
            reference,
            name: folder.last().to_owned(),
            place: from.source.clone(),
            path: None,
            owner: from.owner.clone(),
            version: from.version.clone(),
            commit: from.commit.clone(),
            digest: None,
        };
        let fetched = Fetched { bundle, resolved, moderation: None, left_out: Vec::new() };
        Ok(Some(Got { fetched, registry: from.registry.clone() }))
    }
}
