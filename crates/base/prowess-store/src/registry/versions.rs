//! Versions: published as a whole, withdrawn and brought back, and their files.

use prowess_types::ScanVerdict;
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde_json::Value;

use super::SqliteRegistry;
use super::records::{
    FileRecord, SkillRecord, VERSION, VersionPage, VersionRecord, count, signed, version_of,
};
use super::shelf::skill_by_id;
use crate::StoreError;

/// Everything that becomes known with a publication.
#[derive(Clone, Debug)]
pub struct NewVersion {
    /// The id of the skill, should it be new.
    pub skill_id: String,
    /// The publisher.
    pub owner: String,
    /// The slug.
    pub slug: String,
    /// The name for people.
    pub display_name: String,
    /// Its summary.
    pub summary: String,
    /// Its topics; none leaves them as they were.
    pub topics: Option<Vec<String>>,
    /// The categories that list it; none leaves them unchanged.
    pub categories: Option<Vec<String>>,
    /// Its origin, as `slug` or `slug@version`.
    pub fork_of: Option<String>,
    /// Names of this version. The first version is always the latest one.
    pub tags: Vec<String>,
    /// The version itself; its skill is filled in.
    pub version: VersionRecord,
    /// Its files.
    pub files: Vec<FileRecord>,
    /// The uploads it is made of, by the hashes of their tickets.
    pub uploads: Vec<String>,
    /// The maximum number of bytes that one publisher may keep here.
    pub quota: u64,
}

/// The outcome of a publication.
#[derive(Clone, Debug, PartialEq)]
pub enum PublishOutcome {
    /// It is there.
    Published(Box<(SkillRecord, VersionRecord)>),
    /// The number was used before.
    VersionTaken,
    /// The skill was deleted.
    Deleted,
    /// The slug leads to another skill of the same owner.
    Renamed(String),
    /// An upload was used before, or its time is over.
    UploadGone,
    /// The publisher keeps too much here already.
    OverQuota,
}

/// Versions.
pub trait Versions {
    /// Publishes a version, with its skill if that is new, as a whole or not at all.
    fn publish(&self, new: &NewVersion) -> Result<PublishOutcome, StoreError>;
    /// A version by its number, withdrawn ones included.
    fn version(&self, skill: &str, number: &str) -> Result<Option<VersionRecord>, StoreError>;
    /// A version by its id.
    fn version_by_id(&self, id: &str) -> Result<Option<VersionRecord>, StoreError>;
    /// The latest version with these files.
    fn version_by_fingerprint(
        &self,
        skill: &str,
        fingerprint: &str,
    ) -> Result<Option<VersionRecord>, StoreError>;
    /// A part of the versions, the newest first, without withdrawn ones.
    fn versions(&self, skill: &str, cursor: Option<&str>, limit: usize) -> Result<VersionPage, StoreError>;
    /// The files of a version, in the order of their paths.
    fn files(&self, version: &str) -> Result<Vec<FileRecord>, StoreError>;
    /// The ids of versions that are not malicious and have a path with these letters, or with letters beyond ASCII.
    fn versions_with_path(&self, letters: &[&str]) -> Result<Vec<String>, StoreError>;
    /// Replaces the verdict on a version and the report that it rests on.
    fn set_verdict(&self, version: &str, verdict: ScanVerdict, report: &Value) -> Result<(), StoreError>;
    /// Withdraws a version, or with `None` brings it back. Its other tags go with it.
    fn set_version_deleted(&self, version: &str, deleted_at: Option<i64>) -> Result<(), StoreError>;
}

impl Versions for SqliteRegistry {
    fn publish(&self, new: &NewVersion) -> Result<PublishOutcome, StoreError> {
        self.database.write(|transaction| publish(transaction, new))
    }

    fn version(&self, skill: &str, number: &str) -> Result<Option<VersionRecord>, StoreError> {
        let query = format!("SELECT {VERSION} FROM version v WHERE v.skill = ?1 AND v.number = ?2");
        self.database.read(|connection| {
            let mut query = connection.prepare_cached(&query)?;
            query.query_row([skill, number], |row| version_of(row, 0)).optional()
        })
    }

    fn version_by_id(&self, id: &str) -> Result<Option<VersionRecord>, StoreError> {
        let query = format!("SELECT {VERSION} FROM version v WHERE v.id = ?1");
        self.database.read(|connection| {
            connection.prepare_cached(&query)?.query_row([id], |row| version_of(row, 0)).optional()
        })
    }

    fn version_by_fingerprint(
        &self,
        skill: &str,
        fingerprint: &str,
    ) -> Result<Option<VersionRecord>, StoreError> {
        let query = format!(
            "SELECT {VERSION} FROM version v WHERE v.skill = ?1 AND v.fingerprint = ?2 \
             AND v.deleted_at IS NULL ORDER BY v.created_at DESC, v.id DESC LIMIT 1"
        );
        self.database.read(|connection| {
            let mut query = connection.prepare_cached(&query)?;
            query.query_row([skill, fingerprint], |row| version_of(row, 0)).optional()
        })
    }

    fn versions(&self, skill: &str, cursor: Option<&str>, limit: usize) -> Result<VersionPage, StoreError> {
        let after = cursor.and_then(|cursor| cursor.split_once('.'));
        let (at, id) = after.map_or((i64::MAX, "~"), |(at, id)| (at.parse().unwrap_or(i64::MAX), id));
        let query = format!(
            "SELECT {VERSION} FROM version v WHERE v.skill = ?1 AND v.deleted_at IS NULL \
             AND (v.created_at, v.id) < (?2, ?3) ORDER BY v.created_at DESC, v.id DESC LIMIT ?4"
        );
        let wanted = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
        let mut versions: Vec<VersionRecord> = self.database.read(|connection| {
            let mut query = connection.prepare_cached(&query)?;
            query.query_map(params![skill, at, id, wanted], |row| version_of(row, 0))?.collect()
        })?;
        let is_cut = versions.len() > limit;
        versions.truncate(limit);
        let next = versions.last().filter(|_| is_cut);
        let next = next.map(|version| format!("{}.{}", version.created_at, version.id));
        Ok(VersionPage { versions, next })
    }

    fn files(&self, version: &str) -> Result<Vec<FileRecord>, StoreError> {
        self.database.read(|connection| {
            let query = "SELECT path, size, sha256, content_type FROM file WHERE version = ?1 ORDER BY path";
            let mut query = connection.prepare_cached(query)?;
            let files = query.query_map([version], |row| {
                Ok(FileRecord {
                    path: row.get(0)?,
                    size: count(row, 1)?,
                    sha256: row.get(2)?,
                    content_type: row.get(3)?,
                })
            })?;
            files.collect()
        })
    }

    fn versions_with_path(&self, letters: &[&str]) -> Result<Vec<String>, StoreError> {
        let like = |at: usize| format!("f.path LIKE '%' || ?{at} || '%'");
        let like = (1..=letters.len()).map(like).collect::<Vec<_>>().join(" OR ");
        let query = format!(
            "SELECT DISTINCT v.id FROM version v JOIN file f ON f.version = v.id \
             WHERE v.verdict IN ('clean', 'suspicious') AND (f.path GLOB '*[^ -~]*' OR {like})"
        );
        self.database.read(|connection| {
            let mut query = connection.prepare(&query)?;
            query.query_map(rusqlite::params_from_iter(letters), |row| row.get(0))?.collect()
        })
    }

    fn set_verdict(&self, version: &str, verdict: ScanVerdict, report: &Value) -> Result<(), StoreError> {
        self.database.write(|transaction| {
            let change = "UPDATE version SET verdict = ?2, report = ?3 WHERE id = ?1";
            transaction.execute(change, params![version, verdict.as_str(), report.to_string()])?;
            let query = "SELECT skill FROM version WHERE id = ?1";
            let skill: Option<String> =
                transaction.query_row(query, [version], |row| row.get(0)).optional()?;
            skill.map_or(Ok(()), |skill| take_over_latest(transaction, &skill))
        })
    }

    fn set_version_deleted(&self, version: &str, deleted_at: Option<i64>) -> Result<(), StoreError> {
        self.database.write(|transaction| {
            let change = "UPDATE version SET deleted_at = ?2 WHERE id = ?1";
            transaction.execute(change, params![version, deleted_at])?;
            let forget = "DELETE FROM tag WHERE EXISTS (SELECT 1 FROM version v WHERE v.id = ?1 \
                          AND v.deleted_at IS NOT NULL AND v.skill = tag.skill AND v.number = tag.number)";
            transaction.execute(forget, [version]).map(drop)
        })
    }
}

fn publish(transaction: &Transaction<'_>, new: &NewVersion) -> rusqlite::Result<PublishOutcome> {
    let query = "SELECT id, deleted_at FROM skill WHERE owner = ?1 AND slug = ?2";
    let known: Option<(String, Option<i64>)> = transaction
        .query_row(query, [&new.owner, &new.slug], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let skill = match known {
        Some((_, Some(_))) => return Ok(PublishOutcome::Deleted),
        Some((id, None)) => {
            let query = "SELECT EXISTS (SELECT 1 FROM version WHERE skill = ?1 AND number = ?2)";
            if transaction.query_row(query, [&id, &new.version.number], |row| row.get(0))? {
                return Ok(PublishOutcome::VersionTaken);
            }
            id
        }
        None => {
            let query = "SELECT s.slug FROM alias a JOIN skill s ON s.id = a.skill \
                         WHERE a.owner = ?1 AND a.slug = ?2";
            let renamed =
                transaction.query_row(query, [&new.owner, &new.slug], |row| row.get(0)).optional()?;
            if let Some(slug) = renamed {
                return Ok(PublishOutcome::Renamed(slug));
            }
            new.skill_id.clone()
        }
    };
    let query =
        "SELECT coalesce(sum(v.size), 0) FROM version v JOIN skill s ON s.id = v.skill WHERE s.owner = ?1";
    let kept: u64 = transaction.query_row(query, [&new.owner], |row| count(row, 0))?;
    if kept.saturating_add(new.version.size) > new.quota {
        return Ok(PublishOutcome::OverQuota);
    }
    for ticket in &new.uploads {
        let query = "SELECT EXISTS (SELECT 1 FROM upload WHERE ticket = ?1 AND stored_sha256 IS NOT NULL \
                     AND expires_at > ?2)";
        if !transaction.query_row(query, params![ticket, new.version.created_at], |row| row.get(0))? {
            return Ok(PublishOutcome::UploadGone);
        }
    }
    for ticket in &new.uploads {
        transaction.execute("DELETE FROM upload WHERE ticket = ?1", [ticket])?;
    }
    put_skill(transaction, new, &skill)?;
    put_version(transaction, new, &skill)?;
    let query = "SELECT EXISTS (SELECT 1 FROM tag WHERE skill = ?1 AND name = 'latest')";
    let has_latest: bool = transaction.query_row(query, [&skill], |row| row.get(0))?;
    let first = (!has_latest).then_some("latest");
    for tag in new.tags.iter().map(String::as_str).chain(first) {
        put_tag(transaction, &skill, tag, &new.version.number)?;
    }
    take_over_latest(transaction, &skill)?;
    let version = VersionRecord { skill: skill.clone(), ..new.version.clone() };
    let skill = skill_by_id(transaction, &skill)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    Ok(PublishOutcome::Published(Box::new((skill, version))))
}

fn put_skill(transaction: &Transaction<'_>, new: &NewVersion, id: &str) -> rusqlite::Result<()> {
    let list = |list: &Option<Vec<String>>| list.as_ref().map(|list| Value::from(list.clone()).to_string());
    let put = "INSERT INTO skill (id, owner, slug, display_name, summary, topics, categories, fork_of, verdict, \
               created_at, updated_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, coalesce(?6, '[]'), coalesce(?7, '[]'), ?8, ?9, ?10, ?10) \
               ON CONFLICT (id) DO UPDATE SET display_name = ?4, topics = coalesce(?6, topics), \
               categories = coalesce(?7, categories), fork_of = coalesce(?8, fork_of), updated_at = ?10";
    let values = params![
        id,
        new.owner,
        new.slug,
        new.display_name,
        new.summary,
        list(&new.topics),
        list(&new.categories),
        new.fork_of,
        new.version.verdict.as_str(),
        new.version.created_at
    ];
    transaction.execute(put, values).map(drop)
}

fn put_version(transaction: &Transaction<'_>, new: &NewVersion, skill: &str) -> rusqlite::Result<()> {
    let version = &new.version;
    let put = "INSERT INTO version (id, skill, number, changelog, created_at, fingerprint, archive, archive_size, \
               size, verdict, report, facts, source) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    let values = params![
        version.id,
        skill,
        version.number,
        version.changelog,
        version.created_at,
        version.fingerprint,
        version.archive,
        signed(version.archive_size),
        signed(version.size),
        version.verdict.as_str(),
        version.report.to_string(),
        version.facts.to_string(),
        version.source.as_ref().map(Value::to_string)
    ];
    transaction.execute(put, values)?;
    let put = "INSERT INTO file (version, path, size, sha256, content_type) VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut put = transaction.prepare_cached(put)?;
    for file in &new.files {
        put.execute(params![version.id, file.path, signed(file.size), file.sha256, file.content_type])?;
    }
    Ok(())
}

pub(super) fn put_tag(
    transaction: &Transaction<'_>,
    skill: &str,
    tag: &str,
    number: &str,
) -> rusqlite::Result<()> {
    let put = "INSERT OR REPLACE INTO tag (skill, name, number) VALUES (?1, ?2, ?3)";
    transaction.execute(put, [skill, tag, number]).map(drop)
}

/// The texts of a skill are those of its latest version.
pub(super) fn take_over_latest(transaction: &Transaction<'_>, skill: &str) -> rusqlite::Result<()> {
    let change = "UPDATE skill SET \
        verdict = coalesce((SELECT v.verdict FROM version v JOIN tag t ON t.skill = v.skill \
            AND t.name = 'latest' AND t.number = v.number WHERE v.skill = ?1), verdict), \
        summary = coalesce((SELECT v.facts ->> 'summary' FROM version v JOIN tag t ON t.skill = v.skill \
            AND t.name = 'latest' AND t.number = v.number WHERE v.skill = ?1), summary) \
        WHERE id = ?1";
    transaction.execute(change, [skill]).map(drop)
}
