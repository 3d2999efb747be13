//! `draft.json`: where a draft comes from, what was measured, what happened to it.

use prowess_forge::{Confidence, Draft, MaterialLayout, Needs, Parameter, Replay};
use serde::{Deserialize, Serialize};

use super::report::TestReport;

/// The format of `draft.json`.
const FORMAT: u32 = 1;
/// Runs and events that are kept, the last ones.
const KEPT: usize = 100;

/// What is known about a draft. Nothing in it belongs to one task only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftRecord {
    /// The format of this record.
    pub format: u32,
    /// The name of the draft and of the skill that it may become.
    pub name: String,
    /// What was done, in twelve digits.
    pub fingerprint: String,
    /// Where it stands.
    pub status: DraftStatus,
    /// How often the same was done.
    pub count: u64,
    /// What kind of task it was.
    pub words: Vec<String>,
    /// How sure one can be that it is a procedure.
    pub confidence: Confidence,
    /// How it lies on disk.
    pub layout: MaterialLayout,
    /// How much of the steps the script repeats.
    #[serde(flatten)]
    pub replay: Replay,
    /// Where the script is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// What has to be set for the script.
    pub parameters: Vec<Parameter>,
    /// What the steps used.
    pub needs: Needs,
    /// Whether a step touched private data without a person being asked.
    pub has_data_risk: bool,
    /// The runs it was made of, the last one last.
    pub sessions: Vec<SourceRun>,
    /// What the last test measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<TestReport>,
    /// The versions that were promoted, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Version>,
    /// The version that is in use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<u32>,
    /// True if the files are a new version of the skill in use, made of a better run, which waits for its test and a yes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proposed: bool,
    /// What happened, the last thing last.
    pub history: Vec<Happened>,
}

/// Where a draft stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DraftStatus {
    /// It waits.
    Waiting,
    /// It is a skill.
    Promoted,
    /// A person does not want it.
    Rejected,
    /// It was a skill and was taken back.
    RolledBack,
    /// It was a skill that nobody used.
    Retired,
}

impl DraftStatus {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Promoted => "promoted",
            Self::Rejected => "rejected",
            Self::RolledBack => "rolled back",
            Self::Retired => "retired",
        }
    }
}

/// A run that a draft was made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SourceRun {
    /// The session.
    pub session: String,
    /// The run within it.
    pub run: String,
    /// When the draft was made, in milliseconds since 1970.
    pub at: u64,
}

/// A version that was promoted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Its number, from 1.
    pub number: u32,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Who said yes: `person` or `policy`.
    pub by: String,
    /// The hash of the draft that it was made of.
    pub hash: String,
    /// The folder that its files are relative to.
    pub root: std::path::PathBuf,
    /// Its files.
    pub files: Vec<String>,
    /// Older files that it took the place of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<String>,
}

/// Something that happened to a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Happened {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What.
    pub what: String,
}

impl DraftRecord {
    /// A new one.
    pub(super) fn new(draft: &Draft) -> Self {
        let mut record = Self {
            format: FORMAT,
            name: draft.name.clone(),
            fingerprint: draft.fingerprint.clone(),
            status: DraftStatus::Waiting,
            count: 0,
            words: Vec::new(),
            confidence: draft.confidence,
            layout: draft.layout,
            replay: Replay::None,
            script: None,
            parameters: Vec::new(),
            needs: Needs::default(),
            has_data_risk: false,
            sessions: Vec::new(),
            test: None,
            versions: Vec::new(),
            current: None,
            proposed: false,
            history: Vec::new(),
        };
        record.renew(draft);
        record
    }

    /// Takes over what a newer run of the same task says.
    pub(super) fn renew(&mut self, draft: &Draft) {
        self.fingerprint.clone_from(&draft.fingerprint);
        self.words.clone_from(&draft.words);
        self.confidence = draft.confidence;
        self.replay = draft.replay.clone();
        self.script = draft.script.is_some().then(|| draft.script_path());
        self.parameters.clone_from(&draft.parameters);
        self.needs = draft.needs.clone();
        self.has_data_risk = draft.has_data_risk;
        self.status = DraftStatus::Waiting;
    }

    /// Counts a run.
    pub(super) fn count(&mut self, run: SourceRun) {
        self.count += 1;
        let at = run.at;
        self.sessions.push(run);
        keep_last(&mut self.sessions);
        self.happened(at, format!("drafted, {} so far", self.count));
    }

    pub(super) fn happened(&mut self, at: u64, what: impl Into<String>) {
        self.history.push(Happened { at, what: what.into() });
        keep_last(&mut self.history);
    }

    /// The version that is in use.
    pub fn current_version(&self) -> Option<&Version> {
        let number = self.current?;
        self.versions.iter().find(|version| version.number == number)
    }

    /// Returns true if the run is one of those it was made of.
    pub(super) fn is_made_of(&self, session: &str, run: &str) -> bool {
        self.sessions.iter().any(|known| known.session == session && known.run == run)
    }
}

fn keep_last<T>(list: &mut Vec<T>) {
    let extra = list.len().saturating_sub(KEPT);
    list.drain(..extra);
}
