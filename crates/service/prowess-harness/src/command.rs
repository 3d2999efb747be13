//! The command line that answers one prompt without a terminal: the section `run` of the table.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

/// The command line of an agent program.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HarnessCommand {
    /// The id of the program in the table.
    #[serde(skip)]
    pub id: String,
    /// Its names on the `PATH`; the first that is found is started.
    pub programs: Vec<String>,
    /// Arguments of a new session.
    pub start: Vec<String>,
    /// Arguments that continue a session; none where that is not possible.
    pub resume: Option<Vec<String>>,
    /// Arguments that choose a model.
    #[serde(default)]
    pub model: Vec<String>,
    /// The way it takes the prompt.
    pub prompt: PromptBy,
    /// The way it gets skills.
    pub skills: SkillsBy,
    /// The format of its output.
    pub output: OutputKind,
    /// Variables of the user that it needs to find its login and its settings.
    #[serde(default)]
    pub inherit: Vec<String>,
}

/// The way a harness takes the prompt.
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

/// The way a harness gets skills.
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
        /// Copies instead of links, for a program that does not follow links that leave the workspace.
        #[serde(default)]
        copies: bool,
        /// Arguments without which it sees the skills and cannot use them.
        #[serde(default)]
        args: Vec<String>,
    },
    /// It gets none.
    None,
}

/// The format of a harness's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputKind {
    /// Plain text; all of it is the answer.
    Text,
    /// Claude's stream of messages, which other programs have adopted.
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
    /// Copilot's stream of events.
    Copilot,
    /// One object at the end.
    Openclaw,
}
