//! Taking a skill away so that it can be brought back, and holding one at what it is.

use std::path::{Path, PathBuf};

use prowess_fs::trash::{Trash, TrashError, Trashed};
use prowess_install::{Folder, RestoreWish, plan_uninstall};
use serde::Serialize;

use super::listing::{InstalledSkill, PinNote};
use super::{Acquire, AcquireError};

/// What an uninstall would do.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovalPlan {
    /// The skill; edits in it go with it.
    #[serde(flatten)]
    pub skill: InstalledSkill,
    /// Whether its folder is still there.
    pub is_there: bool,
    #[serde(skip)]
    folder: Folder,
}

/// A skill that was taken away.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Removed {
    /// Its folder below the folder of skills.
    pub folder: String,
    /// What it is called in the trash; none if its folder was gone already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trash_id: Option<String>,
}

/// A skill that was brought back.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    /// Where it is again.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// Whether the lock knows it again.
    pub is_listed: bool,
    /// What had its place, as it is called in the trash now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<String>,
}

impl Acquire<'_> {
    /// Says what an uninstall would take away. Nothing is changed.
    pub fn plan_uninstall(&self, name: &str) -> Result<RemovalPlan, AcquireError> {
        self.recover()?;
        let folder = self.one(name)?.folder;
        let plan = plan_uninstall(&self.target.home, &folder)?;
        let is_there = plan.path.is_some();
        Ok(RemovalPlan { skill: plan.installed.into(), is_there, folder })
    }

    /// Moves a skill to the trash and takes it out of the lock.
    pub fn uninstall(&self, plan: &RemovalPlan) -> Result<Removed, AcquireError> {
        self.take_away(&plan.folder)
    }

    fn take_away(&self, folder: &Folder) -> Result<Removed, AcquireError> {
        let writer = self.writer()?;
        let mirror = self.mirror_without(folder)?;
        let roots = [self.target.home.skills.clone()];
        let (trash, now) = (self.trash(), self.now());
        let gone = writer.uninstall(folder, mirror.as_deref(), |path| trash.remove(path, &roots, now))?;
        Ok(Removed { folder: folder.to_string(), trash_id: gone.taken.map(|trashed| trashed.id) })
    }

    /// Moves the folder of a skill to the trash, whether or not the lock knows it.
    pub fn discard(&self, path: &Path) -> Result<Removed, AcquireError> {
        self.recover()?;
        let stray = || TrashError::Outside { path: path.to_owned() };
        let folder = self.folder_at(path).ok_or_else(stray)?;
        Ok(Removed { folder: folder.to_string(), trash_id: self.make_room(&folder)? })
    }

    /// Returns the content of the trash, the oldest first.
    pub fn trashed(&self) -> Result<Vec<Trashed>, AcquireError> {
        self.recover()?;
        Ok(self.trash().list()?)
    }

    /// Returns true if the trash has something of this name, or an interrupted restore of it was finished just now.
    pub fn has_trashed(&self, id: &str) -> Result<bool, AcquireError> {
        let trashed = self.trashed()?;
        let is_back = self.finished_restore.get().is_some_and(|(_, back)| back.as_str() == id);
        Ok(is_back || trashed.iter().any(|trashed| trashed.id == id))
    }

    /// The folder of the trash.
    pub fn trash_folder(&self) -> &Path {
        &self.target.home.trash
    }

    /// Brings a skill back from the trash. With `replace` what has its place now goes to the trash instead. An
    /// interruption leaves everything as it was, or the skill back with its entry in the lock.
    pub fn restore(&self, id: &str, replace: bool) -> Result<Restored, AcquireError> {
        self.recover()?;
        let home = &self.target.home;
        if let Some((folder, back)) = self.finished_restore.get()
            && back.as_str() == id
        {
            // An earlier restore was interrupted, and is finished by now.
            let is_listed = prowess_install::LockFile::read(home)?.skills.contains_key(folder);
            return Ok(Restored { path: home.target(folder), is_listed, replaced: None });
        }
        let writer = self.writer()?;
        let trash = self.trash();
        let unknown = || TrashError::Unknown { id: id.to_owned() };
        let trashed = trash.list()?.into_iter().find(|trashed| trashed.id == id).ok_or_else(unknown)?;
        let folder = self.place_of(&trashed)?;
        let path = home.target(&folder);
        if prowess_fs::is_taken(&path) {
            check_exchange(&path, replace)?;
        }
        let lock = writer.lock()?;
        let entry = lock.removed.get(&folder).or_else(|| lock.skills.get(&folder));
        let mirror = self.mirror_again(&folder, entry)?;
        let wish = RestoreWish {
            folder: &folder,
            id: &Folder::parse(id).map_err(|_| unknown())?,
            replaces: replace,
            mirror: mirror.as_deref(),
            now: self.now(),
        };
        let back = writer.restore(&wish, |_| trash.put_back(id))?;
        let replaced = back.replaced.map(|replaced| replaced.to_string());
        Ok(Restored { path: trashed.from, is_listed: back.is_listed, replaced })
    }

    /// Moves what has a skill's place to the trash, whether it was installed or not.
    pub(super) fn make_room(&self, folder: &Folder) -> Result<Option<String>, AcquireError> {
        let lock = prowess_install::LockFile::read(&self.target.home)?;
        if lock.skills.contains_key(folder) {
            return Ok(self.take_away(folder)?.trash_id);
        }
        let roots = [self.target.home.skills.clone()];
        let trashed = self.trash().remove(&self.target.home.target(folder), &roots, self.now())?;
        Ok(Some(trashed.id))
    }

    /// Returns the original folder of something in the trash. A note that came with a repository could name any place.
    fn place_of(&self, trashed: &Trashed) -> Result<Folder, AcquireError> {
        let stray = || AcquireError::Stray { id: trashed.id.clone(), path: trashed.from.clone() };
        self.folder_at(&trashed.from).ok_or_else(stray)
    }

    /// A path as a folder below the folder of skills.
    fn folder_at(&self, path: &Path) -> Option<Folder> {
        let skills = &self.target.home.skills;
        let roots = [Some(skills.clone()), prowess_fs::real(skills)];
        let inside = roots.iter().flatten().find_map(|root| path.strip_prefix(root).ok());
        inside.and_then(|inside| Folder::parse(inside.to_str()?).ok())
    }

    /// Holds a skill at what it is.
    pub fn pin(&self, name: &str, reason: Option<&str>) -> Result<InstalledSkill, AcquireError> {
        self.recover()?;
        let folder = self.one(name)?.folder;
        let writer = self.writer()?;
        let note = PinNote { reason: reason.map(str::to_owned) };
        let mirror = self.mirror_pinned(&folder, Some(&note))?;
        writer.pin(&folder, reason, mirror.as_deref())?;
        Ok(self.one(folder.as_str())?.into())
    }

    /// Lets a skill be updated again, and says whether it was pinned.
    pub fn unpin(&self, name: &str) -> Result<bool, AcquireError> {
        self.recover()?;
        let folder = self.one(name)?.folder;
        let writer = self.writer()?;
        let mirror = self.mirror_pinned(&folder, None)?;
        Ok(writer.unpin(&folder, mirror.as_deref())?)
    }

    fn trash(&self) -> Trash {
        Trash::new(&self.target.home.trash)
    }
}

/// Fails if something would move to the trash without consent, or is not a skill.
fn check_exchange(path: &Path, replace: bool) -> Result<(), TrashError> {
    if !replace {
        return Err(TrashError::Taken { path: path.to_owned() });
    }
    if !prowess_fs::is_taken(&path.join("SKILL.md")) {
        return Err(TrashError::NotASkill { path: path.to_owned() });
    }
    Ok(())
}
