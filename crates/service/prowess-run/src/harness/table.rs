//! The harnesses of the table that can answer a prompt, and their programs on this machine.

use std::path::PathBuf;

use prowess_config::Env;
use prowess_harness::command::HarnessCommand;

/// The reason a harness could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// There is no such harness in the table.
    #[error("there is no agent program `{name}`; there are {}", known.join(", "))]
    Unknown {
        /// The requested name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// Its program is missing.
    #[error("`{0}` is not on the `PATH`")]
    NotInstalled(String),
    /// It cannot continue a session.
    #[error("`{0}` cannot continue a session")]
    NoResume(String),
    /// The id of a session could be mistaken for an option.
    #[error("`{0}` is not the id of a session")]
    BadSession(String),
    /// The skills could not be put where it looks for them.
    #[error("cannot make the skills available to the agent program")]
    Skills(#[source] std::io::Error),
    /// It did not start.
    #[error("cannot start `{program}`")]
    Start {
        /// The program.
        program: String,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
}

/// Every harness that can answer a prompt.
pub fn harnesses() -> impl Iterator<Item = &'static HarnessCommand> + Clone {
    prowess_harness::commands()
}

/// The command line of the harness of an id or an alias, in any case.
///
/// ```
/// assert_eq!(prowess_run::harness::find("Claude-Code")?.programs, ["claude"]);
/// assert_eq!(prowess_run::harness::find("claude")?.id, "claude-code");
/// assert!(prowess_run::harness::find("hal").is_err());
/// # Ok::<(), prowess_run::harness::HarnessError>(())
/// ```
pub fn find(name: &str) -> Result<&'static HarnessCommand, HarnessError> {
    let command = prowess_harness::program(name).and_then(|program| program.run.as_ref());
    command.ok_or_else(|| HarnessError::Unknown {
        name: name.to_owned(),
        known: harnesses().map(|harness| format!("`{}`", harness.id)).collect(),
    })
}

/// The file of a harness's program on the `PATH`.
pub fn program(harness: &HarnessCommand, env: &Env) -> Result<PathBuf, HarnessError> {
    let folders: Vec<PathBuf> = std::env::split_paths(env.get("PATH").unwrap_or_default()).collect();
    let suffixes: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
    let names =
        harness.programs.iter().flat_map(|name| suffixes.iter().map(move |end| format!("{name}{end}")));
    let folders: Vec<PathBuf> = folders.into_iter().filter(|folder| folder.is_absolute()).collect();
    let mut places = names.flat_map(|name| folders.iter().map(move |folder| folder.join(&name)));
    places
        .find(|path| prowess_fs::is_program_file(path))
        .ok_or_else(|| HarnessError::NotInstalled(harness.programs.join("` or `")))
}
