//! The result of a test: its checks, and where it stands as a whole.

use serde::{Deserialize, Serialize};

/// The detail of a replay without consent.
pub(super) const NEEDS_YES: &str = "the script was not run: it needs your yes";

/// What a test measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TestReport {
    /// The hash of the draft that was tested.
    pub hash: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Whether it passed: no check failed, and none waits for a yes.
    pub passed: bool,
    /// Where it stands.
    #[serde(default)]
    pub state: TestState,
    /// The checks, in order.
    pub checks: Vec<DraftCheck>,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Check")]
pub struct DraftCheck {
    /// What was checked.
    pub name: CheckName,
    /// How it came out.
    pub verdict: CheckVerdict,
    /// What was seen.
    pub details: Vec<String>,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// Well.
    Passed,
    /// Not well.
    Failed,
    /// It does not apply.
    Skipped,
    /// It needs a yes, and was not run.
    #[serde(rename = "not-run")]
    NotRun,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TestState {
    /// No check failed, and none waits for a yes.
    Passed,
    /// A check failed.
    #[default]
    Failed,
    /// No check failed, but one was not run because it needs a yes.
    Incomplete,
}

impl TestState {
    /// The state of a test with these checks.
    fn of(checks: &[DraftCheck]) -> Self {
        let has = |verdict| checks.iter().any(|check| check.verdict == verdict);
        if has(CheckVerdict::Failed) {
            Self::Failed
        } else if has(CheckVerdict::NotRun) {
            Self::Incomplete
        } else {
            Self::Passed
        }
    }

    /// Its words for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Incomplete => "incomplete: needs your yes",
        }
    }
}

impl TestReport {
    pub(super) fn new(hash: String, at: u64, checks: Vec<DraftCheck>) -> Self {
        let state = TestState::of(&checks);
        Self { hash, at, passed: state == TestState::Passed, state, checks }
    }

    /// A report as it was stored. Version 0.1 called a script that was not run a failure.
    pub(super) fn revised(mut self) -> Self {
        for check in &mut self.checks {
            let was_asked = check.details.iter().any(|detail| detail == NEEDS_YES);
            if check.name == CheckName::Replay && check.verdict == CheckVerdict::Failed && was_asked {
                check.verdict = CheckVerdict::NotRun;
            }
        }
        Self::new(self.hash, self.at, self.checks)
    }
}

impl DraftCheck {
    pub(super) fn new(name: CheckName, verdict: CheckVerdict, details: Vec<String>) -> Self {
        Self { name, verdict, details }
    }

    pub(super) fn judged(name: CheckName, is_fine: bool, details: Vec<String>) -> Self {
        Self::new(name, if is_fine { CheckVerdict::Passed } else { CheckVerdict::Failed }, details)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(verdicts: &[CheckVerdict]) -> TestReport {
        let check = |verdict: &CheckVerdict| DraftCheck::new(CheckName::Replay, *verdict, Vec::new());
        TestReport::new(String::new(), 0, verdicts.iter().map(check).collect())
    }

    #[test]
    fn what_was_not_run_is_incomplete_and_never_failed() {
        use CheckVerdict::{Failed, NotRun, Passed, Skipped};
        assert_eq!(report(&[Passed, Skipped]).state, TestState::Passed);
        assert_eq!(report(&[Passed, NotRun]).state, TestState::Incomplete);
        assert!(!report(&[Passed, NotRun]).passed);
        assert_eq!(report(&[Failed, NotRun]).state, TestState::Failed);
    }

    #[test]
    fn reports_of_version_0_1_are_read_as_what_they_were() {
        let old = serde_json::json!({"hash": "x", "at": 1, "passed": false, "checks": [
            {"name": "scan", "verdict": "passed", "details": ["clean"]},
            {"name": "replay", "verdict": "failed", "details": [NEEDS_YES]},
        ]});
        let report: TestReport = serde_json::from_value(old).unwrap();
        let report = report.revised();
        assert_eq!((report.passed, report.state), (false, TestState::Incomplete));
        assert_eq!(report.checks[1].verdict, CheckVerdict::NotRun);
    }
}
