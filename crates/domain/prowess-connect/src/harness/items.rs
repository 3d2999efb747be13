//! The desired content of a view: the skills of the store, in the form that its readers want.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use prowess_harness::{Body, Choice, Item, ItemFile, Subject, block, rule};
use prowess_inventory::skill_copies::{self as source, MAX_SKILL_BYTES, claim, planned, safe_name};
use prowess_inventory::{Inventory, SkillEntry, SkippedFile};
use prowess_types::{OfferMode, SkillLayout, Tier};

use super::{SyncMethod, ViewScope};

/// The file of a skill.
const SKILL_MD: &str = "SKILL.md";

/// A skill on its way into views.
pub(super) struct Wanted<'a> {
    pub(super) entry: &'a SkillEntry,
    /// Its name in views.
    pub(super) name: String,
}

/// Its form in one view.
pub(super) struct Made {
    pub(super) item: Item,
    pub(super) skipped: Vec<SkippedFile>,
    has_nested: bool,
    has_files: bool,
}

/// The skills that views of a scope hold. What belongs to one workspace is not shown in all of them.
pub(super) fn wanted(inventory: &Inventory, scope: ViewScope) -> Vec<Wanted<'_>> {
    let is_shared = |tier: Tier| scope == ViewScope::Project || tier < Tier::Project;
    let mut taken = HashSet::new();
    let usable = inventory.entries.iter().filter(|entry| entry.is_usable() && is_shared(entry.origin.tier));
    usable.map(|entry| Wanted { entry, name: claim(&mut taken, &safe_name(&entry.skill.name)) }).collect()
}

impl Wanted<'_> {
    /// The folder that it lies in, links resolved.
    pub(super) fn home(&self) -> Option<PathBuf> {
        self.entry.origin.base.parent().map(prowess_harness::settle)
    }

    /// As a link, if it can be one.
    pub(super) fn link(&self, choice: &Choice, method: SyncMethod, workspace: &Path) -> Option<Made> {
        let origin = &self.entry.origin;
        let is_wanted = match method {
            SyncMethod::Copy => false,
            SyncMethod::Link => true,
            // Bundled skills lie elsewhere after the next upgrade.
            SyncMethod::Auto => {
                choice.harnesses.iter().all(|harness| harness.links) && origin.tier != Tier::Bundled
            }
        };
        let is_folder = self.entry.skill.layout == SkillLayout::Folder;
        let folder = prowess_fs::real(&origin.base).filter(|_| is_wanted && is_folder && cfg!(unix))?;
        let target = relative(&choice.folder, &folder, &prowess_harness::settle(workspace)).unwrap_or(folder);
        let (has_nested, has_files) = shape(&planned(self.entry, &self.name));
        let item = Item { name: self.name.clone(), body: Body::Link(target) };
        Some(Made { item, skipped: Vec::new(), has_nested, has_files })
    }

    /// As a copy.
    pub(super) fn copy(&self) -> Made {
        let mut plan = planned(self.entry, &self.name);
        let (has_nested, has_files) = shape(&plan);
        let mut files = Vec::new();
        let mut room = MAX_SKILL_BYTES;
        for file in &plan.files {
            match file.read(&mut room) {
                Ok(read) => files.push(ItemFile {
                    place: self.place(file),
                    bytes: read.bytes,
                    is_executable: read.is_executable,
                }),
                Err(reason) => plan.skipped.push(SkippedFile { path: file.path.clone(), reason }),
            }
        }
        let item = Item { name: self.name.clone(), body: Body::Files(files) };
        Made { item, skipped: plan.skipped, has_nested, has_files }
    }

    /// As a rule of Cursor; none if its text cannot be read.
    pub(super) fn rule(&self, taken: &mut HashSet<String>) -> Result<Made, SkippedFile> {
        let file = &self.entry.origin.real_file;
        let failed = |reason: String| SkippedFile { path: file.clone(), reason };
        let bytes = prowess_fs::read_file(file, MAX_SKILL_BYTES)
            .map_err(|error| failed(prowess_text::describe_error(&error)))?;
        let text = String::from_utf8(bytes).map_err(|_| failed("its text is not UTF-8".to_owned()))?;
        let (mut place, rule) = rule::from_skill(&self.entry.skill, &self.name, &text);
        if !taken.insert(place.to_lowercase()) {
            place = format!("{}.mdc", self.name);
            taken.insert(place.to_lowercase());
        }
        let (has_nested, has_files) = shape(&planned(self.entry, &self.name));
        let bytes = rule.into_bytes();
        let files = vec![ItemFile { place: place.clone(), bytes, is_executable: false }];
        let item = Item { name: place, body: Body::Files(files) };
        Ok(Made { item, skipped: Vec::new(), has_nested, has_files })
    }

    /// As a line in `AGENTS.md`.
    pub(super) fn line(&self, workspace: &Path) -> block::Line {
        let file = &self.entry.origin.file;
        let file = file.strip_prefix(workspace).unwrap_or(file);
        block::Line {
            name: self.entry.skill.name.clone(),
            description: self.entry.skill.description.clone(),
            file: file.display().to_string(),
        }
    }

    /// Returns its form as a harness will see it.
    pub(super) fn subject(&self, made: Option<&Made>) -> Subject<'_> {
        Subject {
            skill: &self.entry.skill,
            name: &self.name,
            is_manual: self.entry.mode == OfferMode::Manual,
            has_nested: made.is_some_and(|made| made.has_nested),
            has_files: made.is_some_and(|made| made.has_files),
        }
    }

    /// A lone file gets the name that every program looks for.
    fn place(&self, file: &source::SourceFile) -> String {
        match self.entry.skill.layout {
            SkillLayout::LoneFile => format!("{}/{SKILL_MD}", self.name),
            SkillLayout::Folder => file.place.clone(),
        }
    }
}

/// Returns whether there are skills inside a skill's folder, and whether it has more files than one.
fn shape(plan: &source::PlannedSkill) -> (bool, bool) {
    let is_nested = |place: &str| place.ends_with("/SKILL.md") && place.matches('/').count() > 1;
    (plan.files.iter().any(|file| is_nested(&file.place)), plan.files.len() > 1)
}

/// Returns the relative path from a view to a skill, if both lie in the workspace: it holds when the workspace is moved.
fn relative(view: &Path, skill: &Path, workspace: &Path) -> Option<PathBuf> {
    let (view, skill) = (view.strip_prefix(workspace).ok()?, skill.strip_prefix(workspace).ok()?);
    let up = view.components().map(|_| "..");
    Some(up.collect::<PathBuf>().join(skill))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_inside_a_workspace_hold_when_it_is_moved() {
        let way = |view: &str, skill: &str| relative(Path::new(view), Path::new(skill), Path::new("/ws"));
        assert_eq!(way("/ws/.claude/skills", "/ws/skills/a"), Some(PathBuf::from("../../skills/a")));
        assert_eq!(way("/ws/.claude/skills", "/home/ada/.prowess/skills/a"), None);
        assert_eq!(way("/home/ada/.claude/skills", "/ws/skills/a"), None);
    }
}
