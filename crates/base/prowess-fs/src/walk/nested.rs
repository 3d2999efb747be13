//! A root that is a skill may still hold a `skills` folder with the real ones.
//!
//! Only then does it matter which of the two is searched. A root that is not a skill is searched as a whole,
//! and its child `skills` does not count as a level, which finds the same skills as searching that child.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use super::fence::Fence;
use super::place::Place;
use super::{SKILL_FILE, WalkRules};
use crate::platform::{self, Entry, Folder, Kind, Meta};

pub(super) const SKILLS_FOLDER: &str = "skills";

/// The folder `skills` below a root, if it may be entered and a `SKILL.md` lies in or below it.
pub(super) fn skills_folder(root: &Place, fence: &Fence<'_>) -> Option<Place> {
    let name = OsStr::new(SKILLS_FOLDER);
    let nested = match platform::examine(&root.path.join(name)).ok()??.kind {
        Kind::Folder => root.child(name.to_owned()),
        Kind::Link => root.linked_child(name.to_owned(), fence.follow(&root.path.join(name)).ok()?),
        Kind::File | Kind::Other => return None,
    };
    holds_skill(&nested.path, fence.rules).then_some(nested)
}

/// Looks for any `SKILL.md`, level by level, within the limits of the walk and without following links.
fn holds_skill(top: &Path, rules: &WalkRules) -> bool {
    if !matches!(skill_entry(top), Ok(None)) {
        return true;
    }
    let mut queue = vec![(top.to_owned(), 1)];
    let mut next = 0;
    while next < queue.len().min(rules.max_folders) {
        let (path, depth) = queue[next].clone();
        next += 1;
        let Ok(mut folder) = Folder::open(&path) else {
            continue;
        };
        for name in real_folders(&mut folder, rules) {
            if !matches!(child_skill_entry(&folder, &path, &name), Ok(None)) {
                return true;
            }
            if depth < rules.max_depth_in_skills_folder {
                queue.push((path.join(name), depth + 1));
            }
        }
    }
    false
}

fn real_folders(folder: &mut Folder, rules: &WalkRules) -> Vec<OsString> {
    let Ok(listing) = folder.list(rules.max_entries_per_folder) else {
        return Vec::new();
    };
    let is_open = |entry: &Entry| entry.kind == Kind::Folder && !is_hidden(&entry.name);
    let entries = listing.entries.into_iter().filter(is_open);
    let mut names: Vec<OsString> = entries.map(|entry| entry.name).collect();
    names.sort_unstable();
    names.truncate(rules.max_candidates);
    names
}

/// Returns true if a name is passed over wherever skills are leaves.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || name == "node_modules"
}

/// The entry `SKILL.md` of a folder, whatever it is.
pub(super) fn skill_entry(folder: &Path) -> io::Result<Option<Meta>> {
    let meta = platform::examine(&folder.join(SKILL_FILE))?;
    Ok(meta.filter(|_| is_spelled_exactly(folder)))
}

/// The entry `SKILL.md` of the folder `name` in an open folder, for the price of one system call.
pub(super) fn child_skill_entry(
    parent: &Folder,
    parent_path: &Path,
    name: &OsStr,
) -> io::Result<Option<Meta>> {
    let mut relative = OsString::with_capacity(name.len() + 1 + SKILL_FILE.len());
    relative.push(name);
    relative.push("/");
    relative.push(SKILL_FILE);
    let meta = parent.child(relative)?;
    Ok(meta.filter(|_| is_spelled_exactly(&parent_path.join(name))))
}

/// Some file systems answer to `SKILL.md` when the entry is called `skill.md`; only the listing tells.
fn is_spelled_exactly(folder: &Path) -> bool {
    cfg!(target_os = "linux")
        || Folder::open(folder)
            .and_then(|mut folder| folder.list(usize::MAX))
            .is_ok_and(|listing| listing.entries.iter().any(|entry| entry.name == SKILL_FILE))
}
