//! What a draft must show before it may become a skill.

use std::path::Path;

use prowess_forge::{Layout, Replay};
use prowess_scan::{Severity, Verdict};
use prowess_skill::Input;
use prowess_types::{Dialect, Level, SpecMode};
use serde::{Deserialize, Serialize};

use super::queue::StoredDraft;
use super::{Forge, ForgeError};
use crate::eval::cases_of;
use crate::view::AgentView;
use crate::{ParseOptions, Progress, scan_folder};

/// Whether the script of a draft may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaying {
    /// Somebody saw it and said yes.
    Allowed,
    /// Nobody was asked, or somebody said no.
    Refused,
}

/// What a test measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestReport {
    /// The hash of the draft that was tested.
    pub hash: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Whether no check failed.
    pub passed: bool,
    /// The checks, in order.
    pub checks: Vec<Check>,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    /// What was checked.
    pub name: CheckName,
    /// How it came out.
    pub verdict: CheckVerdict,
    /// What was seen.
    pub details: Vec<String>,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CheckName {
    /// It parses as a skill that every agent understands.
    Portable,
    /// The scanner finds nothing.
    Scan,
    /// Its script works in a copy of the workspace.
    Replay,
    /// Its own messages find it.
    Selection,
    /// It takes no message from another skill.
    Overlap,
}

impl CheckName {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Scan => "scan",
            Self::Replay => "replay",
            Self::Selection => "selection",
            Self::Overlap => "overlap",
        }
    }
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// Well.
    Passed,
    /// Not well.
    Failed,
    /// It does not apply.
    Skipped,
}

impl Check {
    pub(super) fn new(name: CheckName, verdict: CheckVerdict, details: Vec<String>) -> Self {
        Self { name, verdict, details }
    }

    fn judged(name: CheckName, is_fine: bool, details: Vec<String>) -> Self {
        Self::new(name, if is_fine { CheckVerdict::Passed } else { CheckVerdict::Failed }, details)
    }
}

impl Forge<'_> {
    /// Measures a draft among the skills of an agent, and keeps the result with it.
    ///
    /// Its script runs only if that is allowed; a script that could have run and did not is a check that failed.
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
        let (before, after) = measured.quality();
        let mut selection = vec![format!(
            "{} of {} messages find it first, {} of {} others load it; right before {before:.2}, now {after:.2}",
            measured.first,
            measured.should,
            measured.false_loads.len(),
            measured.should_not
        )];
        selection.extend(measured.missed.iter().map(|message| format!("does not find it: {message}")));
        selection.extend(measured.false_loads.iter().map(|message| format!("loads it: {message}")));
        let mut overlap = vec![format!("{} messages of other skills were tried", measured.tried)];
        let stolen = measured.stolen.iter();
        overlap.extend(stolen.map(|one| format!("taken from `{}`: {}", one.skill, one.message)));
        let checks = vec![
            portable(&draft),
            scan(&folder),
            self.replay(&draft, &view.inventory().workspace, replaying),
            Check::judged(CheckName::Selection, after > before, selection),
            Check::judged(CheckName::Overlap, measured.stolen.is_empty(), overlap),
        ];
        let passed = checks.iter().all(|check| check.verdict != CheckVerdict::Failed);
        let report = TestReport { hash: draft.hash.clone(), at: now, passed, checks };

        let _lock = self.lock()?;
        let mut record = self.find(&draft.record.name)?;
        record.test = Some(report.clone());
        record.happened(now, if passed { "passed its test" } else { "did not pass its test" });
        self.store_record(&record)?;
        Ok(report)
    }

    fn replay(&self, draft: &StoredDraft, workspace: &Path, replaying: Replaying) -> Check {
        let skipped = |why: String| Check::new(CheckName::Replay, CheckVerdict::Skipped, vec![why]);
        let (Some(script), Some(path)) = (draft.script(), &draft.record.script) else {
            return skipped("there is no script".to_owned());
        };
        match &draft.record.replay {
            Replay::None => return skipped("there is no script".to_owned()),
            Replay::OnPhone => return skipped("it needs the phone".to_owned()),
            Replay::Partial { left_out } => {
                let steps: Vec<String> = left_out.iter().map(ToString::to_string).collect();
                return skipped(format!("the script cannot repeat the steps {}", steps.join(", ")));
            }
            Replay::Whole => {}
        }
        if let [first, ..] = draft.record.needs.env.as_slice() {
            return skipped(format!("it needs the variable `{first}`, and replays get none of yours"));
        }
        self.replay_script(draft, path, script, workspace, replaying)
    }

    #[cfg(not(feature = "run"))]
    fn replay_script(&self, _: &StoredDraft, _: &str, _: &str, _: &Path, _: Replaying) -> Check {
        let why = "this program was built without the feature `run`".to_owned();
        Check::new(CheckName::Replay, CheckVerdict::Skipped, vec![why])
    }
}

fn portable(draft: &StoredDraft) -> Check {
    let name = &draft.record.name;
    let bytes = draft.skill_md().as_bytes();
    match draft.record.layout {
        Layout::Folder => {
            let options = ParseOptions { dialect: Dialect::Prowess, spec_mode: SpecMode::default() };
            let skill = prowess_skill::parse(&Input::folder(bytes, name), &options);
            let mut details = vec![format!("{:?}", skill.level).to_lowercase()];
            details.extend(skill.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()));
            Check::judged(CheckName::Portable, skill.level == Level::Portable, details)
        }
        layout => {
            let is_strict = layout == Layout::StrictFolder;
            let file = if is_strict { "SKILL.md".to_owned() } else { format!("{name}.md") };
            let issues = prowess_skill::validate_openpocket(bytes, name, &file, is_strict);
            let details = issues.iter().map(|issue| issue.message.to_owned()).collect();
            Check::judged(CheckName::Portable, issues.is_empty(), details)
        }
    }
}

fn scan(folder: &Path) -> Check {
    let report = scan_folder(folder, &ParseOptions::default()).report;
    let mut details = vec![report.verdict.to_string()];
    details.extend(report.at_least(Severity::Warn).map(crate::scan::told));
    Check::judged(CheckName::Scan, report.verdict == Verdict::Clean, details)
}
