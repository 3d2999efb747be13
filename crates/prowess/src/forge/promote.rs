//! From a draft to a skill, and back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prowess_forge::{Layout, promoted, without_stamp};
use prowess_fs::Mirror;
use serde::Serialize;

use super::make::TRIGGERS;
use super::queue::{StoredDraft, failed};
use super::record::{DraftRecord, DraftStatus, Version};
use super::{Forge, ForgeError, MAX_BYTES, below};

/// Who says yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// A person who was told what will happen.
    Person,
    /// Nobody; only the config can.
    Policy,
}

/// A skill that came from a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Promoted {
    /// Its name.
    pub name: String,
    /// Which version is in use now; none if none is.
    pub version: Option<u32>,
    /// Its files.
    pub files: Vec<PathBuf>,
}

/// The content of a version, by its place below a root.
type Files = BTreeMap<String, String>;

impl Forge<'_> {
    /// Where a draft's files go when it is promoted.
    pub fn target(&self, agent: Option<&str>, draft: &StoredDraft) -> Result<Vec<PathBuf>, ForgeError> {
        let root = self.root(agent, &draft.record)?;
        Ok(content(draft).keys().map(|relative| below(&root, relative)).collect())
    }

    /// Makes a draft that passed its test a skill.
    pub fn promote(
        &self,
        agent: Option<&str>,
        name: &str,
        consent: Consent,
        now: u64,
    ) -> Result<Promoted, ForgeError> {
        let _lock = self.lock()?;
        let draft = self.show(name)?;
        let name = draft.record.name.clone();
        if !draft.has_passed() {
            return Err(ForgeError::NotTested(name));
        }
        let by = match consent {
            Consent::Person => "person",
            Consent::Policy if self.promotes_tested() => "policy",
            Consent::Policy => return Err(ForgeError::NoConsent(name)),
        };
        let root = self.root(agent, &draft.record)?;
        let files = content(&draft);
        let mut record = draft.record.clone();
        let old = self.in_use(&record)?;
        if old.is_empty()
            && let Some(taken) =
                files.keys().map(|relative| below(&root, relative)).find(|path| prowess_fs::is_taken(path))
        {
            return Err(ForgeError::Taken(taken));
        }
        let number = record.versions.last().map_or(0, |version| version.number) + 1;
        let replaced = if self.is_openpocket() { older(&root, &record, &files) } else { Vec::new() };
        let kept = self.version_folder(&record.name, number);
        write_all(&kept.join("files"), &files)?;
        write_all(&kept.join("replaced"), &read_all(&root, &replaced)?)?;
        record.versions.push(Version {
            number,
            at: now,
            by: by.to_owned(),
            hash: draft.hash.clone(),
            root: root.clone(),
            files: files.keys().cloned().collect(),
            replaced: replaced.clone(),
        });
        exchange(&root, &old, &files)?;
        remove_all(&root, &replaced)?;
        self.mark(&replaced, DraftStatus::Promoted, DraftStatus::Retired)?;
        record.current = Some(number);
        record.status = DraftStatus::Promoted;
        record.happened(now, format!("promoted as version {number} by {by}"));
        self.store_record(&record)?;
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
        let files = match &before {
            Some(before) => self.kept(&record, before)?,
            None => Files::new(),
        };
        exchange(&version.root, &old, &files)?;
        let replaced = self.version_folder(&record.name, version.number).join("replaced");
        write_all(&version.root, &read_all(&replaced, &version.replaced)?)?;
        self.mark(&version.replaced, DraftStatus::Retired, DraftStatus::Promoted)?;
        record.current = before.map(|before| before.number);
        record.status =
            if record.current.is_some() { DraftStatus::Promoted } else { DraftStatus::RolledBack };
        record.happened(now, format!("version {} rolled back", version.number));
        self.store_record(&record)?;
        Ok(told(&record))
    }

    /// Says that a draft is not wanted. It is still counted, but not offered again.
    pub fn reject(&self, name: &str, reason: Option<&str>, now: u64) -> Result<DraftRecord, ForgeError> {
        let _lock = self.lock()?;
        let mut record = self.find(name)?;
        record.status = DraftStatus::Rejected;
        record.happened(
            now,
            reason.map_or_else(|| "rejected".to_owned(), |reason| format!("rejected: {reason}")),
        );
        self.store_record(&record)?;
        Ok(record)
    }

    /// Takes a skill away that nobody used. Its versions are kept, so that it can be brought back.
    pub fn retire(&self, name: &str, now: u64) -> Result<Promoted, ForgeError> {
        let _lock = self.lock()?;
        let mut record = self.find(name)?;
        if record.status != DraftStatus::Promoted {
            return Err(ForgeError::NotPromoted(record.name));
        }
        let old = self.in_use(&record)?;
        let root = record.current_version().map(|version| version.root.clone()).unwrap_or_default();
        exchange(&root, &old, &Files::new())?;
        record.status = DraftStatus::Retired;
        record.happened(now, "retired");
        self.store_record(&record)?;
        Ok(Promoted { version: None, files: Vec::new(), ..told(&record) })
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
        write_all(&version.root, &self.kept(&record, &version)?)?;
        record.status = DraftStatus::Promoted;
        record.happened(now, "brought back");
        self.store_record(&record)?;
        Ok(told(&record))
    }

    /// What a promotion would change, line by line: from the version in use, or from nothing, to the draft.
    pub fn diff(&self, name: &str) -> Result<String, ForgeError> {
        let draft = self.show(name)?;
        let old = match draft.record.current_version() {
            Some(version) => self.kept(&draft.record, version)?,
            None => Files::new(),
        };
        let new = content(&draft);
        let mut places: Vec<&String> = old.keys().chain(new.keys()).collect();
        places.sort();
        places.dedup();
        let text = |files: &Files, place: &String| files.get(place).cloned().unwrap_or_default();
        let mut shown = String::new();
        for place in places {
            let diff = prowess_forge::diff(&text(&old, place), &text(&new, place));
            if !diff.is_empty() {
                shown += &format!("{place}\n{diff}");
            }
        }
        Ok(shown)
    }

    fn root(&self, agent: Option<&str>, record: &DraftRecord) -> Result<PathBuf, ForgeError> {
        if let Some(version) = record.versions.last() {
            return Ok(version.root.clone());
        }
        Ok(match record.layout {
            Layout::Folder => self.engine.places().managed(),
            Layout::LoneFile | Layout::StrictFolder => self.engine.workspace(agent)?,
        })
    }

    /// Notes that other skills' files went away, or came back.
    fn mark(&self, places: &[String], from: DraftStatus, to: DraftStatus) -> Result<(), ForgeError> {
        for mut other in self.list()? {
            let is_meant = other.status == from
                && other
                    .current_version()
                    .is_some_and(|version| version.files.iter().any(|file| places.contains(file)));
            if is_meant {
                other.status = to;
                self.store_record(&other)?;
            }
        }
        Ok(())
    }

    fn version_folder(&self, name: &str, number: u32) -> PathBuf {
        self.folder().join("versions").join(name).join(number.to_string())
    }

    /// The files of a version, as they were promoted.
    fn kept(&self, record: &DraftRecord, version: &Version) -> Result<Files, ForgeError> {
        read_all(&self.version_folder(&record.name, version.number).join("files"), &version.files)
    }

    /// The files that are in use, which must be as they were promoted: what a person wrote is not overwritten.
    fn in_use(&self, record: &DraftRecord) -> Result<Files, ForgeError> {
        let Some(version) = record.current_version().filter(|_| record.status != DraftStatus::Retired) else {
            return Ok(Files::new());
        };
        let kept = self.kept(record, version)?;
        for (relative, text) in &kept {
            let path = below(&version.root, relative);
            match prowess_fs::read_file(&path, MAX_BYTES) {
                Ok(bytes) if bytes == text.as_bytes() => {}
                Err(error) if error.is_missing() => {}
                Ok(_) => return Err(ForgeError::Changed(path)),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(kept)
    }
}

fn told(record: &DraftRecord) -> Promoted {
    let version = record.current_version();
    let places = version.map(|version| version.files.iter().map(|file| below(&version.root, file)).collect());
    Promoted { name: record.name.clone(), version: record.current, files: places.unwrap_or_default() }
}

/// The files of a draft as a skill, by their place below the root.
fn content(draft: &StoredDraft) -> Files {
    let name = &draft.record.name;
    let mut files = Files::new();
    let skill = promoted(draft.skill_md());
    match draft.record.layout {
        Layout::Folder => {
            files.insert(format!("{name}/SKILL.md"), skill);
            for (relative, text) in draft.files.iter().filter(|(relative, _)| *relative != "SKILL.md") {
                files.insert(format!("{name}/{relative}"), text.clone());
            }
        }
        layout => {
            let place = match layout {
                Layout::StrictFolder => format!("skills/auto/{name}/SKILL.md"),
                _ => format!("skills/auto/{name}.md"),
            };
            files.insert(place, skill);
            let others =
                draft.files.iter().filter(|(relative, _)| *relative != "SKILL.md" && *relative != TRIGGERS);
            files.extend(others.map(|(relative, text)| (relative.clone(), text.clone())));
        }
    }
    files
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

fn read_all(root: &Path, places: &[String]) -> Result<Files, ForgeError> {
    let read = |place: &String| {
        let bytes = prowess_fs::read_file(&below(root, place), MAX_BYTES)?;
        Ok((place.clone(), String::from_utf8_lossy(&bytes).into_owned()))
    };
    places.iter().map(read).collect()
}

fn write_all(root: &Path, files: &Files) -> Result<(), ForgeError> {
    if files.is_empty() {
        return Ok(());
    }
    let mirror = Mirror::open(root)?;
    for (relative, text) in files {
        let is_script = relative.contains("scripts/");
        mirror
            .write(relative, text.as_bytes(), is_script)
            .map_err(|source| failed(root, relative, source))?;
    }
    Ok(())
}

fn remove_all(root: &Path, places: &[String]) -> Result<(), ForgeError> {
    if places.is_empty() {
        return Ok(());
    }
    let mirror = Mirror::open(root)?;
    for relative in places {
        mirror.remove(relative).map_err(|source| failed(root, relative, source))?;
    }
    Ok(())
}

/// Puts new files in the place of old ones.
fn exchange(root: &Path, old: &Files, new: &Files) -> Result<(), ForgeError> {
    write_all(root, new)?;
    let gone: Vec<String> = old.keys().filter(|place| !new.contains_key(*place)).cloned().collect();
    remove_all(root, &gone)
}
