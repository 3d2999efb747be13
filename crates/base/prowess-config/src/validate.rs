//! A value against the table of known keys.
//!
//! Nothing is refused as a whole: what is wrong is named, with its path, and the rest stands.

use serde_json::Value;

use crate::issue::IssueKind;
use crate::keypath::display;
use crate::kind::{self, Kind};
use crate::lookup::{self, Spot};
use crate::openclaw_keys;
use crate::schema::Key;

/// The problem with the value at a path.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) path: Vec<String>,
    pub(crate) kind: IssueKind,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// Everything that is wrong below a path.
pub(crate) fn problems(path: &[&str], value: &Value) -> Vec<Problem> {
    let mut walk = Walk { path: path.iter().map(|&segment| segment.into()).collect(), found: Vec::new() };
    walk.visit(value);
    walk.found
}

struct Walk {
    path: Vec<String>,
    found: Vec<Problem>,
}

impl Walk {
    fn visit(&mut self, value: &Value) {
        match lookup::find(&self.segments()) {
            Spot::Key(key) => self.key(key, value),
            Spot::Section => self.object(value, /*open*/ self.is_section_of_openclaw()),
            Spot::Unknown if openclaw_keys::knows(&self.segments()) => self.theirs(value),
            Spot::Unknown => self.unknown(),
        }
    }

    fn key(&mut self, key: &'static Key, value: &Value) {
        if !key.in_openclaw {
            self.report(
                IssueKind::Foreign,
                format!("OpenClaw does not know `{}` and refuses a file with it", self.shown()),
                None,
            );
        }
        if !key.kind.accepts(value) {
            return self.wrong_type(key.kind, value);
        }
        if let Some(part) = key.kind.foreign_part(value) {
            self.report(
                IssueKind::Foreign,
                format!("OpenClaw does not take {part} in `{}` and refuses a file with it", self.shown()),
                None,
            );
        }
        match key.kind {
            Kind::Open => self.object(value, /*open*/ true),
            Kind::Texts => self.elements(value, |walk, element| {
                if !element.is_string() {
                    walk.wrong_type(Kind::Text, element);
                }
            }),
            Kind::ListOf(_) => self.elements(value, Self::visit),
            Kind::Opaque if key.doc.is_empty() && openclaw_keys::knows(&self.segments()) => {
                self.theirs(value);
            }
            _ => {}
        }
    }

    fn object(&mut self, value: &Value, open: bool) {
        let Value::Object(members) = value else {
            return self.wrong_type(Kind::Open, value);
        };
        for (name, member) in members {
            self.path.push(name.clone());
            let is_silent = open
                && matches!(lookup::find(&self.segments()), Spot::Unknown)
                && !openclaw_keys::knows(&self.segments())
                && self.suggestion().is_none();
            if !is_silent {
                self.visit(member);
            }
            self.path.pop();
        }
    }

    fn elements(&mut self, value: &Value, mut visit: impl FnMut(&mut Self, &Value)) {
        for (index, element) in value.as_array().into_iter().flatten().enumerate() {
            self.path.push(index.to_string());
            visit(self, element);
            self.path.pop();
        }
    }

    fn unknown(&mut self) {
        let help = self.suggestion().map(|name| format!("did you mean `{name}`?"));
        self.report(IssueKind::UnknownKey, format!("unknown key `{}`", self.shown()), help);
    }

    /// A value that only OpenClaw understands: its types are not ours to check, and of its keys only slips are reported.
    fn theirs(&mut self, value: &Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    self.path.push(name.clone());
                    if openclaw_keys::knows(&self.segments()) {
                        self.theirs(member);
                    } else if openclaw_keys::suggestion(&self.segments()).is_some() {
                        self.unknown();
                    }
                    self.path.pop();
                }
            }
            Value::Array(_) => self.elements(value, Self::theirs),
            _ => {}
        }
    }

    /// Returns true for a section in which other versions of OpenClaw have other keys. Those of `skills` are all ours to know.
    fn is_section_of_openclaw(&self) -> bool {
        self.path.first().is_some_and(|first| first != "skills") && openclaw_keys::knows(&self.segments())
    }

    fn suggestion(&self) -> Option<String> {
        lookup::suggestion(&self.segments()).or_else(|| openclaw_keys::suggestion(&self.segments()))
    }

    fn wrong_type(&mut self, expected: Kind, value: &Value) {
        let subject = if self.path.is_empty() { "the config".into() } else { format!("`{}`", self.shown()) };
        // A value is shown where it cannot be a secret.
        let found = match (expected, value) {
            (Kind::Choice(_), Value::String(word)) => format!("`{word}`"),
            (Kind::Count { .. }, Value::Number(number)) => number.to_string(),
            _ => kind::describe(value).into(),
        };
        let message = format!("{subject} must be {}, not {found}", expected.describe());
        self.report(IssueKind::WrongType, message, None);
    }

    fn report(&mut self, kind: IssueKind, message: String, help: Option<String>) {
        self.found.push(Problem { path: self.path.clone(), kind, message, help });
    }

    fn segments(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }

    fn shown(&self) -> String {
        display(&self.path)
    }
}
