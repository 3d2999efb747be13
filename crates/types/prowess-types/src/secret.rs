//! Secrets: values that may be used but never shown.

use std::fmt;

/// A value that must not reach a log, a report or a file.
///
/// It has no `Serialize` and no `Display`, and its `Debug` says only that it is there. The single
/// way to the text is [`Secret::expose`], so that a search for that word finds every use.
///
/// ```
/// let key = prowess_types::Secret::new("hunter2");
/// assert_eq!(format!("{key:?}"), "Secret(…)");
/// assert_eq!(key.expose(), "hunter2");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself, for the one place that hands it on.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns true if there is nothing in it but white space.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
