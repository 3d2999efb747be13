//! What clients tell the cortex.

use prowess_cortex::{Forgotten, Lesson, LessonRef, OutcomeEvent, Tenure};
use prowess_learn::cortex::{Experience, Learned, variable_name};
use prowess_types::OutcomeResult;
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::with;
use crate::events::Event;
use crate::refusal::Refusal;
use crate::state::Call;

fn changed(call: &Call, reason: &str) {
    call.gateway.events.publish(Event::new("cortex.changed", json!({ "reason": reason })));
}

/// What happened with a skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct RecordParams {
    /// The skill.
    skill: String,
    /// Its result.
    result: OutcomeResult,
    /// What the user wanted; only words that name nobody and nothing are kept of it.
    task: Option<String>,
    /// The kind of task, if it is known.
    region: Option<String>,
    /// The skill's version.
    version: Option<String>,
    /// `clawhub`, `github` or another registry's name.
    source: Option<String>,
    /// What a failure was about: the missing program, the variable, the missing ability.
    key: Option<String>,
    /// One line about a failure.
    detail: Option<String>,
    /// Names of the variables that the skill needs and that were set; never their values.
    #[serde(default)]
    env_ready: Vec<String>,
    /// Names of the variables that it needs and that were not set.
    #[serde(default)]
    env_missing: Vec<String>,
    /// What the skill does to the world, as `verb:target`.
    side_effects: Option<Vec<String>>,
    /// True if the user has the skill anyway, as opposed to for this task.
    #[serde(default)]
    long_term: bool,
    /// The session it happened in.
    session: Option<String>,
    /// True if the user keeps the skill; not asked if not said.
    keep: Option<bool>,
}

/// Names of variables; anything else could be a value.
fn names(names: &[String]) -> Result<Vec<String>, Refusal> {
    let names = names.iter().map(|name| variable_name(name).map(str::to_owned));
    names.collect::<Result<_, _>>().map_err(|error| Refusal::invalid(error.to_string()))
}

pub(super) async fn record(call: Call, params: RecordParams) -> Result<Learned, Refusal> {
    let learned = with(&call, move |cortex| {
        let version = params.version.unwrap_or_default();
        let mut outcome = OutcomeEvent::new("", &params.skill, &version, params.result);
        outcome.source = params.source.unwrap_or_default();
        outcome.key = params.key;
        outcome.detail = params.detail;
        outcome.side_effects = params.side_effects;
        outcome.tenure = if params.long_term { Tenure::LongTerm } else { Tenure::Task };
        outcome.env_ready = names(&params.env_ready)?;
        outcome.env_missing = names(&params.env_missing)?;
        let (task, region, session) = (params.task, params.region, params.session);
        let experience = Experience { task, region, outcome, session, snapshot: None, is_from_run: false };
        let mut learned = cortex.record(&experience)?;
        if let Some(is_kept) = params.keep {
            cortex.retain(&learned.region, &learned.slug, is_kept)?;
            // The question was answered.
            learned.offers_retention = false;
        }
        Ok(learned)
    })
    .await?;
    changed(&call, "recorded");
    Ok(learned)
}

/// A value whose kind is a word. Serde would take the number of the kind as well.
fn by_name<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let kinds = [value.get("what"), value.get("type"), value.pointer("/lesson/type")];
    if kinds.into_iter().flatten().any(|kind| !kind.is_string()) {
        return Err(D::Error::custom("the kind must be a word"));
    }
    T::deserialize(value).map_err(D::Error::custom)
}

/// What to forget. The log keeps its rows.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ForgetParams {
    /// What is forgotten.
    #[serde(deserialize_with = "by_name")]
    forget: Forgotten,
    /// Must be `true` to forget everything: the learned state is dropped.
    #[serde(default)]
    consent: bool,
}

/// How much is left.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Left {
    ok: bool,
    /// The number of events that the log has.
    events: u64,
    /// The number of kinds of task that are known still.
    regions: usize,
}

pub(super) async fn forget(call: Call, params: ForgetParams) -> Result<Left, Refusal> {
    if params.forget == Forgotten::Everything && !params.consent {
        let text = "everything that was learned would be forgotten; send `consent: true` if that is meant";
        return Err(Refusal::invalid(text));
    }
    let left = with(&call, move |cortex| {
        let state = cortex.forget(params.forget)?;
        Ok(Left { ok: true, events: state.events(), regions: state.regions().count() })
    })
    .await?;
    changed(&call, "forgotten");
    Ok(left)
}

/// A skill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BanParams {
    /// The skill, as `slug` or `slug@version`.
    skill: String,
}

/// What is banned.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Banned {
    /// True if that changed anything.
    changed: bool,
    /// Everything that is banned now.
    blacklist: Vec<String>,
}

pub(super) async fn ban(call: Call, params: BanParams) -> Result<Banned, Refusal> {
    set_ban(call, params.skill, true).await
}

pub(super) async fn unban(call: Call, params: BanParams) -> Result<Banned, Refusal> {
    set_ban(call, params.skill, false).await
}

async fn set_ban(call: Call, skill: String, is_banned: bool) -> Result<Banned, Refusal> {
    let skill = skill.trim().to_owned();
    if skill.is_empty() {
        return Err(Refusal::invalid("`skill` is the name of a skill, or `name@version`"));
    }
    let banned = with(&call, move |cortex| {
        let changed = cortex.ban(&skill, is_banned)?;
        Ok(Banned { changed, blacklist: cortex.state()?.blacklist().to_vec() })
    })
    .await?;
    changed(&call, "banned");
    Ok(banned)
}

/// A lesson, and whether it is right.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct JudgeParams {
    /// The lesson.
    #[serde(deserialize_with = "by_name")]
    lesson: LessonRef,
    /// True if it is right.
    right: bool,
}

/// What to mind now.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Judged {
    /// The lessons, in the order they were learned.
    lessons: Vec<Lesson>,
}

pub(super) async fn judge(call: Call, params: JudgeParams) -> Result<Judged, Refusal> {
    let judged = with(&call, move |cortex| {
        if !cortex.state()?.lessons().iter().any(|known| known.kind.is(&params.lesson)) {
            return Err(Refusal::not_found("there is no such lesson; cortex.lessons.list has them"));
        }
        Ok(Judged { lessons: cortex.judge_lesson(params.lesson, params.right)?.lessons().to_vec() })
    })
    .await?;
    changed(&call, "judged");
    Ok(judged)
}

/// What was learned elsewhere.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportParams {
    /// The text of a `cortex.json`. Paths are not taken: the client reads the file.
    text: String,
}

/// Whether anything is new.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Merged {
    /// True if there was anything new in it.
    changed: bool,
}

pub(super) async fn import(call: Call, params: ImportParams) -> Result<Merged, Refusal> {
    let merged = with(&call, move |cortex| Ok(Merged { changed: cortex.import_text(&params.text)? })).await?;
    changed(&call, "imported");
    Ok(merged)
}
