//! Taking away a skill that is known by its folder, whether it was installed or made by hand.

use std::path::Path;

use prowess_fs::trash::TrashError;
use prowess_install::Folder;

use super::{Acquire, AcquireError, Removed};

impl Acquire<'_> {
    /// Moves the folder of a skill to the trash, and takes it out of the lock if it is in there. A folder that is gone
    /// already has no id in the trash.
    ///
    /// The path is only compared with the folder of skills of this desk. What is the folder of skills itself, outside of
    /// it, reached through a link, or without a `SKILL.md`, is refused.
    pub fn remove_folder(&self, path: &Path) -> Result<Removed, AcquireError> {
        self.recover()?;
        let folder = self.folder_of(path)?;
        let is_there = prowess_fs::is_taken(&self.target.home.target(&folder));
        let trash_id = if is_there { self.make_room(&folder)? } else { None };
        Ok(Removed { folder: folder.to_string(), trash_id })
    }

    /// Returns the name of a path below the folder of skills.
    fn folder_of(&self, path: &Path) -> Result<Folder, TrashError> {
        let skills = &self.target.home.skills;
        let roots = [Some(skills.clone()), prowess_fs::real(skills)];
        let inside = roots.iter().flatten().find_map(|root| path.strip_prefix(root).ok());
        let path = path.to_owned();
        let Some(inside) = inside else { return Err(TrashError::Outside { path }) };
        if inside.as_os_str().is_empty() {
            return Err(TrashError::IsRoot { path });
        }
        inside.to_str().and_then(|name| Folder::parse(name).ok()).ok_or(TrashError::Outside { path })
    }
}
