//! Where skills are placed, and where it is written down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prowess_fs::ConditionKind;

use crate::{Folder, InstallError};

/// Where new content waits, beside the skills: only there is a rename a single step.
const STAGING: &str = ".prowess-staging";

/// The folders and files that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The folder of skills.
    pub skills: PathBuf,
    /// The folder of their state: `lock.json`, stored copies, and the note of a change under way.
    pub state: PathBuf,
    /// The trash for replaced folders.
    pub trash: PathBuf,
    /// Another tool's lock file, which is written along.
    pub mirror: Option<PathBuf>,
    /// Folders of files that may change in one step with a skill, by the key that a journal names.
    pub companions: BTreeMap<String, CompanionRoot>,
}

/// A folder that companion files are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanionRoot {
    /// The folder.
    pub path: PathBuf,
    /// Whether only the user may read its files.
    pub is_private: bool,
}

impl Home {
    /// The home of the skills in `skills`, known to `state` and to nobody else.
    pub fn new(skills: impl Into<PathBuf>, state: impl Into<PathBuf>) -> Self {
        let state = state.into();
        Self {
            skills: skills.into(),
            trash: state.join("trash"),
            state,
            mirror: None,
            companions: BTreeMap::new(),
        }
    }

    /// Where a skill is, or would be.
    pub fn target(&self, folder: &Folder) -> PathBuf {
        self.skills.join(folder.as_str())
    }

    /// Refuses a skill whose owner's folder is a link or a file: it would lead elsewhere.
    pub(crate) fn check_way(&self, folder: &Folder) -> Result<(), InstallError> {
        let Some(path) = folder.owner().map(|owner| self.skills.join(owner)) else { return Ok(()) };
        match prowess_fs::condition(&path) {
            Ok(Some(found)) if found.kind != ConditionKind::Folder => Err(InstallError::InTheWay { path }),
            _ => Ok(()),
        }
    }

    /// The lock file.
    pub fn lock_file(&self) -> PathBuf {
        self.state.join("lock.json")
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.state.join("install-journal.json")
    }

    pub(crate) fn base(&self) -> PathBuf {
        self.state.join("base")
    }

    /// What one writer at a time may change; the lock beside it is `install.lock`.
    pub(crate) fn guarded(&self) -> PathBuf {
        self.state.join("install")
    }

    pub(crate) fn staging(&self) -> PathBuf {
        self.skills.join(STAGING)
    }

    /// The new folder before the swap. Where two names can be exchanged, the old one after it.
    pub(crate) fn staged_new(&self) -> PathBuf {
        self.staging().join("new")
    }

    /// The old folder, where names cannot be exchanged.
    pub(crate) fn staged_old(&self) -> PathBuf {
        self.staging().join("old")
    }

    /// What is being deleted.
    pub(crate) fn staged_waste(&self) -> PathBuf {
        self.staging().join("waste")
    }
}

/// A name beside `path` that nobody has: `path.damaged-1`, `path.damaged-2`, …
pub(crate) fn damaged_name(path: &Path) -> PathBuf {
    let mut number = 1_u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".damaged-{number}"));
        let candidate = PathBuf::from(name);
        if !prowess_fs::is_taken(&candidate) {
            return candidate;
        }
        number += 1;
    }
}
