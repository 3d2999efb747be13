//! One file of settings: read, checked, and able to say where each value is written.

use std::fmt;
use std::path::{Path, PathBuf};

use prowess_json5::Json5Document;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::issue::{ConfigIssue, IssueKind};
use crate::keypath::display;
use crate::validate::{self, Problem};
use crate::{spelling, value};

/// The keys below `skills` that a project's file may set.
pub(crate) const PROJECT_KEYS: [&str; 2] = ["modes", "bundles"];

/// Which layer a value comes from; later ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// Nobody set it.
    Default,
    /// The user's config file.
    User,
    /// The config file of the workspace.
    Project,
}

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct OriginOfValue {
    /// The layer.
    pub layer: Layer,
    /// The file, for layers that are files.
    pub file: Option<PathBuf>,
    /// The line in it, counted from one.
    pub line: Option<usize>,
}

impl fmt::Display for OriginOfValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layer = match self.layer {
            Layer::Default => "default",
            Layer::User => "user config",
            Layer::Project => "project config",
        };
        f.write_str(layer)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, ", {}:{line}", file.display()),
            (Some(file), None) => write!(f, ", {}", file.display()),
            (None, _) => Ok(()),
        }
    }
}

/// A file and what it says.
#[derive(Clone)]
pub(crate) struct Layered {
    pub(crate) file: PathBuf,
    document: Option<Json5Document>,
    /// What is valid in it, in the canonical spelling.
    pub(crate) value: Value,
}

impl Layered {
    pub(crate) fn read(text: Option<&str>, file: &Path) -> (Self, Vec<ConfigIssue>) {
        let mut layer = Self { file: file.into(), document: None, value: Value::Object(Map::new()) };
        let document = match Json5Document::parse_or_empty(text.unwrap_or_default()) {
            Ok(document) => document,
            Err(error) => {
                let issue = ConfigIssue {
                    file: file.into(),
                    line: Some(error.line),
                    column: Some(error.column),
                    key: None,
                    kind: IssueKind::Unreadable,
                    message: error.message,
                    help: None,
                };
                return (layer, vec![issue]);
            }
        };
        let mut value = document.value();
        let problems = validate::problems(&[], &value);
        layer.document = Some(document);
        // From the end, so that the indices of list elements stay right.
        for wrong in problems.iter().rev().filter(|problem| problem.kind == IssueKind::WrongType) {
            value::take(&mut value, &wrong.path);
        }
        let issues = problems.into_iter().map(|problem| layer.issue(problem)).collect();
        if !value.is_object() {
            value = Value::Object(Map::new());
        }
        spelling::canonicalize(&mut value);
        layer.value = value;
        (layer, issues)
    }

    /// Drops what a project may not set, and says so.
    pub(crate) fn keep_project_keys(&mut self) -> Vec<ConfigIssue> {
        let mut kept = Value::Object(Map::new());
        for name in PROJECT_KEYS {
            if let Some(member) = value::take(&mut self.value, &["skills", name]) {
                value::put(&mut kept, &["skills", name], member);
            }
        }
        let rest = std::mem::replace(&mut self.value, kept);
        let ignored = leaves_of_project(&rest).into_iter().map(|path| {
            let message = format!("`{}` is ignored in a project's config", display(&path));
            let help = Some("only `skills.modes` and `skills.bundles` count here".into());
            self.issue(Problem { path, kind: IssueKind::Ignored, message, help })
        });
        ignored.collect()
    }

    fn issue(&self, problem: Problem) -> ConfigIssue {
        let position = self.document.as_ref().and_then(|document| {
            let path = strs(&problem.path);
            let span = document.key_span_of(&path).or_else(|| document.span_of(&path))?;
            Some(document.position_of(span.start))
        });
        let (kind, help) = match problem.kind {
            IssueKind::WrongType if problem.path.is_empty() => (IssueKind::Unreadable, None),
            IssueKind::WrongType => (IssueKind::WrongType, Some("this value is not used".into())),
            kind => (kind, problem.help),
        };
        ConfigIssue {
            file: self.file.clone(),
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            key: Some(display(&problem.path)).filter(|key| !key.is_empty()),
            kind,
            message: problem.message,
            help,
        }
    }

    pub(crate) fn origin(&self, layer: Layer, path: &[String]) -> Option<OriginOfValue> {
        value::at(&self.value, path)?;
        let line = self.document.as_ref().and_then(|document| {
            let spelled = spelling::in_file(&document.value(), &strs(path));
            let span = document.key_span_of(&strs(&spelled)).or_else(|| document.span_of(&strs(&spelled)))?;
            Some(document.position_of(span.start).line)
        });
        Some(OriginOfValue { layer, file: Some(self.file.clone()), line })
    }
}

/// The keys to name when a project sets what it may not: whole sections, but `skills` key by key.
fn leaves_of_project(rest: &Value) -> Vec<Vec<String>> {
    let path = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let mut found = Vec::new();
    for (section, _) in value::members(rest, &[]) {
        if section == "skills" {
            found.extend(value::members(rest, &["skills"]).map(|(name, _)| path(&["skills", name])));
        } else {
            found.push(path(&[section]));
        }
    }
    found
}

pub(crate) fn strs(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// Values may be secrets, so only the file is shown.
impl fmt::Debug for Layered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layered").field("file", &self.file).finish_non_exhaustive()
    }
}
