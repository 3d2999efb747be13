//! The files of skills that belong into a sandbox, and their names there.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use prowess_fs::{FinalLink, Mirrored};
use prowess_types::SkillLayout;

use super::SkippedFile;
use crate::files::{MAX_ENTRIES, MAX_FILE_BYTES, file_behind};
use crate::inventory::{Inventory, SkillEntry};

/// The folder of the skills in a sandbox.
pub(super) const SKILLS: &str = "skills";
/// Size of all files of a skill.
pub const MAX_SKILL_BYTES: u64 = 64 * 1024 * 1024;
/// The longest name of a skill's folder.
const MAX_NAME: usize = 64;

/// A skill to be copied.
pub struct PlannedSkill {
    /// Its file, under the path that is shown.
    pub(super) file: PathBuf,
    /// The place of its copy.
    pub(super) main: String,
    /// Its files.
    pub files: Vec<SourceFile>,
    /// Files that are left out.
    pub skipped: Vec<SkippedFile>,
}

/// A file to be copied.
pub struct SourceFile {
    /// Its path.
    pub path: PathBuf,
    /// The place of its copy.
    pub place: String,
}

/// The skills that an agent can use, each under a name of its own.
pub(super) fn plan(inventory: &Inventory) -> Vec<PlannedSkill> {
    let mut taken = HashSet::new();
    let usable = inventory.entries.iter().filter(|entry| entry.is_usable());
    usable
        .map(|entry| {
            let name = claim(&mut taken, &safe_name(&entry.skill.name));
            planned(entry, &format!("{SKILLS}/{name}"))
        })
        .collect()
}

/// The files of a skill, copied into a folder of its own.
pub fn planned(entry: &SkillEntry, folder: &str) -> PlannedSkill {
    let origin = &entry.origin;
    let file_name = origin.file.file_name().unwrap_or_default().to_string_lossy();
    let place = |relative: &str| format!("{folder}/{relative}");
    let mut skill = PlannedSkill {
        file: origin.file.clone(),
        main: place(&file_name),
        files: Vec::new(),
        skipped: Vec::new(),
    };
    if entry.skill.layout == SkillLayout::LoneFile {
        skill.files.push(SourceFile { path: origin.real_file.clone(), place: skill.main.clone() });
        return skill;
    }
    let listing = entry.listing();
    let mut skip = |path: &Path, reason: &str| {
        skill.skipped.push(SkippedFile { path: path.to_owned(), reason: reason.to_owned() });
    };
    for (folder, reason) in &listing.unread {
        skip(&origin.base.join(folder), reason);
    }
    if listing.is_cut {
        skip(&origin.base, &format!("only the first {MAX_ENTRIES} files are copied"));
    }
    for entry in &listing.entries {
        match file_behind(entry, origin.tier == prowess_types::Tier::Bundled) {
            Ok(path) => skill.files.push(SourceFile { path, place: place(&entry.relative) }),
            Err(reason) => skip(&entry.path, reason),
        }
    }
    skill
}

impl SourceFile {
    /// Reads it, as far as the skill has room left.
    pub fn read(&self, room: &mut u64) -> Result<Mirrored, String> {
        let contents = prowess_fs::read_stamped(&self.path, MAX_FILE_BYTES.min(*room), FinalLink::Refuse);
        let bytes = contents.map_err(|error| prowess_text::describe_error(&error))?.bytes;
        *room -= bytes.len() as u64;
        Ok(Mirrored { bytes, is_executable: cfg!(unix) && prowess_fs::is_executable(&self.path) })
    }
}

/// A skill's name as that of a folder on any system.
pub fn safe_name(name: &str) -> String {
    let safe =
        |letter: char| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '-' };
    let mut name: String = name.chars().map(safe).collect();
    name.truncate(MAX_NAME);
    match name.trim_matches(['.', '-']) {
        "" => "skill".to_owned(),
        name => name.to_owned(),
    }
}

/// Takes a name, or the first of its numbered variants that is free on systems that know no case.
pub fn claim<S: std::hash::BuildHasher>(taken: &mut HashSet<String, S>, name: &str) -> String {
    let variants = (2..).map(|number: usize| format!("{name}-{number}"));
    let mut free = std::iter::once(name.to_owned()).chain(variants);
    free.find(|variant| taken.insert(variant.to_lowercase())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_their_own() {
        let mut taken = HashSet::new();
        let table = [
            ("weather", "weather"),
            ("Weather", "Weather-2"),
            ("../../etc", "etc"),
            ("a b/c\\d\ne", "a-b-c-d-e"),
            ("日本語", "skill"),
            ("..", "skill-2"),
            (".hidden", "hidden"),
            ("weather-2", "weather-2-2"),
        ];
        for (name, expected) in table {
            assert_eq!(claim(&mut taken, &safe_name(name)), expected, "{name:?}");
        }
        assert_eq!(safe_name(&"x".repeat(300)).len(), MAX_NAME);
    }
}
