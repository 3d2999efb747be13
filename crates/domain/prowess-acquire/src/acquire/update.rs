//! Bringing an installed skill to another state without destroying what was changed in it.

use prowess_install::{Edits, Folder, Installed, LockEntry, MergeReport, VerifyState, plan_update};
use prowess_registry::protocol::SkillDetail;
use prowess_registry::{ModerationStatus, SkillId, SourceError, SourceReference, check_version};

use super::install::is_hash;
use super::plan::{Action, Plan};
use super::source::{Progress, Wanted, Which};
use super::{Acquire, AcquireError};

/// Options of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateOptions {
    /// A version, a tag, or of a repository a branch or commit; the newest if none is named. It may be older.
    pub version: Option<String>,
    /// The treatment of local edits.
    pub edits: Edits,
}

impl Default for UpdateOptions {
    fn default() -> Self {
        Self { version: None, edits: Edits::Merge }
    }
}

impl Acquire<'_> {
    /// Gets the newest state of an installed skill and says what an update would do; none if it is up to date. Nothing
    /// is written. A pin, and edits that cannot be merged, are errors.
    pub fn plan_update(
        &self,
        name: &str,
        options: &UpdateOptions,
        progress: Progress<'_>,
    ) -> Result<Option<Plan>, AcquireError> {
        self.recover()?;
        let Installed { folder, entry, state, .. } = self.one(name)?;
        if let Some(pin) = &entry.pinned {
            let reason = pin.reason.clone();
            return Err(prowess_install::InstallError::Pinned { folder, reason }.into());
        }
        let is_untouched = matches!(state, VerifyState::Clean);
        let resets = options.edits == Edits::Overwrite && !is_untouched;
        let is_wanted = matches!(state, VerifyState::Gone) || resets;
        let which = options.version.as_deref().map_or(Which::Newest, Which::Named);
        let mut wanted = self.locked_source(folder.as_str(), &entry, which)?;
        if which == Which::Newest && self.is_newest(&wanted, &entry)? {
            if !is_wanted {
                return Ok(None);
            }
            wanted = self.locked_source(folder.as_str(), &entry, Which::Locked)?;
        }
        let got = self.fetch(&wanted, progress)?;
        let is_same = is_hash(&entry.hash, &prowess_fs::tree_hash(&got.fetched.bundle));
        if is_same && !is_wanted && got.fetched.resolved.version == entry.provenance.version {
            return Ok(None);
        }
        let merge = self.foreseen(&folder, &got.fetched.bundle, options.edits)?;
        let requested = options.version.clone().or_else(|| entry.provenance.requested.clone());
        let source = entry.provenance.source.clone();
        let mut plan = self.plan(got, folder, Action::Update(options.edits), Some(entry))?;
        // It is the same source, however it was asked this time.
        plan.provenance.source = source;
        plan.provenance.requested = requested;
        plan.merge = Some(merge);
        Ok(Some(plan))
    }

    /// Returns the effect of an update on the installed files, or the reason it cannot be done.
    fn foreseen(
        &self,
        folder: &Folder,
        bundle: &prowess_types::Bundle,
        edits: Edits,
    ) -> Result<MergeReport, AcquireError> {
        let planned = plan_update(&self.target.home, folder, bundle)?;
        let folder = folder.clone();
        let error = match (planned.merged, edits) {
            (Ok(merged), _) if merged.report.conflicts.is_empty() || edits != Edits::Merge => {
                return Ok(merged.report);
            }
            (Ok(merged), _) => {
                prowess_install::InstallError::Conflicts { folder, report: Box::new(merged.report) }
            }
            (Err(_), Edits::Overwrite) => return Ok(MergeReport::default()),
            (Err(reason), _) => prowess_install::InstallError::Unmergeable { folder, reason },
        };
        Err(error.into())
    }

    /// Returns true if the registry has nothing newer. Other sources cannot tell before they are fetched.
    fn is_newest(&self, wanted: &Wanted, entry: &LockEntry) -> Result<bool, AcquireError> {
        let SourceReference::Registry(reference) = &wanted.reference else { return Ok(false) };
        let detail = self.inspect(wanted)?;
        if ModerationStatus::of(&detail) == ModerationStatus::MalwareBlocked {
            let summary = detail.moderation.and_then(|moderation| moderation.summary);
            return Err(SourceError::MalwareBlocked { skill: reference.to_string(), summary }.into());
        }
        let newest = newest(&detail, reference.version.as_deref());
        Ok(!is_newer(newest.as_deref(), entry.provenance.version.as_deref()))
    }

    /// Returns the registry's details of a skill.
    pub(super) fn inspect(&self, wanted: &Wanted) -> Result<SkillDetail, AcquireError> {
        let SourceReference::Registry(reference) = &wanted.reference else {
            let source_text = wanted.reference.to_string();
            return Err(AcquireError::NoSource { folder: source_text.clone(), source_text });
        };
        let skill = SkillId { slug: &reference.slug, owner: reference.owner.as_deref() };
        let detail = self.with_supply(wanted, |supply| supply.registry().inspect(skill))?;
        Ok(detail.map_err(SourceError::from)?)
    }
}

/// The version that a skill's detail offers, or that a tag names.
pub(super) fn newest(detail: &SkillDetail, tag: Option<&str>) -> Option<String> {
    let tagged = |tag: &str| detail.skill.as_ref().and_then(|skill| skill.tag(tag)).map(str::to_owned);
    let latest = || detail.latest_version.as_ref().map(|latest| latest.version.clone());
    match tag {
        Some(tag) if tag != "latest" => tagged(tag),
        _ => latest(),
    }
}

/// Returns true if an offered version is newer than the current one. Texts that are not versions are newer if they
/// differ; a skill that is not hosted has no version, so its files must tell.
pub(super) fn is_newer(offered: Option<&str>, current: Option<&str>) -> bool {
    match (offered, current) {
        (Some(offered), Some(current)) => match (check_version(offered), check_version(current)) {
            (Ok(offered), Ok(current)) => offered > current,
            _ => offered != current,
        },
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_versions() {
        let table = [
            (Some("1.10.0"), Some("1.9.0"), true),
            (Some("1.9.0"), Some("1.10.0"), false),
            (Some("1.0.0"), Some("1.0.0"), false),
            (Some("1.0.0"), Some("1.0.0-rc.1"), true),
            (Some("today"), Some("today"), false),
            (Some("today"), Some("1.0.0"), true),
            (None, Some("1.0.0"), true),
            (None, None, true),
        ];
        for (offered, current, expected) in table {
            assert_eq!(is_newer(offered, current), expected, "{offered:?} {current:?}");
        }
    }
}
