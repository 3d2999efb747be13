//! A database file: opened, checked, migrated, and shared between threads and processes.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use prowess_types::IgnorePoison as _;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

/// The time to wait for another process that holds the file.
const BUSY: Duration = Duration::from_secs(30);

/// More migrations than any program has.
pub(crate) const MAX_VERSION: i32 = 10_000;

/// The tables of one kind of file, as the steps that make them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The content of such a file, for messages.
    pub name: &'static str,
    /// Marks files of this kind (`PRAGMA application_id`).
    pub id: i32,
    /// The migrations, oldest first. A step that was released is never changed.
    pub steps: &'static [&'static str],
}

/// An open database.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl Database {
    /// Opens or creates a file. Its folder must exist.
    pub fn open(path: &Path, schema: &Schema) -> Result<Self, StoreError> {
        let failed = |source| StoreError::Sqlite { path: path.to_owned(), source };
        let mut connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(BUSY).map_err(failed)?;
        // An acknowledged write outlives a power cut, not only a killed process.
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
            .map_err(failed)?;
        upgrade(&mut connection, path, schema)?;
        Ok(Self { path: path.to_owned(), connection: Mutex::new(connection) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads.
    pub fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        work(&self.connection()).map_err(|source| self.failed(source))
    }

    /// Runs a change in an exclusive transaction.
    pub fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut connection = self.connection();
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|source| self.failed(source))?;
        let done = work(&transaction).map_err(|source| self.failed(source))?;
        transaction.commit().map_err(|source| self.failed(source))?;
        Ok(done)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic in the middle has rolled its transaction back.
        self.connection.lock().ignore_poison()
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Sqlite { path: self.path.clone(), source }
    }
}

/// Takes the steps that the file has not taken yet.
fn upgrade(connection: &mut Connection, path: &Path, schema: &Schema) -> Result<(), StoreError> {
    let failed = |source| StoreError::Sqlite { path: path.to_owned(), source };
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let number = |name: &str| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (id, done) = (number("application_id").map_err(failed)?, number("user_version").map_err(failed)?);
    if id != schema.id && (id, done) != (0, 0) {
        return Err(StoreError::OtherKind { path: path.to_owned(), expected: schema.name });
    }
    let taken = usize::try_from(done).unwrap_or_default();
    if !(0..=MAX_VERSION).contains(&done) {
        let problem = format!("its version is {done}, which no program writes");
        return Err(StoreError::Damaged { path: path.to_owned(), problem });
    }
    if taken > schema.steps.len() {
        return Err(StoreError::Newer { path: path.to_owned() });
    }
    for step in &schema.steps[taken..] {
        transaction.execute_batch(step).map_err(failed)?;
    }
    let steps = i32::try_from(schema.steps.len()).unwrap_or(i32::MAX);
    if steps != done {
        transaction.pragma_update(None, "application_id", schema.id).map_err(failed)?;
        transaction.pragma_update(None, "user_version", steps).map_err(failed)?;
    }
    transaction.commit().map_err(failed)
}

/// The reason a database does not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// SQLite failed.
    #[error("`{}` cannot be used", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// The error of SQLite.
        #[source]
        source: rusqlite::Error,
    },
    /// The file holds something else.
    #[error("`{}` is a database, but not of {expected}", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The expected content.
        expected: &'static str,
    },
    /// The file is not whole.
    #[error("`{}` is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        problem: String,
    },
    /// A newer program made the file.
    #[error("`{}` was made by a newer version of this program", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
}

impl StoreError {
    /// Returns true if the file itself is at fault: it is not a database of ours, or not a whole one. A file that
    /// may not be opened, is busy or was made by a newer version is not damaged.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } | Self::OtherKind { .. } => true,
            Self::Sqlite { source, .. } => is_damage(source),
            Self::Newer { .. } => false,
        }
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    match error {
        // A row that is not of the form in which every row is written, or a table that is gone.
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::Utf8Error(..) => true,
        error => matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::Unknown)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: Schema = Schema {
        name: "numbers",
        id: 7,
        steps: &["CREATE TABLE number (value INTEGER NOT NULL)", "INSERT INTO number VALUES (1)"],
    };

    fn sum(database: &Database) -> i64 {
        let all = |connection: &Connection| {
            connection.query_row("SELECT coalesce(sum(value), 0) FROM number", [], |row| row.get(0))
        };
        database.read(all).unwrap()
    }

    #[test]
    fn steps_are_taken_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.db");
        let first = Schema { steps: &SCHEMA.steps[..1], ..SCHEMA };
        assert_eq!(sum(&Database::open(&path, &first).unwrap()), 0);
        assert_eq!(sum(&Database::open(&path, &SCHEMA).unwrap()), 1);
        assert_eq!(sum(&Database::open(&path, &SCHEMA).unwrap()), 1);
        assert!(matches!(Database::open(&path, &first), Err(StoreError::Newer { .. })));
        let other = Schema { id: 8, ..SCHEMA };
        assert!(matches!(Database::open(&path, &other), Err(StoreError::OtherKind { .. })));
    }

    #[test]
    fn a_failed_change_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("state.db"), &SCHEMA).unwrap();
        let failed = database.write(|transaction| {
            transaction.execute("INSERT INTO number VALUES (5)", [])?;
            transaction.execute("INSERT INTO nowhere VALUES (5)", [])
        });
        assert!(failed.is_err());
        assert_eq!(sum(&database), 1);
    }
}
