//! The plan of an install: its effects, before they happen.

use std::path::PathBuf;

use prowess_install::{Edits, Folder, LockEntry, MergeReport, Provenance};
use prowess_types::Bundle;
use serde::{Serialize, Serializer};

use super::Review;
use crate::policy::PolicyDecision;

/// What would happen to one skill. It holds the files it speaks of: applying it does just this.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// What is done.
    pub action: Action,
    /// The skill's name. An answer has it once, with where the skill comes from.
    #[serde(skip)]
    pub name: String,
    /// Its folder below the folder of skills.
    #[schemars(with = "String")]
    #[serde(serialize_with = "as_text")]
    pub folder: Folder,
    /// Where that is.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub path: PathBuf,
    /// Where it comes from.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The hash of its files.
    pub hash: String,
    /// Its files.
    pub files: Vec<PlannedFile>,
    /// What is installed now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<Previous>,
    /// What an update does to the files that are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge: Option<MergeReport>,
    /// What was found out about it.
    pub review: Review,
    #[serde(skip)]
    pub(super) bundle: Bundle,
    #[serde(skip)]
    pub(super) before: Option<LockEntry>,
}

/// What is done with a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// It is installed where nothing was.
    Install,
    /// It takes the place of a folder; what was edited, or not installed from here, is kept in the trash.
    Replace,
    /// It is put back exactly as the lock names it.
    Restore,
    /// It is brought to another state.
    #[schemars(with = "String")]
    #[serde(serialize_with = "update_as_word")]
    Update(Edits),
}

/// A file on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedFile {
    /// Its path.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it can be run.
    pub executable: bool,
}

/// What was there before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Previous {
    /// Where it came from.
    pub source: String,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// What the scanner said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<prowess_types::StoredVerdict>,
}

/// The extent of the consent to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallConsent {
    /// To a plan without warnings.
    Given,
    /// In spite of warnings.
    DespiteWarnings,
}

impl Plan {
    /// The consent that is needed; none is enough for what is refused.
    pub fn needs(&self) -> Option<InstallConsent> {
        match self.review.decision {
            PolicyDecision::Allow => Some(InstallConsent::Given),
            PolicyDecision::Warn => Some(InstallConsent::DespiteWarnings),
            PolicyDecision::Block => None,
        }
    }

    /// The text of its `SKILL.md`.
    pub fn skill_text(&self) -> Option<&str> {
        let file = self.bundle.files.iter().find(|file| file.path.eq_ignore_ascii_case("SKILL.md"))?;
        std::str::from_utf8(&file.bytes).ok()
    }

    pub(super) fn files(bundle: &Bundle) -> Vec<PlannedFile> {
        let file = |file: &prowess_types::BundleFile| PlannedFile {
            path: file.path.clone(),
            size: file.bytes.len() as u64,
            executable: file.executable,
        };
        bundle.files.iter().map(file).collect()
    }
}

impl From<&LockEntry> for Previous {
    fn from(entry: &LockEntry) -> Self {
        let from = &entry.provenance;
        Self {
            source: from.source.clone(),
            version: from.version.clone(),
            commit: from.commit.clone(),
            verdict: from.scan.as_ref().map(|scan| scan.verdict.clone()),
        }
    }
}

fn as_text<S: Serializer>(folder: &Folder, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(folder.as_str())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn update_as_word<S: Serializer>(edits: &Edits, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match edits {
        Edits::Refuse => "refuse",
        Edits::Merge => "merge",
        Edits::MergeWithMarkers => "mergeWithMarkers",
        Edits::Overwrite => "overwrite",
    })
}
