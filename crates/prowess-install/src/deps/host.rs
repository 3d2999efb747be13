//! The machine that something is installed on, as far as installers may know it.

use std::path::{Path, PathBuf};

use prowess_config::Env;
use prowess_types::{BinRule, NodeManager};

/// What installers see of the user's environment: who and where the user is, how this machine reaches the network,
/// and where the managers keep their things. No credential is among them, and nothing that belongs to a skill.
const VISIBLE: &[&str] = &[
    // The user.
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TZ",
    "USER",
    // Where files belong.
    "TEMP",
    "TMP",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "XDG_BIN_HOME",
    // The network.
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    // Where the managers keep their things.
    "BUN_INSTALL",
    "CARGO_HOME",
    "GOCACHE",
    "GOMODCACHE",
    "GONOSUMDB",
    "GOPATH",
    "GOPRIVATE",
    "GOPROXY",
    "GOROOT",
    "GOSUMDB",
    "GOTOOLCHAIN",
    "HOMEBREW_CACHE",
    "HOMEBREW_CELLAR",
    "HOMEBREW_PREFIX",
    "HOMEBREW_REPOSITORY",
    "PIPX_BIN_DIR",
    "PIPX_HOME",
    "PNPM_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "UV_CACHE_DIR",
    "UV_PYTHON_INSTALL_DIR",
    "UV_TOOL_BIN_DIR",
    "UV_TOOL_DIR",
    // Without these, programs do not start on Windows.
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// What installers see of the user's environment.
pub fn installer_environment(env: &Env) -> Vec<(String, String)> {
    let seen = |name: &&str| Some(((*name).to_owned(), env.get(name)?.to_owned()));
    VISIBLE.iter().filter_map(seen).collect()
}

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
pub struct Host {
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

impl Host {
    /// The value of a variable that installers see.
    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.environment.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Where a program is. Relative folders of `PATH` are nobody's: what lies there depends on the folder one is in.
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
