//! Everything in a folder, for those who must not overlook anything.
//!
//! Unlike [`walk`](crate::walk), nothing is skipped: hidden files, dependency folders, links, pipes and names that are
//! no text are all listed. Nothing is opened and no link is followed, so listing a hostile folder does nothing.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// What is in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderListing {
    /// Everything but folders, sorted by its place.
    pub entries: Vec<ListedEntry>,
    /// Folders that could not be read, or that lie too deep, with the reason.
    pub unread: Vec<(String, String)>,
    /// True if there are more entries than were listed.
    pub is_cut: bool,
}

/// Something in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedEntry {
    /// Its place below the folder, with `/` between the parts; bytes that are no text are replaced.
    pub relative: String,
    /// Its location.
    pub path: PathBuf,
    /// Its kind.
    pub kind: EntryKind,
    /// True if its name is text.
    pub is_text_name: bool,
}

impl ListedEntry {
    /// Returns true if it is one of git's own files, which change without what they are about.
    pub fn is_gits(&self) -> bool {
        is_gits(&self.relative)
    }
}

/// Returns true if a place below a folder is one of git's own, or git's own folder.
pub fn is_gits(relative: &str) -> bool {
    relative == ".git" || relative.starts_with(".git/")
}

/// What something in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File {
        /// Its size in bytes.
        size: u64,
        /// True if the same file has more names than one.
        is_shared: bool,
    },
    /// A link to something in the same folder tree.
    LinkInside,
    /// A link to something else.
    LinkOutside,
    /// A link to nothing.
    LinkDangling,
    /// A pipe, a socket or a device.
    Special,
}

/// Lists a folder, up to a number of entries and a depth.
pub fn list_all(folder: &Path, max_entries: usize, max_depth: usize) -> FolderListing {
    let mut listing = FolderListing::default();
    let root = fs::canonicalize(folder).ok();
    let mut waiting = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((path, relative, depth)) = waiting.pop() {
        let read = match fs::read_dir(&path) {
            Ok(read) => read,
            Err(error) => {
                listing.unread.push((shown(&relative), error.to_string()));
                continue;
            }
        };
        for entry in read {
            let Ok(entry) = entry else {
                listing.unread.push((shown(&relative), "the folder cannot be read to its end".to_owned()));
                break;
            };
            let name = entry.file_name();
            let is_text_name = name.to_str().is_some();
            let relative = match relative.as_str() {
                "" => name.to_string_lossy().into_owned(),
                parent => format!("{parent}/{}", name.to_string_lossy()),
            };
            let path = entry.path();
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            if metadata.is_dir() {
                if depth == max_depth {
                    listing.unread.push((relative, "it lies too deep".to_owned()));
                } else {
                    waiting.push((path, relative, depth + 1));
                }
            } else if listing.entries.len() == max_entries {
                listing.is_cut = true;
                return sorted(listing);
            } else {
                let kind = kind(&path, &metadata, root.as_deref());
                listing.entries.push(ListedEntry { relative, path, kind, is_text_name });
            }
        }
    }
    sorted(listing)
}

fn sorted(mut listing: FolderListing) -> FolderListing {
    listing.entries.sort_by(|one, other| one.relative.cmp(&other.relative));
    listing.unread.sort();
    listing
}

fn shown(relative: &str) -> String {
    if relative.is_empty() { ".".to_owned() } else { relative.to_owned() }
}

fn kind(path: &Path, metadata: &Metadata, root: Option<&Path>) -> EntryKind {
    if metadata.is_file() {
        return EntryKind::File { size: metadata.len(), is_shared: has_more_names(metadata) };
    }
    if !metadata.is_symlink() {
        return EntryKind::Special;
    }
    match fs::canonicalize(path) {
        Ok(target) if root.is_some_and(|root| target.starts_with(root)) => EntryKind::LinkInside,
        Ok(_) => EntryKind::LinkOutside,
        Err(_) if points_outside(path, root) => EntryKind::LinkOutside,
        Err(_) => EntryKind::LinkDangling,
    }
}

#[cfg(unix)]
fn has_more_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_more_names(_metadata: &Metadata) -> bool {
    false
}

/// Returns true if a link to nothing would lead out of the folder once something is there.
fn points_outside(path: &Path, root: Option<&Path>) -> bool {
    let Ok(target) = fs::read_link(path) else { return false };
    if target.is_absolute() {
        return root.is_none_or(|root| !target.starts_with(root));
    }
    let Some(root) = root else { return true };
    let folder = path.parent().and_then(|parent| fs::canonicalize(parent).ok());
    let Some(mut place) = folder else { return true };
    for part in target.components() {
        match part {
            std::path::Component::ParentDir => _ = place.pop(),
            std::path::Component::Normal(name) => place.push(name),
            _ => {}
        }
    }
    !place.starts_with(root)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use super::*;

    fn listed(folder: &Path) -> Vec<(String, EntryKind)> {
        let entries = list_all(folder, 100, 8).entries;
        entries.into_iter().map(|entry| (entry.relative, entry.kind)).collect()
    }

    #[test]
    fn nothing_is_skipped_and_no_link_is_followed() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("skill");
        for name in ["SKILL.md", ".hidden/x.sh", "node_modules/a/b.js"] {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "abc").unwrap();
        }
        fs::write(outer.path().join("secret"), "s").unwrap();
        symlink("SKILL.md", folder.join("inside")).unwrap();
        symlink("../secret", folder.join("outside")).unwrap();
        symlink("/etc", folder.join("outside-folder")).unwrap();
        symlink("nowhere", folder.join("dangling")).unwrap();
        symlink("../../nowhere", folder.join(".hidden/up")).unwrap();
        fs::hard_link(outer.path().join("secret"), folder.join("second-name")).unwrap();
        let file = EntryKind::File { size: 3, is_shared: false };
        let expected = [
            (".hidden/up", EntryKind::LinkOutside),
            (".hidden/x.sh", file),
            ("SKILL.md", file),
            ("dangling", EntryKind::LinkDangling),
            ("inside", EntryKind::LinkInside),
            ("node_modules/a/b.js", file),
            ("outside", EntryKind::LinkOutside),
            ("outside-folder", EntryKind::LinkOutside),
            ("second-name", EntryKind::File { size: 1, is_shared: true }),
        ];
        assert_eq!(listed(&folder), expected.map(|(name, kind)| (name.to_owned(), kind)));
    }

    #[test]
    fn pipes_and_names_that_are_no_text_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let odd = std::ffi::OsStr::from_bytes(b"a\xffb");
        fs::write(folder.path().join(odd), "x").unwrap();
        std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        let listing = list_all(folder.path(), 100, 8);
        assert_eq!(listing.entries.iter().filter(|entry| !entry.is_text_name).count(), 1);
        assert!(listing.entries.iter().any(|entry| entry.kind == EntryKind::Special));
    }

    #[test]
    fn what_is_beyond_the_bounds_is_told() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b/c")).unwrap();
        for number in 0..5 {
            fs::write(folder.path().join(format!("f{number}")), "x").unwrap();
        }
        let listing = list_all(folder.path(), 3, 1);
        assert!(listing.is_cut && listing.entries.len() == 3);
        let listing = list_all(folder.path(), 100, 1);
        assert_eq!(listing.unread, [("a/b".to_owned(), "it lies too deep".to_owned())]);
        let missing = list_all(&folder.path().join("none"), 3, 1);
        assert!(missing.entries.is_empty() && missing.unread.len() == 1);
    }
}
