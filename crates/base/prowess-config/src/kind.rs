//! The types a key can have.

use serde_json::Value;

/// What a value must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    /// A whole number.
    Count {
        min: u64,
    },
    /// A number from 0 to 1.
    Share,
    Text,
    /// One of these words, whatever its case and the blanks around it.
    Choice(&'static [&'static str]),
    /// A list of strings. Elements of another type are left out one by one.
    Texts,
    /// A string, or `{source, provider, id}`.
    Secret,
    /// The same, where OpenClaw takes a string only.
    Variable,
    /// An object that other keys may be in, of which only near misses are reported.
    Open,
    /// A list of objects, each with the keys below that pattern.
    ListOf(&'static str),
    /// Anything; another program's business.
    Opaque,
}

impl Kind {
    /// Returns true if a value has this type.
    pub(crate) fn accepts(self, value: &Value) -> bool {
        match self {
            Self::Bool => value.is_boolean(),
            Self::Count { min } => count(value).is_some_and(|count| count >= min),
            Self::Share => value.as_f64().is_some_and(|share| (0.0..=1.0).contains(&share)),
            Self::Text => value.is_string(),
            Self::Choice(_) => self.choice(value).is_some(),
            Self::Texts | Self::ListOf(_) => value.is_array(),
            Self::Secret | Self::Variable => value.is_string() || is_secret_reference(value),
            Self::Open => value.is_object(),
            Self::Opaque => true,
        }
    }

    /// The word that a value means.
    pub(crate) fn choice(self, value: &Value) -> Option<&'static str> {
        let Self::Choice(words) = self else { return None };
        let written = value.as_str()?.trim();
        words.iter().copied().find(|word| word.eq_ignore_ascii_case(written))
    }

    /// What OpenClaw would not understand in a value that is fine here.
    pub(crate) fn foreign_part(self, value: &Value) -> Option<&'static str> {
        match self {
            Self::Variable if value.is_object() => Some("a reference instead of a string"),
            Self::Secret if value.get("source").is_some_and(|source| source == "keyring") => {
                Some("the source `keyring`")
            }
            Self::Choice(words) if words.contains(&"keyring") && self.choice(value) == Some("keyring") => {
                Some("the source `keyring`")
            }
            _ => None,
        }
    }

    /// What it must look like, for messages and for the reference.
    pub(crate) fn describe(self) -> String {
        match self {
            Self::Bool => "true or false".into(),
            Self::Count { min: 0 } => "a whole number".into(),
            Self::Count { min } => format!("a whole number of at least {min}"),
            Self::Share => "a number from 0 to 1".into(),
            Self::Text => "a string".into(),
            Self::Choice(words) => {
                let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("one of {}", quoted.join(", "))
            }
            Self::Texts => "a list of strings".into(),
            Self::Secret | Self::Variable => "a string or `{source, provider, id}`".into(),
            Self::Open => "an object".into(),
            Self::ListOf(_) => "a list of objects".into(),
            Self::Opaque => "anything".into(),
        }
    }
}

/// A whole number, also when it is written as `3e2`.
pub(crate) fn count(value: &Value) -> Option<u64> {
    let written_with_a_point = || {
        let number = value.as_f64()?;
        let is_exact = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        is_exact.then_some(number as u64)
    };
    value.as_u64().or_else(written_with_a_point)
}

/// Returns true if a value says where a secret is rather than what it is.
pub(crate) fn is_secret_reference(value: &Value) -> bool {
    value.as_object().is_some_and(|fields| {
        fields.get("source").is_some_and(Value::is_string)
            && fields.iter().all(|(name, value)| {
                matches!(name.as_str(), "source" | "provider" | "id") && value.is_string()
            })
    })
}

/// What a value is, for messages.
pub(crate) fn describe(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
