//! Files outside of the folder of skills that change in one step with a skill's folder, such as the record of a draft.
//!
//! A journal names a companion by the key of its root and a path below that root. The roots themselves come from the
//! [`Home`], never from the journal, so a journal of a cloned repository cannot name a file elsewhere.

use std::path::{Path, PathBuf};

use prowess_fs::Mirror;
use serde::{Deserialize, Serialize};

use crate::disk::sync_folder;
use crate::home::CompanionRoot;
use crate::side::Side;
use crate::{FilePath, Home, InstallError, failed};

const MAX_BYTES: u64 = 64 << 20;

/// A file that changes in one step with a skill's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanionFile {
    /// The key of its root in [`Home::companions`].
    pub root: String,
    /// Its place below that root.
    pub path: FilePath,
    /// Its content before the change; none if it does not exist then.
    pub before: Option<CompanionContent>,
    /// Its content after the change; none if it does not exist then.
    pub after: Option<CompanionContent>,
}

/// The content of a companion file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanionContent {
    /// The text.
    pub text: String,
    /// True if it can be run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

impl CompanionFile {
    /// Brings the file to one side of the change. What another program wrote meanwhile is not taken back.
    pub(crate) fn settle(&self, home: &Home, side: Side) -> Result<(), InstallError> {
        let root = self.root(home)?;
        let wanted = match side {
            Side::Before => &self.before,
            Side::After => &self.after,
        };
        let found = self.read(root)?;
        let is_right = found.as_ref().map(|(text, _)| text.as_str())
            == wanted.as_ref().map(|content| content.text.as_str())
            && found.as_ref().is_none_or(|(_, executable)| {
                wanted.as_ref().is_some_and(|content| root.is_private || content.executable == *executable)
            });
        if is_right {
            return Ok(());
        }
        if matches!(side, Side::Before)
            && found.map(|(text, _)| text) != self.after.as_ref().map(|after| after.text.clone())
        {
            return Ok(());
        }
        match wanted {
            Some(content) if root.is_private => {
                Ok(prowess_fs::write_atomic(&self.place(root), content.text.as_bytes(), Some(0o600))?)
            }
            Some(content) => self.write(root, content),
            None => {
                let removed = Mirror::open(&root.path)?.remove(self.path.as_str());
                removed.map(drop).map_err(failed("remove", &self.place(root)))
            }
        }
    }

    /// Returns true if its root is one of those that the home knows.
    pub(crate) fn is_known(&self, home: &Home) -> bool {
        home.companions.contains_key(&self.root)
    }

    fn root<'h>(&self, home: &'h Home) -> Result<&'h CompanionRoot, InstallError> {
        let unknown = || InstallError::InTheWay { path: PathBuf::from(self.path.as_str()) };
        home.companions.get(&self.root).ok_or_else(unknown)
    }

    fn place(&self, root: &CompanionRoot) -> PathBuf {
        root.path.join(self.path.as_str())
    }

    fn read(&self, root: &CompanionRoot) -> Result<Option<(String, bool)>, InstallError> {
        let found = Mirror::open(&root.path)?.read(self.path.as_str(), MAX_BYTES);
        let found = found.map_err(failed("read", &self.place(root)))?;
        Ok(found.map(|file| (String::from_utf8_lossy(&file.bytes).into_owned(), file.is_executable)))
    }

    /// Writes the file by handles that follow no link, and waits until it is on the disk.
    fn write(&self, root: &CompanionRoot, content: &CompanionContent) -> Result<(), InstallError> {
        let place = self.place(root);
        let mirror = Mirror::open(&root.path)?;
        let (path, bytes) = (self.path.as_str(), content.text.as_bytes());
        let written = if content.executable {
            // A lone script repeats what one user did.
            mirror.write_private_script(path, bytes)
        } else {
            mirror.write(path, bytes, false)
        };
        written.map_err(failed("write", &place))?;
        prowess_fs::sync_entry(&place).map_err(failed("synchronise", &place))?;
        place.parent().map_or(Ok(()), |parent: &Path| sync_folder(parent))
    }
}
