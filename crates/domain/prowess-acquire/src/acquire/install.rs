//! Putting a skill where none was, or where another one must give way.

use std::path::Path;

use prowess_install::{Digest, Folder, LockFile};
use prowess_registry::{SourceReference, slug_from_folder};
use prowess_types::Skill;

use super::plan::{Action, Plan, Previous};
use super::review::Subject;
use super::source::{Got, Progress, Wanted};
use super::{Acquire, AcquireError};

/// Options of an install.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstallOptions {
    /// True if an existing folder is replaced; edited files are kept in the trash.
    pub replace: bool,
}

impl Acquire<'_> {
    /// Gets a skill and says what installing it would do. Nothing is written. Where the reference tells the folder, a
    /// folder that already exists is an error before any request.
    pub fn plan_install(
        &self,
        reference: &SourceReference,
        options: &InstallOptions,
        progress: Progress<'_>,
    ) -> Result<Plan, AcquireError> {
        self.recover()?;
        if let Some(folder) = folder_of(reference)? {
            self.check_room(&folder, *options)?;
        }
        let wanted = Wanted { reference: reference.clone(), registry: None, is_typed: true };
        let got = self.fetch(&wanted, progress)?;
        let folder = self.folder_for(&got)?;
        let action = self.check_room(&folder, *options)?;
        let before = LockFile::read(&self.target.home)?.skills.remove(&folder);
        self.plan(got, folder, action, before)
    }

    /// The plan for what came.
    pub(super) fn plan(
        &self,
        got: Got,
        folder: Folder,
        action: Action,
        before: Option<prowess_install::LockEntry>,
    ) -> Result<Plan, AcquireError> {
        let path = self.target.home.target(&folder);
        let skill = self.parse(&got.fetched.bundle, folder.last());
        let name = name_of(&skill, &folder);
        let doing = if matches!(action, Action::Update(_)) { "update" } else { "install" };
        let could = before.as_ref().map(|entry| entry.provenance.capabilities.clone());
        let subject = Subject { got: &got, skill, path: &path, doing, could: could.as_deref() };
        let review = self.review(&subject)?;
        let mut provenance = self.provenance(&name, &got);
        provenance.scan = Some(prowess_install::ScanNote::new(review.verdict, review.findings.len()));
        provenance.capabilities = review.capabilities.iter().map(str::to_owned).collect();
        let bundle = got.fetched.bundle;
        Ok(Plan {
            action,
            name,
            path,
            folder,
            provenance,
            hash: prowess_fs::tree_hash(&bundle),
            files: Plan::files(&bundle),
            previous: before.as_ref().map(Previous::from),
            merge: None,
            review,
            bundle,
            before,
        })
    }

    /// Returns the action that puts a skill there; fails if it must not be put there.
    pub(super) fn check_room(
        &self,
        folder: &Folder,
        options: InstallOptions,
    ) -> Result<Action, AcquireError> {
        let lock = LockFile::read(&self.target.home)?;
        let known = lock.skills.get(folder);
        let path = self.target.home.target(folder);
        let is_there = prowess_fs::is_taken(&path);
        if let Some(pin) = known.and_then(|entry| entry.pinned.as_ref()) {
            let reason = pin.reason.clone();
            return Err(prowess_install::InstallError::Pinned { folder: folder.clone(), reason }.into());
        }
        if !options.replace && (is_there || known.is_some()) {
            return Err(AcquireError::AlreadyThere { path, is_installed: known.is_some() });
        }
        Ok(if is_there { Action::Replace } else { Action::Install })
    }

    /// The folder of what came: the slug, if it has one; else what the skill calls itself, if every engine takes that
    /// for a name; else what its source calls it.
    pub(super) fn folder_for(&self, got: &Got) -> Result<Folder, AcquireError> {
        let resolved = &got.fetched.resolved;
        if let Some(folder) = folder_of(&resolved.reference)? {
            return Ok(folder);
        }
        let named = Path::new(&resolved.name).file_name().unwrap_or_default().to_string_lossy();
        let skill = self.parse(&got.fetched.bundle, &named);
        let is_portable = skill.is_loadable() && slug_from_folder(&skill.name) == skill.name;
        let name = if is_portable { skill.name } else { slug_from_folder(&named) };
        let name = if name.is_empty() { "skill".to_owned() } else { name };
        Ok(Folder::parse(&name).map_err(prowess_install::InstallError::from)?)
    }
}

/// The folder that a reference to a registry stands for.
pub(super) fn folder_of(reference: &SourceReference) -> Result<Option<Folder>, AcquireError> {
    let SourceReference::Registry(wanted) = reference else { return Ok(None) };
    let text = match &wanted.owner {
        Some(owner) => format!("@{owner}/{}", wanted.slug),
        None => wanted.slug.clone(),
    };
    Ok(Some(Folder::parse(&text).map_err(prowess_install::InstallError::from)?))
}

/// Returns the name of the skill; its folder if it has none.
pub(super) fn name_of(skill: &Skill, folder: &Folder) -> String {
    if skill.name.trim().is_empty() { folder.last().to_owned() } else { skill.name.clone() }
}

/// Returns true if a hash is that of an entry.
pub(super) fn is_hash(digest: &Digest, hash: &str) -> bool {
    digest.as_str() == hash
}
