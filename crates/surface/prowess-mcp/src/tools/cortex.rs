//! `cortex_perceive` and `cortex_record`: skills that are not here yet, and learning from those that are.

use prowess_acquire::SupplyOptions;
use prowess_cortex::{OutcomeEvent, Tenure};
use prowess_learn::cortex::{
    CortexError, Experience, Learned, PerceiveRequest, Perceived, Validation, variable_name,
};
use prowess_text::describe_error;
use prowess_types::OutcomeResult;
use rmcp::model::{Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::Outcome;
use crate::core::Desk;
use crate::tool_answer::{ToolAnswer, Worded};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PerceiveInput {
    /// The task to do.
    #[schemars(length(min = 1))]
    task: String,
    /// Look further even if an installed skill fits.
    #[serde(default)]
    anyway: bool,
    /// Ask no registry: only what is remembered.
    #[serde(default)]
    offline: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PerceiveOutput {
    #[serde(flatten)]
    seen: Perceived,
    /// The questions that are needed before the first candidate is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<Validation>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordInput {
    /// The skill that was used.
    #[schemars(length(min = 1))]
    skill: String,
    /// The result of the task.
    result: OutcomeResult,
    /// The task that was to be done; names of people and things are removed.
    task: Option<String>,
    /// The kind of task, if it is known; it or the task is needed.
    region: Option<String>,
    /// The cause of a failure: the missing program, the variable, the missing ability.
    key: Option<String>,
    /// One line about a failure, for people.
    detail: Option<String>,
    /// Names of the variables that the skill needs and that were set; never their values.
    #[serde(default)]
    env_ready: Vec<String>,
    /// Names of the variables that it needs and that were not set.
    #[serde(default)]
    env_missing: Vec<String>,
}

pub(super) fn perceive() -> Tool {
    super::tool::<PerceiveInput, Worded<PerceiveOutput>>(
        "cortex_perceive",
        "Find a skill elsewhere",
        "Finds who could do a task that the installed skills cannot do: skills that did such tasks before, else those of the \
         registry. Nothing is installed. Names and numbers of the task are not sent anywhere.",
        ToolAnnotations::new().read_only(false).destructive(false).idempotent(true).open_world(true),
    )
}

pub(super) fn record() -> Tool {
    super::tool::<RecordInput, Worded<Learned>>(
        "cortex_record",
        "Tell how a skill did",
        "Remembers how a skill did a task, so that the next search knows. Call it after a skill was used.",
        ToolAnnotations::new().read_only(false).destructive(false).idempotent(false).open_world(false),
    )
}

pub(super) fn run_perceive(desk: &Desk, input: PerceiveInput) -> Outcome {
    let engine = &desk.engine;
    let supply = if input.offline {
        None
    } else {
        // The user's own config names it.
        let written = vec![engine.config().cortex().github_api];
        let options = SupplyOptions { written, ..SupplyOptions::default() };
        Some(engine.supply(&options).map_err(|error| describe_error(&error))?)
    };
    let fault = |error: CortexError| describe_error(&error);
    let mut cortex = engine.cortex(desk.caller.core.options.clock.clone()).map_err(fault)?;
    let request = PerceiveRequest {
        task: &input.task,
        view: &desk.view,
        nothing_fits: input.anyway,
        supply: supply.as_ref(),
    };
    let seen = cortex.perceive(request).map_err(fault)?;
    let validation =
        seen.candidates.first().map(|offer| cortex.validate(&seen, offer)).transpose().map_err(fault)?;
    let text = perceived(&seen);
    Ok(ToolAnswer::worded(text, PerceiveOutput { seen, validation }))
}

fn perceived(seen: &Perceived) -> String {
    if !seen.installed.is_empty() {
        return format!("Installed skills fit: {}. Read them with `skill_read`.", seen.installed.join(", "));
    }
    let mut text = String::new();
    for offer in &seen.candidates {
        let description = offer.description.as_deref().unwrap_or(&offer.name);
        let verdict =
            offer.verdict.as_deref().map(|verdict| format!(", scan: {verdict}")).unwrap_or_default();
        text += &format!("- {} ({}{verdict}): {description}\n", offer.reference, offer.source.word());
    }
    text += if seen.candidates.is_empty() {
        "No skill was found for it.\n"
    } else {
        "Install one with `skill_install` if the user wants it; they are asked before.\n"
    };
    for notice in &seen.notices {
        text += &format!("Note: {notice}\n");
    }
    text
}

pub(super) fn run_record(desk: &Desk, input: RecordInput) -> Outcome {
    let session = desk.session();
    let mut outcome = OutcomeEvent::new("", input.skill.trim(), "", input.result);
    outcome.key.clone_from(&input.key);
    let names = |names: &[String]| -> Result<Vec<String>, String> {
        let names = names.iter().map(|name| variable_name(name).map(str::to_owned));
        names.collect::<Result<_, _>>().map_err(|error| error.to_string())
    };
    (outcome.env_ready, outcome.env_missing) = (names(&input.env_ready)?, names(&input.env_missing)?);
    outcome.detail.clone_from(&input.detail);
    let is_here = desk.inventory().entries.iter().any(|entry| entry.skill.name == input.skill.trim());
    outcome.tenure = if is_here { Tenure::LongTerm } else { Tenure::Task };
    let experience = Experience {
        task: input.task,
        region: input.region,
        outcome,
        session: session.as_ref().map(|session| session.id().to_string()),
        snapshot: Some(desk.view.snapshot().id().to_owned()),
        is_from_run: false,
    };
    let cortex = desk.engine.cortex(desk.caller.core.options.clock.clone());
    let learned =
        cortex.and_then(|mut cortex| cortex.record(&experience)).map_err(|error| describe_error(&error))?;
    if let Some(session) = session {
        // A session that cannot be written does not stop the work.
        let _ = session.reported(input.result, input.detail, input.key);
    }
    let dropped = learned.dropped.iter().any(|one| one.slug == learned.slug && one.region == learned.region);
    let dropped = if dropped { "; better ones are kept, and it is not a candidate" } else { "" };
    let weight = learned.weight.map(|weight| format!(", weight {weight:.2}")).unwrap_or_default();
    let text = format!("Remembered for tasks of the kind `{}`{weight}{dropped}.", learned.region);
    Ok(ToolAnswer::worded(text, learned))
}
