//! A throw-away home: folders, environment and files. A surface's own tests open their engine or program on it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{SkillFile, Tree, stable};

/// The programs that a home's `PATH` leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// The home's own (`bin`) only.
    Own,
    /// The home's own, then the system's.
    System,
}

/// A home with a workspace (`ws`), bundled skills (`bundled`) and programs (`bin`); removed when dropped.
#[derive(Debug)]
pub struct Home {
    /// The folder, which is also `HOME`.
    pub tree: Tree,
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// An empty home.
    pub fn new() -> Self {
        let tree = Tree::new();
        for folder in ["ws", "bundled", "bin"] {
            fs::create_dir_all(tree.path(folder)).expect("a folder");
        }
        Self { tree }
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.tree.root()
    }

    /// The folder that an agent works in.
    pub fn workspace(&self) -> PathBuf {
        self.tree.path("ws")
    }

    /// The environment of a program in this home.
    pub fn variables(&self, programs: Programs) -> Vec<(String, String)> {
        let path = |relative: &str| self.tree.path(relative).display().to_string();
        let system = match programs {
            Programs::Own => "",
            Programs::System => ":/usr/local/bin:/usr/bin:/bin",
        };
        [
            ("HOME", self.path().display().to_string()),
            ("PATH", path("bin") + system),
            ("PROWESS_BUNDLED_SKILLS_DIR", path("bundled")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// Writes a file and the folders above it.
    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        self.tree.write(relative, bytes)
    }

    /// Writes a skill into the workspace.
    pub fn add(&self, skill: &SkillFile) -> PathBuf {
        self.write(&format!("ws/skills/{}/SKILL.md", skill.name()), skill.text())
    }

    /// Writes a small valid skill with more fields at `folder/SKILL.md`.
    pub fn skill(&self, folder: &str, name: &str, fields: &str) {
        self.write(&format!("{folder}/SKILL.md"), SkillFile::new(name).fields(fields).text());
    }

    /// Writes a program that does nothing into `bin`.
    pub fn program(&self, name: &str) -> PathBuf {
        self.tree.write_program(&format!("bin/{name}"))
    }

    /// Writes the user's config; `$ROOT` is this home.
    pub fn config(&self, text: &str) {
        self.write(".prowess/prowess.json", self.tree.expand(text));
    }

    /// The text of the user's config.
    pub fn config_text(&self) -> String {
        fs::read_to_string(self.tree.path(".prowess/prowess.json")).expect("the config")
    }

    /// Sets who may do what with a file or folder, where the system has such rights.
    pub fn set_mode(&self, relative: &str, mode: u32) {
        crate::tree::set_mode(&self.tree.path(relative), mode);
    }

    /// Writes a file that was last changed long ago.
    pub fn leftover(&self, relative: &str) {
        let path = self.write(relative, "half");
        let file = fs::File::options().write(true).open(path).expect("a file");
        file.set_modified(std::time::UNIX_EPOCH).expect("a time");
    }

    /// A text for a snapshot: this home's path is `[ROOT]`.
    pub fn shown(&self, text: &str) -> String {
        text.replace(&self.path().display().to_string(), "[ROOT]")
    }

    /// A value for a snapshot, as indented JSON: this home's path is `[ROOT]`, and see [`stable`].
    pub fn shown_json(&self, value: &Value) -> String {
        self.shown(&stable::json(value))
    }
}
