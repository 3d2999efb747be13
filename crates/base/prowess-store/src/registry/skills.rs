//! Changes of a skill as a whole: counting, stars, deletion, names, tags, other owners.

use rusqlite::params;

use super::SqliteRegistry;
use crate::StoreError;

/// The counters of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageCounter {
    /// An archive was fetched.
    Download,
    /// A client told of an installation.
    Install,
}

/// Changes to skills.
pub trait Skills {
    /// Counts.
    fn count_usage(&self, skill: &str, usage: UsageCounter) -> Result<(), StoreError>;
    /// Gives a star or takes it back; whether that changed anything.
    fn set_star(&self, skill: &str, handle: &str, is_given: bool) -> Result<bool, StoreError>;
    /// Takes a skill away, or with `None` brings it back.
    fn set_deleted(&self, skill: &str, deleted_at: Option<i64>) -> Result<(), StoreError>;
    /// Gives a skill another slug; the old one leads to it. Whether its owner has nothing else by that name.
    fn rename(&self, skill: &str, new_slug: &str, now: i64) -> Result<bool, StoreError>;
    /// Lets one skill vanish in another: its names lead there.
    fn merge(&self, from: &str, into: &str, now: i64) -> Result<(), StoreError>;
    /// Lets a tag name a version.
    fn set_tag(&self, skill: &str, tag: &str, number: &str, now: i64) -> Result<(), StoreError>;
}

impl Skills for SqliteRegistry {
    fn count_usage(&self, skill: &str, usage: UsageCounter) -> Result<(), StoreError> {
        let statement = match usage {
            UsageCounter::Download => "UPDATE skill SET downloads = downloads + 1 WHERE id = ?1",
            UsageCounter::Install => "UPDATE skill SET installs = installs + 1 WHERE id = ?1",
        };
        self.database.write(|transaction| transaction.execute(statement, [skill]).map(drop))
    }

    fn set_star(&self, skill: &str, handle: &str, is_given: bool) -> Result<bool, StoreError> {
        let statement = if is_given {
            "INSERT INTO star (skill, handle) VALUES (?1, ?2) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM star WHERE skill = ?1 AND handle = ?2"
        };
        self.database.write(|transaction| {
            let is_changed = transaction.execute(statement, [skill, handle])? == 1;
            let count = "UPDATE skill SET stars = (SELECT count(*) FROM star WHERE skill = ?1) WHERE id = ?1";
            transaction.execute(count, [skill])?;
            Ok(is_changed)
        })
    }

    fn set_deleted(&self, skill: &str, deleted_at: Option<i64>) -> Result<(), StoreError> {
        self.database.write(|transaction| {
            transaction
                .execute("UPDATE skill SET deleted_at = ?2 WHERE id = ?1", params![skill, deleted_at])
                .map(drop)
        })
    }

    fn rename(&self, skill: &str, new_slug: &str, now: i64) -> Result<bool, StoreError> {
        self.database.write(|transaction| {
            let taken = "SELECT EXISTS (SELECT 1 FROM skill o, skill s \
                         WHERE s.id = ?1 AND o.owner = s.owner AND o.slug = ?2 AND o.id <> s.id)";
            if transaction.query_row(taken, [skill, new_slug], |row| row.get(0))? {
                return Ok(false);
            }
            // A former name of another skill is free again.
            let free =
                "DELETE FROM alias WHERE slug = ?2 AND owner = (SELECT owner FROM skill WHERE id = ?1)";
            transaction.execute(free, [skill, new_slug])?;
            let keep = "INSERT OR REPLACE INTO alias (owner, slug, skill) \
                        SELECT owner, slug, id FROM skill WHERE id = ?1 AND slug <> ?2";
            transaction.execute(keep, [skill, new_slug])?;
            let change = "UPDATE skill SET slug = ?2, updated_at = ?3 WHERE id = ?1";
            transaction.execute(change, params![skill, new_slug, now])?;
            Ok(true)
        })
    }

    fn merge(&self, from: &str, into: &str, now: i64) -> Result<(), StoreError> {
        self.database.write(|transaction| {
            transaction.execute("UPDATE alias SET skill = ?2 WHERE skill = ?1", [from, into])?;
            let keep = "INSERT OR REPLACE INTO alias (owner, slug, skill) \
                        SELECT owner, slug, ?2 FROM skill WHERE id = ?1";
            transaction.execute(keep, [from, into])?;
            // The name is free for the alias; the versions stay reserved under the id.
            let hide = "UPDATE skill SET slug = slug || '.' || id, deleted_at = ?2 WHERE id = ?1";
            transaction.execute(hide, params![from, now])?;
            transaction.execute("UPDATE skill SET updated_at = ?2 WHERE id = ?1", params![into, now])?;
            Ok(())
        })
    }

    fn set_tag(&self, skill: &str, tag: &str, number: &str, now: i64) -> Result<(), StoreError> {
        self.database.write(|transaction| {
            super::versions::put_tag(transaction, skill, tag, number)?;
            super::versions::take_over_latest(transaction, skill)?;
            let touch = "UPDATE skill SET updated_at = ?2 WHERE id = ?1";
            transaction.execute(touch, params![skill, now]).map(drop)
        })
    }
}
