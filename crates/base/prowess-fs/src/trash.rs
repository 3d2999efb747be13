//! Removing a skill so that it can be brought back.
//!
//! A folder is removed only if it lies below one of the roots that may be changed, is none of them, and holds a
//! `SKILL.md`. The way to it is walked by handles that follow no link, and what is moved is compared with what was
//! checked, before and after: somebody who swaps the folder for something else in between gets an error, and nothing
//! but the name in that place is ever touched.
//!
//! A removed folder lies in the trash as `<time>-<name>`, with a note `<time>-<name>.json` of where it was.

#[cfg_attr(not(unix), path = "trash/spot_portable.rs")]
#[cfg_attr(unix, path = "trash/spot_unix.rs")]
mod spot;

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::contain::normalize;
use crate::platform::is_missing;

use spot::{MoveError, Spot};

const NOTE_BYTES: u64 = 64 * 1024;

/// A folder of removed skills.
#[derive(Clone, Debug)]
pub struct Trash {
    folder: PathBuf,
}

/// A removed skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trashed {
    /// Its id in the trash.
    #[serde(skip)]
    pub id: String,
    /// Its previous location.
    pub from: PathBuf,
    /// When it was removed, in milliseconds since 1970.
    pub removed_at: u64,
}

/// The reason a skill was not removed or brought back. It is where it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrashError {
    /// It is in none of the folders that may be changed.
    #[error("`{}` is in no folder that may be changed", path.display())]
    Outside {
        /// The folder.
        path: PathBuf,
    },
    /// It is a folder of skills, or holds one.
    #[error("`{}` is a folder of skills, not a skill", path.display())]
    IsRoot {
        /// The folder.
        path: PathBuf,
    },
    /// Nothing is there.
    #[error("`{}` does not exist", path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
    },
    /// It is, or is reached through, a link or a file.
    #[error("`{}` is not a folder, or is reached through a link", path.display())]
    NotAFolder {
        /// The folder.
        path: PathBuf,
    },
    /// It holds no `SKILL.md`.
    #[error("`{}` holds no `SKILL.md`", path.display())]
    NotASkill {
        /// The folder.
        path: PathBuf,
    },
    /// Something else took its place meanwhile.
    #[error("`{}` was replaced while it was removed", path.display())]
    Swapped {
        /// The folder.
        path: PathBuf,
    },
    /// Something is where it should go back to.
    #[error("`{}` already exists", path.display())]
    Taken {
        /// The original path.
        path: PathBuf,
    },
    /// It is not in the trash.
    #[error("`{id}` is not in the trash")]
    Unknown {
        /// The requested id.
        id: String,
    },
    /// The system refused.
    #[error("cannot move `{}`", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl prowess_types::Classify for TrashError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Taken { .. } => Is(ErrorKind::AlreadyThere),
            Self::Outside { .. }
            | Self::IsRoot { .. }
            | Self::Missing { .. }
            | Self::NotAFolder { .. }
            | Self::NotASkill { .. }
            | Self::Swapped { .. }
            | Self::Unknown { .. }
            | Self::Io { .. } => Is(ErrorKind::NotFound),
        }
    }
}

impl Trash {
    /// The trash in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Moves a skill's folder to the trash. `now` is in milliseconds since 1970.
    pub fn remove(&self, folder: &Path, allowed_roots: &[PathBuf], now: u64) -> Result<Trashed, TrashError> {
        self.remove_with(folder, allowed_roots, now, || {})
    }

    /// The same; something may happen between the check and the move.
    fn remove_with(
        &self,
        folder: &Path,
        allowed_roots: &[PathBuf],
        now: u64,
        meanwhile: impl FnOnce(),
    ) -> Result<Trashed, TrashError> {
        let path = normalize(&crate::absolute(folder));
        let (root, relative) = place(&path, allowed_roots)?;
        let spot = Spot::open(&root, &relative).map_err(failure(&path))?;
        if !spot.has_file("SKILL.md").map_err(failure(&path))? {
            return Err(TrashError::NotASkill { path });
        }
        meanwhile();
        let trashed = self.note(&root.join(relative), now)?;
        spot.move_to(&self.folder, &trashed.id).map_err(|error| {
            if !crate::is_taken(&self.folder.join(&trashed.id)) {
                let _ = fs::remove_file(self.note_path(&trashed.id));
            }
            moving(error, &path)
        })?;
        Ok(trashed)
    }

    /// What is in the trash, the oldest first.
    pub fn list(&self) -> Result<Vec<Trashed>, TrashError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if is_missing(&error) => return Ok(Vec::new()),
            Err(error) => return Err(failure(&self.folder)(error)),
        };
        let notes = entries.flatten().filter_map(|entry| {
            let name = entry.file_name();
            self.read_note(name.to_str()?.strip_suffix(".json")?)
        });
        let mut trashed: Vec<Trashed> =
            notes.filter(|trashed| crate::is_taken(&self.folder.join(&trashed.id))).collect();
        trashed.sort_by(|one, other| (one.removed_at, &one.id).cmp(&(other.removed_at, &other.id)));
        Ok(trashed)
    }

    /// Puts a skill back where it was, unless something is there.
    pub fn restore(&self, id: &str) -> Result<PathBuf, TrashError> {
        let target = self.put_back(id)?;
        // Without its folder the note means nothing; the next purge takes it.
        let _ = fs::remove_file(self.note_path(id));
        Ok(target)
    }

    /// Moves a skill back where it was, unless something is there, and leaves the note of it in the trash: the caller
    /// removes it once everything else that belongs to the skill is back.
    pub fn put_back(&self, id: &str) -> Result<PathBuf, TrashError> {
        let unknown = || TrashError::Unknown { id: id.to_owned() };
        let trashed = self.read_note(id).ok_or_else(unknown)?;
        let target = trashed.from;
        let (Some(parent), Some(name)) = (target.parent(), target.file_name().and_then(|name| name.to_str()))
        else {
            return Err(unknown());
        };
        if crate::is_taken(&target) {
            return Err(TrashError::Taken { path: target });
        }
        let spot = Spot::open(&self.folder, Path::new(id)).map_err(|error| match error {
            error if is_missing(&error) => unknown(),
            error => failure(&self.folder.join(id))(error),
        })?;
        fs::create_dir_all(parent).map_err(failure(parent))?;
        spot.move_to(parent, name).map_err(|error| moving(error, &target))?;
        Ok(target)
    }

    /// Removes for good what was removed before a time, in milliseconds since 1970, and says how many.
    pub fn purge(&self, before: u64) -> Result<usize, TrashError> {
        let old = self.list()?.into_iter().filter(|trashed| trashed.removed_at < before);
        let mut count = 0;
        for trashed in old {
            let path = self.folder.join(&trashed.id);
            spot::remove_tree(&self.folder, &trashed.id).map_err(failure(&path))?;
            let note = self.note_path(&trashed.id);
            fs::remove_file(&note).map_err(failure(&note))?;
            count += 1;
        }
        Ok(count)
    }

    /// Writes down where a folder was, under an id that nobody has; the folder follows.
    fn note(&self, from: &Path, now: u64) -> Result<Trashed, TrashError> {
        create_private(&self.folder).map_err(failure(&self.folder))?;
        let name = from.file_name().unwrap_or_default().to_string_lossy();
        for number in 1_u32.. {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let id = format!("{now:013}{suffix}-{name}");
            let trashed = Trashed { id, from: from.to_owned(), removed_at: now };
            let path = self.note_path(&trashed.id);
            let text = serde_json::to_vec_pretty(&trashed).map_err(|error| failure(&path)(error.into()))?;
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let written = file.write_all(&text).and_then(|()| file.sync_all());
                    if written.is_err() {
                        let _ = fs::remove_file(&path);
                    }
                    return written.map(|()| trashed).map_err(failure(&path));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failure(&path)(error)),
            }
        }
        Err(TrashError::Taken { path: self.folder.clone() })
    }

    fn note_path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    fn read_note(&self, id: &str) -> Option<Trashed> {
        let mut parts = Path::new(id).components();
        let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
        let bytes = crate::read_file(&self.note_path(id), NOTE_BYTES).ok().filter(|_| is_name)?;
        let trashed: Trashed = serde_json::from_slice(&bytes).ok()?;
        Some(Trashed { id: id.to_owned(), ..trashed })
    }
}

/// The root that a folder lies in, with its links resolved, and the way down from there.
fn place(path: &Path, allowed_roots: &[PathBuf]) -> Result<(PathBuf, PathBuf), TrashError> {
    let mut found = None;
    let mut roots = Vec::new();
    for root in allowed_roots {
        let Some(real) = crate::real(root) else { continue };
        let written = normalize(&crate::absolute(root));
        let relative = path.strip_prefix(&written).or_else(|_| path.strip_prefix(&real));
        if let Ok(relative) = relative {
            found = found.or_else(|| Some((real.clone(), relative.to_owned())));
        }
        roots.push(real);
    }
    let Some((root, relative)) = found else { return Err(TrashError::Outside { path: path.to_owned() }) };
    let whole = root.join(&relative);
    if roots.iter().any(|root| root.starts_with(&whole)) {
        return Err(TrashError::IsRoot { path: path.to_owned() });
    }
    Ok((root, relative))
}

#[cfg(unix)]
fn create_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

fn failure(path: &Path) -> impl Fn(io::Error) -> TrashError {
    let path = path.to_owned();
    move |source| {
        let path = path.clone();
        match source.kind() {
            io::ErrorKind::NotFound => TrashError::Missing { path },
            io::ErrorKind::NotADirectory => TrashError::NotAFolder { path },
            _ if crate::platform::is_link_loop(&source) => TrashError::NotAFolder { path },
            _ => TrashError::Io { path, source },
        }
    }
}

fn moving(error: MoveError, path: &Path) -> TrashError {
    match error {
        MoveError::Swapped => TrashError::Swapped { path: path.to_owned() },
        MoveError::Taken => TrashError::Taken { path: path.to_owned() },
        MoveError::Io(source) => failure(path)(source),
    }
}

#[cfg(all(test, unix))]
#[path = "trash_tests.rs"]
mod tests;
