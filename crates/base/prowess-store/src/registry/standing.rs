//! Reports about a skill, and transfers of its ownership.

use rusqlite::{OptionalExtension as _, params};

use super::SqliteRegistry;
use super::records::SkillRecord;
use super::shelf::skill_by_id;
use crate::StoreError;

/// An offer of a skill to another publisher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handover {
    /// Its id.
    pub id: String,
    /// The skill.
    pub skill: SkillRecord,
    /// The owner that offers it.
    pub giver: String,
    /// The account that shall get it.
    pub taker: String,
    /// A word to them.
    pub message: Option<String>,
    /// Since when.
    pub requested_at: i64,
    /// Until when.
    pub expires_at: i64,
}

/// The outcome of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandoverState {
    /// The skill has its new owner.
    Done,
    /// There is no such offer, or its time is over.
    Missing,
    /// The new owner has something by that name already.
    SlugTaken,
}

/// Reports and offers.
pub trait ModerationTable {
    /// Notes that a publisher warns of a skill. Returns the id of the report, whether it is new, and how many there are.
    fn report(
        &self,
        id: &str,
        skill: &str,
        handle: &str,
        number: Option<&str>,
        reason: &str,
        now: i64,
    ) -> Result<(String, bool, u64), StoreError>;
    /// Offers a skill; an earlier offer is forgotten.
    fn offer(&self, handover: &Handover) -> Result<(), StoreError>;
    /// The offers that one publisher made or got.
    fn offers(&self, handle: &str, now: i64) -> Result<Vec<Handover>, StoreError>;
    /// Takes an offer back or refuses it; whether there was one.
    fn drop_offer(&self, id: &str) -> Result<bool, StoreError>;
    /// Accepts an offer.
    fn accept_offer(&self, id: &str, now: i64) -> Result<HandoverState, StoreError>;
}

impl ModerationTable for SqliteRegistry {
    fn report(
        &self,
        id: &str,
        skill: &str,
        handle: &str,
        number: Option<&str>,
        reason: &str,
        now: i64,
    ) -> Result<(String, bool, u64), StoreError> {
        self.database.write(|transaction| {
            let add = "INSERT INTO report (id, skill, handle, number, reason, created_at) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (skill, handle) DO NOTHING";
            let is_new = transaction.execute(add, params![id, skill, handle, number, reason, now])? == 1;
            let query = "SELECT id FROM report WHERE skill = ?1 AND handle = ?2";
            let id = transaction.query_row(query, [skill, handle], |row| row.get(0))?;
            let query = "SELECT count(*) FROM report WHERE skill = ?1";
            let count = transaction.query_row(query, [skill], |row| super::records::count(row, 0))?;
            Ok((id, is_new, count))
        })
    }

    fn offer(&self, handover: &Handover) -> Result<(), StoreError> {
        let Handover { id, skill, giver, taker, message, requested_at, expires_at } = handover;
        self.database.write(|transaction| {
            let add = "INSERT OR REPLACE INTO handover \
                       (id, skill, giver, taker, message, requested_at, expires_at) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let values = params![id, skill.id, giver, taker, message, requested_at, expires_at];
            transaction.execute(add, values).map(drop)
        })
    }

    fn offers(&self, handle: &str, now: i64) -> Result<Vec<Handover>, StoreError> {
        self.database.read(|connection| {
            let query = "SELECT id, skill, giver, taker, message, requested_at, expires_at FROM handover \
                         WHERE (giver = ?1 OR taker = ?1) AND expires_at > ?2 ORDER BY requested_at, id";
            let mut query = connection.prepare_cached(query)?;
            let found = query.query_map(params![handle, now], |row| {
                let skill: String = row.get(1)?;
                let skill = skill_by_id(connection, &skill)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
                Ok(Handover {
                    id: row.get(0)?,
                    skill,
                    giver: row.get(2)?,
                    taker: row.get(3)?,
                    message: row.get(4)?,
                    requested_at: row.get(5)?,
                    expires_at: row.get(6)?,
                })
            })?;
            found.collect()
        })
    }

    fn drop_offer(&self, id: &str) -> Result<bool, StoreError> {
        self.database
            .write(|transaction| Ok(transaction.execute("DELETE FROM handover WHERE id = ?1", [id])? == 1))
    }

    fn accept_offer(&self, id: &str, now: i64) -> Result<HandoverState, StoreError> {
        self.database.write(|transaction| {
            let query = "SELECT h.skill, h.taker, s.slug FROM handover h JOIN skill s ON s.id = h.skill \
                         WHERE h.id = ?1 AND h.expires_at > ?2 AND s.owner = h.giver";
            let found: Option<(String, String, String)> = transaction
                .query_row(query, params![id, now], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()?;
            let Some((skill, taker, slug)) = found else {
                return Ok(HandoverState::Missing);
            };
            let taken = "SELECT EXISTS (SELECT 1 FROM skill WHERE owner = ?1 AND slug = ?2)";
            if transaction.query_row(taken, [&taker, &slug], |row| row.get(0))? {
                return Ok(HandoverState::SlugTaken);
            }
            // A lookup at the old owner still finds it.
            let keep = "INSERT OR REPLACE INTO alias (owner, slug, skill) \
                        SELECT owner, slug, id FROM skill WHERE id = ?1";
            transaction.execute(keep, [&skill])?;
            transaction.execute("DELETE FROM alias WHERE owner = ?1 AND slug = ?2", [&taker, &slug])?;
            let change = "UPDATE skill SET owner = ?2, updated_at = ?3 WHERE id = ?1";
            transaction.execute(change, params![skill, taker, now])?;
            transaction.execute("DELETE FROM handover WHERE id = ?1", [id])?;
            Ok(HandoverState::Done)
        })
    }
}
