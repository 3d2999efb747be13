//! What every child process may know about the user's environment.

/// Names that every child process inherits: who and where the user is, how to speak to them, and how this machine
/// reaches the network. None of them is a credential.
const BASE: &[&str] = &[
    // Who the user is and where programs are.
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "USER",
    // Language, time and terminal.
    "COLORTERM",
    "LANG",
    "LANGUAGE",
    "NO_COLOR",
    "TERM",
    "TZ",
    // Where files belong.
    "TEMP",
    "TMP",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    // The network of this machine.
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
    // Without these, programs do not start on Windows.
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "NUMBER_OF_PROCESSORS",
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

/// Endings of names that hold a credential.
const SECRET_ENDINGS: &[&str] = &[
    "API_KEY",
    "ACCESS_KEY",
    "ADMIN_KEY",
    "PRIVATE_KEY",
    "SECRET_KEY",
    "TOKEN",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "SECRET",
    "CREDENTIALS",
];

/// Whether every child process inherits this variable from the user's environment.
///
/// ```
/// use prowess_run::environment::is_base_name;
/// assert!(is_base_name("PATH") && is_base_name("LC_TIME"));
/// assert!(!is_base_name("GH_TOKEN") && !is_base_name("LD_PRELOAD"));
/// ```
pub fn is_base_name(name: &str) -> bool {
    let is_category = name.strip_prefix("LC_").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    });
    is_category || BASE.contains(&name) || (cfg!(windows) && BASE.contains(&&*name.to_ascii_uppercase()))
}

/// Whether a variable by this name usually holds a credential.
pub fn looks_secret(name: &str) -> bool {
    let upper = name.trim().to_ascii_uppercase();
    SECRET_ENDINGS.iter().any(|ending| upper.ends_with(ending))
}

/// Whether the value of a base variable should not be shown: a proxy's address with a password in it.
pub(super) fn is_secret_in_base(name: &str, value: &str) -> bool {
    name.to_ascii_lowercase().ends_with("_proxy") && value.contains('@')
}
