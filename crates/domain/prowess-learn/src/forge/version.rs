//! The files of a draft as a skill, and those of the versions that were promoted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prowess_forge::{MaterialLayout, promoted};

use super::make::TRIGGERS;
use super::queue::StoredDraft;
use super::record::{DraftRecord, DraftStatus, Version};
use super::{Forge, ForgeError, MAX_BYTES, below};

/// The content of a version, by its place below a root.
pub(super) type Files = BTreeMap<String, String>;

impl Forge<'_> {
    /// Returns the targets of a draft's files when it is promoted.
    pub fn target(&self, agent: Option<&str>, draft: &StoredDraft) -> Result<Vec<PathBuf>, ForgeError> {
        let root = self.root(agent, &draft.record)?;
        Ok(content(draft).keys().map(|relative| below(&root, relative)).collect())
    }

    /// Returns the changes of a promotion, line by line: from the version in use, or from nothing, to the draft. The
    /// lines that call it promoted are part of it once the draft has passed its test.
    pub fn diff(&self, name: &str) -> Result<String, ForgeError> {
        let draft = self.show(name)?;
        let old = match draft.record.current_version() {
            Some(version) => self.kept(&draft.record, version)?,
            None => Files::new(),
        };
        // An untested draft is not called tested: until then the difference is that of the draft itself.
        let new = if draft.has_passed() { content(&draft) } else { content_as(&draft, str::to_owned) };
        let mut places: Vec<&String> = old.keys().chain(new.keys()).collect();
        places.sort();
        places.dedup();
        let text = |files: &Files, place: &String| files.get(place).cloned().unwrap_or_default();
        let mut shown = String::new();
        for place in places {
            let diff = prowess_forge::diff(&text(&old, place), &text(&new, place));
            if !diff.is_empty() {
                shown += &format!("{place}\n{diff}");
            }
        }
        Ok(shown)
    }

    pub(super) fn root(&self, agent: Option<&str>, record: &DraftRecord) -> Result<PathBuf, ForgeError> {
        if let Some(version) = record.versions.last() {
            return Ok(version.root.clone());
        }
        Ok(match record.layout {
            MaterialLayout::Folder => self.context.places().managed(),
            MaterialLayout::LoneFile | MaterialLayout::StrictFolder => self.context.workspace(agent)?,
        })
    }

    pub(super) fn version_folder(&self, name: &str, number: u32) -> PathBuf {
        self.folder().join("versions").join(name).join(number.to_string())
    }

    /// The files of a version, as they were promoted.
    pub(super) fn kept(&self, record: &DraftRecord, version: &Version) -> Result<Files, ForgeError> {
        read_all(&self.version_folder(&record.name, version.number).join("files"), &version.files)
    }

    /// The files that are in use, which must be as they were promoted: what a person wrote is not overwritten.
    pub(super) fn in_use(&self, record: &DraftRecord) -> Result<Files, ForgeError> {
        let Some(version) = record.current_version().filter(|_| record.status != DraftStatus::Retired) else {
            return Ok(Files::new());
        };
        let kept = self.kept(record, version)?;
        for (relative, text) in &kept {
            let path = below(&version.root, relative);
            match prowess_fs::read_file(&path, MAX_BYTES) {
                Ok(bytes) if bytes == text.as_bytes() => {}
                Err(error) if error.is_missing() => {}
                Ok(_) => return Err(ForgeError::Changed(path)),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(kept)
    }
}

/// The files of a draft as a skill, by their place below the root.
pub(super) fn content(draft: &StoredDraft) -> Files {
    content_as(draft, promoted)
}

/// The files of a draft, with another text of the skill.
fn content_as(draft: &StoredDraft, text_of: impl Fn(&str) -> String) -> Files {
    let name = &draft.record.name;
    let mut files = Files::new();
    let skill = text_of(draft.skill_md());
    match draft.record.layout {
        MaterialLayout::Folder => {
            files.insert(format!("{name}/SKILL.md"), skill);
            for (relative, text) in draft.files.iter().filter(|(relative, _)| *relative != "SKILL.md") {
                files.insert(format!("{name}/{relative}"), text.clone());
            }
        }
        layout => {
            let place = match layout {
                MaterialLayout::StrictFolder => format!("skills/auto/{name}/SKILL.md"),
                _ => format!("skills/auto/{name}.md"),
            };
            files.insert(place, skill);
            let others =
                draft.files.iter().filter(|(relative, _)| *relative != "SKILL.md" && *relative != TRIGGERS);
            files.extend(others.map(|(relative, text)| (relative.clone(), text.clone())));
        }
    }
    files
}

pub(super) fn read_all(root: &Path, places: &[String]) -> Result<Files, ForgeError> {
    let read = |place: &String| {
        let bytes = prowess_fs::read_file(&below(root, place), MAX_BYTES)?;
        Ok((place.clone(), String::from_utf8_lossy(&bytes).into_owned()))
    };
    places.iter().map(read).collect()
}
