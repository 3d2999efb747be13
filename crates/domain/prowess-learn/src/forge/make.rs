//! From a run to a draft in the queue.

use std::collections::BTreeMap;

use prowess_agent::OfferedDraft;
use prowess_catalog::compact_home;
use prowess_forge::{Draft, DraftOptions, Episode, TriggerCases, draft, episode, fingerprint, worth};
use prowess_inventory::{MatchDecision, MatchRequest};
use prowess_match::AgentView;
use prowess_sessions::{SessionFilter, SessionId, Sessions};
use prowess_types::OutcomeResult;

use super::better::{SameTask, quality};
use super::describe::Described;
use super::record::{DraftRecord, DraftStatus, SourceRun};
use super::{Forge, ForgeError};

/// Sessions whose messages are looked at for near misses.
const OTHER_SESSIONS: usize = 50;
/// Messages that a draft should be found for.
const SHOULD: usize = 20;

impl Forge<'_> {
    /// Makes a draft of a run that succeeded; of the last one of the session if none is named. The same kind of run
    /// again is counted; one that did the same task better replaces the draft, or proposes a new version of the skill.
    pub fn draft(
        &self,
        view: &AgentView,
        session: &SessionId,
        run: Option<&str>,
        now: u64,
    ) -> Result<DraftRecord, ForgeError> {
        if self.is_openpocket() && !self.context.config().drafts_skills() {
            return Err(ForgeError::SwitchedOff);
        }
        let stored = Sessions::of(self.context).show(session)?;
        let summary = stored.run(run)?;
        let unsuccessful =
            || ForgeError::NotSuccessful { session: session.to_string(), run: summary.run.clone() };
        if summary.outcome.result != OutcomeResult::Success || summary.stopped {
            return Err(unsuccessful());
        }
        let mut found = episode(&stored.session.lines, &summary.run).ok_or_else(unsuccessful)?;
        // The folder is what a session is found by, whatever its first line says.
        found.session = session.to_string();
        worth(&found)?;
        let quality = quality(&found, summary.outcome.result, summary.outcome.by);
        let same = self.same_task(view, &found, quality)?;
        let home = self.context.places().os_home.display().to_string();
        let file = Sessions::of(self.context).file_of(session).display().to_string();
        self.queue(&found, same, &compact_home(&file, &[home.as_str()]), now)
    }

    /// Makes a draft after a run, if that is wanted and worth it. Nothing that goes wrong here concerns the run.
    pub(super) fn offer(
        &self,
        view: &AgentView,
        session: &SessionId,
        run: &str,
        now: u64,
    ) -> Option<OfferedDraft> {
        if !self.context.config().forge().offer {
            return None;
        }
        let record = self.draft(view, session, Some(run), now).ok()?;
        let DraftRecord { name, count, fingerprint, status, .. } = record;
        (status == DraftStatus::Waiting).then_some(OfferedDraft { name, count, fingerprint })
    }

    /// The skill that is found for the same task already.
    pub(super) fn nearest(view: &AgentView, found: &Episode) -> Result<Option<String>, ForgeError> {
        if view.inventory().entries.is_empty() || found.task.trim().is_empty() {
            return Ok(None);
        }
        let selector = view.selector()?;
        selector.prepare_for(&found.task, |_| {})?;
        let answer = selector.find(&MatchRequest::new(&found.task))?;
        let loaded = answer.loaded();
        Ok(loaded.first().filter(|_| answer.decision == MatchDecision::Load).map(|name| (*name).to_owned()))
    }

    /// Puts a run into the queue: as a new draft, or with an older one of the same task.
    fn queue(
        &self,
        found: &Episode,
        same: Option<SameTask>,
        file: &str,
        now: u64,
    ) -> Result<DraftRecord, ForgeError> {
        let others = self.other_messages(found);
        let print = fingerprint(&found.steps);
        let options = DraftOptions {
            filter: &prowess_cortex::signals,
            layout: self.layout(),
            now,
            name: None,
            words: &[],
            others: &others,
            description: None,
            wording: None,
            session_file: Some(file),
        };
        // The selector is asked before the queue is locked.
        let is_counted = same.as_ref().is_some_and(|same| {
            let is_same_way = same.record.fingerprint == print && same.record.status == DraftStatus::Promoted;
            same.record.is_made_of(&found.session, &found.run)
                || (!self.is_openpocket() && (is_same_way || same.record.fingerprint != print))
                    && same.better.is_none()
        });
        let described = if is_counted { Described::default() } else { self.described(found, &options) };
        let _lock = self.lock()?;
        let records = self.list()?;
        let better = same.as_ref().and_then(|same| same.better.clone());
        let known = same.and_then(|same| records.iter().find(|record| record.name == same.record.name));
        if let Some(record) = known.filter(|record| record.is_made_of(&found.session, &found.run)) {
            return Ok(record.clone());
        }
        let source = SourceRun { session: found.session.clone(), run: found.run.clone(), at: now };
        if let Some(known) = known.filter(|_| is_counted) {
            // The task was done another time, and not better. That is worth a count, not another draft.
            let mut record = known.clone();
            record.count(source);
            self.store_record(&record)?;
            return Ok(record);
        }
        // OpenPocket keeps the newest and counts nothing.
        let merged = known.filter(|_| !self.is_openpocket());
        let options = DraftOptions {
            name: merged.map(|record| record.name.as_str()),
            words: merged.map_or(&[], |record| &record.words),
            description: described.description.as_deref(),
            wording: described.wording.as_ref(),
            ..options
        };
        let mut made = draft(found, &options).draft;
        let settings = self.context.config().workshop();
        if made.skill_md.len() as u64 > settings.max_skill_bytes {
            return Err(ForgeError::TooLong {
                found: made.skill_md.len(),
                allowed: settings.max_skill_bytes,
            });
        }
        let waiting = records.iter().filter(|record| record.status == DraftStatus::Waiting).count();
        if known.is_none() && waiting as u64 >= settings.max_pending {
            return Err(ForgeError::QueueFull(waiting));
        }
        if merged.is_none() && records.iter().any(|record| record.name == made.name) && !self.is_openpocket()
        {
            let name = format!("{}-{}", made.name, &print[..6]);
            made = draft(found, &DraftOptions { name: Some(&name), ..options }).draft;
        }
        let mut record = match merged {
            Some(record) => {
                let before = record.status;
                let mut record = record.clone();
                record.renew(&made);
                // A draft that a person rejected is not offered again.
                if matches!(before, DraftStatus::Rejected | DraftStatus::Retired | DraftStatus::Promoted) {
                    record.status = before;
                }
                record.proposed = before == DraftStatus::Promoted;
                if let Some(why) = &better {
                    let what = if record.proposed {
                        "a better run proposes a new version"
                    } else {
                        "replaced by a better run"
                    };
                    record.happened(now, format!("{what}: {why}"));
                }
                record
            }
            None => DraftRecord::new(&made),
        };
        // Two of the same second share a name, and then also what was promoted under it.
        if let Some(same) = records.iter().find(|known| merged.is_none() && known.name == record.name) {
            record.versions.clone_from(&same.versions);
            record.current = same.current;
        }
        let earlier = merged.map(|record| self.stored(record.clone())).transpose()?;
        let triggers =
            joined(made.triggers.clone(), earlier.as_ref().and_then(|draft| draft.files.get(TRIGGERS)));
        record.count(source);
        self.store(&record, &files(&made, &triggers))?;
        if self.is_openpocket() {
            self.drop_older(&records, &made)?;
        }
        Ok(record)
    }

    /// Takes drafts out of the queue that OpenPocket would replace by this one.
    fn drop_older(&self, records: &[DraftRecord], made: &Draft) -> Result<(), ForgeError> {
        let slug = prowess_forge::without_stamp(&made.name);
        for old in records {
            let is_same =
                old.fingerprint == made.fingerprint || prowess_forge::without_stamp(&old.name) == slug;
            if old.name != made.name && is_same && old.current.is_none() {
                self.remove(&old.name)?;
            }
        }
        Ok(())
    }

    /// Returns the users' messages in other sessions.
    fn other_messages(&self, found: &Episode) -> Vec<String> {
        let filter = SessionFilter { limit: Some(OTHER_SESSIONS), ..SessionFilter::default() };
        let others = Sessions::of(self.context).list(&filter).into_iter();
        let others = others.filter(|listing| listing.id.as_str() != found.session);
        others.flat_map(|listing| listing.summary.runs).map(|run| run.message).collect()
    }
}

/// The file of a skill's trigger cases.
pub(super) const TRIGGERS: &str = "evals/triggers.json";

/// The cases of a draft with those of an earlier one.
fn joined(mut cases: TriggerCases, earlier: Option<&String>) -> TriggerCases {
    let earlier: TriggerCases = earlier.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let add = |list: &mut Vec<String>, more: Vec<String>| {
        for message in more {
            if !list.contains(&message) {
                list.push(message);
            }
        }
        list.truncate(SHOULD);
    };
    add(&mut cases.should, earlier.should);
    add(&mut cases.should_not, earlier.should_not);
    cases.should_not.retain(|message| !cases.should.contains(message));
    cases
}

/// The files of a draft.
fn files(made: &Draft, triggers: &TriggerCases) -> BTreeMap<String, String> {
    let mut files = BTreeMap::from([("SKILL.md".to_owned(), made.skill_md.clone())]);
    if let Some(script) = &made.script {
        files.insert(made.script_path(), script.clone());
    }
    if !triggers.should.is_empty() {
        let text = serde_json::to_string_pretty(triggers).unwrap_or_default();
        files.insert(TRIGGERS.to_owned(), text + "\n");
    }
    files
}
