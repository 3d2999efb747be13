//! The agent has others do a part of its task.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join_all};
use prowess_model::{ChatModel, ToolSpec};
use prowess_types::{Backend, BackendKind, TraceEvent};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::prompt::sub_agent_prompt;
use super::{Turn, TurnEnd, TurnReport, clean, run_turn};
use crate::{RunContext, RunSkill, Tool, ToolInput, ToolOutput, Tools};

pub(super) const NAME: &str = "spawn";
/// How many sub-agents one call may start.
pub const MAX_TASKS: usize = 8;

/// Takes the events of a sub-agent, with the id of its run.
pub type RecordFor = Arc<dyn Fn(&str, TraceEvent) + Send + Sync>;

/// The tool `spawn`: runs of sub-agents, several at the same time.
///
/// Delegation only narrows: a sub-agent has the tools of the run that starts it and those of its skills that are
/// named, none if none is; its prompt has no skills section. Consents, the number of requests and the cancellation
/// are those of the whole run. Its events are recorded under its own id, `<run>.<number>`, from its beginning to its
/// end; what it used up counts for the run above.
pub struct Spawn {
    spec: ToolSpec,
    model: Arc<dyn ChatModel>,
    tools: Tools,
    record_for: RecordFor,
}

impl Spawn {
    /// A tool that starts sub-agents with this model and these tools.
    pub fn new(model: Arc<dyn ChatModel>, mut tools: Tools, record_for: RecordFor) -> Self {
        tools.remove(NAME);
        let task = json!({"type": "string", "description": "All that the sub-agent needs to know."});
        let skills = json!({
            "type": "array",
            "items": {"type": "string"},
            "description": "Names of the skills it may use; it has no others.",
        });
        let spec = ToolSpec {
            name: NAME.to_owned(),
            description: format!(
                "Have a sub-agent do one task and give its final answer. It sees nothing of this conversation. For \
                 independent tasks give `tasks` (up to {MAX_TASKS}) instead of `task`: they are done at the same time."
            ),
            input: json!({
                "type": "object",
                "properties": {
                    "task": task,
                    "skills": skills,
                    "tasks": {
                        "type": "array",
                        "maxItems": MAX_TASKS,
                        "items": {
                            "type": "object",
                            "properties": {"task": task, "skills": skills},
                            "required": ["task"],
                        },
                    },
                },
            }),
        };
        Self { spec, model, tools, record_for }
    }

    async fn start(&self, input: ToolInput<'_>) -> ToolOutput {
        let context = input.context;
        if context.state.depth() >= context.limits.max_depth {
            return ToolOutput::failed("sub-agents of this depth may not start others");
        }
        let tasks = match tasks(input.value, &context.skills) {
            Ok(tasks) => tasks,
            Err(problem) => return ToolOutput::failed(problem),
        };
        let results = join_all(tasks.iter().map(|task| self.run(task, context))).await;
        let ok = results.iter().all(|result| result.ok);
        let text = match results.as_slice() {
            [only] => only.text.clone(),
            several => {
                let room = context.limits.max_output_bytes / several.len();
                let part = |(index, result): (usize, &ToolOutput)| {
                    format!("## Task {}\n{}", index + 1, clean::cut(result.text.as_str().into(), room).0)
                };
                several.iter().enumerate().map(part).collect::<Vec<_>>().join("\n\n")
            }
        };
        ToolOutput { ok, text, ..ToolOutput::default() }
    }

    /// One sub-agent, from its beginning in the trace to its end.
    async fn run(&self, task: &Task<'_>, parent: &RunContext) -> ToolOutput {
        let started = Instant::now();
        let context = self.child_context(task, parent);
        let message = task.message();
        (context.record)(TraceEvent::RunStarted {
            message: clean::trace_text(&context.redactor, &message),
            snapshot: None,
            catalogue: None,
            backend: Backend {
                kind: BackendKind::Model,
                name: NAME.to_owned(),
                model: Some(self.model.name().to_owned()),
            },
            parent: Some(parent.run.clone()),
        });
        let turn = Turn {
            model: self.model.as_ref(),
            tools: &self.child_tools(&context),
            context: &context,
            system: &sub_agent_prompt(&context.workspace),
            history: Vec::new(),
            message,
        };
        let report = run_turn(turn, &mut |_| {}).await;
        parent.state.add_usage_of_child(report.usage);
        (context.record)(TraceEvent::RunEnded {
            outcome: report.outcome.clone(),
            usage: report.usage,
            ms: u64::try_from(started.elapsed().as_millis()).ok(),
            stopped: report.is_stopped(),
        });
        result(report)
    }

    fn child_context(&self, task: &Task<'_>, parent: &RunContext) -> RunContext {
        let (state, number) = parent.state.child();
        let run = format!("{}.{number}", parent.run);
        let record: Arc<dyn Fn(TraceEvent) + Send + Sync> = {
            let (record_for, run) = (Arc::clone(&self.record_for), run.clone());
            Arc::new(move |event| record_for(&run, event))
        };
        RunContext {
            run,
            skills: task.skills.iter().copied().cloned().collect(),
            cancel: parent.cancel.child_token(),
            record,
            state,
            ..parent.clone()
        }
    }

    fn child_tools(&self, context: &RunContext) -> Tools {
        let mut tools = self.tools.clone();
        if context.state.depth() < context.limits.max_depth {
            let record_for = Arc::clone(&self.record_for);
            tools.add(Arc::new(Self::new(Arc::clone(&self.model), self.tools.clone(), record_for)));
        }
        tools
    }
}

impl Tool for Spawn {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// None: what a sub-agent does is asked for when it does it.
    fn needs_consent(&self, _: &Value, _: &RunContext) -> Option<String> {
        None
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        self.start(input).boxed()
    }
}

/// What one sub-agent is to do, and with which skills.
#[derive(Debug)]
struct Task<'a> {
    text: &'a str,
    skills: Vec<&'a RunSkill>,
}

impl Task<'_> {
    fn message(&self) -> String {
        let mut message = self.text.to_owned();
        if !self.skills.is_empty() {
            message.push_str("\n\nRead these instructions before you begin:");
            for skill in &self.skills {
                message.push_str(&format!("\n- {}: {}", skill.name, skill.file.display()));
            }
        }
        message
    }
}

/// The tasks of a call, or what is wrong with it.
fn tasks<'a>(input: &'a Value, skills: &'a [RunSkill]) -> Result<Vec<Task<'a>>, String> {
    let several = input.get("tasks").and_then(Value::as_array).filter(|tasks| !tasks.is_empty());
    let (one, several) = (input.get("task").filter(|task| !task.is_null()), several);
    match (one, several) {
        (Some(_), None) => Ok(vec![task(input, skills)?]),
        (None, Some(tasks)) if tasks.len() <= MAX_TASKS => {
            tasks.iter().map(|item| task(item, skills)).collect()
        }
        (None, Some(tasks)) => Err(format!("{} tasks are too many: {MAX_TASKS} at most", tasks.len())),
        _ => Err("give either `task` or `tasks`".to_owned()),
    }
}

fn task<'a>(input: &'a Value, skills: &'a [RunSkill]) -> Result<Task<'a>, String> {
    let text = input.get("task").and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let text = text.ok_or("`task` must say what is to be done")?;
    let names = match input.get("skills") {
        None | Some(Value::Null) => &[],
        Some(Value::Array(names)) => names.as_slice(),
        Some(_) => return Err("`skills` must be a list of names".to_owned()),
    };
    let skills = names.iter().map(|name| {
        let known = name.as_str().and_then(|name| skills.iter().find(|skill| skill.name == name));
        known.ok_or_else(|| format!("{name} is not among the skills of this run"))
    });
    Ok(Task { text, skills: skills.collect::<Result<_, _>>()? })
}

/// What the agent above gets.
fn result(report: TurnReport) -> ToolOutput {
    let ended = match &report.end {
        TurnEnd::Finished if !report.answer.is_empty() => return ToolOutput::done(report.answer),
        TurnEnd::Finished => "the sub-agent ended without an answer".to_owned(),
        TurnEnd::Refused => "the sub-agent declined".to_owned(),
        TurnEnd::CutOff => "the sub-agent's answer got too long and is cut".to_owned(),
        TurnEnd::Stopped => "the sub-agent was stopped".to_owned(),
        TurnEnd::Failed(error) => format!("the sub-agent could not go on: {error}"),
    };
    if report.answer.is_empty() {
        return ToolOutput::failed(ended);
    }
    ToolOutput::failed(format!("{ended}; its last words:\n{}", report.answer))
}

#[cfg(test)]
#[path = "spawn_tests.rs"]
mod tests;
