//! Whether a run is worth a draft.

use std::collections::BTreeSet;

use crate::action::programs;
use crate::episode::{Episode, EpisodeStep};
use crate::fingerprint::COUNTED;

/// Steps that make a procedure.
const STEPS: usize = 4;
/// Kinds of steps that make one.
const KINDS: usize = 2;

/// The reason a run is not worth a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotWorth {
    /// It has too few steps.
    #[error("it has {found} steps that worked; a procedure has at least {STEPS}")]
    TooShort {
        /// How many it has.
        found: usize,
    },
    /// It does one thing over and over.
    #[error("all its steps are of one kind; a procedure has at least {KINDS}")]
    OneKind,
}

/// Whether a run is worth a draft by itself: enough steps, of more than one kind.
pub fn worth(episode: &Episode) -> Result<(), NotWorth> {
    let found = episode.steps.len();
    if found < STEPS {
        return Err(NotWorth::TooShort { found });
    }
    if kinds(&episode.steps) < KINDS { Err(NotWorth::OneKind) } else { Ok(()) }
}

/// How many kinds of steps there are among those that count: the tool, and of a shell what it ran.
fn kinds(steps: &[EpisodeStep]) -> usize {
    let kinds: BTreeSet<(&str, Vec<String>)> =
        steps.iter().take(COUNTED).map(|step| (step.kind.as_str(), programs(step))).collect();
    kinds.len()
}

/// Returns true if the steps tell enough for some confidence, by the measure of OpenPocket.
pub(crate) fn is_substantial(steps: &[EpisodeStep]) -> bool {
    steps.len().min(COUNTED) >= STEPS && kinds(steps) >= KINDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::commands;

    #[test]
    fn four_steps_of_two_kinds() {
        let table: [(&[&str], Result<(), NotWorth>); 4] = [
            (&["git log", "wc x", "ls"], Err(NotWorth::TooShort { found: 3 })),
            (&["ls a", "ls b", "ls c", "ls d"], Err(NotWorth::OneKind)),
            (&["ls a", "ls b", "ls c", "wc d"], Ok(())),
            (&[], Err(NotWorth::TooShort { found: 0 })),
        ];
        for (lines, expected) in table {
            assert_eq!(worth(&commands("x", lines)), expected, "{lines:?}");
        }
    }
}
