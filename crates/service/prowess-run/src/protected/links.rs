//! Hard links: other names of a hidden file.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use super::identity::Identity;
use super::{ReachMap, children, resolved};

/// A file that has more names than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraLinks {
    /// The file.
    pub path: PathBuf,
    /// The number of its names.
    pub links: u64,
}

/// The first of these files, or of the files in these folders, that has more names than one.
pub(super) fn extra_links(secrets: &[PathBuf], map: &ReachMap) -> Option<ExtraLinks> {
    secrets.iter().find_map(|secret| {
        let mut found = None;
        visit(&resolved(secret), map, &mut |path, metadata| {
            let links = link_count(metadata);
            if links > 1 {
                found = Some(ExtraLinks { path: path.to_owned(), links });
            }
            found.is_some()
        });
        found
    })
}

/// Returns true if a hidden file has this identity.
pub(super) fn is_among_hidden(identity: Identity, map: &ReachMap) -> bool {
    map.hidden().any(|place| visit(place, map, &mut |_, metadata| Identity::of(metadata) == Some(identity)))
}

/// Returns true if a file has more names than one.
pub(super) fn has_other_names(metadata: &Metadata) -> bool {
    link_count(metadata) > 1
}

/// Shows every hidden file at and below a path until one is the right one. Tells whether one was.
fn visit(path: &Path, map: &ReachMap, is_it: &mut dyn FnMut(&Path, &Metadata) -> bool) -> bool {
    let mut waiting = vec![path.to_owned()];
    while let Some(path) = waiting.pop() {
        let Ok(metadata) = std::fs::symlink_metadata(&path) else { continue };
        if metadata.is_dir() {
            if !map.hides(&path) {
                continue;
            }
            waiting.extend(children(&path));
        } else if metadata.is_file() && is_it(&path, &metadata) {
            return true;
        }
    }
    false
}

#[cfg(unix)]
fn link_count(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn link_count(_metadata: &Metadata) -> u64 {
    1
}
