//! The tests that a draft must pass before it may become a skill.

use std::path::Path;

use prowess_acquire::scan_folder;
use prowess_forge::MaterialLayout;
use prowess_match::{AgentView, Progress, cases_of};
use prowess_scan::{ScanSeverity, Verdict};
use prowess_skill::{ParseOptions, SkillInput};
use prowess_types::{Dialect, SpecLevel, SpecMode};

use super::pool::Measured;
use super::preview::ReplayState;
use super::queue::StoredDraft;
use super::report::{CheckName, CheckVerdict, DraftCheck, NEEDS_YES, TestReport, TestState};
use super::{Forge, ForgeError};

/// The permission to run the script of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replaying {
    /// A person agreed to the script with this hash, as [`Forge::replay_preview`] shows it.
    Allowed {
        /// [`ReplayPreview::hash`](super::ReplayPreview::hash).
        hash: String,
    },
    /// No person agreed.
    Refused,
}

impl Forge<'_> {
    /// Measures a draft among the skills of an agent, and keeps the result with it.
    ///
    /// Its script runs only if a person agreed to exactly what would run. A script that could have run and did not is not
    /// a failure, but the test is incomplete.
    pub fn test(
        &self,
        view: &AgentView,
        name: &str,
        replaying: Replaying,
        now: u64,
        progress: impl FnMut(Progress),
    ) -> Result<TestReport, ForgeError> {
        let draft = self.show(name)?;
        let folder = self.drafts().join(&draft.record.name);
        let cases = cases_of(&folder.join("SKILL.md"), &mut Vec::new());
        let measured = self.measure(view.inventory(), &draft, &cases, progress)?;
        let selection = selection(&measured);
        let mut overlap = vec![format!("{} messages of other skills were tried", measured.tried)];
        let stolen = measured.stolen.iter();
        overlap.extend(stolen.map(|one| format!("taken from `{}`: {}", one.skill, one.message)));
        let checks = vec![
            portable(&draft),
            scan(&folder),
            self.replay(&draft, &view.inventory().workspace, &replaying),
            DraftCheck::judged(CheckName::Selection, measured.is_found(), selection),
            DraftCheck::judged(CheckName::Overlap, measured.stolen.is_empty(), overlap),
        ];
        let report = TestReport::new(draft.hash.clone(), now, checks);

        let _lock = self.lock()?;
        let mut record = self.find(&draft.record.name)?;
        record.test = Some(report.clone());
        let what = match report.state {
            TestState::Passed => "passed its test",
            TestState::Failed => "did not pass its test",
            TestState::Incomplete => "was tested, but its script was not run",
        };
        record.happened(now, what);
        self.store_record(&record)?;
        Ok(report)
    }

    fn replay(&self, draft: &StoredDraft, workspace: &Path, replaying: &Replaying) -> DraftCheck {
        let check = |verdict, details| DraftCheck::new(CheckName::Replay, verdict, details);
        let preview = self.replay_preview(draft);
        let script = match (preview.state, &preview.expanded) {
            (ReplayState::Ready, Some(script)) => script,
            (ReplayState::Refused, _) => return check(CheckVerdict::Failed, preview.reasons()),
            _ => return check(CheckVerdict::Skipped, preview.reasons()),
        };
        match replaying {
            Replaying::Refused => check(CheckVerdict::NotRun, vec![NEEDS_YES.to_owned()]),
            Replaying::Allowed { hash } if Some(hash) != preview.hash.as_ref() => {
                let why = "the script was not run: it is not the one that you agreed to; look at it again";
                check(CheckVerdict::NotRun, vec![why.to_owned()])
            }
            Replaying::Allowed { .. } => self.replay_script(draft, script.expose(), workspace),
        }
    }
}

/// Describes the selection: the task of the session by its outcome, never by its words.
fn selection(measured: &Measured) -> Vec<String> {
    let percent = |share: f32| format!("{:.0}", share * 100.0);
    let mut seen = Vec::new();
    match measured.tasks.first() {
        Some(task) if task.loads => {
            seen.push(format!("its own task loads it ({} %)", percent(task.confidence)));
        }
        Some(task) => seen.push(format!(
            "its own task does not load it ({} %, loaded from {} %): say in its description what it is for and when to \
             use it, in the words of the task",
            percent(task.confidence),
            percent(task.threshold)
        )),
        None => {
            seen.push("its session is gone: only its trigger cases are tried".to_owned());
            let (before, after) = measured.quality();
            if after <= before {
                let why = "no trigger case finds it: describe what it is for, and add messages to `evals/triggers.json`";
                seen.push(why.to_owned());
            }
        }
    }
    let (loading, all) = measured.others();
    if all > 0 {
        let missed = measured.tasks.iter().flat_map(|task| &task.others).filter(|(_, loads)| !loads);
        let mut missed: Vec<&str> = missed.map(|(kind, _)| kind.told()).collect();
        missed.sort_unstable();
        missed.dedup();
        let missed = if missed.is_empty() { String::new() } else { format!("; not {}", missed.join(", ")) };
        seen.push(format!("{loading} of {all} other ways to ask for it load it{missed}"));
    }
    seen.push(format!("{} of {} foreign messages load it", measured.foreign_loads.len(), measured.foreign));
    seen.extend(measured.foreign_loads.iter().map(|message| format!("loads it: {message}")));
    seen.push(format!(
        "{} of {} trigger cases find it first, {} of {} others load it",
        measured.first,
        measured.should,
        measured.false_loads.len(),
        measured.should_not
    ));
    seen.extend(measured.missed.iter().map(|message| format!("does not find it: {message}")));
    seen.extend(measured.false_loads.iter().map(|message| format!("loads it: {message}")));
    seen
}

fn portable(draft: &StoredDraft) -> DraftCheck {
    let name = &draft.record.name;
    let bytes = draft.skill_md().as_bytes();
    match draft.record.layout {
        MaterialLayout::Folder => {
            let options = ParseOptions { dialect: Dialect::Prowess, spec_mode: SpecMode::default() };
            let skill = prowess_skill::parse(&SkillInput::folder(bytes, name), &options);
            let mut details = vec![format!("{:?}", skill.level).to_lowercase()];
            details.extend(skill.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()));
            DraftCheck::judged(CheckName::Portable, skill.level == SpecLevel::Portable, details)
        }
        layout => {
            let is_strict = layout == MaterialLayout::StrictFolder;
            let file = if is_strict { "SKILL.md".to_owned() } else { format!("{name}.md") };
            let issues = prowess_skill::validate_openpocket(bytes, name, &file, is_strict);
            let details = issues.iter().map(|issue| issue.message.to_owned()).collect();
            DraftCheck::judged(CheckName::Portable, issues.is_empty(), details)
        }
    }
}

fn scan(folder: &Path) -> DraftCheck {
    let report = scan_folder(folder, &ParseOptions::default()).report;
    let mut details = vec![report.verdict.to_string()];
    details.extend(report.at_least(ScanSeverity::Warn).map(prowess_acquire::told));
    DraftCheck::judged(CheckName::Scan, report.verdict == Verdict::Clean, details)
}
