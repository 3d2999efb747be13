//! The indexes that clients without a registry's protocol read: one for a skill, one for a publisher, and one at the
//! root with what the operator features.
//!
//! Such clients know no marks, so only what no rule warned of is listed. An entry names one version and the SHA-256 of
//! its archive, whose bytes never change.

use prowess_registry::{MAX_FILE_BYTES, check_path};
use prowess_store::registry::{ListOrder, ListRequest, SkillRow, SortBy};
use prowess_text::utf16_prefix;
use prowess_types::ScanVerdict;
use serde_json::{Value, json};

use crate::hub::{Hub, Pick, Wanted};
use crate::read::archive_address;
use crate::refusal::Refusal;

/// The schema of an index of version 0.2.0.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/// Names that clients accept.
const MAX_NAME: usize = 64;
/// Descriptions that clients accept, in units of UTF-16.
const MAX_DESCRIPTION: usize = 1024;
/// Skills of a publisher's index: clients fetch every one of them.
const MAX_SKILLS: usize = 100;

/// The scope of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The skills that the operator features.
    Root,
    /// The skills of a publisher.
    Owner(String),
    /// One skill.
    Skill(String, String),
}

impl Hub {
    /// The index of version 0.2.0: one archive for each skill.
    pub(crate) fn index(&self, scope: &Scope, base: &str) -> Result<Value, Refusal> {
        let entry = |row: &SkillRow| {
            json!({
                "name": row.skill.slug,
                "type": "archive",
                "description": description(row),
                "url": archive_address(&row.skill, &row.version, base),
                "digest": format!("sha256:{}", row.version.archive),
            })
        };
        let skills: Vec<Value> = self.listed(scope)?.iter().map(entry).collect();
        Ok(json!({ "$schema": SCHEMA, "skills": skills }))
    }

    /// The index of version 0.1.0: the files of each skill.
    pub(crate) fn old_index(&self, scope: &Scope) -> Result<Value, Refusal> {
        let mut skills = Vec::new();
        for row in self.listed(scope)? {
            let files = self.store.files(&row.version.id)?;
            let paths: Vec<String> = files.into_iter().map(|file| file.path).collect();
            // One path that a client refuses would make it refuse the whole index.
            if !paths.iter().any(|path| path.contains("..")) {
                skills.push(json!({
                    "name": row.skill.slug, "description": description(&row), "files": paths,
                }));
            }
        }
        Ok(json!({ "skills": skills }))
    }

    /// A file of a skill in an index.
    pub(crate) fn indexed_file(&self, scope: &Scope, name: &str, path: &str) -> Result<Vec<u8>, Refusal> {
        let missing = || Refusal::not_found("File not found");
        check_path(path).map_err(|_| missing())?;
        let rows = self.listed(scope)?;
        let row = rows.iter().find(|row| row.skill.slug == name).ok_or_else(missing)?;
        let file = self.store.files(&row.version.id)?.into_iter().find(|file| file.path == path);
        Ok(self.blobs.get(&file.ok_or_else(missing)?.sha256, MAX_FILE_BYTES)?)
    }

    /// The skills of an index; a scope without any is not there.
    fn listed(&self, scope: &Scope) -> Result<Vec<SkillRow>, Refusal> {
        let mut rows = match scope {
            Scope::Root => {
                let mut rows = Vec::new();
                for (owner, slug) in &self.options.featured {
                    rows.extend(self.current(owner, slug)?);
                }
                rows
            }
            Scope::Skill(owner, slug) => self.current(owner, slug)?.into_iter().collect(),
            Scope::Owner(owner) => {
                let request = ListRequest {
                    sort: SortBy::Slug,
                    order: ListOrder::Ascending,
                    owner: Some(owner.clone()),
                    only_clean: true,
                    limit: MAX_SKILLS,
                    ..ListRequest::default()
                };
                self.store.list(&request)?.rows
            }
        };
        let mut there = Vec::with_capacity(rows.len());
        for row in rows.drain(..) {
            if row.version.verdict.verdict() == ScanVerdict::Clean && self.can_be_listed(&row)? {
                there.push(row);
            }
        }
        if there.is_empty() && *scope != Scope::Root {
            return Err(Refusal::no_skill());
        }
        Ok(there)
    }

    fn current(&self, owner: &str, slug: &str) -> Result<Option<SkillRow>, Refusal> {
        match self.find(&Wanted::new(slug, Some(owner)), "") {
            Ok(skill) => Ok(Some(SkillRow { version: self.pick(&skill, &Pick::Latest)?, skill })),
            Err(Refusal::Broken(error)) => Err(Refusal::Broken(error)),
            Err(_) => Ok(None),
        }
    }

    /// Clients want a short name, and a `SKILL.md` of exactly that name which says its own and what it does.
    fn can_be_listed(&self, row: &SkillRow) -> Result<bool, Refusal> {
        let says_enough = row.version.facts.get("isListable").is_some_and(|value| value == true);
        if row.skill.slug.len() > MAX_NAME || row.skill.summary.is_empty() || !says_enough {
            return Ok(false);
        }
        Ok(self.store.files(&row.version.id)?.iter().any(|file| file.path == "SKILL.md"))
    }
}

/// As much of the description as clients accept.
fn description(row: &SkillRow) -> String {
    utf16_prefix(&row.skill.summary, MAX_DESCRIPTION).to_owned()
}
