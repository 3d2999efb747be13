//! The variables of the user's environment that child processes inherit.
//!
//! Every list is an allowlist without credentials, made of the sets below: a variable that one kind of child process
//! needs and another does too stands in one set. A variable that is in no set of an allowlist is not inherited.

use crate::Env;

/// The user, their language and their terminal.
const USER: &[&str] = &["HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TZ", "USER"];

/// The folders of files.
const FOLDERS: &[&str] = &[
    "TEMP",
    "TMP",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
];

/// Variables of the network access of this machine.
const NETWORK: &[&str] = &[
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];

/// Variables without which programs do not start on Windows.
const WINDOWS: &[&str] = &[
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

/// Further variables of tools, which write to a terminal and look for shared data.
const TOOLS: &[&str] = &["COLORTERM", "NO_COLOR", "NUMBER_OF_PROCESSORS", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS"];

/// Further variables of installers: certificates, and the folders of package managers.
const INSTALLERS: &[&str] = &[
    "LC_ALL",
    "LC_CTYPE",
    "XDG_BIN_HOME",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
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
];

/// The variables of git: the user, and the agent that holds the user's keys for ssh. No proxy, no certificate.
const GIT: &[&str] = &["PATH", "HOME", "USER", "LANG", "LC_ALL", "SSH_AUTH_SOCK", "TMPDIR", "SYSTEMROOT"];

/// The variables of the programs that find the user's keyring and ask for its password.
const KEYRING: &[&str] = &[
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "HOME",
    "LANG",
    "PATH",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
];

/// An allowlist of variables, by the kind of child process that inherits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildEnvironment {
    /// Tools and other programs of a run.
    Run,
    /// Installers of dependencies.
    Installer,
    /// Git.
    Git,
    /// The programs of the system's keyring.
    Keyring,
}

impl ChildEnvironment {
    fn sets(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Run => &[USER, FOLDERS, NETWORK, WINDOWS, TOOLS],
            Self::Installer => &[USER, FOLDERS, NETWORK, WINDOWS, INSTALLERS],
            Self::Git => &[GIT],
            Self::Keyring => &[KEYRING],
        }
    }

    /// The names in the list. Runs also inherit all categories of the locale, which [`allows`](Self::allows) knows.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.sets().iter().flat_map(|set| set.iter().copied())
    }

    /// Returns whether a variable is inherited.
    ///
    /// ```
    /// use prowess_config::ChildEnvironment;
    /// assert!(ChildEnvironment::Run.allows("PATH") && ChildEnvironment::Run.allows("LC_TIME"));
    /// assert!(!ChildEnvironment::Run.allows("GH_TOKEN") && !ChildEnvironment::Run.allows("LD_PRELOAD"));
    /// ```
    pub fn allows(self, name: &str) -> bool {
        let is_known = |name: &str| self.names().any(|known| known == name);
        is_known(name)
            || (self == Self::Run && is_locale_category(name))
            || (cfg!(windows) && is_known(&name.to_ascii_uppercase()))
    }

    /// Returns the variables of an environment that are in the list.
    pub fn select(self, env: &Env) -> Vec<(String, String)> {
        self.names().filter_map(|name| Some((name.to_owned(), env.get(name)?.to_owned()))).collect()
    }
}

fn is_locale_category(name: &str) -> bool {
    name.strip_prefix("LC_").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ChildEnvironment::{Git, Installer, Keyring, Run};

    #[test]
    fn no_list_holds_a_credential_or_a_name_twice() {
        for list in [Run, Installer, Git, Keyring] {
            let mut names: Vec<&str> = list.names().collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{list:?}");
            let is_secret = |name: &&&str| {
                let secret = ["TOKEN", "_KEY", "SECRET", "PASSWORD", "PRELOAD", "LD_", "OPTIONS"];
                secret.iter().any(|part| name.contains(part))
            };
            assert_eq!(names.iter().find(is_secret), None, "{list:?}");
        }
    }

    #[test]
    fn each_kind_of_process_inherits_its_own_list() {
        for (name, run, installer, git) in [
            ("PATH", true, true, true),
            ("HTTPS_PROXY", true, true, false),
            ("SYSTEMROOT", true, true, true),
            ("APPDATA", true, true, false),
            ("NUMBER_OF_PROCESSORS", true, false, false),
            ("COLORTERM", true, false, false),
            ("LC_ALL", true, true, true),
            ("LC_TIME", true, false, false),
            ("LC_", false, false, false),
            ("XDG_BIN_HOME", false, true, false),
            ("XDG_DATA_DIRS", true, false, false),
            ("CARGO_HOME", false, true, false),
            ("SSH_AUTH_SOCK", false, false, true),
            ("GH_TOKEN", false, false, false),
            ("LD_PRELOAD", false, false, false),
            ("NODE_OPTIONS", false, false, false),
        ] {
            assert_eq!([Run, Installer, Git].map(|list| list.allows(name)), [run, installer, git], "{name}");
        }
        // The sizes of the lists: a name that is added or lost is noticed.
        assert_eq!([Run, Installer, Git, Keyring].map(|list| list.names().count()), [46, 74, 8, 8]);
    }

    #[test]
    fn only_listed_variables_are_selected() {
        let vars = [("PATH", "/bin"), ("GH_TOKEN", "t"), ("SSH_AUTH_SOCK", "/s"), ("LANG", "")];
        let env = Env::new(vars.map(|(name, value)| (name.into(), value.into())), "/");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(Git.select(&env), [pair("PATH", "/bin"), pair("LANG", ""), pair("SSH_AUTH_SOCK", "/s")]);
    }
}
