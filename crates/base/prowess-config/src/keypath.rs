//! The path of a setting: `skills.entries["my.skill"].enabled`.
//!
//! Invariant: no path names the machinery of a JavaScript object, so no file that is written here can
//! harm the engines that share it.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

/// Names that mean an object's machinery rather than a setting.
const REFUSED: [&str; 3] = ["__proto__", "constructor", "prototype"];

/// The path of a value in the config. Elements of lists are counted from zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyPath(Vec<String>);

/// The reason a text is not the path of a setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyPathError {
    /// There is nothing, or nothing between two dots.
    #[error("`{0}` is not a key: a part of it is empty")]
    EmptyPart(String),
    /// A quote or a bracket has no partner.
    #[error("`{text}` is not a key: `{missing}` is missing")]
    Unclosed {
        /// The text.
        text: String,
        /// The missing character.
        missing: char,
    },
    /// Something follows a bracket that is neither a dot nor a bracket.
    #[error("`{text}` is not a key: expected `.` or `[` before `{found}`")]
    Unexpected {
        /// The text.
        text: String,
        /// The unexpected character.
        found: char,
    },
    /// A name that must not be set.
    #[error("`{0}` is not allowed in a key")]
    Refused(String),
}

impl prowess_types::Classify for KeyPathError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        prowess_types::ErrorClass::Is(prowess_types::ErrorKind::InvalidValue)
    }
}

impl KeyPath {
    /// A path of these names.
    pub fn new<S: Into<String>>(segments: impl IntoIterator<Item = S>) -> Result<Self, KeyPathError> {
        let segments: Vec<String> = segments.into_iter().map(Into::into).collect();
        match segments.iter().find(|segment| is_refused(segment)) {
            Some(refused) => Err(KeyPathError::Refused(refused.clone())),
            None if segments.is_empty() => Err(KeyPathError::EmptyPart(String::new())),
            None => Ok(Self(segments)),
        }
    }

    /// Reads a dotted path. A name with dots stands in quotes or in brackets with quotes.
    ///
    /// ```
    /// # use prowess_config::KeyPath;
    /// let path = KeyPath::parse("skills.entries['my.skill'].enabled")?;
    /// assert_eq!(path.segments(), ["skills", "entries", "my.skill", "enabled"]);
    /// assert_eq!(path.to_string(), r#"skills.entries["my.skill"].enabled"#);
    /// # Ok::<(), prowess_config::KeyPathError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, KeyPathError> {
        let mut segments = Vec::new();
        let mut rest = text;
        loop {
            let (segment, after) = if let Some(inner) = rest.strip_prefix('[') {
                let (segment, after) = part(text, inner, &[']'])?;
                let after = after.strip_prefix(']');
                (segment, after.ok_or_else(|| KeyPathError::Unclosed { text: text.into(), missing: ']' })?)
            } else {
                part(text, rest, &['.', '['])?
            };
            segments.push(segment);
            rest = match after.chars().next() {
                None => return Self::new(segments),
                Some('.') => &after[1..],
                Some('[') => after,
                Some(found) => return Err(KeyPathError::Unexpected { text: text.into(), found }),
            };
        }
    }

    /// The names, outermost first.
    pub fn segments(&self) -> &[String] {
        &self.0
    }

    /// The names as borrowed text.
    pub fn as_strs(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }
}

/// Reads one name, quoted or up to one of `ends`. Gives what follows it, too.
fn part<'a>(text: &str, rest: &'a str, ends: &[char]) -> Result<(String, &'a str), KeyPathError> {
    let Some(quote @ ('"' | '\'')) = rest.chars().next() else {
        let (name, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        if name.is_empty() {
            return Err(KeyPathError::EmptyPart(text.into()));
        }
        return Ok((name.into(), after));
    };
    let mut name = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => name.extend(characters.next().map(|(_, escaped)| escaped)),
            other if other == quote => return Ok((name, &rest[at + 1..])),
            other => name.push(other),
        }
    }
    Err(KeyPathError::Unclosed { text: text.into(), missing: quote })
}

impl FromStr for KeyPath {
    type Err = KeyPathError;

    fn from_str(text: &str) -> Result<Self, KeyPathError> {
        Self::parse(text)
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&display(&self.0))
    }
}

/// The first name in a value that must not be set.
pub(crate) fn refused_name(value: &Value) -> Option<&str> {
    match value {
        Value::Object(members) => {
            members.iter().find_map(
                |(name, member)| {
                    if is_refused(name) { Some(name.as_str()) } else { refused_name(member) }
                },
            )
        }
        Value::Array(elements) => elements.iter().find_map(refused_name),
        _ => None,
    }
}

fn is_refused(name: &str) -> bool {
    REFUSED.contains(&name)
}

/// A path as people write it.
pub(crate) fn display<S: AsRef<str>>(segments: &[S]) -> String {
    let mut text = String::new();
    for segment in segments {
        let segment = segment.as_ref();
        if !segment.is_empty() && segment.chars().all(|character| character.is_ascii_digit()) {
            text.push_str(&["[", segment, "]"].concat());
        } else if segment.is_empty() || segment.contains(['.', '[', ']', '"', '\'', '\\', ' ']) {
            let escaped = segment.replace('\\', "\\\\").replace('"', "\\\"");
            text.push_str(&["[\"", &escaped, "\"]"].concat());
        } else {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(segment);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    #[test]
    fn every_way_to_write_a_path() {
        let table: [(&str, &[&str]); 7] = [
            ("skills", &["skills"]),
            ("skills.load.watch", &["skills", "load", "watch"]),
            ("agents.list[0].skills", &["agents", "list", "0", "skills"]),
            ("agents.list.0", &["agents", "list", "0"]),
            (r#"skills.entries["my.skill"].enabled"#, &["skills", "entries", "my.skill", "enabled"]),
            ("skills.entries.'a \"b\" \\'c\\''", &["skills", "entries", "a \"b\" 'c'"]),
            ("[\"x.y\"][z].w", &["x.y", "z", "w"]),
        ];
        for (text, expected) in table {
            assert_eq!(KeyPath::parse(text).unwrap().segments(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_a_path() {
        let table = [
            "",
            "a..b",
            "a.",
            ".a",
            "a[",
            "a[]",
            "a[0",
            "a['x]",
            "a[0]b",
            "a.__proto__.b",
            "a['constructor']",
        ];
        let report: Vec<_> = table.iter().map(|text| KeyPath::parse(text).unwrap_err().to_string()).collect();
        assert_snapshot!(report.join("\n"), @r"
        `` is not a key: a part of it is empty
        `a..b` is not a key: a part of it is empty
        `a.` is not a key: a part of it is empty
        `.a` is not a key: a part of it is empty
        `a[` is not a key: a part of it is empty
        `a[]` is not a key: a part of it is empty
        `a[0` is not a key: `]` is missing
        `a['x]` is not a key: `'` is missing
        `a[0]b` is not a key: expected `.` or `[` before `b`
        `__proto__` is not allowed in a key
        `constructor` is not allowed in a key
        ");
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read_again(segments in prop::collection::vec(any::<String>(), 1..5)) {
            let path = KeyPath::new(segments).unwrap();
            prop_assert_eq!(KeyPath::parse(&path.to_string()), Ok(path));
        }

        #[test]
        fn no_text_panics(text in r#"[a-c.\[\]'"\\é0]{0,20}"#) {
            let _ = KeyPath::parse(&text);
        }
    }
}
