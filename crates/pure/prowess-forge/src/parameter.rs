//! What a skill must be told each time: the parts of a trace that belong to one task only.

use serde::{Deserialize, Serialize};

use crate::quote::literal;

/// Something that has to be set before the script runs. Its value is not known here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    /// The name of the variable.
    pub name: String,
    /// Its kind.
    pub kind: ParameterKind,
}

/// What a parameter is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ParameterKind {
    /// A file or folder.
    File,
    /// An address on the web.
    Url,
    /// An address of a person.
    Address,
    /// A date or time.
    Date,
    /// A number.
    Number,
    /// Anything else.
    Text,
}

impl ParameterKind {
    /// What a value looks like.
    ///
    /// ```
    /// use prowess_forge::ParameterKind;
    /// assert_eq!(ParameterKind::of("out/report.pdf"), ParameterKind::File);
    /// assert_eq!(ParameterKind::of("2026-03-14"), ParameterKind::Date);
    /// ```
    pub fn of(value: &str) -> Self {
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        let is_numeric = |extra: &[u8]| {
            digits > 0 && value.bytes().all(|byte| byte.is_ascii_digit() || extra.contains(&byte))
        };
        if value.contains("://") {
            Self::Url
        } else if value.contains('@') && value.contains('.') && !value.contains([' ', '/']) {
            Self::Address
        } else if is_numeric(b".,") {
            Self::Number
        } else if is_numeric(b"-/.:TZ+ ") {
            Self::Date
        } else if !value.contains([' ', '\n']) && (value.contains('/') || has_ending(value)) {
            Self::File
        } else {
            Self::Text
        }
    }

    /// Its name for people.
    pub fn told(self) -> &'static str {
        match self {
            Self::File => "a file or folder",
            Self::Url => "a web address",
            Self::Address => "an address",
            Self::Date => "a date or time",
            Self::Number => "a number",
            Self::Text => "a text",
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Self::File => "FILE",
            Self::Url => "URL",
            Self::Address => "ADDRESS",
            Self::Date => "DATE",
            Self::Number => "NUMBER",
            Self::Text => "TEXT",
        }
    }
}

/// Returns true if a word ends like the name of a file.
fn has_ending(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(_, ending)| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// The values of a trace, each with the variable that stands for it. Equal values share one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    values: Vec<(Parameter, String)>,
    /// True if words are written out instead of the variables that stand for them.
    is_expanded: bool,
}

impl Values {
    /// Values that are written out where they are used.
    pub(crate) fn expanded() -> Self {
        Self { values: Vec::new(), is_expanded: true }
    }

    /// A value as a word of the script: the variable that stands for it, or the value itself with safe quoting.
    pub(crate) fn word(&mut self, value: &str) -> String {
        let name = self.name(value);
        if self.is_expanded { literal(value) } else { format!("\"${name}\"") }
    }

    /// The variables with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(parameter, value)| (parameter.name.as_str(), value.as_str()))
    }

    /// The variables alone.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.values.iter().map(|(parameter, _)| parameter.clone()).collect()
    }

    /// The variable that stands for a value.
    pub(crate) fn name(&mut self, value: &str) -> String {
        let value = value.replace('\0', "");
        if let Some((known, _)) = self.values.iter().find(|(_, known)| *known == value) {
            return known.name.clone();
        }
        let kind = ParameterKind::of(&value);
        let number = self.values.iter().filter(|(known, _)| known.kind == kind).count() + 1;
        let name = format!("{}_{number}", kind.prefix());
        self.values.push((Parameter { name: name.clone(), kind }, value));
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_looks() {
        for (value, expected) in [
            ("https://x.example/a", ParameterKind::Url),
            ("ada@example.org", ParameterKind::Address),
            ("1234", ParameterKind::Number),
            ("3.5", ParameterKind::Number),
            ("14:30", ParameterKind::Date),
            ("2026-03-14T10:00Z", ParameterKind::Date),
            ("/home/ada/x", ParameterKind::File),
            ("notes.txt", ParameterKind::File),
            ("two words/x", ParameterKind::Text),
            ("", ParameterKind::Text),
        ] {
            assert_eq!(ParameterKind::of(value), expected, "{value}");
        }
    }

    #[test]
    fn equal_values_share_a_name() {
        let mut values = Values::default();
        assert_eq!(values.name("a.txt"), "FILE_1");
        assert_eq!(values.name("hello"), "TEXT_1");
        assert_eq!(values.name("b.txt"), "FILE_2");
        assert_eq!(values.name("a.txt"), "FILE_1");
        assert_eq!(values.parameters().len(), 3);
    }
}
