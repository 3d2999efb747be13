//! Which variables a skill may set.
//!
//! Names are compared after trimming blanks and in upper case. Code-loading names are refused whatever a skill
//! declares; credentials of well-known services are allowed only to the skill that declares them as its own.

use std::sync::LazyLock;

/// Values longer than this are refused.
pub const VALUE_LIMIT: usize = 128 * 1024;

/// What a refused variable would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableEffect {
    /// Other programs load or run code.
    LoadsCode,
    /// Traffic, downloads or trust are redirected.
    Redirects,
    /// Files are read from, or written to, somewhere else.
    MovesFiles,
    /// The host's credential is replaced.
    ReplacesCredential,
}

/// Whether a variable may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It may.
    Allowed,
    /// It may not, because of what it would do.
    Refused {
        /// What it would do.
        effect: VariableEffect,
        /// The same in words.
        reason: &'static str,
    },
    /// It is not a variable, or not a value that a variable can have.
    Invalid {
        /// The problem with it.
        reason: &'static str,
    },
}

struct Entry {
    name: &'static str,
    effect: VariableEffect,
    reason: &'static str,
}

static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| read_table(include_str!("environment.txt")));

/// Exceptions to prefixes of the table.
const HARMLESS: &[&str] = &["GIT_AUTHOR_*", "GIT_COMMITTER_*", "GIT_TERMINAL_PROMPT"];

fn read_table(text: &'static str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut heading = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some((effect, reason)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
            let effect = match effect {
                "route" => VariableEffect::Redirects,
                "place" => VariableEffect::MovesFiles,
                "credential" => VariableEffect::ReplacesCredential,
                _ => VariableEffect::LoadsCode,
            };
            heading = Some((effect, reason));
        } else if let Some((effect, reason)) = heading {
            entries.extend(line.split_ascii_whitespace().map(|name| Entry { name, effect, reason }));
        }
    }
    // Exact names first: they know more than prefixes.
    entries.sort_by_key(|entry| (entry.name.contains('*'), entry.name));
    entries
}

/// Judges a name. `is_own_primary` says that the skill declares it as its primary variable.
///
/// ```
/// use prowess_scan::environment::{Judgement, judge_name};
/// assert_eq!(judge_name("TASKLANE_API_KEY", true), Judgement::Allowed);
/// assert!(matches!(judge_name("ld_preload", true), Judgement::Refused { .. }));
/// ```
pub fn judge_name(name: &str, is_own_primary: bool) -> Judgement {
    let trimmed = name.trim_matches([' ', '\t']);
    let upper = trimmed.to_ascii_uppercase();
    if !upper.contains(['\n', '\r', '\0']) && !HARMLESS.iter().any(|pattern| matches(pattern, &upper)) {
        let found = TABLE.iter().find(|entry| matches(entry.name, &upper));
        match found {
            Some(Entry { effect: VariableEffect::ReplacesCredential, .. }) if is_own_primary => {}
            Some(entry) => return Judgement::Refused { effect: entry.effect, reason: entry.reason },
            None => {}
        }
    }
    let mut bytes = trimmed.bytes();
    let starts = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if starts && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        Judgement::Allowed
    } else {
        Judgement::Invalid { reason: "a name is made of letters, digits and underscores" }
    }
}

/// Judges a value.
pub fn judge_value(value: &str) -> Judgement {
    if value.contains('\0') {
        Judgement::Invalid { reason: "a value cannot hold a NUL" }
    } else if value.len() > VALUE_LIMIT {
        Judgement::Invalid { reason: "a value is at most 128 KiB long" }
    } else {
        Judgement::Allowed
    }
}

/// One star stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => {
            name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
        }
    }
}
