//! One place where a check failed, or something worth knowing.

use std::path::Path;

use prowess_types::Severity;
use serde::Serialize;

use super::fix::Fix;
use super::group_of;
use super::table::DoctorCheck;

/// One thing that was found.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Finding")]
pub struct DoctorFinding {
    /// Stable id, such as `path/relative`.
    pub id: &'static str,
    /// The first part of the id.
    pub check: &'static str,
    /// How bad it is; a note is only worth knowing.
    pub severity: Severity,
    /// The file, the key or the name it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// What was found. Never a secret.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Whether it can be mended from here.
    pub fixable: bool,
    /// Whether it was mended just now.
    pub fixed: bool,
    /// What mending would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(super) fix: Option<Fix>,
}

impl DoctorFinding {
    pub(super) fn new(check: &'static DoctorCheck, message: impl Into<String>) -> Self {
        Self {
            id: check.id,
            check: group_of(check.id),
            severity: check.severity,
            subject: None,
            message: message.into(),
            help: (!check.remedy.is_empty()).then(|| check.remedy.to_owned()),
            fixable: false,
            fixed: false,
            fix: None,
        }
    }

    /// Sets its subject.
    pub(super) fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// The file or folder it is about.
    pub(super) fn at(self, path: &Path) -> Self {
        self.about(path.display().to_string())
    }

    /// Sets the help for this very one.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets its fix.
    pub(super) fn mended_by(mut self, fix: Fix) -> Self {
        self.fixable = true;
        self.fix = Some(fix);
        self
    }

    /// Returns the effect of its fix; none if it cannot be fixed from here.
    pub fn remedy(&self) -> Option<String> {
        self.fix.as_ref().map(ToString::to_string)
    }

    /// Returns true if another finding is about the same thing.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.id, &self.subject) == (other.id, &other.subject)
    }
}
