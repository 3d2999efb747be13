//! The automations on disk: `cron/jobs.json`, and a log of the runs of each.

use std::path::PathBuf;
use std::time::Duration;

use prowess::Engine;
use prowess_fs::UpdateError;
use prowess_sessions::SessionId;
use prowess_text::describe_error;
use prowess_types::{Classify, ErrorClass, ErrorKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::job::CronJob;

/// The time to wait for another process that holds a file.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// A larger file is not read.
const MAX_BYTES: u64 = 16 << 20;

/// The reason automations cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CronError {
    /// The file is damaged.
    #[error("`{}` is not a file of automations: {reason}; repair it or delete it", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        reason: String,
    },
    /// The file cannot be read or written.
    #[error("{0}")]
    File(String),
}

impl Classify for CronError {
    fn class(&self) -> ErrorClass<'_> {
        ErrorClass::Is(match self {
            Self::Damaged { .. } => ErrorKind::Damaged,
            Self::File(_) => ErrorKind::Files,
        })
    }
}

/// The files of the automations.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

/// A job, or an entry that this version does not understand.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Job(Box<CronJob>),
    Other(Value),
}

/// A run of an automation, as its log has it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunEntry {
    /// When it ended, in milliseconds since 1970.
    pub(crate) ts: u64,
    /// The job.
    pub(crate) job_id: String,
    /// Always `finished`.
    pub(crate) action: String,
    /// `ok` or `error`.
    pub(crate) status: String,
    /// The reason why it went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// The first words of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<String>,
    /// The session with the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<String>,
    /// The session, as chat clients name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session_key: Option<String>,
    /// The run, as events named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run_id: Option<String>,
    /// When it began.
    pub(crate) run_at_ms: u64,
    /// Its duration.
    pub(crate) duration_ms: u64,
    /// When the job is due next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next_run_at_ms: Option<u64>,
}

impl Store {
    pub(crate) fn of(engine: &Engine) -> Self {
        Self { folder: engine.places().state.join("cron") }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.join("jobs.json")
    }

    /// Every job that is understood, in the order of the file.
    pub(crate) fn jobs(&self) -> Result<Vec<CronJob>, CronError> {
        let bytes = match prowess_fs::read_file(&self.file(), MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => return Ok(Vec::new()),
            Err(error) => return Err(CronError::File(describe_error(&error))),
        };
        let (_, entries) = self.parse(&String::from_utf8_lossy(&bytes))?;
        let jobs = entries.into_iter().filter_map(|entry| match entry {
            Entry::Job(job) => Some(*job),
            Entry::Other(_) => None,
        });
        Ok(jobs.collect())
    }

    /// Changes the jobs from a fresh read, under the lock of the file. Nothing is written if nothing changed.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Vec<Entry>) -> T) -> Result<T, CronError> {
        prowess_fs::create_folder(&self.folder).map_err(|error| CronError::File(describe_error(&error)))?;
        let mut done = None;
        let edit = |old: Option<String>| {
            let (mut document, mut entries) = match old.as_deref() {
                Some(text) => self.parse(text)?,
                None => (Map::from_iter([("version".to_owned(), Value::from(1))]), Vec::new()),
            };
            done = Some(change(&mut entries));
            let values = entries.iter().map(|entry| match entry {
                Entry::Job(job) => serde_json::to_value(job).unwrap_or_default(),
                Entry::Other(value) => value.clone(),
            });
            document.insert("jobs".to_owned(), values.collect());
            let text = serde_json::to_string_pretty(&document).map_err(|error| self.damaged(error))? + "\n";
            Ok(Some(text).filter(|text| old.as_ref() != Some(text)))
        };
        prowess_fs::update_file(&self.file(), LOCK_TIMEOUT, edit).map_err(|error| match error {
            UpdateError::Edit(error) => error,
            error => CronError::File(describe_error(&error)),
        })?;
        done.ok_or_else(|| CronError::File("the automations were not read".to_owned()))
    }

    /// Changes one job. None if there is no such job.
    pub(crate) fn change_job<T>(
        &self,
        id: &str,
        change: impl FnOnce(&mut CronJob) -> T,
    ) -> Result<Option<T>, CronError> {
        self.change(|entries| {
            let mut jobs = entries.iter_mut().filter_map(Entry::job);
            jobs.find(|job| job.id == id).map(change)
        })
    }

    fn parse(&self, text: &str) -> Result<(Map<String, Value>, Vec<Entry>), CronError> {
        let mut document: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| self.damaged(error))?;
        let jobs = match document.shift_remove("jobs") {
            None => Vec::new(),
            Some(Value::Array(jobs)) => jobs,
            Some(_) => return Err(self.damaged("`jobs` is not a list")),
        };
        let entry = |value: Value| match serde_json::from_value(value.clone()) {
            Ok(job) => Entry::Job(Box::new(job)),
            Err(_) => Entry::Other(value),
        };
        Ok((document, jobs.into_iter().map(entry).collect()))
    }

    fn damaged(&self, reason: impl ToString) -> CronError {
        CronError::Damaged { path: self.file(), reason: reason.to_string() }
    }

    /// Adds a run to the log of its job.
    pub(crate) fn log(&self, entry: &RunEntry) -> Result<(), CronError> {
        let Some(file) = self.log_file(&entry.job_id) else { return Ok(()) };
        let line = serde_json::to_string(entry).unwrap_or_default();
        let folder = prowess_fs::create_folder(&self.folder.join("runs"));
        folder.map_err(|error| CronError::File(describe_error(&error)))?;
        let added = prowess_fs::append_line(&file, &line, LOCK_TIMEOUT);
        added.map(|_| ()).map_err(|error| CronError::File(describe_error(&error)))
    }

    /// The last runs of a job, the latest first.
    pub(crate) fn runs(&self, job: &str, limit: usize) -> Vec<RunEntry> {
        let bytes = self.log_file(job).and_then(|file| prowess_fs::read_file(&file, MAX_BYTES).ok());
        let text = String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
        text.lines().rev().filter_map(|line| serde_json::from_str(line).ok()).take(limit).collect()
    }

    /// A job of others may have an id that is not a name of a file.
    fn log_file(&self, job: &str) -> Option<PathBuf> {
        let name: SessionId = job.parse().ok()?;
        Some(self.folder.join("runs").join(format!("{name}.jsonl")))
    }
}

impl Entry {
    pub(crate) fn job(&mut self) -> Option<&mut CronJob> {
        match self {
            Self::Job(job) => Some(job),
            Self::Other(_) => None,
        }
    }
}
