//! The user's own history, as the selector would have answered it.
//!
//! One log after the other is read, so that a long history needs no more memory than its largest file. Nothing is
//! sent anywhere, nothing is stored, and secrets are masked before a message is looked at.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use prowess_config::EncoderChoice;
use prowess_context::{ChooseError, Context, ContextError};
use prowess_fs::EntryKind;
use prowess_harness::hook::HookHarness;
use prowess_inventory::{MatchDecision, MatchRequest, MessageMatch};
use prowess_match::{AgentView, Selector};
use prowess_trace::{ImportKind, Imported, RunSummary};
use serde::Serialize;

use crate::hook_log::{HookRecord, SAME_MESSAGE_MS};
use crate::sessions::{SessionId, Sessions};

/// A larger log is left out, and named.
const MAX_LOG_BYTES: u64 = 512 * 1024 * 1024;
/// The maximum number of logs.
const MAX_LOGS: usize = 100_000;
/// The maximum depth of folders of logs.
const MAX_DEPTH: usize = 8;
/// Characters of a message that are looked at.
const MAX_MESSAGE: usize = 8_000;

/// The request of a replay.
#[derive(Clone, Debug)]
pub struct ReplayRequest<'a> {
    /// Whose logs they are.
    pub kind: ImportKind,
    /// A log, or a folder of logs.
    pub path: &'a Path,
    /// The maximum number of messages, the newest logs first; all if there is no limit.
    pub limit: Option<usize>,
    /// Only messages since then, in milliseconds since 1970.
    pub since: Option<u64>,
}

/// The progress of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayProgress {
    /// Bytes of the logs that were read.
    pub done: u64,
    /// Bytes of all logs.
    pub total: u64,
}

/// What the history comes to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayReport {
    /// Logs that were read.
    pub logs: usize,
    /// Messages that were looked at.
    pub messages: usize,
    /// Messages that are commands, which the selector is not asked about.
    pub commands: usize,
    /// Messages that the selector would have loaded a skill for.
    pub fired: usize,
    /// Those of them where the record shows that the skill was used.
    pub used: usize,
    /// Those where it was not, the newest first.
    pub missed: Vec<MissedMessage>,
    /// Logs that were not read, and why.
    pub unread: Vec<UnreadLog>,
    /// Whether the limit ended it before the last log.
    pub is_cut: bool,
}

/// A message that should have fired a skill and did not.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MissedMessage {
    /// When it was written, in milliseconds since 1970.
    pub at: u64,
    /// What the user wrote, with secrets masked.
    pub message: String,
    /// The skills that it asks for and that were not used.
    pub skills: Vec<String>,
    /// Probability that the best skill is asked for.
    pub confidence: f32,
    /// The session, by the harness's id.
    pub session: String,
    /// The log.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub log: PathBuf,
}

/// A log that was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnreadLog {
    /// The log.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub log: PathBuf,
    /// Why.
    pub reason: String,
}

/// The reason a history cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// There is nothing at the path.
    #[error(transparent)]
    Read(#[from] prowess_fs::FileReadError),
    /// There are no logs.
    #[error("there are no logs of {kind} in `{}`", path.display())]
    NoLogs {
        /// Whose.
        kind: &'static str,
        /// The folder that was searched.
        path: PathBuf,
    },
    /// Vectors would be asked from a server.
    #[error("the history is not sent to `skills.match.endpoint`; a replay needs an encoder on this machine")]
    Endpoint,
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// Messages cannot be understood.
    #[error(transparent)]
    Choose(#[from] ChooseError),
}

impl prowess_types::Classify for ReplayError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Choose(error) => Of(error),
            Self::Read(_) | Self::NoLogs { .. } => Is(ErrorKind::NotFound),
            Self::Endpoint => Is(ErrorKind::Environment),
        }
    }
}

struct Log {
    path: PathBuf,
    size: u64,
    modified: (i64, u32),
}

/// Runs a history through the selector, with the skills as they are now.
pub fn replay(
    context: &Context,
    view: &AgentView,
    request: &ReplayRequest<'_>,
    mut progress: impl FnMut(ReplayProgress),
) -> Result<ReplayReport, ReplayError> {
    if matches!(context.config().matching().encoder, EncoderChoice::Endpoint { .. }) {
        return Err(ReplayError::Endpoint);
    }
    let logs = logs(request)?;
    let selector = view.selector()?;
    let total = logs.iter().map(|log| log.size).sum();
    let mut report = ReplayReport::default();
    let mut done = 0;
    for log in logs {
        progress(ReplayProgress { done, total });
        done += log.size;
        if request.limit.is_some_and(|limit| report.messages >= limit) {
            report.is_cut = true;
            break;
        }
        let bytes = match prowess_fs::read_file(&log.path, MAX_LOG_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                let reason = prowess_text::describe_error(&error);
                report.unread.push(UnreadLog { log: log.path, reason });
                continue;
            }
        };
        let imported = prowess_trace::import(request.kind, &bytes);
        let hooked = hook_records(&Sessions::of(context), request.kind, &imported);
        report.read(&log.path, &imported, &hooked, request, &selector)?;
    }
    progress(ReplayProgress { done: total, total });
    report.missed.sort_by_key(|missed| std::cmp::Reverse(missed.at));
    Ok(report)
}

impl ReplayReport {
    fn read(
        &mut self,
        log: &Path,
        imported: &Imported,
        hooked: &[HookRecord],
        request: &ReplayRequest<'_>,
        selector: &Selector,
    ) -> Result<(), ReplayError> {
        let summary = prowess_trace::summary(&imported.lines);
        if summary.runs.is_empty() {
            let reason = format!("it holds no session of {}", request.kind.name());
            self.unread.push(UnreadLog { log: log.to_owned(), reason });
            return Ok(());
        }
        self.logs += 1;
        let is_wanted = |run: &&RunSummary| {
            run.parent.is_none() && request.since.is_none_or(|since| run.started >= since)
        };
        for run in summary.runs.iter().rev().filter(is_wanted) {
            let message = run.message.trim();
            if message.is_empty() {
                continue;
            }
            if message.starts_with('/') {
                self.commands += 1;
                continue;
            }
            if request.limit.is_some_and(|limit| self.messages >= limit) {
                self.is_cut = true;
                return Ok(());
            }
            self.messages += 1;
            let answer = ask(selector, message)?;
            if answer.decision != MatchDecision::Load {
                continue;
            }
            self.fired += 1;
            let missed = missed(&answer, run, hooked);
            if missed.is_empty() {
                self.used += 1;
                continue;
            }
            self.missed.push(MissedMessage {
                at: run.started,
                message: message.to_owned(),
                skills: missed,
                confidence: answer.confidence,
                session: imported.session.clone().unwrap_or_default(),
                log: log.to_owned(),
            });
        }
        Ok(())
    }
}

/// Returns the selector's answer to a message. What was learned since does not count.
fn ask(selector: &Selector, message: &str) -> Result<MessageMatch, ChooseError> {
    let message = message.char_indices().nth(MAX_MESSAGE).map_or(message, |(end, _)| &message[..end]);
    selector.prepare_for(message, |_| {})?;
    selector.find(&MatchRequest::new(message))
}

/// The loaded skills that were not used. A harness calls the skill of a plugin `plugin:skill`, and one whose file was
/// read by the name of its folder; what a hook gave the text of was used.
fn missed(answer: &MessageMatch, run: &RunSummary, hooked: &[HookRecord]) -> Vec<String> {
    let given = hooked.iter().filter(|record| record.at.abs_diff(run.started) <= SAME_MESSAGE_MS);
    let given = given.flat_map(|record| &record.skills).filter(|skill| skill.how.is_loaded());
    let given = given.map(|skill| skill.name.as_str());
    let named = run.skills.iter().map(|name| name.rsplit(':').next().unwrap_or(name));
    let used: BTreeSet<&str> = named.chain(given).collect();
    let loaded = answer.results.iter().filter(|result| result.loaded);
    loaded
        .filter(|result| !used.contains(result.name.as_str()) && !used.contains(result.id.as_str()))
        .map(|result| result.name.clone())
        .collect()
}

/// Returns the records of hooks for the session in a log.
fn hook_records(sessions: &Sessions, kind: ImportKind, imported: &Imported) -> Vec<HookRecord> {
    let harness = HookHarness::find(kind.name());
    let id = harness.zip(imported.session.as_ref()).map(|(harness, id)| SessionId::of_harness(harness, id));
    id.map(|id| sessions.hook_records(&id)).unwrap_or_default()
}

/// The logs at a path, the newest first.
fn logs(request: &ReplayRequest<'_>) -> Result<Vec<Log>, ReplayError> {
    let path = request.path;
    if !prowess_fs::is_folder(path)? {
        let size = prowess_fs::stamp(path).ok().flatten().map_or(0, |stamp| stamp.size);
        return Ok(vec![Log { path: path.to_owned(), size, modified: (0, 0) }]);
    }
    let listing = prowess_fs::list_all(path, MAX_LOGS, MAX_DEPTH);
    let mut logs: Vec<Log> = listing
        .entries
        .into_iter()
        .filter(|entry| is_log(request.kind, &entry.relative))
        .filter_map(|entry| {
            let EntryKind::File { size, .. } = entry.kind else { return None };
            let stamp = prowess_fs::stamp(&entry.path).ok()??;
            Some(Log { path: entry.path, size, modified: (stamp.modified_secs, stamp.modified_nanos) })
        })
        .collect();
    logs.sort_by(|one, other| (other.modified, &other.path).cmp(&(one.modified, &one.path)));
    if logs.is_empty() {
        return Err(ReplayError::NoLogs { kind: request.kind.name(), path: path.to_owned() });
    }
    Ok(logs)
}

/// Returns true if a file is the log of a user's session.
fn is_log(kind: ImportKind, relative: &str) -> bool {
    let logs = prowess_harness::program(kind.name()).and_then(|program| program.logs.as_ref());
    logs.is_some_and(|logs| logs.is_log(relative))
}
