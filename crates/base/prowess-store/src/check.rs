//! The integrity check of a database file, which does not change it.

use std::path::{Path, PathBuf};

use prowess_cortex::Event;
use prowess_text::percent_encode_path;
use rusqlite::{Connection, OpenFlags};

use crate::database::MAX_VERSION;
use crate::events::EVENTS;

/// Files that SQLite keeps beside a database.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The files that belong to a database: itself, and what SQLite keeps beside it.
pub fn database_files(path: &Path) -> impl Iterator<Item = PathBuf> + use<'_> {
    let beside = BESIDE.into_iter().map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    });
    std::iter::once(path.to_owned()).chain(beside)
}

/// Returns the damage of a database file; none if it is whole.
///
/// The file is only read. What another process has written and not yet moved into the file counts, too.
pub fn find_damage(path: &Path) -> Option<String> {
    check(path).unwrap_or_else(|error| Some(error.to_string()))
}

/// Returns the damage of a log of events; none if it is whole. The file is only read.
pub fn find_log_damage(path: &Path) -> Option<String> {
    find_damage(path).or_else(|| check_log(path).unwrap_or_else(|error| Some(error.to_string())))
}

/// Looks at the marks of the file and at every row.
fn check_log(path: &Path) -> rusqlite::Result<Option<String>> {
    let connection = open_to_read(path)?;
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (id, version) = (number("application_id")?, number("user_version")?);
    if (id, version) == (0, 0) {
        return Ok(None);
    }
    if id != EVENTS.id {
        return Ok(Some(format!("it is a database, but not of {}", EVENTS.name)));
    }
    if !(0..=MAX_VERSION).contains(&version) {
        return Ok(Some(format!("its version is {version}, which no program writes")));
    }
    if usize::try_from(version).is_ok_and(|version| version > EVENTS.steps.len()) {
        // A newer program made it, and knows its rows.
        return Ok(None);
    }
    let mut rows = connection.prepare("SELECT seq, payload FROM event")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (seq, payload) = (row.get::<_, i64>(0)?, row.get::<_, String>(1)?);
        if let Err(error) = Event::from_json(&payload) {
            return Ok(Some(format!("row {seq} cannot be read: {error}")));
        }
    }
    Ok(None)
}

fn check(path: &Path) -> rusqlite::Result<Option<String>> {
    let connection = open_to_read(path)?;
    let answer: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
    let damage = Some(answer).filter(|answer| answer != "ok");
    Ok(damage.map(|answer| answer.lines().last().unwrap_or_default().to_owned()))
}

fn open_to_read(path: &Path) -> rusqlite::Result<Connection> {
    let mut pending = path.as_os_str().to_owned();
    pending.push("-wal");
    // If no process has the file open, nothing may be made beside it.
    let mode = if Path::new(&pending).exists() { "mode=ro" } else { "immutable=1" };
    let address = format!("file:{}?{mode}", percent_encode_path(path.as_os_str().as_encoded_bytes()));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(address, flags)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventLog;

    #[test]
    fn damage_is_found_and_nothing_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b?c.db");
        drop(EventLog::open(&path).unwrap());
        let files = || std::fs::read_dir(folder.path()).unwrap().count();
        let before = files();
        assert_eq!(find_damage(&path), None);
        let mut bytes = std::fs::read(&path).unwrap();
        let half = bytes.len() / 2;
        bytes[100..half].fill(0xA5);
        std::fs::write(&path, &bytes).unwrap();
        assert!(find_damage(&path).is_some());
        std::fs::write(&path, "no database at all, but long enough to look like one".repeat(20)).unwrap();
        assert!(find_damage(&path).unwrap().contains("not a database"));
        assert_eq!(files(), before);
    }

    #[test]
    fn a_database_in_use_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.db");
        let _log = EventLog::open(&path).unwrap();
        assert_eq!(find_damage(&path), None);
    }
}
