//! The types of a draft.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::episode::Episode;
use crate::parameter::{Parameter, Values};
use crate::wording::Wording;
use crate::words::Filter;

/// How a skill lies on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Layout")]
pub enum MaterialLayout {
    /// A folder of its own, with script and trigger cases in it.
    #[default]
    Folder,
    /// OpenPocket's lone file in `skills/auto` (`mixed` and `legacy`).
    LoneFile,
    /// OpenPocket's folder in `skills/auto` (`strict`).
    StrictFolder,
}

/// How sure one can be that the steps are a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Few steps, or all of one kind.
    Low,
    /// At least four steps of two kinds.
    Medium,
}

impl Confidence {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
        }
    }
}

/// What the steps used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Needs {
    /// Programs.
    pub bins: Vec<String>,
    /// Variables, by name.
    pub env: Vec<String>,
    /// Settings, by key.
    pub config: Vec<String>,
}

/// How much of the work the script repeats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase", tag = "replay")]
pub enum Replay {
    /// There is no script.
    #[default]
    None,
    /// All of it.
    Whole,
    /// All but these steps.
    Partial {
        /// Their numbers.
        left_out: Vec<usize>,
    },
    /// It needs the phone.
    OnPhone,
}

/// Messages for `evals/triggers.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TriggerCases {
    /// They should find the skill.
    pub should: Vec<String>,
    /// They should not.
    pub should_not: Vec<String>,
}

/// A draft of a skill. Nothing in it belongs to one task only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The name of the skill.
    pub name: String,
    /// What was done, in twelve digits.
    pub fingerprint: String,
    /// How sure one can be.
    pub confidence: Confidence,
    /// What kind of task it was.
    pub words: Vec<String>,
    /// The task in general words; none if it has no word that may be said.
    pub wording: Option<Wording>,
    /// How it lies on disk.
    pub layout: MaterialLayout,
    /// The text of the skill.
    pub skill_md: String,
    /// The script that repeats the steps.
    pub script: Option<String>,
    /// How much of them it repeats.
    pub replay: Replay,
    /// What has to be set for it.
    pub parameters: Vec<Parameter>,
    /// What the steps used.
    pub needs: Needs,
    /// True if a step touched private data without a person being asked.
    pub has_data_risk: bool,
    /// Messages that should and should not find it.
    pub triggers: TriggerCases,
}

/// A draft, and beside it what was left out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forged {
    /// The draft.
    pub draft: Draft,
    /// The values of its parameters in the run it was made of. They may be anything, so they are never stored with it.
    pub values: Values,
    /// The script with these values written out in the place of the parameters, as a replay runs it.
    pub expanded: Option<String>,
}

/// The options of a draft.
#[derive(Clone, Copy)]
pub struct DraftOptions<'a> {
    /// The filter for texts of the session.
    pub filter: Filter<'a>,
    /// The layout on disk.
    pub layout: MaterialLayout,
    /// The time, in milliseconds since 1970.
    pub now: u64,
    /// The name, where one is given already.
    pub name: Option<&'a str>,
    /// Words of earlier runs with the same fingerprint.
    pub words: &'a [String],
    /// Messages of other sessions.
    pub others: &'a [String],
    /// The description; made by rules if none is given.
    pub description: Option<&'a str>,
    /// The task in general words, for a task that has none itself.
    pub wording: Option<&'a Wording>,
    /// The file of the session; its id stands for it if it is not known.
    pub session_file: Option<&'a str>,
}

/// What a text is put together from.
pub(crate) struct Material<'a> {
    pub(crate) draft: &'a Draft,
    pub(crate) episode: &'a Episode,
    pub(crate) actions: &'a [Action],
    pub(crate) options: &'a DraftOptions<'a>,
}
