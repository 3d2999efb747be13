//! The tables of a registry: publishers' tokens, skills with their versions, and uploads on their way.
//!
//! [`RegistryStore`] is the whole of it; [`SqliteRegistry`] keeps it in one file. Contents of files are kept elsewhere,
//! by their hash: the tables only name them. The time is passed in, in milliseconds since 1970.

mod people;
mod records;
mod shelf;
mod skills;
mod standing;
mod uploads;
mod versions;

use std::path::Path;

pub use people::{DeviceLogin, DeviceState, People, TokenRecord};
pub use records::{
    FileRecord, ListOrder, ListPage, ListRequest, SkillRecord, SkillRow, SortBy, VersionPage, VersionRecord,
};
pub use shelf::Shelf;
pub use skills::{Skills, UsageCounter};
pub use standing::{Handover, HandoverState, ModerationTable};
pub use uploads::{Expected, UploadRecord, Uploads};
pub use versions::{NewVersion, PublishOutcome, Versions};

use crate::{Database, Schema, StoreError};

/// Everything a registry keeps.
pub trait RegistryStore:
    People + Shelf + Skills + ModerationTable + Uploads + Versions + Send + Sync
{
}

impl<T: People + Shelf + Skills + ModerationTable + Uploads + Versions + Send + Sync> RegistryStore for T {}

/// A registry in one SQLite file.
#[derive(Debug)]
pub struct SqliteRegistry {
    database: Database,
}

impl SqliteRegistry {
    /// Opens or creates the file. Its folder must exist.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { database: Database::open(path, &SCHEMA)? })
    }
}

const SCHEMA: Schema = Schema { name: "a registry of skills", id: 0x7072_6872, steps: &[FIRST_STEP] };

const FIRST_STEP: &str = "
CREATE TABLE token (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL,
    handle TEXT NOT NULL,
    label TEXT,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    revoked_at INTEGER
) WITHOUT ROWID;
CREATE TABLE device (
    code TEXT PRIMARY KEY,
    user_code TEXT NOT NULL UNIQUE,
    label TEXT,
    expires_at INTEGER NOT NULL,
    handle TEXT
) WITHOUT ROWID;
CREATE TABLE skill (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    slug TEXT NOT NULL,
    display_name TEXT NOT NULL,
    summary TEXT NOT NULL,
    topics TEXT NOT NULL,
    categories TEXT NOT NULL,
    fork_of TEXT,
    verdict TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER,
    downloads INTEGER NOT NULL DEFAULT 0,
    installs INTEGER NOT NULL DEFAULT 0,
    stars INTEGER NOT NULL DEFAULT 0,
    UNIQUE (owner, slug)
) WITHOUT ROWID;
CREATE INDEX skill_slug ON skill (slug);
CREATE TABLE alias (
    owner TEXT NOT NULL,
    slug TEXT NOT NULL,
    skill TEXT NOT NULL REFERENCES skill (id),
    PRIMARY KEY (owner, slug)
) WITHOUT ROWID;
CREATE INDEX alias_slug ON alias (slug);
CREATE TABLE version (
    id TEXT PRIMARY KEY,
    skill TEXT NOT NULL REFERENCES skill (id),
    number TEXT NOT NULL,
    changelog TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deleted_at INTEGER,
    fingerprint TEXT NOT NULL,
    archive TEXT NOT NULL,
    archive_size INTEGER NOT NULL,
    size INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    report TEXT NOT NULL,
    facts TEXT NOT NULL,
    source TEXT,
    UNIQUE (skill, number)
) WITHOUT ROWID;
CREATE INDEX version_fingerprint ON version (skill, fingerprint);
CREATE INDEX version_archive ON version (archive);
CREATE TABLE file (
    version TEXT NOT NULL REFERENCES version (id),
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    content_type TEXT,
    PRIMARY KEY (version, path)
) WITHOUT ROWID;
CREATE INDEX file_content ON file (sha256);
CREATE TABLE tag (
    skill TEXT NOT NULL REFERENCES skill (id),
    name TEXT NOT NULL,
    number TEXT NOT NULL,
    PRIMARY KEY (skill, name)
) WITHOUT ROWID;
CREATE TABLE star (
    skill TEXT NOT NULL REFERENCES skill (id),
    handle TEXT NOT NULL,
    PRIMARY KEY (skill, handle)
) WITHOUT ROWID;
CREATE TABLE report (
    id TEXT PRIMARY KEY,
    skill TEXT NOT NULL REFERENCES skill (id),
    handle TEXT NOT NULL,
    number TEXT,
    reason TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (skill, handle)
) WITHOUT ROWID;
CREATE TABLE handover (
    id TEXT PRIMARY KEY,
    skill TEXT NOT NULL UNIQUE REFERENCES skill (id),
    giver TEXT NOT NULL,
    taker TEXT NOT NULL,
    message TEXT,
    requested_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE upload (
    ticket TEXT PRIMARY KEY,
    storage TEXT NOT NULL UNIQUE,
    handle TEXT NOT NULL,
    path TEXT,
    size INTEGER,
    sha256 TEXT,
    expires_at INTEGER NOT NULL,
    stored_sha256 TEXT,
    stored_size INTEGER
) WITHOUT ROWID;
CREATE INDEX upload_content ON upload (stored_sha256);
CREATE INDEX upload_handle ON upload (handle);
";

#[cfg(test)]
#[path = "registry_tests.rs"]
mod tests;
