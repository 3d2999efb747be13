//! Whether a path stays inside a folder, as written and after every link is resolved.
//!
//! Both questions are asked: `a/../../b` leaves by its spelling, a link leaves by its target.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::platform::is_missing;

/// The reason a path may not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EscapeError {
    /// Nothing is there.
    #[error("`{}` does not exist", path.display())]
    Missing {
        /// The path, joined to its root.
        path: PathBuf,
    },
    /// It lies elsewhere, or leads elsewhere.
    #[error("`{}` is outside `{}`", path.display(), root.display())]
    Outside {
        /// The path, joined to its root.
        path: PathBuf,
        /// The folder that it must be in.
        root: PathBuf,
    },
    /// It cannot be resolved.
    #[error("cannot resolve `{}`", path.display())]
    Io {
        /// The path or the root.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

impl prowess_types::Classify for EscapeError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Missing { .. } => Is(ErrorKind::NotFound),
            Self::Outside { .. } => Is(ErrorKind::Refused),
            Self::Io { .. } => Is(ErrorKind::Files),
        }
    }
}

impl EscapeError {
    /// The path it is about, without `.` and `..`.
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path } | Self::Outside { path, .. } | Self::Io { path, .. } => path,
        }
    }
}

/// The path that `candidate` names below `root`, without `.` and `..` and with its links as they are, if it
/// exists and stays inside `root` both as written and after links are resolved. The root itself is inside.
///
/// ```
/// let root = tempfile::tempdir()?;
/// std::fs::create_dir(root.path().join("skills"))?;
/// assert!(prowess_fs::resolve_inside(root.path(), "./skills".as_ref()).is_ok());
/// assert!(prowess_fs::resolve_inside(root.path(), "skills/../..".as_ref()).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn resolve_inside(root: &Path, candidate: &Path) -> Result<PathBuf, EscapeError> {
    let root = normalize(root);
    let path = normalize(&root.join(candidate));
    let real = resolve(&path)?;
    if path.starts_with(&root) && real.starts_with(resolve(&root)?) {
        Ok(path)
    } else {
        Err(EscapeError::Outside { path, root })
    }
}

fn resolve(path: &Path) -> Result<PathBuf, EscapeError> {
    path.canonicalize().map_err(|source| {
        let path = path.to_owned();
        if is_missing(&source) { EscapeError::Missing { path } } else { EscapeError::Io { path, source } }
    })
}

/// The path without `.`, `..` and doubled separators, by its spelling alone.
pub(crate) fn normalize(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match normal.components().next_back() {
                Some(Component::Normal(_)) => {
                    normal.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                Some(Component::CurDir | Component::ParentDir) | None => normal.push(".."),
            },
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
#[path = "contain_tests.rs"]
mod tests;
