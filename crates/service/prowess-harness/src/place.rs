//! The folders in which a harness reads skills on this machine.

use std::path::{Path, PathBuf};

use prowess_config::Env;
use prowess_types::path_text::spelled_out;

use crate::{Harness, ViewScope};

/// What decides where folders are.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The environment.
    pub env: &'a Env,
    /// The user's home.
    pub home: &'a Path,
    /// The workspace.
    pub workspace: &'a Path,
}

impl Ground<'_> {
    /// A path as the table writes it: `~`, `${NAME:-default}` at its start, else relative to the workspace.
    ///
    /// ```
    /// use std::path::Path;
    /// use prowess_config::Env;
    /// use prowess_harness::Ground;
    ///
    /// let env = Env::new([("CODEX_HOME".to_owned(), "/srv/codex".to_owned())], "/ws");
    /// let ground = Ground { env: &env, home: Path::new("/home/ada"), workspace: Path::new("/ws") };
    /// assert_eq!(ground.expand("${CODEX_HOME:-~/.codex}/skills"), Path::new("/srv/codex/skills"));
    /// assert_eq!(ground.expand("${VIBE_HOME:-~/.vibe}/skills"), Path::new("/home/ada/.vibe/skills"));
    /// assert_eq!(ground.expand(".claude/skills"), Path::new("/ws/.claude/skills"));
    /// ```
    pub fn expand(&self, place: &str) -> PathBuf {
        let variable = place.strip_prefix("${").and_then(|rest| rest.split_once('}'));
        if let Some((variable, rest)) = variable {
            let (name, default) = variable.split_once(":-").unwrap_or((variable, ""));
            let start = self.env.trimmed(name).unwrap_or(default);
            return spelled_out(&self.expand(start).join(rest.trim_start_matches('/')));
        }
        match place.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                spelled_out(&self.home.join(rest.trim_start_matches('/')))
            }
            _ => spelled_out(&self.workspace.join(place)),
        }
    }

    /// The folders that a harness reads, the one to fill first.
    pub fn folders(&self, harness: &Harness, scope: ViewScope) -> Vec<PathBuf> {
        harness.places(scope).iter().map(|place| settle(&self.expand(place))).collect()
    }

    /// Returns true if a harness is installed here.
    pub fn is_installed(&self, harness: &Harness) -> bool {
        harness.detect.iter().any(|place| prowess_fs::is_taken(&self.expand(place)))
    }
}

/// A path with its links resolved as far as it exists, so that a folder has one name before and after it is made.
pub fn settle(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let Some(real) = prowess_fs::real(above) {
            let rest = path.strip_prefix(above).unwrap_or(Path::new(""));
            return if rest.as_os_str().is_empty() { real } else { real.join(rest) };
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_name_before_and_after_it_is_made() {
        let root = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(root.path()).unwrap();
        let folder = root.join("a/b");
        let before = settle(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        assert_eq!(settle(&folder), before);
    }

    #[cfg(unix)]
    #[test]
    fn two_names_of_a_folder_are_one() {
        let root = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(root.path()).unwrap();
        std::fs::create_dir_all(root.join(".agents/skills")).unwrap();
        std::fs::create_dir_all(root.join(".claude")).unwrap();
        std::os::unix::fs::symlink("../.agents/skills", root.join(".claude/skills")).unwrap();
        assert_eq!(settle(&root.join(".claude/skills")), root.join(".agents/skills"));
    }

    #[test]
    fn a_harness_is_found_by_what_it_leaves_behind() {
        let root = tempfile::tempdir().unwrap();
        let (home, workspace) = (root.path().join("home"), root.path().join("ws"));
        let env = Env::new([], &workspace);
        let ground = Ground { env: &env, home: &home, workspace: &workspace };
        let is_installed = |id: &str| ground.is_installed(crate::find(id).unwrap());
        assert!(!is_installed("claude-code") && !is_installed("replit"));
        std::fs::create_dir_all(home.join(".claude")).unwrap();
        std::fs::create_dir_all(&workspace).unwrap();
        std::fs::write(workspace.join(".replit"), "").unwrap();
        assert!(is_installed("claude-code") && is_installed("replit"));
    }
}
