//! `cortex.*`: what was learned from the skills that were used.

mod change;

use prowess_acquire::SupplyOptions;
use prowess_cortex::{Lesson, Rules};
use prowess_learn::cortex::{
    Cortex, CortexView, HistoryFilter, PerceiveRequest, Perceived, RegionView, Remembered, Validation,
    WeightSeries, WeightsFilter,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Nothing;
use crate::access::{Access, Scope, Starts};
use crate::events::Event;
use crate::refusal::Refusal;
use crate::state::{Call, Method, method};

const READ: Access = Access::Operator(Scope::Read);
const WRITE: Access = Access::Operator(Scope::Write);
const ADMIN: Access = Access::Operator(Scope::Admin);

/// Maximum length of a list of events.
const MAX_EVENTS: usize = 5_000;
/// Default length of a list of events.
const EVENTS: usize = 200;

pub(super) fn methods() -> Vec<Method> {
    vec![
        method(
            "cortex.state",
            READ,
            "Everything that was learned, or what was learned about one kind of task",
            state,
        ),
        method("cortex.regions", READ, "The kinds of task, with their candidates", regions),
        method("cortex.history", READ, "What happened, event by event", history),
        method("cortex.weights", READ, "How the weight of every candidate moved, for plots", weights),
        method("cortex.lessons.list", READ, "What to mind", lessons),
        method("cortex.export", READ, "Everything that was learned, as a file to keep", export),
        method("cortex.replay", READ, "What the log comes to under other rules, computed anew", replay),
        method(
            "cortex.perceive",
            WRITE,
            "Finds skills for a task; queries the registry unless disabled",
            perceive,
        )
        .starts(Starts::Configured),
        method("cortex.record", WRITE, "Learns from the use of a skill", change::record),
        method("cortex.forget", ADMIN, "Forgets a kind of task, a skill, a word or a lesson", change::forget),
        method("cortex.ban", WRITE, "Never uses a skill again", change::ban),
        method("cortex.unban", WRITE, "Lets a banned skill be used again", change::unban),
        method("cortex.lessons.judge", WRITE, "Says that a lesson is right or wrong", change::judge),
        method("cortex.import", ADMIN, "Merges what was learned elsewhere", change::import),
    ]
}

/// Opens the cortex on a blocking thread.
async fn with<T: Send + 'static>(
    call: &Call,
    work: impl FnOnce(&mut Cortex<'_>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        let mut cortex = engine.cortex(gateway.options.clock.clone())?;
        let done = work(&mut cortex);
        let notices = cortex.take_notices();
        if !notices.is_empty() {
            let payload = json!({ "reason": "repaired", "notices": notices });
            gateway.events.publish(Event::new("cortex.changed", payload));
        }
        done
    })
    .await
}

/// Which kind of task.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StateParams {
    /// Only what was learned about this kind of task.
    region: Option<String>,
}

async fn state(call: Call, params: StateParams) -> Result<CortexView, Refusal> {
    with(&call, move |cortex| Ok(cortex.view(params.region.as_deref())?)).await
}

/// The kinds of task.
#[derive(Debug, Serialize, JsonSchema)]
struct Regions {
    /// The kinds of task, by name.
    regions: Vec<RegionView>,
}

async fn regions(call: Call, _: Nothing) -> Result<Regions, Refusal> {
    with(&call, |cortex| Ok(Regions { regions: cortex.view(None)?.regions })).await
}

/// Which events.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HistoryParams {
    /// Only those about this skill.
    skill: Option<String>,
    /// Only those about this kind of task.
    region: Option<String>,
    /// The maximum number, the latest; 200 by default.
    limit: Option<usize>,
}

/// The event.
#[derive(Debug, Serialize, JsonSchema)]
struct History {
    /// The events, the earliest first.
    events: Vec<Remembered>,
}

async fn history(call: Call, params: HistoryParams) -> Result<History, Refusal> {
    with(&call, move |cortex| {
        let limit = Some(params.limit.unwrap_or(EVENTS).min(MAX_EVENTS));
        let (slug, region) = (params.skill.as_deref(), params.region.as_deref());
        Ok(History { events: cortex.history(HistoryFilter { slug, region, limit })? })
    })
    .await
}

/// Weights over time.
#[derive(Debug, Serialize, JsonSchema)]
struct Weights {
    /// The rules that hold.
    rules: &'static str,
    /// One series a candidate.
    series: Vec<WeightSeries>,
}

async fn weights(call: Call, params: HistoryParams) -> Result<Weights, Refusal> {
    with(&call, move |cortex| {
        let limit = Some(params.limit.unwrap_or(EVENTS).min(MAX_EVENTS));
        let (slug, region) = (params.skill.as_deref(), params.region.as_deref());
        let series = cortex.weights(WeightsFilter { region, slug, limit })?;
        Ok(Weights { rules: cortex.rules().name(), series })
    })
    .await
}

/// The lessons.
#[derive(Debug, Serialize, JsonSchema)]
struct Lessons {
    /// The lessons, in the order they were learned.
    lessons: Vec<Lesson>,
}

async fn lessons(call: Call, _: Nothing) -> Result<Lessons, Refusal> {
    with(&call, |cortex| Ok(Lessons { lessons: cortex.state()?.lessons().to_vec() })).await
}

/// Everything that was learned, as a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Exported {
    /// A name for the file.
    file_name: &'static str,
    /// Its content.
    text: String,
}

async fn export(call: Call, _: Nothing) -> Result<Exported, Refusal> {
    with(&call, |cortex| Ok(Exported { file_name: "cortex.json", text: cortex.exported()? })).await
}

/// Which rules.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReplayParams {
    /// `prowess` or `as-written`; the rules that hold if not said.
    rules: Option<String>,
}

/// What the log comes to.
#[derive(Debug, Serialize, JsonSchema)]
struct Replayed {
    /// True if it is the same as what is kept.
    same: bool,
    /// What it comes to.
    view: CortexView,
}

async fn replay(call: Call, params: ReplayParams) -> Result<Replayed, Refusal> {
    with(&call, move |cortex| {
        let rules = match params.rules.as_deref() {
            None => cortex.rules(),
            Some(name) => Rules::from_name(name)
                .ok_or_else(|| Refusal::invalid("`rules` is `prowess` or `as-written`"))?,
        };
        let (kept, replayed) = (cortex.state()?, cortex.replay(rules)?);
        let same = kept.export() == replayed.export();
        Ok(Replayed { same, view: cortex.view_of(&replayed, rules, None) })
    })
    .await
}

/// A task that needs a skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct PerceiveParams {
    /// What the user wants.
    task: String,
    /// Whose installed skills come first; the default agent's if none is named.
    agent_id: Option<String>,
    /// True if installed skills that fit are passed over.
    #[serde(default)]
    anyway: bool,
    /// True if the network is not used.
    #[serde(default)]
    offline: bool,
}

/// The candidates for a task.
#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    /// Who could do it.
    #[serde(flatten)]
    seen: Perceived,
    /// How much must be asked before the first candidate is used.
    validation: Option<Validation>,
}

async fn perceive(call: Call, params: PerceiveParams) -> Result<Found, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        engine.config().agent(params.agent_id.as_deref()).map_err(prowess_context::ContextError::from)?;
        let written = vec![engine.config().cortex().github_api];
        let options = SupplyOptions { written, ..SupplyOptions::default() };
        let supply = (!params.offline).then(|| engine.supply(&options)).transpose();
        let supply = supply?;
        let mut cortex = engine.cortex(gateway.options.clock.clone())?;
        let seen = cortex.perceive(PerceiveRequest {
            task: &params.task,
            view: &*gateway.live.view(params.agent_id.as_deref())?,
            nothing_fits: params.anyway,
            supply: supply.as_ref(),
        })?;
        let validation = seen.candidates.first().map(|offer| cortex.validate(&seen, offer)).transpose()?;
        Ok(Found { seen, validation })
    })
    .await
}
