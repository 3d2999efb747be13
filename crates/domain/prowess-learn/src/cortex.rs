//! The memory of the skills that were used, and the four phases that use it.
//!
//! The truth is the log of outcomes; what it comes to is a fold over it. `cortex.json` is a live export for people
//! and other programs: a change there is merged as an event of its own, and a damaged file is set aside.
//! [`Cortex::perceive`] finds skills for a task, [`Cortex::validate`] the consent that they need,
//! [`Cortex::run`] does it, and [`Cortex::record`] learns from it.

mod about;
mod file;
mod forget;
mod github;
mod history;
mod keywords;
mod learn;
mod observer;
mod offer;
mod pending;
mod perceive;
mod prior;
mod recall;
mod repair;
mod runs;
mod simulate;
mod task;
mod variable;
mod view;
mod weights;

use std::path::{Path, PathBuf};

use prowess_context::{ChooseError, Clock, Context, ContextError};
use prowess_cortex::{CortexState, Event, EventKind, FileError, Rules};
use prowess_store::{EventLog, StoreError};
use prowess_types::ProfileName;

pub use about::learned_about;
pub use file::Damaged;
pub use file::MAX_BYTES as MAX_EXPORT_BYTES;
pub use history::{HistoryFilter, Remembered};
pub use keywords::{WordTable, search_words};
pub use learn::{DroppedCandidate, Experience, Learned};
pub use observer::LearningObserver;
pub use offer::{History, Offer, OfferSource};
pub use pending::{PendingTask, pending_tasks, settle_tasks};
pub use perceive::{PerceiveRequest, Perceived, Validation};
pub use prior::LearnedPriors;
pub use recall::{ACROSS, CosineLine, ENGLISH, NEAR, OTHER, TaskMeaning, keywords, pattern_likeness};
pub use repair::{LogHealth, log_health};
pub use runs::learn_from_rating;
pub use simulate::{UseOfSkill, weights_over_time};
pub use task::{Attempt, Desk, InstallAdmission, SkillEffect, TaskEnd, TaskPlan, TaskReport, TaskRequest};

pub use variable::{NotAVariable, variable_name};
pub use view::{CortexView, LongTermView, RegionView};
pub use weights::{WeightPoint, WeightSeries, WeightsFilter};

/// The vocabulary of what was learned.
pub use prowess_cortex as memory;

/// The opened memory.
#[derive(Debug)]
pub struct Cortex<'a> {
    context: &'a Context,
    log: EventLog,
    file: PathBuf,
    rules: Rules,
    clock: Clock,
    damaged: Option<Damaged>,
    notices: Vec<String>,
}

/// Returns the files of the cortex of a profile: its log and its export.
pub fn places(context: &Context) -> (PathBuf, PathBuf) {
    let state = &context.places().state;
    match context.profile().name {
        ProfileName::Openclaw => {
            let folder = state.join("skill-cortex");
            (folder.join("events.db"), folder.join("cortex.json"))
        }
        _ => (state.join("state.db"), state.join("cortex.json")),
    }
}

/// The state of the log's files: another one may mean that more was learned.
pub(crate) type LogStamp = [Option<prowess_fs::Stamp>; 2];

/// Returns the current state of the log's files. New events are in the file beside it first.
pub(crate) fn log_stamp(context: &Context) -> LogStamp {
    let (log, _) = places(context);
    let mut beside = log.clone().into_os_string();
    beside.push("-wal");
    [log.as_path(), Path::new(&beside)].map(|file| prowess_fs::stamp(file).ok().flatten())
}

/// The state and its rules, if anything was learned here and the user wants it to count. Nothing is created.
pub(crate) fn learned(context: &Context) -> Option<(CortexState, Rules)> {
    let settings = context.config().cortex();
    let (log, _) = places(context);
    // An empty file is a log that is lost, which is repaired where something is written.
    if !settings.is_enabled || !log.metadata().is_ok_and(|file| file.is_file() && file.len() > 0) {
        return None;
    }
    let rules = Rules::from_name(&settings.rules).unwrap_or_default();
    Some((EventLog::open(&log).ok()?.state(rules).ok()?, rules))
}

impl<'c> Cortex<'c> {
    /// Opens the cortex, and merges the changes made in `cortex.json` since. A damaged log is made anew from it, and a
    /// task that was interrupted is settled; [`take_notices`](Self::take_notices) says so.
    pub fn open(context: &'c Context, clock: Clock) -> Result<Self, CortexError> {
        let (log, file) = places(context);
        if let Some(folder) = log.parent() {
            prowess_fs::create_folder(folder)?;
        }
        let rules = Rules::from_name(&context.config().cortex().rules).unwrap_or_default();
        let now = i64::try_from(clock.now_ms()).unwrap_or(i64::MAX);
        let opened = repair::open_log(&log, &file, now)?;
        let notices = pending::settle_tasks(context, &clock);
        let mut cortex = Self { context, log: opened.log, file, rules, clock, damaged: None, notices };
        cortex.take_over(opened.lock, opened.moved)?;
        Ok(cortex)
    }
}

impl Cortex<'_> {
    /// Everything that was learned, as of now.
    pub fn state(&self) -> Result<CortexState, CortexError> {
        Ok(self.log.state(self.rules)?)
    }

    /// Computes the state of all events anew, under other rules.
    pub fn replay(&self, rules: Rules) -> Result<CortexState, CortexError> {
        let events = self.log.read_since(0)?;
        Ok(CortexState::replay(events.iter().map(|logged| &logged.event), rules))
    }

    /// The rules that hold.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The live export.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The export that could not be read, if that is so: there is nothing to look up until it is written again.
    pub fn damaged(&self) -> Option<&Damaged> {
        self.damaged.as_ref()
    }

    /// Writes the export anew from the log; one that could not be read was kept beside it.
    pub fn rewrite(&mut self) -> Result<(), CortexError> {
        self.export()
    }

    /// The time, as the log counts it.
    pub fn now(&self) -> i64 {
        i64::try_from(self.clock.now_ms()).unwrap_or(i64::MAX)
    }

    /// An event that happens now.
    fn event(&self, kind: EventKind) -> Event {
        Event::new(&ulid::Ulid::generate().to_string(), self.now(), kind)
    }

    /// Writes events to the log, all or none, and then the export.
    fn write(&mut self, events: &[Event]) -> Result<CortexState, CortexError> {
        self.mended(|cortex| {
            cortex.log.append_all(events)?;
            cortex.export()?;
            cortex.state()
        })
    }

    /// Takes what the user should be told once: repairs that were made on the way.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    fn note(&mut self, kind: EventKind) -> Result<CortexState, CortexError> {
        let event = self.event(kind);
        self.write(&[event])
    }
}

/// The reason nothing can be learned or looked up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CortexError {
    /// The log cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log cannot be opened or moved.
    #[error("failed to open `{}`", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// There is too little free space for an install.
    #[error("`{}` has {} KB left, too little to install a skill", path.display(), bytes / 1024)]
    Room {
        /// The folder.
        path: PathBuf,
        /// The space that is left.
        bytes: u64,
    },
    /// The folder or the export cannot be written.
    #[error("cannot write what was learned")]
    Write(#[from] prowess_fs::WriteError),
    /// Another process holds the export.
    #[error(transparent)]
    Lock(#[from] prowess_fs::LockError),
    /// A file to import cannot be read.
    #[error(transparent)]
    Read(#[from] prowess_fs::FileReadError),
    /// A file to import is not a cortex.
    #[error("`{}` is not a cortex file", path.display())]
    Import {
        /// The file.
        path: PathBuf,
        /// The problem with it.
        #[source]
        source: FileError,
    },
    /// There is nothing of that name.
    #[error("nothing was learned about {0}")]
    Unknown(String),
    /// The experience is not complete.
    #[error("{0}")]
    Incomplete(String),
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// Messages cannot be understood.
    #[error(transparent)]
    Choose(#[from] ChooseError),
}

impl prowess_types::Classify for CortexError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Choose(error) => Of(error),
            Self::Incomplete(_) => Is(ErrorKind::Usage),
            Self::Unknown(_) => Is(ErrorKind::NotFound),
            Self::Log { .. } | Self::Room { .. } => Is(ErrorKind::Files),
            Self::Store(_) | Self::Write(_) | Self::Lock(_) | Self::Read(_) | Self::Import { .. } => {
                Is(ErrorKind::Files)
            }
        }
    }
}
