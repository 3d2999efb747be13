//! The folders that must be watched for a target.
//!
//! The same folders that the walk looks into, and the folders of the skills themselves: never less than the walk sees,
//! within the same limits. Each folder is announced before it is read, so that whoever watches it misses nothing.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use prowess_types::{Descent, LinkPolicy};

use super::names::{SKILL_FILE, SKILLS_FOLDER, is_ignored, is_text};
use super::target::WatchReach;
use crate::WalkRules;
use crate::platform::{self, Entry, Folder, Kind};

/// More entries of one folder are not read where no rules say how many.
const MAX_ENTRIES: usize = 10_000;

/// Whoever is told what a survey finds. All paths are real, but for the names of links.
pub(super) trait Visitor {
    /// A folder, before it is read.
    fn folder(&mut self, real: &Path);
    /// A link that leads to a folder or a file that matters.
    fn link(&mut self, path: &Path);
    /// A file whose content matters.
    fn file(&mut self, real: &Path);
}

struct Group {
    real: PathBuf,
    depth: usize,
    in_skills_folder: bool,
}

struct Surveyor<'a, V> {
    visitor: &'a mut V,
    queue: Vec<Group>,
    seen: BTreeSet<PathBuf>,
}

/// Announces everything that matters for a target at its real path.
pub(super) fn survey<V: Visitor>(real: &Path, reach: &WatchReach, visitor: &mut V) {
    let mut surveyor = Surveyor { visitor, queue: Vec::new(), seen: BTreeSet::new() };
    match reach {
        WatchReach::File => surveyor.visitor.file(real),
        WatchReach::Folders { depth } => surveyor.folders(real, *depth),
        WatchReach::Skills { rules, beside } => surveyor.skills(real, rules, beside),
    }
}

impl<V: Visitor> Surveyor<'_, V> {
    fn folders(&mut self, real: &Path, depth: usize) {
        self.enter(real.to_owned(), 0, false);
        let mut next = 0;
        while next < self.queue.len() {
            let Group { real, depth: level, .. } = &self.queue[next];
            let (real, level) = (real.clone(), *level);
            next += 1;
            for entry in list(&real, MAX_ENTRIES) {
                if entry.kind == Kind::Folder && level < depth && !is_hidden(&entry.name) {
                    self.enter(real.join(&entry.name), level + 1, false);
                } else if entry.kind == Kind::File && is_text(&entry.name) {
                    self.visitor.file(&real.join(&entry.name));
                }
            }
        }
    }

    fn skills(&mut self, root: &Path, rules: &WalkRules, beside: &[&str]) {
        let allowed = match rules.links {
            LinkPolicy::ContainedOrAllowed => rules.allowed_targets.as_slice(),
            LinkPolicy::Contained | LinkPolicy::Anywhere | LinkPolicy::Ignored => &[],
        };
        let mut fence: Vec<PathBuf> = allowed.iter().filter_map(|path| path.canonicalize().ok()).collect();
        fence.push(root.to_owned());
        let may_enter = |real: &Path| match rules.links {
            LinkPolicy::Anywhere => true,
            LinkPolicy::Ignored => false,
            LinkPolicy::Contained | LinkPolicy::ContainedOrAllowed => {
                fence.iter().any(|inside| real.starts_with(inside))
            }
        };
        self.enter(root.to_owned(), 0, root.file_name().is_some_and(|name| name == SKILLS_FOLDER));
        let mut next = 0;
        while next < self.queue.len().min(rules.max_folders.max(1)) {
            let Group { real, depth, in_skills_folder } = &self.queue[next];
            let (real, depth, in_skills_folder) = (real.clone(), *depth, *in_skills_folder);
            let is_root = next == 0;
            next += 1;
            let stops = rules.descent == Descent::StopAtSkill;
            let is_skill = stops && !(is_root && rules.always_container) && self.skill_file(&real);
            if is_skill && !is_root {
                self.beside(&real, beside);
                continue;
            }
            let mut children: Vec<(OsString, PathBuf)> = Vec::new();
            for entry in list(&real, rules.max_entries_per_folder) {
                if is_ignored(&entry.name) || (stops && is_hidden(&entry.name)) {
                    continue;
                }
                match entry.kind {
                    Kind::Folder => children.push((entry.name.clone(), real.join(&entry.name))),
                    Kind::File if is_text(&entry.name) => self.visitor.file(&real.join(&entry.name)),
                    Kind::Link if rules.links != LinkPolicy::Ignored => {
                        let link = real.join(&entry.name);
                        self.visitor.link(&link);
                        if let Ok(target) = link.canonicalize()
                            && may_enter(&target)
                        {
                            match platform::follow(&target).map(|meta| meta.kind) {
                                Ok(Kind::Folder) => children.push((entry.name, target)),
                                Ok(Kind::File) if is_text(&entry.name) => self.linked_file(&target),
                                _ => {}
                            }
                        }
                    }
                    _ => {}
                }
            }
            if is_skill {
                // A root that is a skill may hold others in its folder `skills` only.
                children.retain(|(name, _)| name == SKILLS_FOLDER);
                self.beside(&real, beside);
            }
            children.sort_unstable();
            let is_kept = |place: usize, name: &OsStr| {
                place < rules.max_candidates || (is_root && name == SKILLS_FOLDER)
            };
            for (place, (name, target)) in children.into_iter().enumerate() {
                let is_skills_folder = stops && is_root && name == SKILLS_FOLDER;
                let inside = in_skills_folder || is_skills_folder;
                let level = if is_skills_folder { 0 } else { depth + 1 };
                let deepest = if inside { rules.max_depth_in_skills_folder } else { rules.max_depth };
                if level <= deepest && is_kept(place, &name) {
                    self.enter(target, level, inside);
                }
            }
        }
    }

    fn enter(&mut self, real: PathBuf, depth: usize, in_skills_folder: bool) {
        if self.seen.insert(real.clone()) {
            self.visitor.folder(&real);
            self.queue.push(Group { real, depth, in_skills_folder });
        }
    }

    /// Returns true if a folder is a skill, wherever its file may really lie.
    fn skill_file(&mut self, folder: &Path) -> bool {
        let file = folder.join(SKILL_FILE);
        match platform::examine(&file) {
            Ok(Some(meta)) => {
                self.visitor.file(&file);
                if meta.kind == Kind::Link {
                    self.visitor.link(&file);
                    if let Ok(target) = file.canonicalize()
                        && target.starts_with(folder)
                    {
                        self.linked_file(&target);
                    }
                }
                true
            }
            _ => false,
        }
    }

    fn linked_file(&mut self, real: &Path) {
        if let Some(folder) = real.parent() {
            self.visitor.folder(folder);
        }
        self.visitor.file(real);
    }

    fn beside(&mut self, skill: &Path, names: &[&str]) {
        for folder in names.iter().map(|name| skill.join(name)) {
            if matches!(platform::examine(&folder), Ok(Some(meta)) if meta.kind == Kind::Folder) {
                self.visitor.folder(&folder);
                for entry in list(&folder, MAX_ENTRIES) {
                    if entry.kind == Kind::File && is_text(&entry.name) {
                        self.visitor.file(&folder.join(entry.name));
                    }
                }
            }
        }
    }
}

/// The entries of a folder; none if it cannot be read, which the walk reports.
fn list(folder: &Path, max: usize) -> Vec<Entry> {
    let listing = Folder::open(folder).and_then(|mut folder| folder.list(max));
    listing.map(|listing| listing.entries).unwrap_or_default()
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || is_ignored(name)
}
