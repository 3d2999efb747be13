//! The decision on the best rows.

use serde::Serialize;

/// The decision on the best rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "do")]
pub enum SelectDecision {
    /// Load them.
    Load {
        /// Best first.
        rows: Vec<usize>,
    },
    /// Offer them.
    Suggest {
        /// Best first.
        rows: Vec<usize>,
    },
    /// No skill is asked for.
    Nothing,
}

impl SelectDecision {
    /// The rows to load or to suggest.
    pub fn rows(&self) -> &[usize] {
        match self {
            Self::Load { rows } | Self::Suggest { rows } => rows,
            Self::Nothing => &[],
        }
    }
}
