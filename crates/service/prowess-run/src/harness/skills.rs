//! The skills of a run, put where a harness looks for them, and taken away again.
//!
//! Whatever is made outside our own folder is written down first, so that it can be taken away at the next start if
//! this process is killed. Only links and copies of ours and folders that are empty are ever removed from a workspace.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_fs::{ConditionKind, Lock};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{HarnessCommand, SkillsBy};
use crate::RunSkill;

/// The name that skills get in front of theirs in a plugin.
const PLUGIN: &str = "prowess";
/// The time to wait for another run that holds the folder.
const BUSY: Duration = Duration::from_secs(10);
/// What was put into a workspace.
const LIST: &str = "placed.json";
/// The file that tells our copies of skills.
const MARK: &str = ".prowess-copy";

/// What a harness is given so that it sees the skills. They are taken away when this is dropped.
#[derive(Debug)]
pub(super) struct Handed {
    pub(super) args: Vec<String>,
    pub(super) variable: Option<(String, Value)>,
    /// Our folder of this run.
    folder: PathBuf,
    root: PathBuf,
    /// Held while the run lives.
    alive: Option<Lock>,
}

/// What was put into a workspace, in the order of making.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Placed {
    links: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Handed {
    /// Makes the skills visible to a harness. `root` is a folder of ours; `id` is unique among runs.
    pub(super) fn over(
        harness: &HarnessCommand,
        skills: &[RunSkill],
        workspace: &Path,
        root: &Path,
        id: &str,
    ) -> io::Result<Self> {
        clean(root);
        let folder = root.join(id);
        prowess_fs::make_folders(&folder)?;
        let alive = Lock::acquire(&folder, Duration::ZERO).map_err(io::Error::other)?;
        let mut handed =
            Self { args: Vec::new(), variable: None, folder, root: root.to_owned(), alive: Some(alive) };
        if !skills.is_empty() {
            handed.place(&harness.skills, skills, workspace)?;
        }
        Ok(handed)
    }

    /// A file of ours that lives as long as the run.
    pub(super) fn file(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.folder.join(name);
        prowess_fs::write_atomic(&path, text.as_bytes(), Some(0o600)).map_err(io::Error::other)?;
        Ok(path)
    }

    fn place(&mut self, by: &SkillsBy, skills: &[RunSkill], workspace: &Path) -> io::Result<()> {
        match by {
            SkillsBy::None => {}
            SkillsBy::Plugin { args } => {
                let plugin = self.folder.join("plugin");
                let manifest = serde_json::json!({
                    "name": PLUGIN,
                    "description": "The skills of this run",
                    "version": env!("CARGO_PKG_VERSION"),
                });
                let file = plugin.join(".claude-plugin").join("plugin.json");
                prowess_fs::write_atomic(&file, manifest.to_string().as_bytes(), None)
                    .map_err(io::Error::other)?;
                for skill in skills {
                    copy(skill, &plugin.join("skills").join(folder_name(skill)))?;
                }
                self.args =
                    args.iter().map(|arg| arg.replace("{folder}", &plugin.to_string_lossy())).collect();
            }
            SkillsBy::Argument { once, each } => {
                self.args.clone_from(once);
                for skill in skills {
                    let folder = self.folder_of(skill)?;
                    let file = skill.file.to_string_lossy();
                    let fill = |arg: &String| {
                        arg.replace("{folder}", &folder.to_string_lossy()).replace("{file}", &file)
                    };
                    self.args.extend(each.iter().map(fill));
                }
            }
            SkillsBy::Variable { name, value } => {
                let folders: io::Result<Vec<Value>> = skills
                    .iter()
                    .map(|skill| Ok(self.folder_of(skill)?.to_string_lossy().into_owned().into()))
                    .collect();
                self.variable = Some((name.clone(), filled(value, &Value::Array(folders?))));
            }
            SkillsBy::Workspace { folder, copies, args } => {
                self.args.clone_from(args);
                let put = if *copies { put_copy } else { put_link };
                self.put(&workspace.join(folder), skills, workspace, put)?;
            }
        }
        Ok(())
    }

    /// Puts skills into a folder of the workspace. What has the name of a skill already is left as it is.
    fn put(
        &self,
        target: &Path,
        skills: &[RunSkill],
        workspace: &Path,
        put: fn(&Path, &Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let _writing = Lock::acquire(&self.root.join("workspaces"), BUSY).map_err(io::Error::other)?;
        let others = placed_by_others(&self.root, &self.folder);
        let mut placed = Placed::default();
        let above = target.ancestors().take_while(|folder| *folder != workspace && !folder.exists());
        placed.folders = above.map(Path::to_owned).collect();
        for skill in skills {
            let link = target.join(folder_name(skill));
            if !prowess_fs::is_taken(&link) || others.contains(&link) {
                placed.links.push(link);
            }
        }
        let list = serde_json::to_string(&placed).map_err(io::Error::other)?;
        self.file(LIST, &list)?;
        if !placed.links.is_empty() {
            prowess_fs::make_folders(target)?;
        }
        for skill in skills {
            let link = target.join(folder_name(skill));
            if placed.links.contains(&link) && !prowess_fs::is_taken(&link) {
                put(&self.folder_of(skill)?, &link)?;
            }
        }
        Ok(())
    }

    /// A folder with this skill alone: its own, or for a lone file one of ours.
    fn folder_of(&self, skill: &RunSkill) -> io::Result<PathBuf> {
        if is_skill_md(skill) {
            return Ok(skill.folder.clone());
        }
        let folder = self.folder.join("lone").join(folder_name(skill));
        if !folder.exists() {
            copy(skill, &folder)?;
        }
        Ok(folder)
    }
}

impl Drop for Handed {
    fn drop(&mut self) {
        remove(&self.root, &self.folder);
        drop(self.alive.take());
        let _ = prowess_fs::remove_file(&lock_of(&self.folder));
    }
}

/// Takes away what runs that were killed have left behind.
pub fn clean(root: &Path) {
    for folder in prowess_fs::subfolders(root) {
        // A run that lives holds its lock.
        if let Ok(dead) = Lock::acquire(&folder, Duration::ZERO) {
            remove(root, &folder);
            drop(dead);
            let _ = prowess_fs::remove_file(&lock_of(&folder));
        }
    }
}

/// Removes what a run has put into a workspace, and then its folder.
fn remove(root: &Path, folder: &Path) {
    if let Ok(_writing) = Lock::acquire(&root.join("workspaces"), BUSY) {
        let placed = read_list(folder);
        let others = placed_by_others(root, folder);
        for link in placed.links.iter().filter(|link| !others.contains(link)) {
            take_away(link);
        }
        // Only what is empty goes.
        placed.folders.iter().for_each(|folder| prowess_fs::remove_empty_folder(folder));
    }
    let _ = prowess_fs::remove_entry(folder);
}

fn read_list(folder: &Path) -> Placed {
    let text = prowess_fs::read_file(&folder.join(LIST), 16 * 1024 * 1024).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// The links that other runs need.
fn placed_by_others(root: &Path, own: &Path) -> Vec<PathBuf> {
    let others = prowess_fs::subfolders(root).into_iter().filter(|folder| folder != own);
    others.flat_map(|folder| read_list(&folder).links).collect()
}

fn lock_of(folder: &Path) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

fn is_skill_md(skill: &RunSkill) -> bool {
    skill.file.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
}

/// The name of a skill's folder: its own, if a folder can have it.
pub(super) fn folder_name(skill: &RunSkill) -> String {
    let own = skill
        .folder
        .file_name()
        .filter(|_| is_skill_md(skill))
        .map(|name| name.to_string_lossy().into_owned());
    let name = own.unwrap_or_else(|| skill.name.clone());
    let is_fine = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_' | '.');
    let clean: String = name.chars().map(|next| if is_fine(next) { next } else { '-' }).collect();
    clean.trim_start_matches('.').to_owned()
}

fn copy(skill: &RunSkill, to: &Path) -> io::Result<()> {
    if is_skill_md(skill) {
        prowess_fs::copy_tree(&skill.folder, to)
    } else {
        prowess_fs::copy_tree(&skill.file, &to.join("SKILL.md"))
    }
}

fn filled(value: &Value, folders: &Value) -> Value {
    match value {
        Value::String(text) if text == "{folders}" => folders.clone(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), filled(member, folders))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(unix)]
fn put_link(target: &Path, link: &Path) -> io::Result<()> {
    prowess_fs::make_link(target, link)
}

/// Links need a privilege on Windows.
#[cfg(not(unix))]
fn put_link(target: &Path, link: &Path) -> io::Result<()> {
    put_copy(target, link)
}

/// A copy, with a mark that it is ours.
fn put_copy(target: &Path, copy: &Path) -> io::Result<()> {
    // The mark comes first: a copy that was interrupted is ours, too.
    prowess_fs::make_folder(copy)?;
    prowess_fs::write_plain(&copy.join(MARK), b"")?;
    for entry in prowess_fs::children(target)? {
        prowess_fs::copy_tree(&entry.path, &copy.join(entry.name))?;
    }
    Ok(())
}

/// Removes a link, or a copy with our mark.
fn take_away(placed: &Path) {
    let found = prowess_fs::condition(placed).ok().flatten();
    let is_ours = found.is_some_and(|found| match found.kind {
        ConditionKind::Link => true,
        ConditionKind::Folder => placed.join(MARK).is_file(),
        _ => false,
    });
    if is_ours {
        let _ = prowess_fs::remove_entry(placed);
    }
}
