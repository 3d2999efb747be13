//! The log of what was learned: rows are added, never changed, never removed.
//!
//! An event is *acknowledged* when [`EventLog::append`] returns: its row is on disk then, whatever happens to the
//! process afterwards. Writers take turns, so the numbers of rows are the order in which they were acknowledged, and
//! a reader that has read up to a number never finds a smaller one later.

use std::path::Path;
use std::time::Duration;

use prowess_cortex::{CortexState, Event, FOLD_VERSION, Rules};
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Row, Transaction, named_params, params};
use serde_json::Value;

use crate::{Database, Schema, StoreError};

/// The tables of a log of events.
pub const EVENTS: Schema = Schema {
    name: "a log of outcomes",
    id: 0x5052_4C47,
    steps: &["
CREATE TABLE event (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  clock INTEGER NOT NULL,
  kind TEXT NOT NULL,
  region TEXT,
  slug TEXT,
  version TEXT,
  failure TEXT,
  snapshot TEXT,
  session TEXT,
  payload TEXT NOT NULL
);
CREATE INDEX event_region ON event (region) WHERE region IS NOT NULL;
CREATE INDEX event_slug ON event (slug) WHERE slug IS NOT NULL;
CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TRIGGER event_is_not_removed BEFORE DELETE ON event BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TABLE checkpoint (
  rules TEXT PRIMARY KEY,
  fold INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  state TEXT NOT NULL
);"],
};

/// Minimum number of new events for which a fold is kept.
const CHECKPOINT_EVENTS: usize = 512;

/// The number of waits for a lock that another process holds; each takes as long as
/// [`Database`] waits.
const ATTEMPTS: u32 = 4;

/// The log of a person's outcomes, shared by all their processes.
#[derive(Debug)]
pub struct EventLog {
    database: Database,
}

/// An event and its place in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// Rises with every row.
    pub seq: i64,
    /// The event.
    pub event: Event,
}

impl EventLog {
    /// Opens or creates a log. Its folder must exist.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { database: patiently(|| Database::open(path, &EVENTS))? })
    }

    /// Opens a log and checks all of its pages; fails with [`StoreError::Damaged`] if it is not whole.
    pub fn open_checked(path: &Path) -> Result<Self, StoreError> {
        let log = Self::open(path)?;
        let answer: String = log
            .database
            .read(|connection| connection.pragma_query_value(None, "quick_check", |row| row.get(0)))?;
        if answer == "ok" {
            return Ok(log);
        }
        let problem = answer.lines().last().unwrap_or_default().to_owned();
        Err(StoreError::Damaged { path: path.to_owned(), problem })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.database.path()
    }

    /// Adds an event and says where it stands. It is on disk when this returns; an event whose id already exists is
    /// not added again.
    pub fn append(&self, event: &Event) -> Result<i64, StoreError> {
        patiently(|| self.database.write(|transaction| insert(transaction, event)))
    }

    /// Adds several events, all or none.
    pub fn append_all(&self, events: &[Event]) -> Result<(), StoreError> {
        patiently(|| {
            self.database.write(|transaction| {
                events.iter().try_for_each(|event| insert(transaction, event).map(|_| ()))
            })
        })
    }

    /// The events after a place in the log, oldest first; 0 is before the first.
    pub fn read_since(&self, seq: i64) -> Result<Vec<Logged>, StoreError> {
        self.read("seq > ?1 ORDER BY seq", seq)
    }

    /// The oldest `count` events: what an export that says `events: count` is the fold of.
    pub fn read_first(&self, count: u64) -> Result<Vec<Logged>, StoreError> {
        self.read("true ORDER BY seq LIMIT ?1", i64::try_from(count).unwrap_or(i64::MAX))
    }

    fn read(&self, which: &str, number: i64) -> Result<Vec<Logged>, StoreError> {
        self.database.read(|connection| {
            let mut found = Vec::new();
            each(connection, which, number, |logged| found.push(logged))?;
            Ok(found)
        })
    }

    /// The number of events.
    pub fn count(&self) -> Result<u64, StoreError> {
        let count = |connection: &Connection| {
            connection.query_row("SELECT count(*) FROM event", [], |row| row.get::<_, i64>(0))
        };
        Ok(u64::try_from(self.database.read(count)?).unwrap_or_default())
    }

    /// The fold of the whole log.
    ///
    /// It starts from the last fold that was kept, if the same version of the rules made it: rows are never
    /// changed, so the fold of the first rows stays what it was.
    pub fn state(&self, rules: Rules) -> Result<CortexState, StoreError> {
        let (start, mut state) = self.checkpoint(rules)?.unwrap_or_default();
        let mut last = start;
        let mut folded = 0;
        self.database.read(|connection| {
            each(connection, "seq > ?1 ORDER BY seq", start, |logged| {
                state.apply(&logged.event, rules);
                last = logged.seq;
                folded += 1;
            })
        })?;
        if folded >= CHECKPOINT_EVENTS {
            self.keep(rules, last, &state)?;
        }
        Ok(state)
    }

    /// The kept fold; none if there is none, or if it cannot be read.
    fn checkpoint(&self, rules: Rules) -> Result<Option<(i64, CortexState)>, StoreError> {
        let kept = self.database.read(|connection| {
            let query = "SELECT seq, state FROM checkpoint WHERE rules = ?1 AND fold = ?2";
            let row = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
            connection.query_row(query, params![rules.name(), FOLD_VERSION], row).optional()
        })?;
        Ok(kept.and_then(|(seq, state)| Some((seq, serde_json::from_str(&state).ok()?))))
    }

    /// Keeps a fold, unless another process kept a later one meanwhile.
    fn keep(&self, rules: Rules, seq: i64, state: &CortexState) -> Result<(), StoreError> {
        let Ok(text) = serde_json::to_string(state) else { return Ok(()) };
        let keep = "INSERT INTO checkpoint (rules, fold, seq, state) VALUES (?1, ?2, ?3, ?4) \
                    ON CONFLICT (rules) DO UPDATE SET fold = excluded.fold, seq = excluded.seq, state = excluded.state \
                    WHERE fold <> excluded.fold OR seq < excluded.seq";
        patiently(|| {
            self.database.write(|transaction| {
                transaction.execute(keep, params![rules.name(), FOLD_VERSION, seq, text])
            })
        })?;
        Ok(())
    }
}

fn insert(transaction: &Transaction<'_>, event: &Event) -> rusqlite::Result<i64> {
    let failure = event.kind.failure().and_then(|failure| match serde_json::to_value(failure) {
        Ok(Value::String(name)) => Some(name),
        _ => None,
    });
    transaction
        .prepare_cached(
            "INSERT INTO event (id, clock, kind, region, slug, version, failure, snapshot, session, payload) \
         VALUES (:id, :clock, :kind, :region, :slug, :version, :failure, :snapshot, :session, :payload) \
         ON CONFLICT (id) DO NOTHING",
        )?
        .execute(named_params! {
            ":id": event.id,
            ":clock": event.clock,
            ":kind": event.kind.name(),
            ":region": event.kind.region(),
            ":slug": event.kind.slug(),
            ":version": event.kind.version(),
            ":failure": failure,
            ":snapshot": event.snapshot,
            ":session": event.session,
            ":payload": event.to_json(),
        })?;
    transaction
        .prepare_cached("SELECT seq FROM event WHERE id = ?1")?
        .query_row([&event.id], |row| row.get(0))
}

fn each(
    connection: &Connection,
    which: &str,
    number: i64,
    mut take: impl FnMut(Logged),
) -> rusqlite::Result<()> {
    let query = format!("SELECT seq, payload FROM event WHERE {which}");
    let mut statement = connection.prepare_cached(&query)?;
    let mut rows = statement.query([number])?;
    while let Some(row) = rows.next()? {
        let payload = row.get_ref(1)?.as_str()?;
        let event = Event::from_json(payload).map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(1, rusqlite::types::Type::Text, Box::new(error))
        })?;
        take(Logged { seq: row.get(0)?, event });
    }
    Ok(())
}

/// Tries again when others held the lock for longer than one attempt waits.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let mut pause = Duration::from_millis(20);
    for _ in 1..ATTEMPTS {
        match attempt() {
            Err(StoreError::Sqlite { source, .. }) if is_busy(&source) => std::thread::sleep(pause),
            done => return done,
        }
        pause *= 4;
    }
    attempt()
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
