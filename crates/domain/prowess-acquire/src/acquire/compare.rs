//! The differences of an installed skill from what came, and from what would come.

use prowess_install::{FileDiff, Installed, MergeConflict, diff, local_files, original_files, plan_update};
use prowess_types::Bundle;
use serde::Serialize;

use super::install::folder_of;
use super::source::{Got, Progress, Wanted, Which};
use super::{Acquire, AcquireError};

/// The two sides of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiffSides {
    /// The installed files and those after an update.
    #[default]
    Update,
    /// The files that came and the installed ones.
    Local,
}

/// How two states of a skill differ.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The skill's folder below the folder of skills.
    pub folder: String,
    /// The version that is here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The version or commit it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The files that differ.
    pub files: Vec<FileDiff>,
    /// Where both sides changed the same; a diff shows what stands in the files then.
    pub conflicts: Vec<MergeConflict>,
    /// Why local edits cannot be kept; the diff shows what would come then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmergeable: Option<String>,
}

impl Acquire<'_> {
    /// Compares an installed skill, by its name, with what its source has; or, by a reference, with what that has.
    pub fn diff(
        &self,
        text: &str,
        version: Option<&str>,
        sides: DiffSides,
        progress: Progress<'_>,
    ) -> Result<Comparison, AcquireError> {
        self.recover()?;
        let installed = match self.one(text) {
            Ok(installed) => installed,
            Err(AcquireError::NotInstalled { .. }) if sides == DiffSides::Update => {
                return self.diff_with_reference(text, version, progress);
            }
            Err(error) => return Err(error),
        };
        if sides == DiffSides::Local {
            let (home, folder) = (&self.target.home, &installed.folder);
            let files = diff(&original_files(home, folder)?, &self.local(&installed)?);
            return Ok(Comparison::new(&installed, installed.entry.provenance.version.clone(), files));
        }
        let which = version.map_or(Which::Newest, Which::Named);
        let wanted = self.locked_source(installed.folder.as_str(), &installed.entry, which)?;
        let got = self.fetch(&wanted, progress)?;
        self.diff_with(&installed, &got)
    }

    /// Compares the skill that a reference would install with the one that is there.
    fn diff_with_reference(
        &self,
        text: &str,
        version: Option<&str>,
        progress: Progress<'_>,
    ) -> Result<Comparison, AcquireError> {
        let reference = self.reference(text, version)?;
        if let Some(folder) = folder_of(&reference)? {
            self.one(folder.as_str())?;
        }
        let got = self.fetch(&Wanted { reference, registry: None, is_typed: true }, progress)?;
        let folder = self.folder_for(&got)?;
        self.diff_with(&self.one(folder.as_str())?, &got)
    }

    fn diff_with(&self, installed: &Installed, got: &Got) -> Result<Comparison, AcquireError> {
        let fetched = &got.fetched;
        let plan = plan_update(&self.target.home, &installed.folder, &fetched.bundle)?;
        let (after, conflicts, unmergeable) = match plan.merged {
            Ok(merged) => (merged.bundle, merged.report.conflicts, None),
            Err(reason) => (fetched.bundle.clone(), Vec::new(), Some(reason)),
        };
        let to = fetched.resolved.version.clone().or_else(|| fetched.resolved.commit.clone());
        let files = diff(&self.local(installed)?, &after);
        Ok(Comparison { conflicts, unmergeable, ..Comparison::new(installed, to, files) })
    }

    /// The files that are there; none if the folder is gone.
    fn local(&self, installed: &Installed) -> Result<Bundle, AcquireError> {
        if !prowess_fs::is_taken(&installed.path) {
            return Ok(Bundle::default());
        }
        Ok(local_files(&self.target.home, &installed.folder)?)
    }
}

impl Comparison {
    fn new(installed: &Installed, to: Option<String>, files: Vec<FileDiff>) -> Self {
        let from = &installed.entry.provenance;
        Self {
            folder: installed.folder.to_string(),
            from: from.version.clone().or_else(|| from.commit.clone()),
            to,
            files,
            conflicts: Vec::new(),
            unmergeable: None,
        }
    }
}
