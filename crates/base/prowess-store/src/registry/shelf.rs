//! Finding skills: by name, in lists, and all of them for a search.

use rusqlite::{Connection, OptionalExtension as _, ToSql};

use super::SqliteRegistry;
use super::records::{
    ListOrder, ListPage, ListRequest, SKILL, SkillRecord, SkillRow, SortBy, VERSION, row_of, skill_of,
};
use crate::StoreError;

/// Finding skills.
pub trait Shelf {
    /// The skills that go by a slug, of one owner or of all, deleted ones included. A former slug counts only where
    /// nothing goes by it now.
    fn find_skills(&self, slug: &str, owner: Option<&str>) -> Result<Vec<SkillRecord>, StoreError>;
    /// A skill by its id.
    fn skill(&self, id: &str) -> Result<Option<SkillRecord>, StoreError>;
    /// A part of a list.
    fn list(&self, request: &ListRequest) -> Result<ListPage, StoreError>;
    /// Everything that can be found: neither deleted nor malicious.
    fn catalogue(&self) -> Result<Vec<SkillRow>, StoreError>;
}

/// A skill beside its latest version.
const WITH_LATEST: &str = "FROM skill s JOIN tag t ON t.skill = s.id AND t.name = 'latest' \
    JOIN version v ON v.skill = s.id AND v.number = t.number \
    WHERE s.deleted_at IS NULL AND s.verdict IN ('clean', 'suspicious')";

impl Shelf for SqliteRegistry {
    fn find_skills(&self, slug: &str, owner: Option<&str>) -> Result<Vec<SkillRecord>, StoreError> {
        let now = format!("SELECT {SKILL} FROM skill s WHERE s.slug = ?1 AND (?2 IS NULL OR s.owner = ?2)");
        let formerly = format!(
            "SELECT {SKILL} FROM alias a JOIN skill s ON s.id = a.skill \
             WHERE a.slug = ?1 AND (?2 IS NULL OR a.owner = ?2)"
        );
        self.database.read(|connection| {
            let find = |query: &str| -> rusqlite::Result<Vec<SkillRecord>> {
                let mut query = connection.prepare_cached(&format!("{query} ORDER BY s.owner"))?;
                query.query_map((slug, owner), |row| skill_of(row, connection))?.collect()
            };
            let found = find(&now)?;
            if found.is_empty() { find(&formerly) } else { Ok(found) }
        })
    }

    fn skill(&self, id: &str) -> Result<Option<SkillRecord>, StoreError> {
        self.database.read(|connection| skill_by_id(connection, id))
    }

    fn list(&self, request: &ListRequest) -> Result<ListPage, StoreError> {
        let column = match request.sort {
            SortBy::Updated => "s.updated_at",
            SortBy::Created => "s.created_at",
            SortBy::Downloads => "s.downloads",
            SortBy::Installs => "s.installs",
            SortBy::Stars => "s.stars",
            SortBy::Slug => "s.slug",
        };
        let (direction, beyond) = match request.order {
            ListOrder::Ascending => ("ASC", ">"),
            ListOrder::Descending => ("DESC", "<"),
        };
        let mut query = format!("SELECT {SKILL}, {VERSION} {WITH_LATEST}");
        let mut values: Vec<Box<dyn ToSql>> = Vec::new();
        let mut place = |value: Box<dyn ToSql>| {
            values.push(value);
            values.len()
        };
        if let Some(prefix) = &request.prefix {
            let place = place(Box::new(prefix.clone()));
            query += &format!(" AND substr(s.slug, 1, length(?{place})) = ?{place}");
        }
        if let Some(owner) = &request.owner {
            query += &format!(" AND s.owner = ?{}", place(Box::new(owner.clone())));
        }
        if request.only_clean {
            query += " AND s.verdict = 'clean'";
        }
        if let Some((key, id)) = request.cursor.as_deref().and_then(|cursor| cursor.rsplit_once('.')) {
            let key: Box<dyn ToSql> = match request.sort {
                SortBy::Slug => Box::new(key.to_owned()),
                _ => Box::new(key.parse::<i64>().unwrap_or_default()),
            };
            let (key, id) = (place(key), place(Box::new(id.to_owned())));
            query += &format!(" AND ({column}, s.id) {beyond} (?{key}, ?{id})");
        }
        let limit = i64::try_from(request.limit).unwrap_or(i64::MAX).saturating_add(1);
        let limit = place(Box::new(limit));
        query += &format!(" ORDER BY {column} {direction}, s.id {direction} LIMIT ?{limit}");
        let mut rows: Vec<SkillRow> = self.database.read(|connection| {
            let mut query = connection.prepare_cached(&query)?;
            let values = rusqlite::params_from_iter(values.iter().map(|value| &**value));
            query.query_map(values, |row| row_of(row, connection))?.collect()
        })?;
        let is_cut = rows.len() > request.limit;
        rows.truncate(request.limit);
        let next = rows.last().filter(|_| is_cut).map(|row| cursor_after(&row.skill, request.sort));
        Ok(ListPage { rows, next })
    }

    fn catalogue(&self) -> Result<Vec<SkillRow>, StoreError> {
        self.database.read(|connection| {
            let query = format!("SELECT {SKILL}, {VERSION} {WITH_LATEST} ORDER BY s.id");
            connection.prepare_cached(&query)?.query_map([], |row| row_of(row, connection))?.collect()
        })
    }
}

/// A skill by its id, within a transaction or outside of one.
pub(super) fn skill_by_id(connection: &Connection, id: &str) -> rusqlite::Result<Option<SkillRecord>> {
    let query = format!("SELECT {SKILL} FROM skill s WHERE s.id = ?1");
    connection.prepare_cached(&query)?.query_row([id], |row| skill_of(row, connection)).optional()
}

fn cursor_after(skill: &SkillRecord, sort: SortBy) -> String {
    let id = &skill.id;
    match sort {
        SortBy::Updated => format!("{}.{id}", skill.updated_at),
        SortBy::Created => format!("{}.{id}", skill.created_at),
        SortBy::Downloads => format!("{}.{id}", skill.downloads),
        SortBy::Installs => format!("{}.{id}", skill.installs),
        SortBy::Stars => format!("{}.{id}", skill.stars),
        SortBy::Slug => format!("{}.{id}", skill.slug),
    }
}
