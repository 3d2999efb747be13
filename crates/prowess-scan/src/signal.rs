//! Signals: the smallest things worth noticing in a text.
//!
//! A signal has cues, plain words that a single pass looks for, and a pattern that is tried
//! only on blocks in which a cue occurs. Rules never see text; they see which signals are present together.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexBuilder};

use crate::cues::Cues;
use crate::rules;

/// Names a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Signal(pub(crate) u8);

/// How a signal is recognised.
pub(crate) struct Definition {
    pub(crate) signal: Signal,
    /// Words of which one must occur, in lower case. None: it is looked for only where another signal was found.
    pub(crate) cues: &'static [&'static str],
    /// What must match; case does not matter. Empty: a cue is enough.
    pub(crate) pattern: &'static str,
}

/// Declares signals with numbers from a base on.
macro_rules! signals {
    ($base:expr; $( $(#[$doc:meta])* $name:ident [$($cue:literal),* $(,)?] $pattern:expr; )+) => {
        #[allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms, reason = "only used to count")]
        enum Index { $($name,)+ End }
        $( $(#[$doc])* pub(crate) const $name: $crate::signal::Signal = $crate::signal::Signal($base + Index::$name as u8); )+
        /// The first number that is free.
        #[allow(dead_code, reason = "the last table has no successor")]
        pub(crate) const END: u8 = $base + Index::End as u8;
        pub(crate) static SIGNALS: &[$crate::signal::Definition] = &[
            $( $crate::signal::Definition { signal: $name, cues: &[$($cue),*], pattern: $pattern }, )+
        ];
    };
}
pub(crate) use signals;

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

    /// Whether a signal is only where one of its cues is.
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

/// Compiles a pattern of this crate. Case does not matter; the classes mean ASCII, which keeps searches fast on text
/// of any script; and `[^.\n]` means a piece of a sentence, in which paths and hosts may have dots.
pub(crate) fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    let pattern = pattern.replace(r"[^.\n]", r"(?:[^.\n]|\.[^\s.])");
    let mut ascii = String::with_capacity(pattern.len() * 2);
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        match (char, chars.clone().next()) {
            ('\\', Some(class)) => {
                chars.next();
                match class {
                    'b' => ascii.push_str(r"(?-u:\b)"),
                    'w' => ascii.push_str("[0-9A-Za-z_]"),
                    'd' => ascii.push_str("[0-9]"),
                    's' => ascii.push_str(r"[\t\n\r ]"),
                    'S' => ascii.push_str(r"[^\t\n\r ]"),
                    _ => ascii.extend(['\\', class]),
                }
            }
            _ => ascii.push(char),
        }
    }
    RegexBuilder::new(&ascii).case_insensitive(true).multi_line(true).size_limit(4 << 20).build()
}

#[cfg(test)]
#[path = "signal_tests.rs"]
mod tests;
