//! Many sessions at once: lists and previews.

use std::collections::BTreeSet;

use prowess_sessions::{SessionFilter, SessionListing, Sessions};
use prowess_types::{BackendKind, Outcome, Usage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read::messages;
use crate::refusal::Refusal;
use crate::state::Call;

/// Maximum length of a list.
const MAX_LIMIT: usize = 1_000;
/// Default length of a list.
const LIMIT: usize = 100;

/// Which sessions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ListParams {
    /// Only those of this agent.
    agent_id: Option<String>,
    /// Only those whose key, label or first message contains this.
    search: Option<String>,
    /// The maximum number; 100 by default.
    limit: Option<usize>,
    /// The number of entries to skip.
    #[serde(default)]
    offset: usize,
    /// Has no meaning here: no session belongs to all agents.
    #[serde(default, rename = "includeGlobal")]
    _include_global: bool,
    /// Has no meaning here: every session is known.
    #[serde(default, rename = "includeUnknown")]
    _include_unknown: bool,
}

/// Sessions.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Listed {
    /// When this was asked, in milliseconds since 1970.
    ts: u64,
    /// The place where all sessions are.
    path: String,
    /// How many are in this answer.
    count: usize,
    /// Their number.
    total_count: usize,
    /// The requested maximum.
    limit_applied: usize,
    /// The place where the next page begins; none if there is none.
    next_offset: Option<usize>,
    /// True if there is a next page.
    has_more: bool,
    /// The defaults of a session.
    defaults: Defaults,
    /// The sessions, those written last first.
    sessions: Vec<Row>,
}

/// The defaults of a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Defaults {
    /// The provider of the configured model.
    model_provider: Option<String>,
    /// The configured model.
    model: Option<String>,
}

/// A session in a list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Row {
    /// The session, as chat clients name it.
    key: String,
    /// Its id.
    session_id: String,
    /// Its agent.
    agent_id: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// The first message.
    display_name: String,
    /// When it was written last, in milliseconds since 1970.
    updated_at: u64,
    /// When it began.
    started_at: u64,
    /// The model that answers, or answered last.
    model: Option<String>,
    /// Its provider.
    model_provider: Option<String>,
    /// The configured reasoning effort of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_level: Option<String>,
    /// Tokens that were read.
    input_tokens: u64,
    /// Tokens that were written.
    output_tokens: u64,
    /// Both.
    total_tokens: u64,
    /// Everything that was used up.
    usage: Usage,
    /// The number of runs that it has.
    runs: usize,
    /// True if a run of it goes on or waits.
    is_running: bool,
    /// How the last run went.
    outcome: Option<Outcome>,
    /// Where it was imported from, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    imported_from: Option<String>,
    /// The reason why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// What others set for it, such as `execHost`.
    #[serde(flatten)]
    extra: serde_json::Map<String, serde_json::Value>,
}

pub(super) async fn list(call: Call, params: ListParams) -> Result<Listed, Refusal> {
    call.work(move |gateway| {
        let engine = gateway.live.engine();
        let sessions = engine.sessions();
        let agent =
            engine.config().agent(params.agent_id.as_deref()).map_err(prowess_context::ContextError::from)?;
        let default = engine.config().model(&agent, None).ok();
        let filter = SessionFilter { agent: params.agent_id.as_ref().map(|_| agent.id), limit: None };
        let running: BTreeSet<String> = gateway
            .runs
            .list()
            .into_iter()
            .filter(|run| !run.status.is_over())
            .map(|run| run.session)
            .collect();
        let mut rows: Vec<Row> = sessions
            .list_with(&gateway.sessions, &filter)
            .into_iter()
            .map(|listing| row(&sessions, &running, listing))
            .collect();
        if let Some(search) = params.search.map(|text| text.trim().to_lowercase()) {
            let has = |text: &str| text.to_lowercase().contains(&search);
            rows.retain(|row| {
                has(&row.key) || has(&row.display_name) || row.label.as_deref().is_some_and(has)
            });
        }
        let total_count = rows.len();
        let limit = params.limit.unwrap_or(LIMIT).min(MAX_LIMIT);
        let page: Vec<Row> = rows.into_iter().skip(params.offset).take(limit).collect();
        let end = params.offset.saturating_add(page.len());
        let has_more = end < total_count && !page.is_empty();
        Ok(Listed {
            ts: gateway.options.clock.now_ms(),
            path: sessions.folder().display().to_string(),
            count: page.len(),
            total_count,
            limit_applied: limit,
            next_offset: has_more.then_some(end),
            has_more,
            defaults: Defaults {
                model_provider: default.as_ref().map(|model| model.provider.clone()),
                model: default.map(|model| model.model),
            },
            sessions: page,
        })
    })
    .await
}

fn row(sessions: &Sessions, running: &BTreeSet<String>, listing: SessionListing) -> Row {
    let SessionListing { id, summary, error, .. } = listing;
    let settings = sessions.settings(&id);
    let last = summary.runs.iter().rev().find(|run| run.parent.is_none());
    let answered = last.map(|run| &run.backend).filter(|backend| backend.kind == BackendKind::Model);
    let set = settings.model.as_deref().and_then(|model| model.split_once('/'));
    let session_id = id.to_string();
    let is_running = running.contains(&session_id);
    Row {
        key: sessions.key_of(&id, &summary.agent),
        session_id,
        label: settings.label,
        display_name: summary.runs.first().map(|run| run.message.clone()).unwrap_or_default(),
        updated_at: summary.ended,
        started_at: summary.started,
        model: set.map(|(_, model)| model.to_owned()).or_else(|| answered.and_then(|it| it.model.clone())),
        model_provider: set
            .map(|(provider, _)| provider.to_owned())
            .or_else(|| answered.map(|it| it.name.clone())),
        thinking_level: settings.thinking_level,
        input_tokens: summary.usage.input_tokens,
        output_tokens: summary.usage.output_tokens,
        total_tokens: summary.usage.input_tokens + summary.usage.output_tokens,
        usage: summary.usage,
        runs: summary.runs.len(),
        is_running,
        outcome: last.map(|run| run.outcome.clone()),
        agent_id: summary.agent,
        imported_from: summary.imported_from,
        error,
        extra: settings.extra,
    }
}

/// Whose last words.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct PreviewParams {
    /// The sessions, by key.
    keys: Vec<String>,
    /// The maximum number of messages each; 12 by default.
    limit: Option<usize>,
    /// The maximum number of characters per message; 240 by default.
    max_chars: Option<usize>,
}

/// The last words of some sessions.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Previews {
    /// When this was asked, in milliseconds since 1970.
    ts: u64,
    /// One for every key.
    previews: Vec<Preview>,
}

/// The last words of a session.
#[derive(Debug, Serialize, JsonSchema)]
struct Preview {
    /// The session.
    key: String,
    /// Whether there is anything.
    status: PreviewStatus,
    /// The messages, the latest last.
    items: Vec<PreviewItem>,
}

/// Whether there is anything to see of a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PreviewStatus {
    /// There is.
    Ok,
    /// Nothing was said yet.
    Empty,
    /// There is no such session.
    Missing,
}

/// A message, cut.
#[derive(Debug, Serialize, JsonSchema)]
struct PreviewItem {
    /// `user` or `assistant`.
    role: &'static str,
    /// Its words.
    text: String,
}

pub(super) async fn preview(call: Call, params: PreviewParams) -> Result<Previews, Refusal> {
    call.work(move |gateway| {
        let sessions = gateway.live.engine().sessions();
        let (limit, max_chars) = (params.limit.unwrap_or(12), params.max_chars.unwrap_or(240));
        let preview = |key: String| {
            let Ok(stored) = sessions.show(&sessions.of_key(&key)) else {
                return Preview { key, status: PreviewStatus::Missing, items: Vec::new() };
            };
            let said = messages(&stored.session.lines);
            let items: Vec<PreviewItem> = said[said.len().saturating_sub(limit)..]
                .iter()
                .map(|message| PreviewItem {
                    role: message.role,
                    text: message.text().chars().take(max_chars).collect(),
                })
                .collect();
            let status = if items.is_empty() { PreviewStatus::Empty } else { PreviewStatus::Ok };
            Preview { key, status, items }
        };
        let previews = params.keys.into_iter().take(MAX_LIMIT).map(preview).collect();
        Ok(Previews { ts: gateway.options.clock.now_ms(), previews })
    })
    .await
}
