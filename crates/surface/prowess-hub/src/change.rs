//! Changes to skills by their publishers, and what others say about them.

use prowess_registry::check_new_slug;
use prowess_registry::protocol::{
    DoneAnswer, InstallTelemetry, MergeAnswer, Millis, RenameAnswer, ReportAnswer, ReportRequest, StarAnswer,
    TagAnswer, UnstarAnswer,
};
use prowess_store::registry::{SkillRecord, UsageCounter};

use crate::hub::{Hub, Pick, Wanted};
use crate::publish::{check_tag, check_text, new_id};
use crate::refusal::Refusal;

/// The time that the name of a deleted skill stays reserved: 30 days, in milliseconds.
const RESERVED: i64 = 30 * 24 * 60 * 60 * 1000;
const MAX_REASON: usize = 2000;

pub(crate) const DONE: DoneAnswer = DoneAnswer { ok: true, slug_reserved_until: None };

impl Hub {
    pub(crate) fn star(&self, handle: &str, wanted: &Wanted, base: &str) -> Result<StarAnswer, Refusal> {
        let skill = self.find(wanted, base)?;
        let is_new = self.store.set_star(&skill.id, handle, true)?;
        Ok(StarAnswer { ok: true, starred: true, already_starred: !is_new })
    }

    pub(crate) fn unstar(&self, handle: &str, wanted: &Wanted, base: &str) -> Result<UnstarAnswer, Refusal> {
        let skill = self.find(wanted, base)?;
        let was_there = self.store.set_star(&skill.id, handle, false)?;
        Ok(UnstarAnswer { ok: true, unstarred: true, already_unstarred: !was_there })
    }

    pub(crate) fn delete(&self, handle: &str, wanted: &Wanted) -> Result<DoneAnswer, Refusal> {
        let skill = self.find_own(wanted, handle)?;
        let now = self.now();
        let deleted_at = skill.deleted_at.unwrap_or(now);
        self.store.set_deleted(&skill.id, Some(deleted_at))?;
        self.search.forget();
        Ok(DoneAnswer { ok: true, slug_reserved_until: Some(Millis(deleted_at.saturating_add(RESERVED))) })
    }

    pub(crate) fn undelete(&self, handle: &str, wanted: &Wanted) -> Result<DoneAnswer, Refusal> {
        let skill = self.find_own(wanted, handle)?;
        self.store.set_deleted(&skill.id, None)?;
        self.search.forget();
        Ok(DONE)
    }

    /// Withdraws a version. The latest one stays, or the skill would be without any.
    pub(crate) fn delete_version(
        &self,
        handle: &str,
        wanted: &Wanted,
        number: &str,
    ) -> Result<DoneAnswer, Refusal> {
        let skill = self.own(wanted, handle)?;
        let version = self.pick(&skill, &Pick::Number(number.to_owned()))?;
        if skill.latest() == Some(number) {
            return Err(Refusal::conflict(
                "The latest version cannot be withdrawn; publish a replacement first, or delete the skill",
            ));
        }
        let deleted_at = version.deleted_at.unwrap_or_else(|| self.now());
        self.store.set_version_deleted(&version.id, Some(deleted_at))?;
        Ok(DONE)
    }

    pub(crate) fn restore_version(
        &self,
        handle: &str,
        wanted: &Wanted,
        number: &str,
    ) -> Result<DoneAnswer, Refusal> {
        let skill = self.own(wanted, handle)?;
        let version = self.pick(&skill, &Pick::Number(number.to_owned()))?;
        self.store.set_version_deleted(&version.id, None)?;
        Ok(DONE)
    }

    pub(crate) fn rename(
        &self,
        handle: &str,
        wanted: &Wanted,
        new_slug: &str,
    ) -> Result<RenameAnswer, Refusal> {
        let new_slug = new_slug.trim().to_lowercase();
        check_new_slug(&new_slug).map_err(|error| Refusal::bad(error.to_string()))?;
        let skill = self.own(wanted, handle)?;
        if !self.store.rename(&skill.id, &new_slug, self.now())? {
            return Err(Refusal::conflict(format!("@{handle} has a skill {new_slug} already")));
        }
        self.search.forget();
        Ok(RenameAnswer { ok: true, slug: new_slug, previous_slug: skill.slug })
    }

    pub(crate) fn merge(&self, handle: &str, from: &Wanted, into: &Wanted) -> Result<MergeAnswer, Refusal> {
        let (from, into) = (self.own(from, handle)?, self.own(into, handle)?);
        if from.id == into.id {
            return Err(Refusal::bad("A skill cannot be merged into itself"));
        }
        self.store.merge(&from.id, &into.id, self.now())?;
        self.search.forget();
        Ok(MergeAnswer { ok: true, source_slug: from.slug, target_slug: into.slug })
    }

    pub(crate) fn tag(
        &self,
        handle: &str,
        wanted: &Wanted,
        tag: &str,
        number: &str,
    ) -> Result<TagAnswer, Refusal> {
        check_tag(tag)?;
        let skill = self.own(wanted, handle)?;
        let version = self.pick_there(&skill, &Pick::Number(number.trim().to_owned()))?;
        self.store.set_tag(&skill.id, tag, &version.number, self.now())?;
        self.search.forget();
        Ok(TagAnswer { ok: true, slug: skill.slug, tag: tag.to_owned(), version: version.number })
    }

    pub(crate) fn report(
        &self,
        handle: &str,
        wanted: &Wanted,
        report: &ReportRequest,
        base: &str,
    ) -> Result<ReportAnswer, Refusal> {
        check_text("reason", report.reason.trim(), 1, MAX_REASON)?;
        let skill = self.find(wanted, base)?;
        let version = report.version.as_deref().map(str::trim);
        if let Some(number) = version {
            self.pick_there(&skill, &Pick::Number(number.to_owned()))?;
        }
        let reason = report.reason.trim();
        let (report_id, is_new, report_count) =
            self.store.report(&new_id(), &skill.id, handle, version, reason, self.now())?;
        if is_new {
            self.options.note.say(&format!("@{handle} reported @{}/{}", skill.owner, skill.slug));
        }
        Ok(ReportAnswer {
            ok: true,
            reported: true,
            already_reported: !is_new,
            report_id,
            skill_id: skill.id,
            report_count,
        })
    }

    /// Counts an installation that a client told of. What is not there is not counted.
    pub(crate) fn installed(&self, event: &InstallTelemetry, base: &str) -> Result<DoneAnswer, Refusal> {
        let wanted = Wanted::new(&event.slug, event.owner_handle.as_deref());
        match self.find(&wanted, base) {
            Ok(skill) => self.store.count_usage(&skill.id, UsageCounter::Install)?,
            Err(Refusal::Broken(error)) => return Err(Refusal::Broken(error)),
            Err(_) => {}
        }
        Ok(DONE)
    }

    /// A skill that a publisher may change, and that is there.
    pub(crate) fn own(&self, wanted: &Wanted, handle: &str) -> Result<SkillRecord, Refusal> {
        let skill = self.find_own(wanted, handle)?;
        if skill.deleted_at.is_none() { Ok(skill) } else { Err(Refusal::no_skill()) }
    }
}
