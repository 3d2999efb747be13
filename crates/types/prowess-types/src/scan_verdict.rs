//! The verdict of the scanner over a skill, and the form in which files and databases keep it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The verdict of the scanner over a whole skill.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Verdict")]
pub enum ScanVerdict {
    /// Nothing above information.
    #[default]
    Clean,
    /// At least one warning: it proceeds, with the warnings shown.
    Suspicious,
    /// At least one critical finding: it is not installed.
    Malicious,
}

impl ScanVerdict {
    /// Every verdict, the mildest first.
    pub const ALL: [Self; 3] = [Self::Clean, Self::Suspicious, Self::Malicious];

    /// The word used in files and answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Suspicious => "suspicious",
            Self::Malicious => "malicious",
        }
    }
}

impl fmt::Display for ScanVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A verdict in a stored file. A word that this version does not know survives, and counts as malicious.
///
/// ```
/// use prowess_types::{ScanVerdict, StoredVerdict};
/// let later = StoredVerdict::from_word("doubtful");
/// assert_eq!((later.as_str(), later.verdict()), ("doubtful", ScanVerdict::Malicious));
/// assert_eq!(StoredVerdict::from(ScanVerdict::Clean).as_str(), "clean");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(transparent, inline)]
pub struct StoredVerdict(String);

impl StoredVerdict {
    /// A verdict as it is written.
    pub fn from_word(word: impl Into<String>) -> Self {
        Self(word.into())
    }

    /// The word as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The verdict; the strictest one for an unknown word.
    pub fn verdict(&self) -> ScanVerdict {
        let known = ScanVerdict::ALL.into_iter().find(|verdict| verdict.as_str() == self.0);
        known.unwrap_or(ScanVerdict::Malicious)
    }
}

impl From<ScanVerdict> for StoredVerdict {
    fn from(verdict: ScanVerdict) -> Self {
        Self(verdict.as_str().to_owned())
    }
}

impl Default for StoredVerdict {
    fn default() -> Self {
        ScanVerdict::default().into()
    }
}

impl fmt::Display for StoredVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_serde_and_survive() {
        for verdict in ScanVerdict::ALL {
            let text = serde_json::to_string(&verdict).unwrap();
            assert_eq!(text, format!("\"{verdict}\""));
            let stored: StoredVerdict = serde_json::from_str(&text).unwrap();
            assert_eq!((stored.verdict(), serde_json::to_string(&stored).unwrap()), (verdict, text));
        }
        let later: StoredVerdict = serde_json::from_str("\"doubtful\"").unwrap();
        assert_eq!(later.verdict(), ScanVerdict::Malicious);
        assert_eq!(serde_json::to_string(&later).unwrap(), "\"doubtful\"");
    }
}
