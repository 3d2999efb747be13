//! The parts that must survive when a context is compacted: the skills in use, their rules, and the last request.
//!
//! Nothing is made up. Skills come from the record of the session, rules are lines of the skills themselves, and the
//! words of the user and the agent are quoted from the record, where secrets are masked already.

mod rules;

use std::collections::BTreeSet;
use std::path::Path;

use prowess_context::{Context, ContextError};
use prowess_harness::hook::HookHarness;
use prowess_inventory::{Inventory, SkillEntry, why_invisible};
use prowess_match::AgentView;
use prowess_text::{char_prefix, utf16_len};
use prowess_types::{TraceEvent, TraceLine};
use serde::Serialize;

use crate::hook_log::HowShown;
use crate::sessions::{SessionError, SessionId, Sessions};

/// Maximum length of the block in UTF-16 units, by default.
pub const RESUME_CHARS: usize = 4_000;
/// Characters of a quoted text.
const MAX_QUOTE: usize = 400;
/// The numbers of rules of each skill that are tried, until the block is short enough.
const RULES: [usize; 4] = [8, 4, 2, 0];
/// A larger log of a harness is not read while the user waits.
const MAX_TRANSCRIPT: u64 = 64 * 1024 * 1024;

/// The compact block, and what it is made of.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResumeDigest {
    /// The session.
    pub session: SessionId,
    /// The skills in use, the one used last first.
    pub skills: Vec<ResumedSkill>,
    /// What the user said last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// What the agent said last in answer to that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered: Option<String>,
    /// How many skills are in use but not in the text, for lack of room.
    pub left_out: usize,
    /// The block; empty if no skill is in use.
    pub text: String,
}

/// A skill in use.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResumedSkill {
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// What it is for; empty if it is gone.
    pub description: String,
    /// Whether its text is still what was read.
    pub state: SkillTextState,
    /// Lines of its text that tell what to do and what not.
    pub rules: Vec<String>,
}

/// Whether the text of a skill is still what was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SkillState")]
pub enum SkillTextState {
    /// It is.
    Unchanged,
    /// It is not.
    Changed,
    /// The record does not say what was read.
    Unknown,
    /// Its file is not there any more.
    Gone,
    /// Its file is there, or nobody knows where it is, but it is no skill of this agent.
    Foreign,
    /// The agent may not be told about it now, for this reason.
    Withheld(String),
}

/// The reason there is no block.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The session cannot be read.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
}

impl prowess_types::Classify for ResumeError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Of;
        match self {
            Self::Session(error) => Of(error),
            Self::Context(error) => Of(error),
        }
    }
}

/// A skill as a record names it.
struct Used {
    name: String,
    path: String,
    hash: Option<String>,
}

/// The content of a record.
#[derive(Default)]
struct Past {
    /// The skill used last comes last.
    used: Vec<Used>,
    asked: Option<String>,
    answered: Option<String>,
}

/// The compact block of a session: by its id, the beginning of one, `last`, or the id that its harness uses.
pub fn resume(
    context: &Context,
    session: &str,
    view: &AgentView,
    max_chars: usize,
) -> Result<ResumeDigest, ResumeError> {
    let sessions = Sessions::of(context);
    let id = match sessions.find(session) {
        Err(SessionError::Unknown(_)) => {
            sessions.find_hooked(session).ok_or_else(|| SessionError::Unknown(session.to_owned()))?
        }
        found => found?,
    };
    let mut past = Past::default();
    match sessions.show(&id) {
        Ok(stored) => past.read(&stored.session.lines),
        // Only hooks took part in it.
        Err(SessionError::Unknown(_)) => {}
        Err(error) => return Err(error.into()),
    }
    past.hooks(&sessions.hook_records(&id));
    Ok(digest(&id, &past, view.inventory(), max_chars))
}

/// The compact block of a session that another program leads.
pub fn resume_of_harness(
    context: &Context,
    harness: HookHarness,
    transcript: Option<&Path>,
    id: &SessionId,
    inventory: &Inventory,
) -> ResumeDigest {
    let kind = prowess_trace::ImportKind::find(harness.name());
    let mut past = Past::default();
    let log = transcript.and_then(|path| prowess_fs::read_file(path, MAX_TRANSCRIPT).ok());
    if let Some((kind, bytes)) = kind.zip(log) {
        past.read(&prowess_trace::import(kind, &bytes).lines);
    }
    past.hooks(&Sessions::of(context).hook_records(id));
    digest(id, &past, inventory, RESUME_CHARS.min(harness.max_answer()))
}

impl Past {
    fn read(&mut self, lines: &[TraceLine]) {
        // Messages to and from sub-agents are not part of the conversation.
        let is_side =
            |line: &&TraceLine| matches!(&line.event, TraceEvent::RunStarted { parent: Some(_), .. });
        let sides: BTreeSet<&str> = lines.iter().filter(is_side).map(|line| line.run.as_str()).collect();
        for line in lines {
            match &line.event {
                TraceEvent::RunStarted { message, parent: None, .. } => {
                    self.asked = Some(message.clone());
                    self.answered = None;
                }
                TraceEvent::Answer { text }
                    if !text.trim().is_empty() && !sides.contains(line.run.as_str()) =>
                {
                    self.answered = Some(text.clone());
                }
                TraceEvent::Activation { skill, path, content_hash, .. } => {
                    self.use_skill(skill, path, content_hash.clone());
                }
                _ => {}
            }
        }
    }

    fn hooks(&mut self, records: &[crate::hook_log::HookRecord]) {
        for skill in records.iter().flat_map(|record| &record.skills) {
            if skill.how != HowShown::Suggestion {
                self.use_skill(&skill.name, &skill.path, Some(skill.content_hash.to_string()));
            }
        }
    }

    fn use_skill(&mut self, name: &str, path: &str, hash: Option<String>) {
        // A harness calls the skill of a plugin `plugin:skill`.
        let name = name.rsplit(':').next().unwrap_or(name);
        let before = self.used.iter().position(|used| used.name == name);
        let before = before.map(|place| self.used.remove(place));
        let path = if path.is_empty() { before.as_ref().map_or("", |used| &used.path) } else { path };
        let hash = hash.or_else(|| before.as_ref()?.hash.clone());
        self.used.push(Used { name: name.to_owned(), path: path.to_owned(), hash });
    }
}

fn digest(id: &SessionId, past: &Past, inventory: &Inventory, max_chars: usize) -> ResumeDigest {
    let skills: Vec<ResumedSkill> = past.used.iter().rev().map(|used| resumed(used, inventory)).collect();
    let quote = |text: &Option<String>| text.as_deref().map(quoted).filter(|text| !text.is_empty());
    let mut digest = ResumeDigest {
        session: id.clone(),
        skills,
        asked: quote(&past.asked),
        answered: quote(&past.answered),
        left_out: 0,
        text: String::new(),
    };
    if !digest.skills.is_empty() {
        (digest.text, digest.left_out) = fitted(&digest, max_chars);
    }
    digest
}

fn resumed(used: &Used, inventory: &Inventory) -> ResumedSkill {
    let Some(entry) = found(used, inventory) else {
        let is_gone = !used.path.is_empty() && !prowess_fs::is_taken(Path::new(&used.path));
        return ResumedSkill {
            name: used.name.clone(),
            path: used.path.clone(),
            description: String::new(),
            state: if is_gone { SkillTextState::Gone } else { SkillTextState::Foreign },
            rules: Vec::new(),
        };
    };
    let is_shown = entry.is_usable() && (entry.is_model_visible() || entry.is_command_visible());
    let state = match &used.hash {
        _ if !is_shown => SkillTextState::Withheld(why_invisible(entry)),
        Some(hash) if *hash == entry.skill.content_hash.to_string() => SkillTextState::Unchanged,
        Some(_) => SkillTextState::Changed,
        None => SkillTextState::Unknown,
    };
    let rules =
        if is_shown { rules::rules(&inventory.body_of(entry).unwrap_or_default()) } else { Vec::new() };
    ResumedSkill {
        name: entry.skill.name.clone(),
        path: entry.origin.file.display().to_string(),
        description: entry.skill.description.clone(),
        state,
        rules,
    }
}

/// The skill that a record means: the one with that file, else the one with that name or folder.
fn found<'a>(used: &Used, inventory: &'a Inventory) -> Option<&'a SkillEntry> {
    let path = Path::new(&used.path);
    let by_file = inventory
        .entries
        .iter()
        .find(|entry| !used.path.is_empty() && (entry.origin.file == path || entry.origin.real_file == path));
    let is_named = |entry: &&SkillEntry| entry.skill.name == used.name || entry.skill.id == used.name;
    by_file.or_else(|| inventory.entries.iter().find(is_named))
}

/// The block with as many rules and skills as there is room for, and how many skills are not in it.
fn fitted(digest: &ResumeDigest, max_chars: usize) -> (String, usize) {
    let fits = |text: &str| utf16_len(text) <= max_chars;
    for rules in RULES {
        let text = rendered(digest, rules, digest.skills.len());
        if fits(&text) {
            return (text, 0);
        }
    }
    let fewer = (1..digest.skills.len()).rev().map(|shown| (rendered(digest, 0, shown), shown));
    let fitting = fewer.into_iter().find(|(text, _)| fits(text));
    fitting.map_or((String::new(), digest.skills.len()), |(text, shown)| (text, digest.skills.len() - shown))
}

fn rendered(digest: &ResumeDigest, rules: usize, skills: usize) -> String {
    let line = prowess_inventory::one_line;
    let mut text = "<skills_in_use>\nThe context was compacted. These skills are in use and still hold. Read the file of one \
                    again before you go on with what it is for.\n"
        .to_owned();
    for skill in digest.skills.iter().take(skills) {
        let note = match &skill.state {
            SkillTextState::Unchanged | SkillTextState::Unknown | SkillTextState::Foreign => String::new(),
            SkillTextState::Changed => " (it changed after you read it)".to_owned(),
            SkillTextState::Gone => " (it no longer exists)".to_owned(),
            SkillTextState::Withheld(why) => format!(" (do not use it now: {})", line(why)),
        };
        let description = line(&skill.description);
        let colon = if description.is_empty() { "" } else { ": " };
        text += &format!("\n- `{}`{colon}{description}\n", line(&skill.name));
        if !skill.path.is_empty() {
            text += &format!("  file: `{}`{note}\n", line(&skill.path));
        }
        for rule in skill.rules.iter().take(rules) {
            text += &format!("  rule: {}\n", line(rule));
        }
    }
    if skills < digest.skills.len() {
        text += &format!("\nSkills in use that are not listed here: {}.\n", digest.skills.len() - skills);
    }
    if let Some(asked) = &digest.asked {
        text += &format!("\nThe user asked last: \"{asked}\"\n");
    }
    if let Some(answered) = &digest.answered {
        text += &format!("You answered: \"{answered}\"\n");
    }
    text + "</skills_in_use>\n"
}

/// The beginning of a text, on one line.
fn quoted(text: &str) -> String {
    let line =
        prowess_inventory::one_line(text).replace('"', "'").replace("</skills_in_use", "(/skills_in_use");
    prowess_text::ellipsize(line.trim_end(), MAX_QUOTE, |line, chars| char_prefix(line, chars).trim_end())
}
