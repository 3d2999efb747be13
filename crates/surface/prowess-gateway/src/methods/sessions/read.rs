//! One session: what happened in it, line by line or in short.

use prowess_sessions::{ExportFormat, SessionSettings};
use prowess_trace::SessionSummary;
use prowess_types::{ActivatedBy, FollowUp, PromptedSkill, RankedSkill, TraceEvent, TraceLine};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find;
use crate::refusal::Refusal;
use crate::state::Call;

/// Maximum length of a page of a trace.
const MAX_PAGE: usize = 1_000;
/// Default length of a page.
const PAGE: usize = 200;

/// A session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetParams {
    /// The session by its key, its id, the beginning of its id, or `last`.
    session: String,
}

/// What happened in a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Got {
    /// The session, as chat clients name it.
    key: String,
    /// Its id.
    session_id: String,
    /// What happened, in short.
    summary: SessionSummary,
    /// What somebody set for it.
    settings: SessionSettings,
    /// The skills that each run considered, was shown and used.
    activations: Vec<RunSkills>,
    /// The number of lines that its trace has.
    lines: usize,
    /// How many of them were not understood.
    unread_lines: usize,
}

/// The skills of one run.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunSkills {
    /// The run.
    run: String,
    /// What was decided for the message: `load`, `suggest` or `none`; none if nothing was chosen from.
    decision: Option<String>,
    /// The effect of the turn before; null if it had no skill in use.
    follow_up: Option<FollowUp>,
    /// The ranking for the message. It tells what was considered, not what the model got.
    considered: Vec<RankedSkill>,
    /// Every skill whose name or text was in the request; null if the run did not record its prompt.
    shown: Option<Vec<PromptedSkill>>,
    /// The skills that came into use, in order.
    used: Vec<UsedSkill>,
}

/// A skill that came into use.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UsedSkill {
    /// Its name.
    skill: String,
    /// What brought it in.
    by: ActivatedBy,
    /// When, in milliseconds since 1970.
    at: u64,
    /// The hash of its text.
    content_hash: Option<String>,
}

pub(super) async fn get(call: Call, params: GetParams) -> Result<Got, Refusal> {
    call.work(move |gateway| {
        let sessions = gateway.live.engine().sessions();
        let id = find(gateway, &params.session)?;
        let stored = sessions.show(&id)?;
        Ok(Got {
            key: sessions.key_of(&id, &stored.summary.agent),
            session_id: id.to_string(),
            settings: sessions.settings(&id),
            activations: activations(&stored.session.lines),
            lines: stored.session.lines.len(),
            unread_lines: stored.session.unread.len(),
            summary: stored.summary,
        })
    })
    .await
}

fn activations(lines: &[TraceLine]) -> Vec<RunSkills> {
    let mut runs: Vec<RunSkills> = Vec::new();
    for line in lines.iter().filter(|line| !line.run.is_empty()) {
        let place = runs.iter().position(|run| run.run == line.run).unwrap_or_else(|| {
            runs.push(RunSkills { run: line.run.clone(), ..RunSkills::default() });
            runs.len() - 1
        });
        match &line.event {
            TraceEvent::Selection { decision, ranked, follow_up, .. } => {
                runs[place].follow_up.clone_from(follow_up);
                runs[place].decision = Some(decision.as_str().to_owned());
                runs[place].considered.clone_from(ranked);
            }
            TraceEvent::Prompt { skills, .. } => runs[place].shown = Some(skills.clone()),
            TraceEvent::Activation { skill, by, content_hash, .. } => runs[place].used.push(UsedSkill {
                skill: skill.clone(),
                by: *by,
                at: line.at,
                content_hash: content_hash.clone(),
            }),
            _ => {}
        }
    }
    runs
}

/// A page of a trace.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct EventsParams {
    /// The session by its key, its id, the beginning of its id, or `last`.
    session: String,
    /// Only the lines of this run.
    run: Option<String>,
    /// The number of lines to skip.
    #[serde(default)]
    offset: usize,
    /// The maximum number of lines; 200 by default, 1000 at most.
    limit: Option<usize>,
}

/// A page of a trace.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    /// The session's id.
    session_id: String,
    /// The number of lines.
    total: usize,
    /// The place where this page begins.
    offset: usize,
    /// The place where the next page begins; none if there is none.
    next_offset: Option<usize>,
    /// The lines, the earliest first.
    events: Vec<TraceLine>,
    /// The number of lines of the file that were not understood.
    unread_lines: usize,
}

pub(super) async fn events(call: Call, params: EventsParams) -> Result<Page, Refusal> {
    call.work(move |gateway| {
        let id = find(gateway, &params.session)?;
        let stored = gateway.live.engine().sessions().show(&id)?;
        let run =
            params.run.as_deref().map(|run| stored.run(Some(run)).map(|run| run.run.clone())).transpose()?;
        let unread_lines = stored.session.unread.len();
        let mut lines = stored.session.lines;
        lines.retain(|line| run.as_ref().is_none_or(|run| line.run == *run));
        let total = lines.len();
        let limit = params.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
        let events: Vec<TraceLine> = lines.into_iter().skip(params.offset).take(limit).collect();
        let end = params.offset.saturating_add(events.len());
        let next_offset = (end < total && !events.is_empty()).then_some(end);
        let session_id = id.to_string();
        Ok(Page { session_id, total, offset: params.offset, next_offset, events, unread_lines })
    })
    .await
}

/// A session and a format.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportParams {
    /// The session by its key, its id, the beginning of its id, or `last`.
    session: String,
    /// The format; for people by default.
    #[serde(default)]
    format: Format,
}

/// How a session is written out.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// For people.
    #[default]
    Markdown,
    /// The lines as they are.
    Jsonl,
    /// One document.
    Json,
}

/// A session as a text.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Exported {
    /// A name for the file.
    file_name: String,
    /// The kind of file.
    mime_type: &'static str,
    /// Its content.
    text: String,
}

pub(super) async fn export(call: Call, params: ExportParams) -> Result<Exported, Refusal> {
    call.work(move |gateway| {
        let id = find(gateway, &params.session)?;
        let (format, extension, mime_type) = match params.format {
            Format::Markdown => (ExportFormat::Markdown, "md", "text/markdown"),
            Format::Jsonl => (ExportFormat::Jsonl, "jsonl", "application/jsonl"),
            Format::Json => (ExportFormat::Json, "json", "application/json"),
        };
        let text = gateway.live.engine().sessions().export(&id, format)?;
        Ok(Exported { file_name: format!("{id}.{extension}"), mime_type, text })
    })
    .await
}

/// A message, as chat clients read it.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::methods) struct Message {
    /// `user` or `assistant`.
    pub(in crate::methods) role: &'static str,
    /// Its parts; always one.
    content: [Part; 1],
    /// When, in milliseconds since 1970.
    timestamp: u64,
}

/// A part of a message.
#[derive(Debug, Serialize, JsonSchema)]
struct Part {
    /// Always `text`.
    r#type: &'static str,
    /// The words.
    text: String,
}

impl Message {
    fn new(role: &'static str, text: &str, timestamp: u64) -> Self {
        Self { role, content: [Part { r#type: "text", text: text.to_owned() }], timestamp }
    }

    pub(in crate::methods) fn text(&self) -> &str {
        &self.content[0].text
    }
}

/// What was said between the user and the agent, the latest last. Sub-agents talk to the agent only.
pub(in crate::methods) fn messages(lines: &[TraceLine]) -> Vec<Message> {
    let mut own: Vec<&str> = Vec::new();
    let mut said = Vec::new();
    for line in lines {
        match &line.event {
            TraceEvent::RunStarted { message, parent: None, .. } => {
                own.push(&line.run);
                said.push(Message::new("user", message, line.at));
            }
            TraceEvent::Answer { text } if own.contains(&line.run.as_str()) => {
                said.push(Message::new("assistant", text, line.at));
            }
            _ => {}
        }
    }
    said
}
