//! Answers about settings, trust, hooks and other agent programs.

use std::collections::BTreeMap;

use prowess_config::OriginOfValue;
use prowess_connect::hook::{HookChange, HookProblem, HookStatus};
use prowess_inventory::Answer;
use prowess_scan::{Capabilities, Verdict};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The place where the config file is.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ConfigPathAnswer {
    /// The file.
    pub(crate) path: String,
}

/// A value of the config and where it is from.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ConfigValueAnswer<'a> {
    /// The key.
    pub(crate) key: &'a str,
    /// Its value.
    pub(crate) value: Value,
    /// The place where it is from; none if it is a default.
    pub(crate) origin: Option<OriginOfValue>,
}

/// The outcome of a change to the config.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ConfigChangeAnswer {
    /// Always `true`.
    pub(crate) ok: bool,
    /// True if the file was written.
    pub(crate) changed: bool,
    /// The file.
    pub(crate) path: String,
}

/// A new skill.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NewSkillAnswer {
    /// Always `true`.
    pub(crate) ok: bool,
    /// Its file.
    pub(crate) path: String,
}

/// Skills that wait for an answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct UndecidedAnswer {
    /// Those.
    pub(crate) undecided: Vec<TrustRow>,
}

/// Skills that came with a repository, and what was answered.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TrustListAnswer {
    /// The file with the answers.
    pub(crate) file: String,
    /// The skills that are here.
    pub(crate) skills: Vec<TrustRow>,
    /// Every answer, by the digest of what it is about.
    pub(crate) answers: BTreeMap<String, Answer>,
}

/// Skills that were decided about.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TrustAnswer {
    /// Those.
    pub(crate) skills: Vec<TrustRow>,
}

/// How many answers were revoked.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TrustForgottenAnswer {
    /// So many.
    pub(crate) forgotten: usize,
}

/// A skill that came with a repository, with what it would do.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TrustRow {
    /// Its name.
    pub(crate) name: String,
    /// Its file.
    pub(crate) path: String,
    /// The place where it was cloned from.
    pub(crate) repository: Option<String>,
    /// What is in its folder now.
    pub(crate) digest: Option<String>,
    /// `trusted`, `refused`, `unknowable` or `undecided`.
    pub(crate) decision: &'static str,
    /// The reason why it is not used.
    pub(crate) reason: Option<String>,
    /// What the scanner says.
    pub(crate) verdict: Option<Verdict>,
    /// Its capabilities.
    pub(crate) capabilities: Option<Capabilities>,
}

/// The outcome of a hook.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HookAnswer<'a> {
    /// `changed`, `unchanged` or `declined`.
    pub(crate) result: &'a str,
    /// The change.
    pub(crate) change: &'a HookChange,
}

/// Where hooks are, and what went wrong in them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HooksAnswer {
    /// One for each program and place.
    pub(crate) hooks: Vec<HookStatus>,
    /// An error lately.
    pub(crate) problems: Vec<HookProblem>,
    /// The file that keeps them.
    pub(crate) problems_file: String,
}

/// The agent programs that are known.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct HarnessesAnswer<'a> {
    /// Those.
    pub(crate) harnesses: Vec<HarnessRow<'a>>,
}

/// An agent program that reads skills from folders.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HarnessRow<'a> {
    /// What the user calls it.
    pub(crate) id: &'a str,
    /// What its makers call it.
    pub(crate) name: &'a str,
    /// True if it is on this machine.
    pub(crate) is_installed: bool,
    /// Folders in a workspace that it reads.
    pub(crate) project: &'a [String],
    /// Folders of the user that it reads.
    pub(crate) user: &'a [String],
    /// True if a skill's folder may be a link.
    pub(crate) links: bool,
    /// How it wants skills.
    pub(crate) format: prowess_connect::harness::SkillFormat,
    /// The fields of the frontmatter that it knows.
    pub(crate) fields: &'a [String],
    /// What else to know.
    pub(crate) note: Option<&'a str>,
}

/// How every command answers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SchemasAnswer {
    /// One for each command.
    pub(crate) commands: Vec<SchemaRow>,
}

/// How one command answers with `--json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SchemaRow {
    /// The command, without `prowess`.
    pub(crate) command: &'static str,
    /// `value`, `lines` or `other`.
    pub(crate) form: &'static str,
    /// What it prints, in words.
    pub(crate) prints: &'static str,
}

/// Every code that an error can have.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CodesAnswer {
    /// One for each code.
    pub(crate) codes: Vec<CodeRow>,
}

/// A code of an error.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CodeRow {
    /// As it is written.
    pub(crate) code: &'static str,
    /// How the program ends.
    pub(crate) exit: u8,
    /// The code of a call of the gateway that fails so; `details.code` is the code of this row.
    pub(crate) gateway: &'static str,
    /// The status of such a call over HTTP.
    pub(crate) http: u16,
    /// The reason why it happens.
    pub(crate) meaning: &'static str,
    /// What to do, where nothing better is known.
    pub(crate) help: &'static str,
}
