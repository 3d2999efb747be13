//! What happened in a session, in short.

use std::collections::{BTreeMap, HashMap, HashSet};

use prowess_types::{
    ActivatedBy, Backend, BackendKind, Outcome, OutcomeSource, PromptedSkill, TraceEvent, TraceLine, Usage,
};
use serde::Serialize;

use crate::classify;

/// A session in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    /// Its id; empty if the file does not say.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The workspace.
    pub workspace: String,
    /// Where it was imported from, if it was.
    pub imported_from: Option<String>,
    /// The first moment, in milliseconds since 1970.
    pub started: u64,
    /// The last moment.
    pub ended: u64,
    /// Its runs, in the order in which they began.
    pub runs: Vec<RunSummary>,
    /// What all runs used up.
    pub usage: Usage,
    /// How many entries of a foreign log have no counterpart here.
    pub foreign: usize,
}

/// A run in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    /// Its id.
    pub run: String,
    /// The run that started it, for a sub-agent.
    pub parent: Option<String>,
    /// What the user said.
    pub message: String,
    /// Who answered.
    pub backend: Backend,
    /// The prompt that the model really got; none if the run did not record it.
    pub prompt: Option<PromptSummary>,
    /// The skills whose text the model had, from the prompt or because it was read, in order, each once.
    pub loaded: Vec<String>,
    /// The skills that came into use, in order, each once.
    pub skills: Vec<String>,
    /// The tools, by name.
    pub tools: BTreeMap<String, ToolUse>,
    /// How it went: the user's rating, else the agent's report, else what the errors tell, else unknown.
    pub outcome: Outcome,
    /// What the user said about it.
    pub note: Option<String>,
    /// The agent's last words.
    pub answer: Option<String>,
    /// What it used up.
    pub usage: Usage,
    /// When it began, in milliseconds since 1970.
    pub started: u64,
    /// How long it took, as far as is known.
    pub ms: Option<u64>,
    /// True if the user stopped it.
    pub stopped: bool,
    /// True if its end was recorded; otherwise it goes on, or was cut off.
    pub ended: bool,
}

/// The recorded facts of a run's prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptSummary {
    /// The SHA-256 of the system prompt.
    pub system: String,
    /// The SHA-256 of the block that travelled with the message.
    pub context: Option<String>,
    /// The characters of both together.
    pub chars: usize,
    /// The number of listed skills.
    pub listed: usize,
    /// The skills that the model was shown, in order, each once.
    pub shown: Vec<String>,
    /// The reason there are no skills in it, if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty: Option<String>,
}

/// How often a tool was called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolUse {
    /// Calls.
    pub calls: u32,
    /// Calls that failed.
    pub failed: u32,
}

/// Sums up a session.
///
/// Lines without a run describe the session; a run exists from its first line on, even if its beginning was lost.
pub fn summary(lines: &[TraceLine]) -> SessionSummary {
    let mut session = SessionSummary::default();
    let mut order: Vec<&str> = Vec::new();
    let mut by_run: HashMap<&str, Vec<&TraceLine>> = HashMap::new();
    for line in lines {
        match &line.event {
            TraceEvent::Session { session: id, agent, workspace, imported_from, .. } => {
                session.session.clone_from(id);
                session.agent.clone_from(agent);
                session.workspace.clone_from(workspace);
                session.imported_from.clone_from(imported_from);
            }
            TraceEvent::Foreign { .. } => session.foreign += 1,
            _ => {}
        }
        if !line.run.is_empty() {
            let of_run = by_run.entry(&line.run).or_default();
            if of_run.is_empty() {
                order.push(&line.run);
            }
            of_run.push(line);
        }
    }
    session.started = lines.iter().map(|line| line.at).min().unwrap_or_default();
    session.ended = lines.iter().map(|line| line.at).max().unwrap_or_default();
    session.runs = order.iter().filter_map(|run| Some(sum_up(run, by_run.get(run)?))).collect();
    for run in &session.runs {
        session.usage += run.usage;
    }
    session
}

fn sum_up(run: &str, lines: &[&TraceLine]) -> RunSummary {
    let mut sum = RunSummary { run: run.to_owned(), ..RunSummary::default() };
    let mut tools: HashMap<&str, &str> = HashMap::new();
    let mut reported = Outcome::default();
    let mut rated = None;
    for line in lines {
        match &line.event {
            TraceEvent::RunStarted { message, backend, parent, .. } => {
                sum.message.clone_from(message);
                sum.backend.clone_from(backend);
                sum.parent.clone_from(parent);
            }
            TraceEvent::Prompt { system, context, chars, listed, skills, empty, .. } => {
                let loaded = skills.iter().filter(|skill| skill.how.is_loaded());
                loaded.for_each(|skill| add(&mut sum.loaded, &skill.name));
                sum.prompt = Some(PromptSummary {
                    system: system.clone(),
                    context: context.clone(),
                    chars: *chars,
                    listed: *listed,
                    shown: shown(skills),
                    empty: empty.clone(),
                });
            }
            TraceEvent::Activation { skill, by, .. } => {
                if brings_text(*by, sum.backend.kind) {
                    add(&mut sum.loaded, skill);
                }
                add(&mut sum.skills, skill);
            }
            TraceEvent::ToolCall { id, tool, .. } => {
                tools.insert(id, tool);
                sum.tools.entry(tool.clone()).or_default().calls += 1;
            }
            TraceEvent::ToolResult { id, ok: false, .. } => {
                if let Some(used) = tools.get(id.as_str()).and_then(|tool| sum.tools.get_mut(*tool)) {
                    used.failed += 1;
                }
            }
            TraceEvent::Answer { text } => sum.answer = Some(text.clone()),
            TraceEvent::RunEnded { outcome, usage, ms, stopped } => {
                reported = outcome.clone();
                sum.usage = *usage;
                sum.ms = *ms;
                sum.stopped = *stopped;
                sum.ended = true;
            }
            TraceEvent::Rating { outcome, note } => {
                rated = Some(outcome.clone());
                sum.note.clone_from(note);
            }
            _ => {}
        }
    }
    sum.started = lines.iter().map(|line| line.at).min().unwrap_or_default();
    sum.outcome = rated.unwrap_or_else(|| match reported.by {
        OutcomeSource::User | OutcomeSource::Agent => reported,
        OutcomeSource::Classifier | OutcomeSource::Nobody => {
            let seen = classify(lines.iter().copied());
            if seen.by == OutcomeSource::Classifier { seen } else { reported }
        }
    });
    sum
}

/// Returns true if a skill that came into use so had its text in front of a model. Our own models are told where the
/// file
/// of a skill is that the user named; other programs put its text in. A tool that is called directly reads nothing.
pub fn brings_text(by: ActivatedBy, answered: BackendKind) -> bool {
    match by {
        ActivatedBy::Reference => answered != BackendKind::Model,
        ActivatedBy::Command => answered != BackendKind::Dispatch,
        ActivatedBy::Read | ActivatedBy::Preload | ActivatedBy::Harness => true,
    }
}

/// The names of prompted skills, each once.
fn shown(skills: &[PromptedSkill]) -> Vec<String> {
    let mut seen = HashSet::new();
    skills.iter().filter(|skill| seen.insert(&skill.name)).map(|skill| skill.name.clone()).collect()
}

fn add(names: &mut Vec<String>, name: &String) {
    if !names.contains(name) {
        names.push(name.clone());
    }
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
