//! The integrity check of a database file, which does not change it.

use std::path::{Path, PathBuf};

use prowess_text::percent_encode_path;
use rusqlite::{Connection, OpenFlags};

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

fn check(path: &Path) -> rusqlite::Result<Option<String>> {
    let mut pending = path.as_os_str().to_owned();
    pending.push("-wal");
    // If no process has the file open, nothing may be made beside it.
    let mode = if Path::new(&pending).exists() { "mode=ro" } else { "immutable=1" };
    let address = format!("file:{}?{mode}", percent_encode_path(path.as_os_str().as_encoded_bytes()));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(address, flags)?;
    let answer: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
    let damage = Some(answer).filter(|answer| answer != "ok");
    Ok(damage.map(|answer| answer.lines().last().unwrap_or_default().to_owned()))
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
