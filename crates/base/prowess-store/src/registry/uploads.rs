//! Files on their way: announced, brought, taken by a publication or forgotten.

use rusqlite::{OptionalExtension as _, Row, params};

use super::SqliteRegistry;
use super::records::signed;
use crate::StoreError;

/// The announced size and hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Relative, with `/`.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// In hexadecimal.
    pub sha256: String,
}

/// A place for one file, for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadRecord {
    /// SHA-256 of the ticket, in hexadecimal.
    pub ticket: String,
    /// The id of the bytes until they are published.
    pub storage: String,
    /// The account that uploads it.
    pub handle: String,
    /// The announced size and hash; older clients announce nothing.
    pub expected: Option<Expected>,
    /// Until when it waits.
    pub expires_at: i64,
    /// SHA-256 and size of what was brought.
    pub stored: Option<(String, u64)>,
}

/// Files on their way.
pub trait Uploads {
    /// Makes a place. Unless its owner has `limit` bytes (with `reserve` for what this one may bring) on their way.
    /// The result of a request for a ticket.
    fn add_upload(
        &self,
        upload: &UploadRecord,
        reserve: u64,
        limit: u64,
        now: i64,
    ) -> Result<bool, StoreError>;
    /// The place of a ticket, given its hash.
    fn upload(&self, ticket: &str) -> Result<Option<UploadRecord>, StoreError>;
    /// The place by the name of what was brought.
    fn upload_by_storage(&self, storage: &str) -> Result<Option<UploadRecord>, StoreError>;
    /// Notes what was brought; whether nothing had been before.
    fn fill_upload(&self, ticket: &str, sha256: &str, size: u64) -> Result<bool, StoreError>;
    /// Forgets places whose time is over.
    fn drop_expired_uploads(&self, now: i64) -> Result<usize, StoreError>;
    /// Returns true if any version or upload needs the bytes of this hash.
    fn is_needed(&self, sha256: &str) -> Result<bool, StoreError>;
}

impl Uploads for SqliteRegistry {
    fn add_upload(
        &self,
        upload: &UploadRecord,
        reserve: u64,
        limit: u64,
        now: i64,
    ) -> Result<bool, StoreError> {
        let UploadRecord { ticket, storage, handle, expected, expires_at, .. } = upload;
        self.database.write(|transaction| {
            let query = "SELECT coalesce(sum(coalesce(stored_size, size, ?2)), 0) FROM upload \
                         WHERE handle = ?1 AND expires_at > ?3";
            let waiting: i64 =
                transaction.query_row(query, params![handle, signed(reserve), now], |row| row.get(0))?;
            if waiting.saturating_add(signed(reserve)) > signed(limit) {
                return Ok(false);
            }
            let add = "INSERT INTO upload (ticket, storage, handle, path, size, sha256, expires_at) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let expected = expected.as_ref();
            transaction.execute(
                add,
                params![
                    ticket,
                    storage,
                    handle,
                    expected.map(|expected| &expected.path),
                    expected.map(|expected| signed(expected.size)),
                    expected.map(|expected| &expected.sha256),
                    expires_at
                ],
            )?;
            Ok(true)
        })
    }

    fn upload(&self, ticket: &str) -> Result<Option<UploadRecord>, StoreError> {
        self.database.read(|connection| {
            let query = format!("SELECT {UPLOAD} FROM upload WHERE ticket = ?1");
            connection.prepare_cached(&query)?.query_row([ticket], upload_of).optional()
        })
    }

    fn upload_by_storage(&self, storage: &str) -> Result<Option<UploadRecord>, StoreError> {
        self.database.read(|connection| {
            let query = format!("SELECT {UPLOAD} FROM upload WHERE storage = ?1");
            connection.prepare_cached(&query)?.query_row([storage], upload_of).optional()
        })
    }

    fn fill_upload(&self, ticket: &str, sha256: &str, size: u64) -> Result<bool, StoreError> {
        self.database.write(|transaction| {
            let fill = "UPDATE upload SET stored_sha256 = ?2, stored_size = ?3 \
                        WHERE ticket = ?1 AND stored_sha256 IS NULL";
            Ok(transaction.execute(fill, params![ticket, sha256, signed(size)])? == 1)
        })
    }

    fn drop_expired_uploads(&self, now: i64) -> Result<usize, StoreError> {
        self.database
            .write(|transaction| transaction.execute("DELETE FROM upload WHERE expires_at <= ?1", [now]))
    }

    fn is_needed(&self, sha256: &str) -> Result<bool, StoreError> {
        self.database.read(|connection| {
            let query = "SELECT EXISTS (SELECT 1 FROM file WHERE sha256 = ?1) \
                         OR EXISTS (SELECT 1 FROM version WHERE archive = ?1) \
                         OR EXISTS (SELECT 1 FROM upload WHERE stored_sha256 = ?1)";
            connection.prepare_cached(query)?.query_row([sha256], |row| row.get(0))
        })
    }
}

/// The columns of [`upload_of`], in its order.
const UPLOAD: &str = "ticket, storage, handle, path, size, sha256, expires_at, stored_sha256, stored_size";

fn upload_of(row: &Row<'_>) -> rusqlite::Result<UploadRecord> {
    let path: Option<String> = row.get(3)?;
    let expected = match path {
        None => None,
        Some(path) => Some(Expected { path, size: super::records::count(row, 4)?, sha256: row.get(5)? }),
    };
    let stored: Option<String> = row.get(7)?;
    Ok(UploadRecord {
        ticket: row.get(0)?,
        storage: row.get(1)?,
        handle: row.get(2)?,
        expected,
        expires_at: row.get(6)?,
        stored: match stored {
            None => None,
            Some(sha256) => Some((sha256, super::records::count(row, 8)?)),
        },
    })
}
