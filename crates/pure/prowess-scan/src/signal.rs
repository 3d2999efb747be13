//! Signals: the smallest things worth noticing in a text.
//!
//! A signal has cues, plain words that a single pass looks for, and a pattern that is tried
//! only on blocks in which a cue occurs. Rules never see text; they see which signals are present together.

use regex::{Regex, RegexBuilder};

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
