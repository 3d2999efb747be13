//! From folder to folder, level by level.
//!
//! Levels keep the limits fair: when a limit cuts the walk short, what is near the root has been seen. A link
//! back to a folder that the walk came through is passed over, because what it leads to is being read already; a profile
//! that follows it reads it as often as the limits allow.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use prowess_types::{Descent, LinkLoop, LinkPolicy, LossReason, SkillLayout};

use super::fence::{self, Fence};
use super::nested::{SKILLS_FOLDER, child_skill_entry, is_hidden};
use super::place::Place;
use super::{SKILL_FILE, Skipped, Walk};
use crate::platform::{self, Entry, Folder, Kind};

/// A folder that is to be read.
struct Group {
    place: Place,
    depth: usize,
    /// True if it is the folder `skills` or below it.
    in_skills_folder: bool,
    /// The folder the walk came from, as an index of the queue.
    parent: Option<usize>,
}

struct Child {
    name: OsString,
    is_link: bool,
}

/// The walk in progress.
pub(super) struct Descender<'a, 'w> {
    fence: &'a Fence<'a>,
    walk: &'w mut Walk,
    queue: Vec<Group>,
}

impl<'a, 'w> Descender<'a, 'w> {
    pub(super) fn new(fence: &'a Fence<'a>, walk: &'w mut Walk) -> Self {
        Self { fence, walk, queue: Vec::new() }
    }

    pub(super) fn run(mut self, base: Place) {
        let root = base.path.clone();
        self.queue.push(Group {
            in_skills_folder: base.name == SKILLS_FOLDER,
            place: base,
            depth: 0,
            parent: None,
        });
        let max = self.fence.rules.max_folders;
        let mut next = 0;
        while next < self.queue.len().min(max) {
            self.read(next);
            next += 1;
        }
        let left = self.queue.len() - next;
        if left > 0 {
            let message = format!("read {max} folders, {left} more were not read");
            self.skip(&root, LossReason::OverCandidateLimit, message);
        }
    }

    fn read(&mut self, index: usize) {
        let rules = self.fence.rules;
        let path = self.queue[index].place.path.clone();
        let read = Folder::open(&path)
            .and_then(|mut folder| Ok((folder.list(rules.max_entries_per_folder)?, folder)));
        let (mut listing, folder) = match read {
            Ok(read) => read,
            Err(error) => return self.skip(&path, LossReason::Unreadable, error.to_string()),
        };
        if listing.truncated {
            let max = rules.max_entries_per_folder;
            let message = format!("has more than {max} entries, the others were not read");
            self.skip(&path, LossReason::OverCandidateLimit, message);
        }
        listing.entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));

        let is_skill = self.take_skill_file(index, &folder, &listing.entries);
        if is_skill && rules.descent == Descent::StopAtSkill {
            return;
        }
        let takes_lone_files = rules.lone_files && !is_skill;
        let mut children = Vec::new();
        for entry in listing.entries {
            if rules.descent == Descent::StopAtSkill && is_hidden(&entry.name) {
                continue;
            }
            let (kind, is_link) = match entry.kind {
                Kind::Link => match self.kind_behind(&path.join(&entry.name)) {
                    Some(kind) => (kind, true),
                    None => continue,
                },
                kind => (kind, false),
            };
            let name = entry.name;
            if kind == Kind::Folder {
                children.push(Child { name, is_link });
            } else if takes_lone_files && is_lone_file(&name) && !self.is_container(index) {
                self.take_file(index, &folder, &name, SkillLayout::LoneFile);
            }
        }
        self.limit_children(index, &mut children);
        for child in children {
            self.enter(index, &folder, child);
        }
    }

    /// Takes the skill file of a folder whose spelling or whose mere presence only the listing shows.
    /// Where skills are leaves, `SKILL.md` itself has been looked for before the folder was read.
    fn take_skill_file(&mut self, index: usize, folder: &Folder, entries: &[Entry]) -> bool {
        let rules = self.fence.rules;
        let is_settled = rules.descent == Descent::StopAtSkill && !rules.any_case_skill_md;
        if is_settled || self.is_container(index) {
            return false;
        }
        let mut spellings = entries.iter().filter(|entry| {
            let counts = match entry.kind {
                Kind::File => true,
                Kind::Link => rules.links != LinkPolicy::Ignored,
                Kind::Folder | Kind::Other => false,
            };
            counts
                && (entry.name == SKILL_FILE
                    || rules.any_case_skill_md && entry.name.eq_ignore_ascii_case(SKILL_FILE))
        });
        let Some(first) = spellings.next() else {
            return false;
        };
        self.take_file(index, folder, &first.name, SkillLayout::Folder);
        for other in spellings {
            let path = self.queue[index].place.path.join(&other.name);
            let message = format!("`{}` beside it is read instead", first.name.display());
            self.skip(&path, LossReason::Shadowed, message);
        }
        true
    }

    fn take_file(&mut self, index: usize, folder: &Folder, name: &OsStr, layout: SkillLayout) {
        let place = &self.queue[index].place;
        match folder.child(name) {
            Ok(Some(meta)) => {
                let judged = self.fence.judge(place.clone(), name, meta, layout);
                self.walk.take(judged);
            }
            // It was removed since the folder was listed.
            Ok(None) => {}
            Err(error) => {
                let skipped = Skipped::unresolved(place.path.join(name), &error);
                self.walk.skipped.push(skipped);
            }
        }
    }

    /// What a link leads to, or none after saying why it does not matter.
    fn kind_behind(&mut self, link: &Path) -> Option<Kind> {
        let target = platform::follow(link).map(|meta| meta.kind);
        if self.fence.rules.links == LinkPolicy::Ignored {
            let could_matter =
                matches!(target, Ok(Kind::Folder)) || link.file_name().is_some_and(is_markdown);
            if could_matter {
                self.walk.skipped.push(fence::ignored(link));
            }
            return None;
        }
        target.inspect_err(|error| self.walk.skipped.push(Skipped::unresolved(link, error))).ok()
    }

    /// Keeps the first children by name. A child called `skills` is kept in any case, because it may be where
    /// the skills are.
    fn limit_children(&mut self, index: usize, children: &mut Vec<Child>) {
        let rules = self.fence.rules;
        let total = children.len();
        if total <= rules.max_candidates {
            return;
        }
        let cut = children.split_off(rules.max_candidates);
        if rules.descent == Descent::StopAtSkill && self.is_base(index) {
            children.extend(cut.into_iter().find(|child| child.name == SKILLS_FOLDER));
        }
        let message =
            format!("looked at {} of {total} folders (limit {})", children.len(), rules.max_candidates);
        let path = self.queue[index].place.path.clone();
        self.skip(&path, LossReason::OverCandidateLimit, message);
    }

    /// Takes a child that is a skill; queues one that may hold skills.
    fn enter(&mut self, index: usize, folder: &Folder, child: Child) {
        let rules = self.fence.rules;
        let parent = &self.queue[index];
        let place = if child.is_link {
            match self.fence.follow(&parent.place.path.join(&child.name)) {
                Ok(real) if rules.loops == LinkLoop::PassedOver && self.came_through(index, &real) => return,
                Ok(real) => parent.place.linked_child(child.name, real),
                Err(skipped) => return self.walk.skipped.push(skipped),
            }
        } else {
            parent.place.child(child.name)
        };
        let stops_at_skill = rules.descent == Descent::StopAtSkill;
        let is_skills_folder = stops_at_skill && self.is_base(index) && place.name == SKILLS_FOLDER;
        let in_skills_folder = parent.in_skills_folder || is_skills_folder;
        let depth = if is_skills_folder { 0 } else { parent.depth + 1 };
        let max_depth = if in_skills_folder { rules.max_depth_in_skills_folder } else { rules.max_depth };
        let too_deep = || format!("not searched, the limit is {max_depth} levels");
        if depth > max_depth {
            return self.skip(&place.path, LossReason::TooDeep, too_deep());
        }
        if stops_at_skill {
            match child_skill_entry(folder, &parent.place.path, &place.name) {
                Ok(Some(meta)) => {
                    let judged = self.fence.judge(place, OsStr::new(SKILL_FILE), meta, SkillLayout::Folder);
                    return self.walk.take(judged);
                }
                Ok(None) => {}
                Err(error) => return self.skip(&place.path, LossReason::Unreadable, error.to_string()),
            }
            // At the last level nothing but the folder itself could have been a skill, and it is none.
            if depth == max_depth && !rules.any_case_skill_md && !rules.lone_files {
                return self.skip(&place.path, LossReason::TooDeep, too_deep());
            }
        }
        self.queue.push(Group { place, depth, in_skills_folder, parent: Some(index) });
    }

    /// Returns true if the walk came through the real folder `target` on its way to the folder at `index`.
    fn came_through(&self, index: usize, target: &Path) -> bool {
        let mut at = Some(index);
        while let Some(index) = at {
            if self.queue[index].place.real == target {
                return true;
            }
            at = self.queue[index].parent;
        }
        false
    }

    /// Returns true if it is the folder the walk began with.
    fn is_base(&self, index: usize) -> bool {
        self.queue[index].parent.is_none()
    }

    /// Returns true if it is a root that holds skill folders and nothing else.
    fn is_container(&self, index: usize) -> bool {
        self.fence.rules.always_container && self.is_base(index)
    }

    fn skip(&mut self, path: &Path, reason: LossReason, message: String) {
        self.walk.skipped.push(Skipped::new(path, reason, message));
    }
}

fn is_markdown(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.len() >= 3 && name[name.len() - 3..].eq_ignore_ascii_case(b".md")
}

/// Returns true if a file name is one that a lone skill may have.
fn is_lone_file(name: &OsStr) -> bool {
    is_markdown(name) && !name.eq_ignore_ascii_case("README.md")
}
