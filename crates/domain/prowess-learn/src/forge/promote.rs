//! From a draft to a skill, and back.

use std::path::{Path, PathBuf};

use prowess_forge::without_stamp;
use serde::Serialize;

use super::commit::SkillChange;
use super::queue::StoredDraft;
use super::record::{DraftRecord, DraftStatus, Version};
use super::report::{CheckVerdict, DraftCheck, TestState};
use super::version::{Files, content, read_all};
use super::{Forge, ForgeError, MAX_BYTES, below};

/// The source of the consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromotionConsent {
    /// A person who was told what will happen.
    Person,
    /// The user's own config, if it says so.
    Policy,
}

/// A skill that came from a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Promoted {
    /// Its name.
    pub name: String,
    /// Which version is in use now; none if none is.
    pub version: Option<u32>,
    /// Its files.
    pub files: Vec<PathBuf>,
}

impl Forge<'_> {
    /// Makes a draft that passed its test a skill. Its files and its record change in one step.
    pub fn promote(
        &self,
        agent: Option<&str>,
        name: &str,
        consent: PromotionConsent,
        now: u64,
    ) -> Result<Promoted, ForgeError> {
        let _lock = self.lock()?;
        let draft = self.show(name)?;
        let name = draft.record.name.clone();
        if !draft.has_passed() {
            return Err(not_passed(&draft));
        }
        let by = match consent {
            PromotionConsent::Person => "person",
            PromotionConsent::Policy if self.promotes_tested() => "policy",
            PromotionConsent::Policy => return Err(ForgeError::NoConsent(name)),
        };
        let root = self.root(agent, &draft.record)?;
        let files = content(&draft);
        let mut record = draft.record.clone();
        let mut old = self.in_use(&record)?;
        if old.is_empty() {
            old = self.half_promoted(&record, &root)?;
            let mut places = files.keys().filter(|relative| !old.contains_key(*relative));
            let taken = places.find(|relative| prowess_fs::is_taken(&below(&root, relative)));
            if let Some(taken) = taken {
                return Err(ForgeError::Taken(below(&root, taken)));
            }
        }
        let number = next_number(&record);
        let replaced = if self.is_openpocket() { older(&root, &record, &files) } else { Vec::new() };
        let kept = self.version_folder(&record.name, number);
        keep_all(&kept.join("files"), &files)?;
        keep_all(&kept.join("replaced"), &read_all(&root, &replaced)?)?;
        record.versions.push(Version {
            number,
            at: now,
            by: by.to_owned(),
            hash: draft.hash.clone(),
            root: root.clone(),
            files: files.keys().cloned().collect(),
            replaced: replaced.clone(),
        });
        record.current = Some(number);
        record.status = DraftStatus::Promoted;
        record.proposed = false;
        record.happened(now, format!("promoted as version {number} by {by}"));
        let mut gone: Vec<String> = old.into_keys().collect();
        gone.extend(replaced.iter().cloned());
        let mut records = self.marked(&record, &replaced, DraftStatus::Promoted, DraftStatus::Retired)?;
        records.push(record.clone());
        self.commit(&SkillChange { name: &record.name, root: &root, gone, new: files, records, now })?;
        Ok(told(&record))
    }

    /// Takes the version in use back: the one before is in use again, or none.
    pub fn rollback(&self, name: &str, now: u64) -> Result<Promoted, ForgeError> {
        let _lock = self.lock()?;
        let mut record = self.find(name)?;
        let version =
            record.current_version().cloned().ok_or_else(|| ForgeError::NotPromoted(record.name.clone()))?;
        let old = self.in_use(&record)?;
        let before = record.versions.iter().rfind(|other| other.number < version.number).cloned();
        let mut files = match &before {
            Some(before) => self.kept(&record, before)?,
            None => Files::new(),
        };
        let replaced = self.version_folder(&record.name, version.number).join("replaced");
        files.extend(read_all(&replaced, &version.replaced)?);
        record.current = before.map(|before| before.number);
        record.status =
            if record.current.is_some() { DraftStatus::Promoted } else { DraftStatus::RolledBack };
        record.happened(now, format!("version {} rolled back", version.number));
        let mut records =
            self.marked(&record, &version.replaced, DraftStatus::Retired, DraftStatus::Promoted)?;
        records.push(record.clone());
        let gone = old.into_keys().collect();
        self.commit(&SkillChange {
            name: &record.name,
            root: &version.root,
            gone,
            new: files,
            records,
            now,
        })?;
        Ok(told(&record))
    }

    /// Rejects a draft. It is still counted, but not offered again; a version of it that is in use is
    /// removed in the same step.
    pub fn reject(&self, name: &str, reason: Option<&str>, now: u64) -> Result<DraftRecord, ForgeError> {
        let _lock = self.lock()?;
        let mut record = self.find(name)?;
        if record.proposed {
            return self.drop_proposal(record, reason, now);
        }
        let mut old = self.in_use(&record)?;
        let version = record.current_version().cloned();
        let root = version.map_or_else(|| self.root(None, &record), |version| Ok(version.root))?;
        if old.is_empty() {
            old = self.half_promoted(&record, &root)?;
        }
        record.current = None;
        record.status = DraftStatus::Rejected;
        record.happened(
            now,
            reason.map_or_else(|| "rejected".to_owned(), |reason| format!("rejected: {reason}")),
        );
        self.take_away(&record, &root, &old, now)?;
        Ok(record)
    }

    /// Rejects the new version that a better run proposes. The skill in use stays, and is what the draft says again.
    fn drop_proposal(
        &self,
        mut record: DraftRecord,
        reason: Option<&str>,
        now: u64,
    ) -> Result<DraftRecord, ForgeError> {
        let mut files = self.stored(record.clone())?.files;
        if let Some(version) = record.current_version() {
            let folder = format!("{}/", record.name);
            let kept = self.kept(&record, version)?;
            files = kept
                .into_iter()
                .map(|(place, text)| (place.strip_prefix(&folder).map_or(place.clone(), str::to_owned), text))
                .collect();
        }
        record.proposed = false;
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        record.happened(now, format!("the proposed version was rejected{reason}"));
        self.store(&record, &files)?;
        Ok(record)
    }

    /// Takes a skill away that is not used. Its versions are kept, so that it can be brought back.
    pub fn retire(&self, name: &str, now: u64) -> Result<Promoted, ForgeError> {
        let _lock = self.lock()?;
        let mut record = self.find(name)?;
        if record.status != DraftStatus::Promoted {
            return Err(ForgeError::NotPromoted(record.name));
        }
        let old = self.in_use(&record)?;
        let root = record.current_version().map(|version| version.root.clone()).unwrap_or_default();
        record.status = DraftStatus::Retired;
        record.happened(now, "retired");
        self.take_away(&record, &root, &old, now)?;
        Ok(Promoted { version: None, files: Vec::new(), ..told(&record) })
    }

    fn take_away(&self, record: &DraftRecord, root: &Path, old: &Files, now: u64) -> Result<(), ForgeError> {
        self.commit(&SkillChange {
            name: &record.name,
            root,
            gone: old.keys().cloned().collect(),
            new: Files::new(),
            records: vec![record.clone()],
            now,
        })
    }

    /// Brings a retired skill back.
    pub fn restore(&self, name: &str, now: u64) -> Result<Promoted, ForgeError> {
        let _lock = self.lock()?;
        let mut record = self.find(name)?;
        let version = record.current_version().cloned().filter(|_| record.status == DraftStatus::Retired);
        let version = version.ok_or_else(|| ForgeError::NotRetired(record.name.clone()))?;
        let mut places = version.files.iter().map(|relative| below(&version.root, relative));
        if let Some(taken) = places.find(|path| prowess_fs::is_taken(path)) {
            return Err(ForgeError::Taken(taken));
        }
        let new = self.kept(&record, &version)?;
        record.status = DraftStatus::Promoted;
        record.happened(now, "brought back");
        self.commit(&SkillChange {
            name: &record.name,
            root: &version.root,
            gone: Vec::new(),
            new,
            records: vec![record.clone()],
            now,
        })?;
        Ok(told(&record))
    }

    /// The records of other drafts whose skills go away, or come back, with a change.
    fn marked(
        &self,
        record: &DraftRecord,
        places: &[String],
        from: DraftStatus,
        to: DraftStatus,
    ) -> Result<Vec<DraftRecord>, ForgeError> {
        let mut others = self.records()?;
        others.retain(|other| {
            other.name != record.name
                && other.status == from
                && other
                    .current_version()
                    .is_some_and(|version| version.files.iter().any(|file| places.contains(file)))
        });
        for other in &mut others {
            other.status = to;
        }
        Ok(others)
    }

    /// Files of a promotion that version 0.1 was interrupted in: they are as they were written, and the record does not
    /// know of them.
    fn half_promoted(&self, record: &DraftRecord, root: &Path) -> Result<Files, ForgeError> {
        let kept = self.version_folder(&record.name, next_number(record)).join("files");
        let mut found = Files::new();
        for entry in prowess_fs::list_all(&kept, MAX_LEFT, MAX_DEPTH).entries {
            let written = prowess_fs::read_file(&entry.path, MAX_BYTES)?;
            let there = prowess_fs::read_file(&below(root, &entry.relative), MAX_BYTES);
            if there.is_ok_and(|there| there == written) {
                found.insert(entry.relative, String::from_utf8_lossy(&written).into_owned());
            }
        }
        Ok(found)
    }
}

/// Files of an interrupted promotion, and folders within folders, that are looked at.
const MAX_LEFT: usize = 200;
const MAX_DEPTH: usize = 8;

/// The reason a draft cannot be promoted as it is now.
fn not_passed(draft: &StoredDraft) -> ForgeError {
    let name = draft.record.name.clone();
    match draft.record.test.as_ref().filter(|test| test.hash == draft.hash) {
        Some(test) if test.state == TestState::Failed => {
            let failed = test.checks.iter().filter(|check| check.verdict == CheckVerdict::Failed);
            let reason = |check: &DraftCheck| {
                let seen = check.details.first().map_or("", String::as_str);
                format!("{}: {seen}", check.name.name())
            };
            ForgeError::TestFailed { name, reasons: failed.map(reason).collect() }
        }
        _ => ForgeError::NotTested(name),
    }
}

/// The number that the next version gets.
fn next_number(record: &DraftRecord) -> u32 {
    record.versions.last().map_or(0, |version| version.number) + 1
}

fn told(record: &DraftRecord) -> Promoted {
    let version = record.current_version();
    let places = version.map(|version| version.files.iter().map(|file| below(&version.root, file)).collect());
    Promoted { name: record.name.clone(), version: record.current, files: places.unwrap_or_default() }
}

/// Files in `skills/auto` that OpenPocket replaces by a newer draft, each with the script of the same name: those of
/// the same slug, and those of the same fingerprint.
fn older(root: &Path, record: &DraftRecord, new: &Files) -> Vec<String> {
    let slug = without_stamp(&record.name);
    let print = format!("behavior_fingerprint: {}", record.fingerprint);
    let mut found = Vec::new();
    let auto = root.join("skills").join("auto");
    for entry in prowess_fs::list_all(&auto, 10_000, 2).entries {
        let base = match entry.relative.split_once('/') {
            Some((folder, "SKILL.md")) => folder.to_owned(),
            None => entry.relative.strip_suffix(".md").unwrap_or_default().to_owned(),
            Some(_) => continue,
        };
        let text = || prowess_fs::read_file(&entry.path, MAX_BYTES).unwrap_or_default();
        let is_same = without_stamp(&base) == slug || String::from_utf8_lossy(&text()).contains(&print);
        if base.is_empty() || !is_same {
            continue;
        }
        let places = [format!("skills/auto/{}", entry.relative), format!("scripts/auto/{base}.sh")];
        found.extend(
            places
                .into_iter()
                .filter(|place| !new.contains_key(place) && prowess_fs::is_taken(&below(root, place))),
        );
    }
    found
}

/// Keeps the files of a version. Nothing refers to them until the record does.
fn keep_all(folder: &Path, files: &Files) -> Result<(), ForgeError> {
    for (relative, text) in files {
        prowess_fs::write_atomic(&below(folder, relative), text.as_bytes(), None)?;
    }
    Ok(())
}
