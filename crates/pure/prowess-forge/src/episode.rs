//! One run of a session, as the forge sees it.

use std::collections::HashMap;

use prowess_types::{TraceEvent, TraceLine};
use serde_json::{Map, Value};

/// Tools that are about the work, not part of it.
const BESIDE: [&str; 8] = [
    "report_outcome",
    "skill_search",
    "job",
    "Skill",
    "TodoWrite",
    "todo_write",
    "update_plan",
    "ToolSearch",
];

/// A run with its task and its steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Episode {
    /// The session.
    pub session: String,
    /// The run within it.
    pub run: String,
    /// Where it was imported from, if it was.
    pub imported_from: Option<String>,
    /// True if the session says that this engine recorded it. One that was imported, or does not say where it comes
    /// from, is not: its steps are another program's words.
    pub is_own: bool,
    /// The workspace; empty if the session does not say.
    pub workspace: String,
    /// What the user said.
    pub task: String,
    /// The agent's last words.
    pub answer: String,
    /// What was done, in order.
    pub steps: Vec<EpisodeStep>,
    /// How many steps failed and are not among them: what did not work is not worth repeating.
    pub left_out: usize,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EpisodeStep {
    /// Its number, from 1.
    pub number: usize,
    /// The tool, or the type of a phone's action.
    pub kind: String,
    /// What it was given.
    pub input: Value,
    /// True if it happened on a phone.
    pub is_phone: bool,
    /// The app in front.
    pub app: Option<String>,
    /// The thought behind it.
    pub thought: Option<String>,
    /// Its result.
    pub result: String,
    /// The element that was acted on.
    pub ui_target: Map<String, Value>,
}

/// Reads one run of a session; none if the session has no such run.
///
/// A phone's steps are all taken, as OpenPocket does; of other agents' calls only those that worked.
pub fn episode(lines: &[TraceLine], run: &str) -> Option<Episode> {
    let mut episode = Episode { run: run.to_owned(), ..Episode::default() };
    let mut thought: Option<String> = None;
    // Which step a call became, and whether it answered well.
    let mut calls: HashMap<&str, usize> = HashMap::new();
    let mut steps: Vec<(EpisodeStep, bool)> = Vec::new();
    let mut is_there = false;
    for line in lines {
        if let TraceEvent::Session { session, workspace, imported_from, .. } = &line.event {
            // Of several such lines, one that says so is enough.
            let is_first = episode.session.is_empty();
            episode.is_own = imported_from.is_none() && (episode.is_own || is_first);
            episode.imported_from = episode.imported_from.take().or_else(|| imported_from.clone());
            episode.session.clone_from(session);
            episode.workspace.clone_from(workspace);
        }
        if line.run != run || run.is_empty() {
            continue;
        }
        is_there = true;
        match &line.event {
            TraceEvent::RunStarted { message, .. } => episode.task.clone_from(message),
            TraceEvent::Thought { text } => thought = Some(text.clone()),
            TraceEvent::Answer { text } => {
                episode.answer.clone_from(text);
                thought = Some(text.clone());
            }
            TraceEvent::ToolCall { id, tool, input, step } => {
                let thought = thought.take();
                if is_beside(tool, input) {
                    continue;
                }
                calls.insert(id, steps.len());
                let on_phone = step.clone().unwrap_or_default();
                let new = EpisodeStep {
                    number: 0,
                    kind: tool.clone(),
                    input: input.clone(),
                    is_phone: step.is_some(),
                    app: on_phone.app,
                    thought: on_phone.thought.or(thought),
                    result: String::new(),
                    ui_target: on_phone.ui_target,
                };
                steps.push((new, step.is_some()));
            }
            TraceEvent::ToolResult { id, ok, output, exit_code, .. } => {
                if let Some((step, worked)) = calls.get(id.as_str()).and_then(|at| steps.get_mut(*at)) {
                    step.result.clone_from(output);
                    *worked = step.is_phone || (*ok && exit_code.is_none_or(|code| code == 0));
                }
            }
            _ => {}
        }
    }
    let all = steps.len();
    episode.steps = steps.into_iter().filter(|(_, worked)| *worked).map(|(step, _)| step).collect();
    episode.left_out = all - episode.steps.len();
    for (at, step) in episode.steps.iter_mut().enumerate() {
        step.number = at + 1;
    }
    is_there.then_some(episode)
}

/// Returns true if a call is about the work, not part of it: a report, a plan, or a look at a skill.
fn is_beside(tool: &str, input: &Value) -> bool {
    let reads_skill = ["path", "file_path"].iter().filter_map(|name| input.get(name)?.as_str()).any(|path| {
        path.rsplit(['/', '\\']).next().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"))
    });
    BESIDE.contains(&tool) || (reads_skill && tool.eq_ignore_ascii_case("read"))
}

#[cfg(test)]
#[path = "episode_tests.rs"]
mod tests;
