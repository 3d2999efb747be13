//! Programs that were installed for skills, in folders of the engine's own.
//!
//! Installers put programs where the user's `PATH` does not lead: `tools/node/npm/bin`, `tools/<skill>`. A program
//! that was installed from here counts for the gate, for runs and on nodes without a change to `PATH`. The user's own
//! `PATH` comes first. Only in profile `prowess`: other profiles find programs as their programs do.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use prowess_types::{BinRule, ProfileName};

use crate::context::Context;

/// The folder with one prefix per manager of packages; no skill's tools have this name.
const MANAGERS: &str = "node";
/// Below it: links to programs that an installer put elsewhere, such as `~/.local/bin`.
const LINKS: &str = "elsewhere/bin";
/// Changes whenever something was installed, so that watchers look again.
const STAMP: &str = ".installed";
/// The depth of programs in a download for a skill, such as `tool-1.0/bin/tool`.
const MAX_DEPTH: usize = 3;
/// Folders that are looked at; more are not on the path.
const MAX_FOLDERS: usize = 200;

impl Context {
    /// The folder of programs that were installed for skills.
    pub fn tools_folder(&self) -> PathBuf {
        self.places().state.join("tools")
    }

    /// Returns the search path for programs: the user's `PATH`, then the engine's own folders as they are now.
    pub fn program_path(&self) -> OsString {
        let path = self.env().get("PATH").unwrap_or_default();
        if self.profile().name != ProfileName::Prowess {
            return path.into();
        }
        extended(path, own_folders(&self.tools_folder()))
    }

    /// The file that changes whenever something was installed for a skill.
    pub fn installed_stamp(&self) -> PathBuf {
        self.tools_folder().join(STAMP)
    }

    /// Makes a program that an installer put elsewhere one of the engine's own, by a link. Tells whether it is found
    /// by that.
    pub fn adopt_program(&self, bin: &str, found: &Path) -> bool {
        let is_name = !bin.is_empty() && !bin.starts_with('.') && !bin.contains(['/', '\\']);
        if self.profile().name != ProfileName::Prowess || !is_name {
            return false;
        }
        let folder = self.tools_folder().join(MANAGERS).join(LINKS);
        let linked = prowess_fs::create_folder(&folder)
            .is_ok_and(|()| prowess_fs::link_program(found, &folder.join(bin)).is_ok());
        linked && prowess_fs::find_in_path(bin, folder.as_os_str(), BinRule::ExecutableFile)
    }
}

/// The user's `PATH` with further folders behind it. A folder whose name cannot stand in a `PATH` is left out.
fn extended(path: &str, folders: Vec<PathBuf>) -> OsString {
    let users: Vec<PathBuf> = std::env::split_paths(path).collect();
    let is_new = |folder: &PathBuf| !users.contains(folder) && std::env::join_paths([folder]).is_ok();
    let mut more = folders.into_iter().filter(is_new).peekable();
    if more.peek().is_none() {
        return path.into();
    }
    let users = if path.is_empty() { Vec::new() } else { users.clone() };
    std::env::join_paths(users.into_iter().chain(more)).unwrap_or_else(|_| path.into())
}

/// The folders below the tools' folder that hold programs.
fn own_folders(tools: &Path) -> Vec<PathBuf> {
    let managers = prowess_fs::subfolders(&tools.join(MANAGERS)).into_iter();
    let mut found: Vec<PathBuf> =
        managers.map(|it| if cfg!(windows) { it } else { it.join("bin") }).filter(|it| it.is_dir()).collect();
    let is_of_skill = |folder: &PathBuf| folder.file_name() != Some(OsStr::new(MANAGERS));
    let mut of_skills: Vec<(PathBuf, usize)> =
        prowess_fs::subfolders(tools).into_iter().filter(is_of_skill).map(|folder| (folder, 0)).collect();
    let mut looked_at = 0;
    while let Some((folder, depth)) = of_skills.pop() {
        looked_at += 1;
        if looked_at > MAX_FOLDERS {
            break;
        }
        if depth < MAX_DEPTH {
            of_skills.extend(prowess_fs::subfolders(&folder).into_iter().map(|inner| (inner, depth + 1)));
        }
        if prowess_fs::holds_programs(&folder) {
            found.push(folder);
        }
    }
    found.sort();
    found
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use prowess_testkit::Tree;

    use super::*;

    #[test]
    fn every_folder_that_an_installer_fills_is_found() {
        let tree = Tree::new();
        for program in [
            "tools/node/npm/bin/cowsay",
            "tools/node/pnpm/bin/other",
            "tools/demo/tool",
            "tools/deep/tool-1.0/bin/tool",
            "tools/node/elsewhere/bin/linked",
        ] {
            tree.write_program(program);
        }
        tree.write("tools/text/readme", "no program");
        let found = own_folders(&tree.path("tools"));
        let expected = [
            "tools/deep/tool-1.0/bin",
            "tools/demo",
            "tools/node/elsewhere/bin",
            "tools/node/npm/bin",
            "tools/node/pnpm/bin",
        ];
        assert_eq!(found, expected.map(|folder| tree.path(folder)));
        assert!(own_folders(&tree.path("nothing")).is_empty());
    }

    #[test]
    fn the_users_path_comes_first_and_stays_as_it_is() {
        let folders = || vec![PathBuf::from("/own/bin"), PathBuf::from("/usr/bin"), PathBuf::from("/a:b")];
        assert_eq!(extended("/usr/bin:/bin", folders()), OsString::from("/usr/bin:/bin:/own/bin"));
        assert_eq!(extended("", vec!["/own/bin".into()]), OsString::from("/own/bin"));
        assert_eq!(extended("/usr/bin::rel", Vec::new()), OsString::from("/usr/bin::rel"));
    }
}
