//! The rows, as other modules see them.

use std::collections::BTreeMap;

use prowess_types::StoredVerdict;
use rusqlite::types::Type;
use rusqlite::{Connection, Row};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A skill of a publisher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillRecord {
    /// Stays the same whatever it is called.
    pub id: String,
    /// The publisher's handle.
    pub owner: String,
    /// The name in addresses.
    pub slug: String,
    /// The name for people.
    pub display_name: String,
    /// The summary of its latest version.
    pub summary: String,
    /// Its topics.
    pub topics: Vec<String>,
    /// The categories that list it.
    pub categories: Vec<String>,
    /// Its origin, as `slug` or `slug@version`.
    pub fork_of: Option<String>,
    /// The verdict over the latest version.
    pub verdict: StoredVerdict,
    /// When its first version came.
    pub created_at: i64,
    /// When it last changed.
    pub updated_at: i64,
    /// When its owner took it away.
    pub deleted_at: Option<i64>,
    /// Archives that were fetched.
    pub downloads: u64,
    /// Installations that were told of.
    pub installs: u64,
    /// Publishers who like it.
    pub stars: u64,
    /// Names of versions.
    pub tags: BTreeMap<String, String>,
}

impl SkillRecord {
    /// The version that is meant when none is named.
    pub fn latest(&self) -> Option<&str> {
        self.tags.get("latest").map(String::as_str)
    }
}

/// A skill together with its latest version, as lists and searches need it.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillRow {
    /// The skill.
    pub skill: SkillRecord,
    /// Its latest version.
    pub version: VersionRecord,
}

/// A version of a skill.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionRecord {
    /// Its id.
    pub id: String,
    /// The skill's id.
    pub skill: String,
    /// The number.
    pub number: String,
    /// The changelog.
    pub changelog: String,
    /// When it was published.
    pub created_at: i64,
    /// When its owner withdrew it.
    pub deleted_at: Option<i64>,
    /// The fingerprint of its files, for clients.
    pub fingerprint: String,
    /// SHA-256 of its archive.
    pub archive: String,
    /// Bytes of its archive.
    pub archive_size: u64,
    /// Bytes of its files.
    pub size: u64,
    /// The verdict of the scan.
    pub verdict: StoredVerdict,
    /// The report of the scan.
    pub report: Value,
    /// Further facts that were read from it when it was published.
    pub facts: Value,
    /// The source of its files, in the publisher's words.
    pub source: Option<Value>,
}

/// A file of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRecord {
    /// Relative, with `/`.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// SHA-256 of what is in it.
    pub sha256: String,
    /// The media type the publisher gave.
    pub content_type: Option<String>,
}

/// The sort key of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// The last change.
    #[default]
    Updated,
    /// The first version.
    Created,
    /// Fetched archives.
    Downloads,
    /// Installations that were told of.
    Installs,
    /// Stars.
    Stars,
    /// The slug.
    Slug,
}

/// The direction of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOrder {
    /// The smallest first.
    Ascending,
    /// The largest first.
    #[default]
    Descending,
}

/// The filter of a list of skills. Deleted and malicious ones are never listed.
#[derive(Clone, Debug, Default)]
pub struct ListRequest {
    /// The sort key.
    pub sort: SortBy,
    /// The direction.
    pub order: ListOrder,
    /// The prefix of the slug.
    pub prefix: Option<String>,
    /// The owner.
    pub owner: Option<String>,
    /// Only what no rule warned of.
    pub only_clean: bool,
    /// The end of the previous page.
    pub cursor: Option<String>,
    /// The maximum number of entries.
    pub limit: usize,
}

/// A part of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListPage {
    /// The skills.
    pub rows: Vec<SkillRow>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// A part of the versions of a skill, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VersionPage {
    /// The versions.
    pub versions: Vec<VersionRecord>,
    /// The cursor of the next page.
    pub next: Option<String>,
}

/// The columns of [`skill_of`], in its order.
pub(super) const SKILL: &str = "s.id, s.owner, s.slug, s.display_name, s.summary, s.topics, s.categories, \
    s.fork_of, s.verdict, s.created_at, s.updated_at, s.deleted_at, s.downloads, s.installs, s.stars";
/// The number of these columns.
const SKILL_COLUMNS: usize = 15;

/// The columns of [`version_of`], in its order.
pub(super) const VERSION: &str = "v.id, v.skill, v.number, v.changelog, v.created_at, v.deleted_at, \
    v.fingerprint, v.archive, v.archive_size, v.size, v.verdict, v.report, v.facts, v.source";

/// Reads [`SKILL`]; its tags are a table of their own.
pub(super) fn skill_of(row: &Row<'_>, connection: &Connection) -> rusqlite::Result<SkillRecord> {
    let id: String = row.get(0)?;
    Ok(SkillRecord {
        tags: tags_of(connection, &id)?,
        id,
        owner: row.get(1)?,
        slug: row.get(2)?,
        display_name: row.get(3)?,
        summary: row.get(4)?,
        topics: json(row, 5)?,
        categories: json(row, 6)?,
        fork_of: row.get(7)?,
        verdict: StoredVerdict::from_word(row.get::<_, String>(8)?),
        created_at: row.get(9)?,
        updated_at: row.get(10)?,
        deleted_at: row.get(11)?,
        downloads: count(row, 12)?,
        installs: count(row, 13)?,
        stars: count(row, 14)?,
    })
}

/// Reads [`VERSION`], which begins at a column.
pub(super) fn version_of(row: &Row<'_>, first: usize) -> rusqlite::Result<VersionRecord> {
    Ok(VersionRecord {
        id: row.get(first)?,
        skill: row.get(first + 1)?,
        number: row.get(first + 2)?,
        changelog: row.get(first + 3)?,
        created_at: row.get(first + 4)?,
        deleted_at: row.get(first + 5)?,
        fingerprint: row.get(first + 6)?,
        archive: row.get(first + 7)?,
        archive_size: count(row, first + 8)?,
        size: count(row, first + 9)?,
        verdict: StoredVerdict::from_word(row.get::<_, String>(first + 10)?),
        report: json(row, first + 11)?,
        facts: json(row, first + 12)?,
        source: match row.get::<_, Option<String>>(first + 13)? {
            Some(_) => Some(json(row, first + 13)?),
            None => None,
        },
    })
}

/// Reads [`SKILL`] and [`VERSION`] after it.
pub(super) fn row_of(row: &Row<'_>, connection: &Connection) -> rusqlite::Result<SkillRow> {
    Ok(SkillRow { skill: skill_of(row, connection)?, version: version_of(row, SKILL_COLUMNS)? })
}

fn tags_of(connection: &Connection, skill: &str) -> rusqlite::Result<BTreeMap<String, String>> {
    let mut query = connection.prepare_cached("SELECT name, number FROM tag WHERE skill = ?1")?;
    query.query_map([skill], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// A column that holds JSON.
fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

/// A column that holds a number of things.
pub(super) fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
}

/// A number of things, as a column holds it.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
