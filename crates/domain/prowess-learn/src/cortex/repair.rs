//! The log of what was learned, opened whole: a damaged one is moved aside and made anew from its export.
//!
//! One process repairs. Every process that finds the log missing, empty or damaged takes its lock first and looks
//! again; the lock is held until the new log has what the export has. Nothing is deleted.

use std::path::{Path, PathBuf};

use prowess_fs::{ConditionKind, Lock};
use prowess_store::{EventLog, StoreError, database_files};
use prowess_text::describe_error;

use super::file::LOCK_TIMEOUT;
use super::{Cortex, CortexError};

/// Names that are tried for a damaged log; after that the last one gives way.
const MAX_KEPT: u32 = 1000;

/// A log that was damaged and moved aside.
#[derive(Clone, Debug)]
pub(super) struct MovedLog {
    /// The damage.
    problem: String,
    /// Its place now.
    kept: PathBuf,
}

/// A log that was opened.
pub(super) struct OpenedLog {
    pub(super) log: EventLog,
    /// Held while what the export has is taken over.
    pub(super) lock: Option<Lock>,
    pub(super) moved: Option<MovedLog>,
}

/// Opens a log, made anew if it is missing or not whole. `export` tells whether an empty file is a loss.
pub(super) fn open_log(place: &Path, export: &Path, now_ms: i64) -> Result<OpenedLog, CortexError> {
    if let LogFile::Some = look(place)? {
        match whole(place) {
            Ok(log) => return Ok(OpenedLog { log, lock: None, moved: None }),
            Err(error) if error.is_damage() => {}
            Err(error) => return Err(error.into()),
        }
    }
    let lock = Lock::acquire(place, LOCK_TIMEOUT)?;
    let problem = match look(place)? {
        LogFile::None => None,
        LogFile::Empty => prowess_fs::is_taken(export).then(|| "it is empty".to_owned()),
        LogFile::Other => Some("it is not a file".to_owned()),
        LogFile::Some => match whole(place) {
            // Another process was first.
            Ok(log) => return Ok(OpenedLog { log, lock: Some(lock), moved: None }),
            Err(error) if error.is_damage() => Some(problem_of(&error)),
            Err(error) => return Err(error.into()),
        },
    };
    let moved = problem.map(|problem| move_aside(place, now_ms).map(|kept| MovedLog { problem, kept }));
    let moved = moved.transpose()?;
    Ok(OpenedLog { log: EventLog::open(place)?, lock: Some(lock), moved })
}

/// The state of a log, found out without a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogHealth {
    /// There is none, or it is whole.
    Whole,
    /// It is not whole; opening the cortex makes it anew.
    Damaged(String),
    /// It may not be opened.
    Unusable(String),
}

/// Looks at a log. Nothing is made or changed.
pub fn log_health(place: &Path, export: &Path) -> LogHealth {
    match look(place) {
        Ok(LogFile::Empty) if prowess_fs::is_taken(export) => LogHealth::Damaged("it is empty".to_owned()),
        Ok(LogFile::None | LogFile::Empty) => LogHealth::Whole,
        Ok(LogFile::Other) => LogHealth::Damaged("it is not a file".to_owned()),
        Ok(LogFile::Some) => {
            prowess_store::find_log_damage(place).map_or(LogHealth::Whole, LogHealth::Damaged)
        }
        Err(error) => LogHealth::Unusable(describe_error(&error)),
    }
}

/// Opens a log that exists; fails if it is not whole.
fn whole(place: &Path) -> Result<EventLog, StoreError> {
    let log = EventLog::open_checked(place)?;
    // Pages may be whole and rows not.
    log.state(prowess_cortex::Rules::default())?;
    Ok(log)
}

fn problem_of(error: &StoreError) -> String {
    match error {
        StoreError::Damaged { problem, .. } => problem.clone(),
        StoreError::Sqlite { source, .. } => source.to_string(),
        error => describe_error(error),
    }
}

/// The content of the place of the log.
enum LogFile {
    None,
    Empty,
    Some,
    /// A folder, or another thing that is not a file.
    Other,
}

fn look(place: &Path) -> Result<LogFile, CortexError> {
    let failed = |source| CortexError::Log { path: place.to_owned(), source };
    // A link leads to where the user keeps the file.
    let real = prowess_fs::real(place);
    let path = real.as_deref().unwrap_or(place);
    let Some(condition) = prowess_fs::condition(path).map_err(failed)? else { return Ok(LogFile::None) };
    if condition.kind != ConditionKind::File {
        return Ok(LogFile::Other);
    }
    let file = prowess_fs::open_own_file(path).map_err(failed)?;
    let is_empty = file.metadata().map_err(failed)?.len() == 0;
    Ok(if is_empty { LogFile::Empty } else { LogFile::Some })
}

/// Moves a log and the files beside it to names that say when, and returns the new name.
fn move_aside(place: &Path, now_ms: i64) -> Result<PathBuf, CortexError> {
    let stamp = stamp(now_ms);
    let named = |number: u32| {
        let mut name = place.as_os_str().to_owned();
        name.push(format!(".damaged-{stamp}"));
        if number > 0 {
            name.push(format!("-{number}"));
        }
        PathBuf::from(name)
    };
    let kept =
        (0..MAX_KEPT).map(named).find(|name| !prowess_fs::is_taken(name)).unwrap_or_else(|| named(MAX_KEPT));
    for (from, to) in database_files(place).zip(database_files(&kept)).collect::<Vec<_>>() {
        if prowess_fs::is_taken(&from) {
            prowess_fs::rename(&from, &to)
                .map_err(|source| CortexError::Log { path: from.clone(), source })?;
        }
    }
    Ok(kept)
}

/// `20261118T203000Z`, for the name of a file.
fn stamp(now_ms: i64) -> String {
    let day = prowess_cortex::Day::of(now_ms).to_string().replace('-', "");
    let seconds = now_ms.div_euclid(1000).rem_euclid(86_400);
    format!("{day}T{:02}{:02}{:02}Z", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

impl MovedLog {
    /// The sentence for the user.
    fn notice(&self, place: &Path, export: &Path, is_rebuilt: bool) -> String {
        let what = if is_rebuilt {
            format!("it was made anew from `{}`", export.display())
        } else {
            format!("there is no `{}` to make it from, so it starts anew", export.display())
        };
        format!(
            "`{}` was damaged ({}) and is now `{}`; {what}",
            place.display(),
            self.problem,
            self.kept.display()
        )
    }
}

impl Cortex<'_> {
    /// Opens the log anew where it turned out to be damaged, and takes over what the export has.
    pub(super) fn repair(&mut self) -> Result<(), CortexError> {
        let place = self.log.path().to_owned();
        let opened = open_log(&place, &self.file, self.now())?;
        self.log = opened.log;
        self.take_over(opened.lock, opened.moved)
    }

    /// Takes over what the export has, under the lock of a log that was made anew, and says so.
    pub(super) fn take_over(
        &mut self,
        lock: Option<Lock>,
        moved: Option<MovedLog>,
    ) -> Result<(), CortexError> {
        let had_export = prowess_fs::is_taken(&self.file);
        self.absorb()?;
        if let Some(moved) = moved {
            let is_rebuilt = had_export && self.damaged.is_none();
            self.notices.push(moved.notice(self.log.path(), &self.file, is_rebuilt));
            if is_rebuilt {
                // Its count of rows is that of the log that is gone.
                self.export()?;
            }
        }
        drop(lock);
        Ok(())
    }

    /// Does something with the log; a log that turns out to be damaged is repaired, and it is done again.
    pub(super) fn mended<T>(
        &mut self,
        work: impl Fn(&mut Self) -> Result<T, CortexError>,
    ) -> Result<T, CortexError> {
        match work(self) {
            Err(CortexError::Store(error)) if error.is_damage() => {
                self.repair()?;
                work(self)
            }
            done => done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_a_day_and_a_time() {
        assert_eq!(stamp(1_771_891_200_000 + 3_723_000), "20260224T010203Z");
        assert_eq!(stamp(-1), "19691231T235959Z");
    }
}
