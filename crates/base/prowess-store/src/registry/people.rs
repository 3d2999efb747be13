//! Accounts: tokens, of which only a hash is kept, and logins that wait for the operator's approval.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::SqliteRegistry;
use crate::StoreError;

/// A token of a publisher. What the token itself is, is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRecord {
    /// Its id in lists; the beginning of its hash.
    pub id: String,
    /// SHA-256 of the token.
    pub hash: [u8; 32],
    /// Whose it is.
    pub handle: String,
    /// Its label.
    pub label: Option<String>,
    /// When it was made.
    pub created_at: i64,
    /// When it was last used, roughly.
    pub used_at: Option<i64>,
    /// When it was revoked.
    pub revoked_at: Option<i64>,
}

/// A client that waits for approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceLogin {
    /// SHA-256 of what the client asks with, in hexadecimal.
    pub code: String,
    /// The code that a person types.
    pub user_code: String,
    /// The name that the client states.
    pub label: Option<String>,
    /// Until when it waits.
    pub expires_at: i64,
}

/// The state of a [`DeviceLogin`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceState {
    /// There is no such code, or its time is over.
    Unknown,
    /// It is pending.
    Waiting,
    /// It was approved under this handle. That is reported once.
    Approved(String),
}

/// Tokens and logins.
pub trait People {
    /// Keeps a token.
    fn add_token(&self, token: &TokenRecord) -> Result<(), StoreError>;
    /// The token of that id.
    fn token(&self, id: &str) -> Result<Option<TokenRecord>, StoreError>;
    /// All tokens, the oldest first.
    fn tokens(&self) -> Result<Vec<TokenRecord>, StoreError>;
    /// Notes that a token was used.
    fn touch_token(&self, id: &str, now: i64) -> Result<(), StoreError>;
    /// Takes a token back; whether there was one to take back.
    fn revoke_token(&self, id: &str, now: i64) -> Result<bool, StoreError>;
    /// Returns true if an account publishes under a handle, or could.
    fn is_known(&self, handle: &str) -> Result<bool, StoreError>;
    /// Keeps a login until it is answered, unless too many wait already; whether it is kept.
    fn add_device(&self, login: &DeviceLogin, limit: usize, now: i64) -> Result<bool, StoreError>;
    /// Approves the client with that user code. Returns true if it was pending.
    fn approve_device(&self, user_code: &str, handle: &str, now: i64) -> Result<bool, StoreError>;
    /// Returns the state of a login.
    fn take_device(&self, code: &str, now: i64) -> Result<DeviceState, StoreError>;
}

impl People for SqliteRegistry {
    fn add_token(&self, token: &TokenRecord) -> Result<(), StoreError> {
        let TokenRecord { id, hash, handle, label, created_at, used_at, revoked_at } = token;
        self.database.write(|transaction| {
            transaction
                .execute(
                    "INSERT INTO token (id, hash, handle, label, created_at, used_at, revoked_at) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    params![id, hash.as_slice(), handle, label, created_at, used_at, revoked_at],
                )
                .map(drop)
        })
    }

    fn token(&self, id: &str) -> Result<Option<TokenRecord>, StoreError> {
        self.database.read(|connection| {
            let query = format!("SELECT {TOKEN} FROM token WHERE id = ?1");
            connection.prepare_cached(&query)?.query_row([id], token_of).optional()
        })
    }

    fn tokens(&self) -> Result<Vec<TokenRecord>, StoreError> {
        self.database.read(|connection| {
            let query = format!("SELECT {TOKEN} FROM token ORDER BY created_at, id");
            connection.prepare(&query)?.query_map([], token_of)?.collect()
        })
    }

    fn touch_token(&self, id: &str, now: i64) -> Result<(), StoreError> {
        self.database.write(|transaction| {
            transaction.execute("UPDATE token SET used_at = ?2 WHERE id = ?1", params![id, now]).map(drop)
        })
    }

    fn revoke_token(&self, id: &str, now: i64) -> Result<bool, StoreError> {
        self.database.write(|transaction| {
            let statement = "UPDATE token SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
            Ok(transaction.execute(statement, params![id, now])? == 1)
        })
    }

    fn is_known(&self, handle: &str) -> Result<bool, StoreError> {
        self.database.read(|connection| {
            let statement = "SELECT EXISTS (SELECT 1 FROM token WHERE handle = ?1) \
                             OR EXISTS (SELECT 1 FROM skill WHERE owner = ?1)";
            connection.query_row(statement, [handle], |row| row.get(0))
        })
    }

    fn add_device(&self, login: &DeviceLogin, limit: usize, now: i64) -> Result<bool, StoreError> {
        self.database.write(|transaction| {
            forget_old_logins(transaction, now)?;
            let waiting: i64 = transaction.query_row("SELECT count(*) FROM device", [], |row| row.get(0))?;
            if usize::try_from(waiting).unwrap_or(usize::MAX) >= limit {
                return Ok(false);
            }
            let DeviceLogin { code, user_code, label, expires_at } = login;
            transaction.execute(
                "INSERT INTO device (code, user_code, label, expires_at) VALUES (?1, ?2, ?3, ?4)",
                params![code, user_code, label, expires_at],
            )?;
            Ok(true)
        })
    }

    fn approve_device(&self, user_code: &str, handle: &str, now: i64) -> Result<bool, StoreError> {
        self.database.write(|transaction| {
            forget_old_logins(transaction, now)?;
            let statement = "UPDATE device SET handle = ?2 WHERE user_code = ?1 AND handle IS NULL";
            Ok(transaction.execute(statement, params![user_code, handle])? == 1)
        })
    }

    fn take_device(&self, code: &str, now: i64) -> Result<DeviceState, StoreError> {
        self.database.write(|transaction| {
            forget_old_logins(transaction, now)?;
            let query = "SELECT handle FROM device WHERE code = ?1";
            let found: Option<Option<String>> =
                transaction.query_row(query, [code], |row| row.get(0)).optional()?;
            Ok(match found {
                None => DeviceState::Unknown,
                Some(None) => DeviceState::Waiting,
                Some(Some(handle)) => {
                    transaction.execute("DELETE FROM device WHERE code = ?1", [code])?;
                    DeviceState::Approved(handle)
                }
            })
        })
    }
}

fn forget_old_logins(connection: &Connection, now: i64) -> rusqlite::Result<usize> {
    connection.execute("DELETE FROM device WHERE expires_at <= ?1", [now])
}

/// The columns of [`token_of`], in its order.
const TOKEN: &str = "id, hash, handle, label, created_at, used_at, revoked_at";

fn token_of(row: &Row<'_>) -> rusqlite::Result<TokenRecord> {
    Ok(TokenRecord {
        id: row.get(0)?,
        hash: row.get(1)?,
        handle: row.get(2)?,
        label: row.get(3)?,
        created_at: row.get(4)?,
        used_at: row.get(5)?,
        revoked_at: row.get(6)?,
    })
}
