//! Hooks: what other agent programs run when the user says something, and how it gets there.
//!
//! Claude Code and Codex share one format: a file of JSON with `hooks.<event>[].hooks[]`, a JSON object on the
//! standard input of each hook, and a JSON object that it may answer with. [`settings`] adds and removes our own
//! entries in such a file, [`input`] reads what a hook is told, [`answer`] writes what it says.
//!
//! What this module refuses to do: open files, or touch an entry that is not ours.

pub mod input;
pub mod settings;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use prowess_config::Env;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::table::HookFiles;
use crate::{AgentProgram, Ground, program, programs};

/// The event of a message of the user.
const PROMPT: &str = "UserPromptSubmit";
/// The event of a session that begins, or goes on after its context was compacted.
const SESSION_START: &str = "SessionStart";
/// How `SessionStart` says that the context was compacted.
const COMPACTED: &str = "compact";

/// An agent program that runs hooks: a row of the table with a section `hook`.
#[derive(Clone, Copy, PartialEq)]
pub struct HookHarness {
    program: &'static AgentProgram,
    hook: &'static HookFiles,
}

/// For whom a hook is installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HookScope {
    /// For all the user's projects.
    #[default]
    User,
    /// For everybody who works in the project.
    Project,
}

impl HookHarness {
    /// Every agent program that runs hooks.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        programs().iter().filter_map(Self::of)
    }

    /// The harness of an id or an alias; none if that program runs no hooks.
    pub fn find(name: &str) -> Option<Self> {
        program(name).and_then(Self::of)
    }

    fn of(program: &'static AgentProgram) -> Option<Self> {
        program.hook.as_ref().map(|hook| Self { program, hook })
    }

    /// Its row of the table.
    pub fn program(self) -> &'static AgentProgram {
        self.program
    }

    /// Its name, as commands and sessions have it.
    #[expect(
        clippy::misnamed_getters,
        reason = "the id of a program is the name that commands take; `title` is its name"
    )]
    pub fn name(self) -> &'static str {
        &self.program.id
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        &self.program.name
    }

    /// The file that its hooks stand in.
    pub fn file(self, scope: HookScope, env: &Env, home: &Path, workspace: &Path) -> PathBuf {
        match scope {
            HookScope::User => Ground { env, home, workspace: env.cwd() }.expand(&self.hook.user),
            HookScope::Project => workspace.join(&self.hook.project),
        }
    }

    /// The number of characters of a hook's answer that reach the model; a longer one is cut or put into a file. Claude
    /// Code takes 10,000 characters, Codex 2,500 tokens of about four bytes; a little less leaves room for the frame.
    pub fn max_answer(self) -> usize {
        9_000
    }

    /// Advice after an installation.
    pub fn note(self) -> &'static str {
        &self.hook.note
    }
}

impl Eq for HookHarness {}

impl std::fmt::Debug for HookHarness {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("HookHarness").field(&self.name()).finish()
    }
}

impl std::fmt::Display for HookHarness {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Serialize for HookHarness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl JsonSchema for HookHarness {
    fn schema_name() -> Cow<'static, str> {
        "HookHarness".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let described = |harness: Self| json!({ "description": harness.title(), "type": "string", "const": harness.name() });
        let each: Vec<Value> = Self::all().map(described).collect();
        schemars::json_schema!({ "description": "An agent program that runs hooks.", "oneOf": each })
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
