//! The machine that something is installed on, as far as installers may know it.

use std::path::{Path, PathBuf};

use prowess_types::{BinRule, NodeManager};

/// What the user may do to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Privilege {
    /// Everything.
    Administrator,
    /// What `sudo` grants without a password.
    User,
}

impl Privilege {
    /// That of this process.
    pub fn current() -> Self {
        #[cfg(unix)]
        if rustix::process::geteuid().is_root() {
            return Self::Administrator;
        }
        Self::User
    }
}

/// The machine that something is installed on.
#[derive(Clone, Debug)]
pub struct InstallHost {
    /// All that installers see; `PATH` is where they are found.
    pub environment: Vec<(String, String)>,
    /// The folder of tools that belong to skills.
    pub tools: PathBuf,
    /// The user's home.
    pub home: PathBuf,
    /// The platform, as Node names it.
    pub platform: String,
    /// What installs packages of the npm registry.
    pub node_manager: NodeManager,
    /// What the user may do to the system.
    pub privilege: Privilege,
}

impl InstallHost {
    /// The value of a variable that installers see.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.environment.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the path of a program. Relative folders of `PATH` do not count: what lies there depends on the folder
    /// one is in.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let is_here =
            |folder: &PathBuf| prowess_fs::find_in_path(name, folder.as_os_str(), BinRule::ExecutableFile);
        std::env::split_paths(self.variable("PATH")?)
            .filter(|folder| folder.is_absolute())
            .find(is_here)
            .map(|folder| folder.join(name))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// What npm installs into, so that nobody has to be an administrator.
    pub(super) fn npm_prefix(&self) -> PathBuf {
        self.tools.join("node").join("npm")
    }

    /// Folders that installers put programs into.
    pub fn program_folders(&self) -> Vec<PathBuf> {
        let named = |name: &str, below: &str| {
            self.variable(name).map(Path::new).filter(|path| path.is_absolute()).map(|path| path.join(below))
        };
        let usual = [".local/bin", ".cargo/bin", ".bun/bin", ".yarn/bin", ".local/share/pnpm"];
        let moved = [
            named("CARGO_HOME", "bin"),
            named("BUN_INSTALL", "bin"),
            named("PNPM_HOME", ""),
            named("PIPX_BIN_DIR", ""),
            named("UV_TOOL_BIN_DIR", ""),
            named("XDG_BIN_HOME", ""),
        ];
        let npm = self.npm_prefix();
        let npm = if self.platform == "win32" { npm } else { npm.join("bin") };
        std::iter::once(npm)
            .chain(moved.into_iter().flatten())
            .chain(usual.map(|folder| self.home.join(folder)))
            .collect()
    }
}
