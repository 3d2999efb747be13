//! Skills that other tools have installed. Their files are read and never written here.

use std::path::{Path, PathBuf};

use prowess_registry::{ClawhubLock, ClawhubOrigin, ForeignEntry, ForeignLock, ForeignTool, SourceReference};

use super::listing::{InstallState, InstalledSkill, PinNote};
use super::mirror::local_fingerprint;
use super::{Acquire, InstallScope};

/// A lock file larger than this is not read.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The lock files of other tools in a workspace.
const IN_WORKSPACES: [&str; 5] =
    [ClawhubLock::PLACE, ClawhubLock::OLD_PLACE, "skills-lock.json", "skills.lock", "vskill.lock"];

impl Acquire<'_> {
    /// The skills that other tools installed beside those in `known`, and which lock files could not be read.
    pub(super) fn other_tools(&self, known: &[PathBuf]) -> (Vec<InstalledSkill>, Vec<String>) {
        let (mut skills, mut problems): (Vec<InstalledSkill>, Vec<String>) = (Vec::new(), Vec::new());
        for file in self.foreign_locks() {
            let bytes = match prowess_fs::read_file(&file, MAX_BYTES) {
                Ok(bytes) => bytes,
                Err(error) if error.is_missing() => continue,
                Err(error) => {
                    problems.push(prowess_text::describe_error(&error));
                    continue;
                }
            };
            let text = String::from_utf8_lossy(&bytes);
            match ForeignLock::parse(&file.display().to_string(), &text) {
                Ok(lock) => {
                    let pins = pins(lock.tool, &text);
                    for entry in lock.entries {
                        let skill = self.foreign_skill(lock.tool, entry, &pins);
                        let is_known = known.contains(&skill.path)
                            || skills.iter().any(|other| other.path == skill.path);
                        if !is_known {
                            skills.push(skill);
                        }
                    }
                }
                Err(error) => problems.push(prowess_text::describe_error(&error)),
            }
        }
        (skills, problems)
    }

    fn foreign_locks(&self) -> Vec<PathBuf> {
        let root = &self.target.root;
        match self.target.scope {
            InstallScope::Workspace => IN_WORKSPACES.iter().map(|name| root.join(name)).collect(),
            InstallScope::Global => {
                let agents = self.context.places().os_home.join(".agents/.skill-lock.json");
                vec![root.join(ClawhubLock::PLACE), root.join(ClawhubLock::OLD_PLACE), agents]
            }
        }
    }

    fn foreign_skill(
        &self,
        tool: ForeignTool,
        entry: ForeignEntry,
        pins: &[(String, PinNote)],
    ) -> InstalledSkill {
        let key = match (tool, &entry.reference) {
            (ForeignTool::Clawhub, Some(SourceReference::Registry(wanted))) if wanted.owner.is_some() => {
                format!("@{}/{}", wanted.owner.as_deref().unwrap_or_default(), wanted.slug)
            }
            _ => entry.name.clone(),
        };
        let path = self.foreign_path(tool, &key);
        let is_there = prowess_fs::is_folder(&path).unwrap_or(false);
        let state = match tool {
            _ if !is_there => InstallState::Gone,
            ForeignTool::Clawhub => clawhub_state(&path),
            _ => InstallState::Unknown,
        };
        InstalledSkill {
            pinned: pins.iter().find(|(name, _)| *name == key).map(|(_, pin)| pin.clone()),
            folder: key,
            name: entry.name,
            path,
            tool: Some(tool_name(tool).to_owned()),
            source: entry.reference.as_ref().map_or(entry.source, ToString::to_string),
            version: entry.version,
            commit: entry.revision,
            installed_at: entry.installed_at.and_then(|time| time.parse().ok()),
            state,
            ..InstalledSkill::default()
        }
    }

    /// Returns the path of a tool's skill: in the first of its folders that has it, else in the first.
    fn foreign_path(&self, tool: ForeignTool, key: &str) -> PathBuf {
        let root = &self.target.root;
        let home = &self.context.places().os_home;
        let folders = match (tool, self.target.scope) {
            (ForeignTool::Clawhub, _) => vec![self.target.home.skills.clone()],
            (_, InstallScope::Workspace) => {
                vec![root.join(".agents/skills"), root.join(".claude/skills"), root.join("skills")]
            }
            (_, InstallScope::Global) => vec![home.join(".agents/skills"), home.join(".claude/skills")],
        };
        // A name from a lock file is not a path.
        let key = prowess_install::Folder::parse(key).map_or_else(|_| ".".to_owned(), Into::into);
        let candidates: Vec<PathBuf> = folders.iter().map(|folder| folder.join(&key)).collect();
        let found = candidates.iter().find(|path| prowess_fs::is_taken(path)).cloned();
        found.or_else(|| candidates.into_iter().next()).unwrap_or_default()
    }
}

/// The tool's name.
fn tool_name(tool: ForeignTool) -> &'static str {
    match tool {
        ForeignTool::Clawhub => "clawhub",
        ForeignTool::Skills | ForeignTool::SkillsGlobal => "skills",
        ForeignTool::SkillsLock => "skills-lock",
        ForeignTool::Tank => "tank",
        ForeignTool::Vskill => "vskill",
        _ => "another tool",
    }
}

/// The pinned skills of the registry's own client.
fn pins(tool: ForeignTool, text: &str) -> Vec<(String, PinNote)> {
    if tool != ForeignTool::Clawhub {
        return Vec::new();
    }
    let Ok(lock) = ClawhubLock::parse(text) else { return Vec::new() };
    let pinned = lock.entries().filter(|(_, entry)| entry.pinned == Some(true));
    pinned.map(|(key, entry)| (key.to_owned(), PinNote { reason: entry.pin_reason })).collect()
}

/// Compares a folder with the fingerprint that the registry's client recorded.
fn clawhub_state(path: &Path) -> InstallState {
    let origin = prowess_fs::read_file(&path.join(ClawhubOrigin::PLACE), MAX_BYTES).ok();
    let origin = origin.and_then(|bytes| ClawhubOrigin::parse(&String::from_utf8_lossy(&bytes)).ok());
    let Some(expected) = origin.and_then(|origin| origin.fingerprint) else { return InstallState::Unknown };
    match prowess_install::folder_files(path) {
        Ok(Ok(bundle)) if local_fingerprint(&bundle) == expected => InstallState::Intact,
        Ok(_) => InstallState::Edited,
        Err(_) => InstallState::Unknown,
    }
}
