//! The check for newer versions.

use prowess_install::{Installed, LockEntry, status};
use prowess_registry::{ModerationStatus, SourceReference};
use serde::Serialize;

use super::install::is_hash;
use super::listing::InstalledSkill;
use super::source::{Progress, Wanted, Which};
use super::update::{is_newer, newest};
use super::{Acquire, AcquireError};

/// How an installed skill compares with its source.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutdatedSkill {
    /// The skill.
    #[serde(flatten)]
    pub skill: InstalledSkill,
    /// What its source has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest: Option<String>,
    /// What that means.
    pub freshness: UpdateStatus,
    /// More about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Whether there is something newer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Freshness")]
pub enum UpdateStatus {
    /// There is not.
    Current,
    /// There is.
    Outdated,
    /// The registry calls it malware now.
    Malicious,
    /// Its source could not tell.
    Unknown,
}

impl Acquire<'_> {
    /// Asks the source of every installed skill, or of those with these names, whether it has something newer.
    pub fn outdated(
        &self,
        names: &[String],
        progress: &mut dyn FnMut(&str, u64, Option<u64>),
    ) -> Result<Vec<OutdatedSkill>, AcquireError> {
        let listing = self.installed(names)?;
        let ours = status(&self.target.home)?;
        let mut answers = Vec::new();
        for skill in listing.skills {
            let known = ours.iter().find(|installed| installed.path == skill.path);
            let folder = skill.folder.clone();
            let mut progress = |done, total| progress(&folder, done, total);
            let answer = match known {
                Some(installed) => self.compare_ours(installed, &mut progress),
                None => self.compare_foreign(&skill),
            };
            let (latest, freshness, note) = answer.unwrap_or_else(|error| {
                (None, UpdateStatus::Unknown, Some(prowess_text::describe_error(&error)))
            });
            answers.push(OutdatedSkill { skill, latest, freshness, note });
        }
        Ok(answers)
    }

    fn compare_ours(&self, installed: &Installed, progress: Progress<'_>) -> Result<Answer, AcquireError> {
        let Installed { folder, entry, .. } = installed;
        let wanted = self.locked_source(folder.as_str(), entry, Which::Newest)?;
        if let SourceReference::Registry(_) = wanted.reference {
            return self.compare_versions(&wanted, entry.provenance.version.as_deref());
        }
        self.compare_files(&wanted, entry, progress)
    }

    /// A skill that another tool got from the registry; other sources are that tool's business.
    fn compare_foreign(&self, skill: &InstalledSkill) -> Result<Answer, AcquireError> {
        let no_source =
            || AcquireError::NoSource { folder: skill.folder.clone(), source_text: skill.source.clone() };
        let mut reference = SourceReference::parse(&skill.source).map_err(|_| no_source())?;
        let SourceReference::Registry(registry) = &mut reference else { return Err(no_source()) };
        registry.version = None;
        let wanted = Wanted { reference, registry: None, is_typed: false };
        self.compare_versions(&wanted, skill.version.as_deref())
    }

    fn compare_versions(&self, wanted: &Wanted, current: Option<&str>) -> Result<Answer, AcquireError> {
        let tag = match &wanted.reference {
            SourceReference::Registry(registry) => registry.version.clone(),
            _ => None,
        };
        let detail = self.inspect(wanted)?;
        let latest = newest(&detail, tag.as_deref());
        let summary = detail.moderation.as_ref().and_then(|moderation| moderation.summary.clone());
        Ok(match ModerationStatus::of(&detail) {
            ModerationStatus::MalwareBlocked => (latest, UpdateStatus::Malicious, summary),
            standing => {
                let is_suspect = standing == ModerationStatus::Suspicious;
                let note = is_suspect.then(|| "the registry calls it suspicious".to_owned());
                if latest.is_none() {
                    let note = Some("the registry does not host it; `prowess diff` compares".to_owned());
                    (None, UpdateStatus::Unknown, note)
                } else if is_newer(latest.as_deref(), current) {
                    (latest, UpdateStatus::Outdated, note)
                } else {
                    (latest, UpdateStatus::Current, note)
                }
            }
        })
    }

    /// Sources without versions are fetched and compared.
    fn compare_files(
        &self,
        wanted: &Wanted,
        entry: &LockEntry,
        progress: Progress<'_>,
    ) -> Result<Answer, AcquireError> {
        let fetched = self.fetch(wanted, progress)?.fetched;
        let latest = fetched.resolved.commit.clone().or_else(|| fetched.resolved.digest.clone());
        let is_same = is_hash(&entry.hash, &prowess_fs::tree_hash(&fetched.bundle));
        Ok((latest, if is_same { UpdateStatus::Current } else { UpdateStatus::Outdated }, None))
    }
}

type Answer = (Option<String>, UpdateStatus, Option<String>);
