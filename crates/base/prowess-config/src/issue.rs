//! Problems in a config file. A problem never stops the reading; the caller decides.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// One problem in a config file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConfigIssue {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from one.
    pub line: Option<usize>,
    /// The column, counted in characters from one.
    pub column: Option<usize>,
    /// The key, where the problem has one.
    pub key: Option<String>,
    /// The kind of the problem.
    pub kind: IssueKind,
    /// What is wrong, in one sentence without a final period.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}

/// The kind of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IssueKind {
    /// The file is not a JSON5 object, so nothing of it is used.
    Unreadable,
    /// A known key has a value of the wrong type, so its default is used.
    WrongType,
    /// A key that nobody knows; it is kept.
    UnknownKey,
    /// A key that the engine which shares the file would refuse; it is used all the same.
    Foreign,
    /// A key that a project's file may not set; it is not used.
    Ignored,
}

impl ConfigIssue {
    /// Returns true if the file could not be read at all.
    pub fn is_fatal(&self) -> bool {
        self.kind == IssueKind::Unreadable
    }
}

impl fmt::Display for ConfigIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}
