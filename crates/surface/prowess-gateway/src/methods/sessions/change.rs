//! What clients change about sessions.

use prowess_sessions::{ImportedSession, Rated, Rating, SessionId, SessionSettings};
use prowess_text::describe_error;
use prowess_trace::ImportKind;
use prowess_types::{ErrorKind, OutcomeResult};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::find;
use crate::events::Event;
use crate::refusal::Refusal;
use crate::state::{Call, Gateway};

/// The result of a run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RateParams {
    /// The session by its key, its id, the beginning of its id, or `last`.
    session: String,
    /// The run; the last one that the user started if none is named.
    run: Option<String>,
    /// How it went: `good`, `bad`, or the kind of failure.
    rating: Word,
    /// The user's words about it.
    note: Option<String>,
}

/// The result of a run, in a word.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Word {
    /// The task was done.
    Good,
    /// It was not; why, the errors tell.
    Bad,
    /// A program or library was not there.
    DependencyMissing,
    /// A key was missing or wrong.
    AuthError,
    /// A service failed.
    ApiError,
    /// The skill is made for something else.
    TaskMismatch,
    /// Something else went wrong.
    RuntimeError,
}

pub(super) async fn rate(call: Call, params: RateParams) -> Result<Rated, Refusal> {
    call.work(move |gateway| {
        let id = find(gateway, &params.session)?;
        let rating = match params.rating {
            Word::Good => Rating::Good,
            Word::Bad => Rating::Bad,
            Word::DependencyMissing => Rating::Failed(OutcomeResult::DependencyMissing),
            Word::AuthError => Rating::Failed(OutcomeResult::AuthError),
            Word::ApiError => Rating::Failed(OutcomeResult::ApiError),
            Word::TaskMismatch => Rating::Failed(OutcomeResult::TaskMismatch),
            Word::RuntimeError => Rating::Failed(OutcomeResult::RuntimeError),
        };
        let clock = gateway.options.clock.clone();
        let engine = gateway.live.engine();
        let rated = engine.sessions().rate(&id, params.run.as_deref(), rating, params.note, clock.clone())?;
        if let Err(error) = engine.learn_from_rating(&rated, clock) {
            tracing::warn!(error = describe_error(&error), "nothing was learned from a rating");
        }
        changed(gateway, &id, "rated");
        Ok(rated)
    })
    .await
}

/// A log of another agent.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ImportParams {
    /// The agent program that wrote the log.
    kind: ImportKind,
    /// The text of the log. Paths are not taken: the client reads the file.
    text: String,
}

pub(super) async fn import(call: Call, params: ImportParams) -> Result<ImportedSession, Refusal> {
    call.work(move |gateway| {
        let imported = gateway.live.engine().sessions().import_text(params.kind, &params.text)?;
        changed(gateway, &imported.id, "imported");
        Ok(imported)
    })
    .await
}

/// The settings of a session. Absent fields stay; `null` removes one.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct PatchParams {
    /// The session, by key or id. It need not exist yet.
    key: String,
    /// The model that answers, as `provider/model`.
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    model: Option<Value>,
    /// How long the model should think, such as `low`.
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    thinking_level: Option<Value>,
    /// Its name for people.
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    label: Option<Value>,
    /// Where programs run, for clients that set it.
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    exec_host: Option<Value>,
    /// How careful programs are run, for clients that set it.
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    exec_security: Option<Value>,
    /// When to ask before programs run, for clients that set it.
    #[serde(default, deserialize_with = "named")]
    #[schemars(with = "Option<String>")]
    exec_ask: Option<Value>,
}

/// Tells what is named, perhaps as `null`, from what is not.
fn named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// What is set for a session now.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Patched {
    ok: bool,
    /// The session.
    key: String,
    /// What is set for it now.
    entry: SessionSettings,
}

pub(super) async fn patch(call: Call, params: PatchParams) -> Result<Patched, Refusal> {
    call.work(move |gateway| {
        let sessions = gateway.live.engine().sessions();
        let model = text("model", params.model)?;
        if let Change::Set(Some(model)) = &model
            && !model.split_once('/').is_some_and(|(provider, name)| !provider.is_empty() && !name.is_empty())
        {
            return Err(Refusal::invalid("`model` is `provider/model`, such as `ollama/qwen3`"));
        }
        let thinking_level = text("thinkingLevel", params.thinking_level)?;
        let label = text("label", params.label)?;
        let others = [
            ("execHost", text("execHost", params.exec_host)?),
            ("execSecurity", text("execSecurity", params.exec_security)?),
            ("execAsk", text("execAsk", params.exec_ask)?),
        ];
        let id = sessions.of_key(&params.key);
        let entry = sessions.change_settings(&id, |settings| {
            model.apply(&mut settings.model);
            thinking_level.apply(&mut settings.thinking_level);
            label.apply(&mut settings.label);
            for (name, value) in others {
                match value {
                    Change::Keep => {}
                    Change::Set(None) => _ = settings.extra.shift_remove(name),
                    Change::Set(Some(text)) => _ = settings.extra.insert(name.to_owned(), text.into()),
                }
            }
        })?;
        changed(gateway, &id, "patched");
        Ok(Patched { ok: true, key: params.key, entry })
    })
    .await
}

/// What becomes of a setting.
enum Change {
    Keep,
    Set(Option<String>),
}

impl Change {
    fn apply(self, setting: &mut Option<String>) {
        if let Self::Set(value) = self {
            *setting = value;
        }
    }
}

/// A text, nothing, or not named at all.
fn text(name: &str, value: Option<Value>) -> Result<Change, Refusal> {
    match value {
        None => Ok(Change::Keep),
        Some(Value::Null) => Ok(Change::Set(None)),
        Some(Value::String(text)) if text.len() <= 200 => {
            Ok(Change::Set(Some(text.trim().to_owned()).filter(|text| !text.is_empty())))
        }
        Some(_) => Err(Refusal::invalid(format!("`{name}` is a text of at most 200 bytes, or null"))),
    }
}

/// A session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ResetParams {
    /// The session, by key or id.
    key: String,
}

/// A session that begins anew.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reset {
    ok: bool,
    /// The session.
    key: String,
    /// The session that what happened so far is now; none if nothing had.
    kept_as: Option<String>,
}

pub(super) async fn reset(call: Call, params: ResetParams) -> Result<Reset, Refusal> {
    call.work(move |gateway| {
        let sessions = gateway.live.engine().sessions();
        let id = sessions.of_key(&params.key);
        refuse_while_running(gateway, &id)?;
        let kept = sessions.reset(&id, gateway.options.clock.now_ms())?;
        changed(gateway, &id, "reset");
        Ok(Reset { ok: true, key: params.key, kept_as: kept.map(|id| id.to_string()) })
    })
    .await
}

/// A session to delete.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct DeleteParams {
    /// The session, by key or whole id.
    key: String,
    /// Must not be `false`: a session is its trace.
    delete_transcript: Option<bool>,
}

/// What was deleted.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Gone {
    ok: bool,
    /// The session.
    key: String,
    /// True if there was one.
    deleted: bool,
}

pub(super) async fn delete(call: Call, params: DeleteParams) -> Result<Gone, Refusal> {
    if params.delete_transcript == Some(false) {
        return Err(Refusal::invalid(
            "a session is its trace: it is deleted whole, or begins anew with sessions.reset",
        ));
    }
    call.work(move |gateway| {
        let sessions = gateway.live.engine().sessions();
        let id = sessions.of_key(&params.key);
        refuse_while_running(gateway, &id)?;
        let deleted = sessions.delete(&id)?;
        changed(gateway, &id, "deleted");
        Ok(Gone { ok: true, key: params.key, deleted })
    })
    .await
}

fn refuse_while_running(gateway: &Gateway, id: &SessionId) -> Result<(), Refusal> {
    let is_running =
        gateway.runs.list().iter().any(|run| run.session == id.as_str() && !run.status.is_over());
    if is_running {
        Err(Refusal::new(ErrorKind::NotReady, "a run of this session is active; stop it first"))
    } else {
        Ok(())
    }
}

fn changed(gateway: &Gateway, id: &SessionId, reason: &str) {
    gateway.events.publish(Event::new("sessions.changed", json!({ "session": id, "reason": reason })));
}
