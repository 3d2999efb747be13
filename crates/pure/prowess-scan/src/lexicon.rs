//! The cues and the patterns of all signals.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use crate::cues::Cues;
use crate::rules;
use crate::signal::{Signal, compile};

/// The cues of all signals, and the patterns, each compiled when it is first needed.
pub(crate) struct Lexicon {
    pub(crate) cues: Cues,
    patterns: Vec<Pattern>,
}

struct Pattern {
    source: &'static str,
    is_anchor: bool,
    compiled: OnceLock<Option<Regex>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::build);

/// The lexicon of all rules.
pub(crate) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

impl Lexicon {
    fn build() -> Self {
        let mut words: BTreeMap<String, Vec<Signal>> = BTreeMap::new();
        let mut patterns = Vec::new();
        for definition in rules::definitions() {
            for cue in definition.cues.iter().flat_map(|cue| spellings(cue)) {
                words.entry(cue).or_default().push(definition.signal);
            }
            let is_anchor = !definition.cues.is_empty();
            patterns.push(Pattern { source: definition.pattern, is_anchor, compiled: OnceLock::new() });
        }
        Self { cues: Cues::new(&words), patterns }
    }

    /// Returns true if a signal is only where one of its cues is.
    pub(crate) fn is_anchor(&self, signal: Signal) -> bool {
        self.patterns.get(usize::from(signal.0)).is_some_and(|pattern| pattern.is_anchor)
    }

    /// The first place where a signal is, searched from an offset on.
    pub(crate) fn find(&self, signal: Signal, text: &str, from: usize) -> Option<(usize, usize)> {
        let pattern = self.patterns.get(usize::from(signal.0))?;
        let regex = pattern.compiled.get_or_init(|| compile(pattern.source).ok()).as_ref()?;
        regex.find_at(text, from).map(|found| (found.start(), found.end()))
    }
}

/// Cues are found in any case of ASCII letters only; other letters are listed in both.
fn spellings(cue: &str) -> Vec<String> {
    if cue.is_ascii() {
        return vec![cue.to_owned()];
    }
    let mut chars = cue.chars();
    let capital: String = chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect();
    let mut all = vec![cue.to_owned(), capital, cue.to_uppercase()];
    all.dedup();
    all
}
