//! What every child process may know about the user's environment.

use prowess_config::ChildEnvironment;

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

/// Returns true if every child process inherits this variable from the user's environment.
///
/// ```
/// use prowess_run::environment::is_base_name;
/// assert!(is_base_name("PATH") && is_base_name("LC_TIME"));
/// assert!(!is_base_name("GH_TOKEN") && !is_base_name("LD_PRELOAD"));
/// ```
pub fn is_base_name(name: &str) -> bool {
    ChildEnvironment::Run.allows(name)
}

/// Returns true if a variable by this name usually holds a credential.
pub fn looks_secret(name: &str) -> bool {
    let upper = name.trim().to_ascii_uppercase();
    SECRET_ENDINGS.iter().any(|ending| upper.ends_with(ending))
}

/// Returns true if the value of a base variable should not be shown: a proxy's address with a password in it.
pub(super) fn is_secret_in_base(name: &str, value: &str) -> bool {
    name.to_ascii_lowercase().ends_with("_proxy") && value.contains('@')
}
