//! The table of harnesses.

use std::path::PathBuf;
use std::sync::LazyLock;

use prowess_config::Env;
use serde::Deserialize;
use serde_json::Value;

/// Why a harness could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// There is no such harness in the table.
    #[error("there is no harness `{name}`; there are {}", known.join(", "))]
    Unknown {
        /// What was asked for.
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
    #[error("cannot hand over the skills")]
    Skills(#[source] std::io::Error),
    /// It did not start.
    #[error("cannot start `{program}`")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}

/// Another agent program.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Harness {
    /// What the user calls it.
    pub name: String,
    /// What it is called on the `PATH`, the first that is found.
    pub programs: Vec<String>,
    /// Arguments of a new session.
    pub start: Vec<String>,
    /// Arguments that continue a session; none where that is not possible.
    pub resume: Option<Vec<String>>,
    /// Arguments that choose a model.
    #[serde(default)]
    pub model: Vec<String>,
    /// How it takes the prompt.
    pub prompt: PromptBy,
    /// How it gets skills.
    pub skills: SkillsBy,
    /// How its output is read.
    pub output: OutputKind,
    /// Variables of the user's that it needs to find its login and its settings.
    #[serde(default)]
    pub inherit: Vec<String>,
}

/// How a harness takes the prompt.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "by", rename_all = "camelCase")]
pub enum PromptBy {
    /// On its standard input, after these arguments.
    Stdin {
        /// The arguments.
        #[serde(default)]
        args: Vec<String>,
    },
    /// As `{prompt}` in these arguments.
    Argument {
        /// The arguments.
        args: Vec<String>,
    },
    /// In a file, `{file}` in these arguments.
    File {
        /// The arguments.
        args: Vec<String>,
    },
}

/// How a harness gets skills.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "by", rename_all = "camelCase")]
pub enum SkillsBy {
    /// A folder in the layout of a Claude plugin, `{folder}` in these arguments.
    Plugin {
        /// The arguments.
        args: Vec<String>,
    },
    /// Arguments for each skill: `{folder}` and `{file}`.
    Argument {
        /// Arguments that come once, before the others.
        #[serde(default)]
        once: Vec<String>,
        /// Arguments of each skill.
        each: Vec<String>,
    },
    /// A variable with JSON in it, where `"{folders}"` stands for the list of folders.
    Variable {
        /// The variable.
        name: String,
        /// The JSON.
        value: Value,
    },
    /// Links in a folder of the workspace, while it runs.
    Workspace {
        /// The folder.
        folder: PathBuf,
    },
    /// It gets none.
    None,
}

/// How the output of a harness is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputKind {
    /// All of it is the answer.
    Text,
    /// Claude's stream of messages, which others have adopted.
    Claude,
    /// Codex' stream of items.
    Codex,
    /// OpenCode's stream of parts.
    Opencode,
    /// Pi's stream of events.
    Pi,
    /// Gemini's stream of events.
    Gemini,
    /// Goose's stream of messages.
    Goose,
    /// One object at the end.
    Openclaw,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    inherit: Vec<String>,
    harnesses: Vec<Harness>,
}

static TABLE: LazyLock<Vec<Harness>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads it.
    let value = prowess_json5::to_value(include_str!("../../data/harnesses.json5")).unwrap_or_default();
    let Table { inherit, harnesses } = serde_json::from_value(value).unwrap_or_default();
    let with_common = |mut harness: Harness| {
        harness.inherit.extend(inherit.iter().cloned());
        harness
    };
    harnesses.into_iter().map(with_common).collect()
});

/// Every harness that is known.
pub fn harnesses() -> &'static [Harness] {
    &TABLE
}

/// The harness of a name, whatever its case; the name of its program counts, too.
///
/// ```
/// assert_eq!(prowess_run::harness::find("Claude")?.programs, ["claude"]);
/// assert!(prowess_run::harness::find("nobody").is_err());
/// # Ok::<(), prowess_run::harness::HarnessError>(())
/// ```
pub fn find(name: &str) -> Result<&'static Harness, HarnessError> {
    let is_meant = |known: &str| known.eq_ignore_ascii_case(name.trim());
    let found = TABLE
        .iter()
        .find(|harness| is_meant(&harness.name) || harness.programs.iter().any(|program| is_meant(program)));
    found.ok_or_else(|| HarnessError::Unknown {
        name: name.to_owned(),
        known: TABLE.iter().map(|harness| format!("`{}`", harness.name)).collect(),
    })
}

impl Harness {
    /// Where its program is.
    pub fn program(&self, env: &Env) -> Result<PathBuf, HarnessError> {
        let folders: Vec<PathBuf> = std::env::split_paths(env.get("PATH").unwrap_or_default()).collect();
        let suffixes: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
        let names =
            self.programs.iter().flat_map(|name| suffixes.iter().map(move |end| format!("{name}{end}")));
        let folders: Vec<PathBuf> = folders.into_iter().filter(|folder| folder.is_absolute()).collect();
        let mut places = names.flat_map(|name| folders.iter().map(move |folder| folder.join(&name)));
        places
            .find(|path| is_executable(path))
            .ok_or_else(|| HarnessError::NotInstalled(self.programs.join("` or `")))
    }
}

#[cfg(unix)]
fn is_executable(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &std::path::Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let value = prowess_json5::to_value(include_str!("../../data/harnesses.json5")).unwrap();
        let table: Table = serde_json::from_value(value).unwrap();
        assert_eq!(table.harnesses.len(), harnesses().len());
        for harness in harnesses() {
            let name = &harness.name;
            assert!(!harness.programs.is_empty() && harness.inherit.len() > table.inherit.len(), "{name}");
            let resume = harness.resume.iter().flatten();
            assert!(
                resume.clone().count() == 0 || resume.clone().any(|part| part.contains("{session}")),
                "{name}"
            );
            let placeholder = match &harness.prompt {
                PromptBy::Stdin { .. } => continue,
                PromptBy::Argument { args } => ("{prompt}", args),
                PromptBy::File { args } => ("{file}", args),
            };
            assert!(placeholder.1.iter().any(|arg| arg == placeholder.0), "{name}");
        }
    }
}
