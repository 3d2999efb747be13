//! A secret of the config: the value itself, or a reference to where it is.
//!
//! The shape of a reference is OpenClaw's, so that a config written for it works here.

use std::fmt;

use prowess_types::Secret;
use serde_json::Value;

/// A secret of the config, or where to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApiKey {
    /// The secret itself.
    Literal(Secret),
    /// The place of the secret.
    Reference(SecretReference),
}

impl ApiKey {
    /// Reads a value of the config; a blank one counts as none.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let Some(text) = value.as_str() else { return SecretReference::read(value).map(Self::Reference) };
        if let Some(reference) = SecretReference::shorthand(text) {
            return Some(Self::Reference(reference));
        }
        let secret = Secret::new(text);
        (!secret.is_blank()).then_some(Self::Literal(secret))
    }
}

/// The place of a secret.
///
/// ```
/// let reference = prowess_config::SecretReference::new("env", "WEATHER_KEY");
/// assert_eq!(reference.to_string(), "env:WEATHER_KEY");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SecretReference {
    /// The kind of place: `env`, `file`, `exec`, `keyring`.
    pub source: String,
    /// The provider of that kind.
    pub provider: Option<String>,
    /// The name there.
    pub id: Option<String>,
}

impl SecretReference {
    /// A reference to the default provider of a source.
    pub fn new(source: &str, id: &str) -> Self {
        Self { source: source.to_owned(), provider: None, id: Some(id.to_owned()) }
    }

    /// As it stands in a config.
    pub fn to_value(&self) -> Value {
        let fields =
            [("source", Some(&self.source)), ("provider", self.provider.as_ref()), ("id", self.id.as_ref())];
        fields
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), Value::from(value?.as_str()))))
            .collect()
    }

    /// Reads a reference; none if the value is not one.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let field = |name: &str| Some(value.get(name)?.as_str()?.to_owned());
        Some(Self { source: field("source")?, provider: field("provider"), id: field("id") })
    }

    /// The variable that a text such as `${NAME}` stands for.
    pub(crate) fn shorthand(text: &str) -> Option<Self> {
        let name = text.trim().strip_prefix("${")?.strip_suffix('}')?;
        is_variable_name(name).then(|| Self::new("env", name))
    }
}

/// The reference in one word. It is a place, not a secret.
impl fmt::Display for SecretReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        for part in self.provider.iter().chain(&self.id) {
            write!(f, ":{}", part.escape_debug())?;
        }
        Ok(())
    }
}

/// Returns true if a name follows the grammar of variables in references: upper case, at most 128 characters.
pub fn is_variable_name(name: &str) -> bool {
    let starts = name.starts_with(|first: char| first.is_ascii_uppercase() || first == '_');
    let is_rest = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    starts && name.len() <= 128 && name.bytes().all(is_rest)
}
