//! Hooks: what other agent programs run when the user says something, and how it gets there.
//!
//! Claude Code and Codex share one format: a file of JSON with `hooks.<event>[].hooks[]`, a JSON object on the
//! standard input of each hook, and a JSON object that it may answer with. [`settings`] adds and removes our own
//! entries in such a file, [`input`] reads what a hook is told, [`answer`] writes what it says.
//!
//! What this module refuses to do: open files, or touch an entry that is not ours.

pub mod input;
pub mod settings;

use std::path::{Path, PathBuf};

use prowess_config::Env;
use serde::Serialize;
use serde_json::json;

/// The event of a message of the user.
const PROMPT: &str = "UserPromptSubmit";
/// The event of a session that begins, or goes on after its context was compacted.
const SESSION_START: &str = "SessionStart";
/// How `SessionStart` says that the context was compacted.
const COMPACTED: &str = "compact";

/// An agent program that runs hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HookHarness {
    /// Claude Code: `settings.json`.
    ClaudeCode,
    /// Codex: `hooks.json`.
    Codex,
}

/// For whom a hook is installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HookScope {
    /// For all the user's projects.
    #[default]
    User,
    /// For everybody who works in the project.
    Project,
}

impl HookHarness {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    /// Its name, as commands and sessions have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
        }
    }

    /// The file that its hooks stand in.
    pub fn file(self, scope: HookScope, env: &Env, home: &Path, workspace: &Path) -> PathBuf {
        let (folder, file) = match self {
            Self::ClaudeCode => (".claude", "settings.json"),
            Self::Codex => (".codex", "hooks.json"),
        };
        match scope {
            HookScope::User => self.home(env, home).join(file),
            HookScope::Project => workspace.join(folder).join(file),
        }
    }

    /// The folder of the logs it keeps.
    pub fn history(self, env: &Env, home: &Path) -> PathBuf {
        let folder = match self {
            Self::ClaudeCode => "projects",
            Self::Codex => "sessions",
        };
        self.home(env, home).join(folder)
    }

    /// The folder that the harness keeps its own things in.
    fn home(self, env: &Env, home: &Path) -> PathBuf {
        let (variable, folder) = match self {
            Self::ClaudeCode => ("CLAUDE_CONFIG_DIR", ".claude"),
            Self::Codex => ("CODEX_HOME", ".codex"),
        };
        env.trimmed(variable).map_or_else(|| home.join(folder), |path| env.cwd().join(path))
    }

    /// How many characters of a hook's answer reach the model; a longer one is cut or put into a file. Claude Code
    /// takes 10,000 characters, Codex 2,500 tokens of about four bytes; a little less leaves room for the frame.
    pub fn max_answer(self) -> usize {
        9_000
    }

    /// What somebody should know who installs the hook.
    pub fn note(self) -> &'static str {
        match self {
            Self::ClaudeCode => {
                "Sessions that are open already take it up after `/hooks`, or when they start anew."
            }
            Self::Codex => {
                "Codex runs a new hook only after you have reviewed and trusted it: open Codex and type `/hooks`. \
                 Versions that only know `notify` cannot put anything into the context."
            }
        }
    }
}

impl std::fmt::Display for HookHarness {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a hook prints to put a text into the context.
///
/// ```
/// use prowess_harness::hook::{answer, input::HookEvent};
/// let text = answer(&HookEvent::Compacted, "Read this first.");
/// assert!(text.contains(r#""hookEventName":"SessionStart""#));
/// ```
pub fn answer(event: &input::HookEvent, context: &str) -> String {
    let name = match event {
        input::HookEvent::Prompt(_) => PROMPT,
        input::HookEvent::Compacted => SESSION_START,
        input::HookEvent::Other(name) => name,
    };
    json!({ "hookSpecificOutput": { "hookEventName": name, "additionalContext": context } }).to_string()
}
