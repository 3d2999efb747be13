//! Evidence that can be shown: short, with secrets masked and control characters escaped.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

use crate::signal::compile;

/// Characters of evidence.
const LENGTH: usize = 120;

static SECRETS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile(concat!(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
        r"|\b(sk|rk|pk)[-_](proj|ant|live|test|or)?[-_]?[A-Za-z0-9_-]{16,}",
        r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}",
        r"|\bxox[abposr]-[\w-]{10,}|\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{30,}",
        r"|\bey[JK][\w-]{10,}\.ey[\w-]{10,}\.[\w-]*|\b\d{8,10}:[\w-]{30,}|\bhf_\w{20,}|\bnpm_\w{30,}",
    ))
    .ok()
});

static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile(r"((?:password|passwd|secret|token|api[_-]?key|authorization)[\x22']?\s*[:=]\s*[\x22']?(?:bearer\s+|basic\s+)?)([A-Za-z0-9_./+=-]{8,})").ok()
});

/// Whether a text holds something that looks like a real secret, and where.
///
/// ```
/// let text = concat!("use sk-", "live-0123456789abcdef01");
/// assert_eq!(prowess_scan::find_secret(text), Some(4..text.len()));
/// assert_eq!(prowess_scan::find_secret("use your own key"), None);
/// ```
pub fn find_secret(text: &str) -> Option<std::ops::Range<usize>> {
    SECRETS.as_ref()?.find(text).map(|found| found.range())
}

/// Makes a piece of a text fit to be shown.
pub(crate) fn evidence(text: &str) -> String {
    let short: String = text.chars().take(LENGTH * 3).collect();
    let masked = match SECRETS.as_ref() {
        Some(regex) => regex.replace_all(&short, |found: &regex::Captures<'_>| mask(&found[0])).into_owned(),
        None => short,
    };
    let masked = match ASSIGNED.as_ref() {
        Some(regex) => regex
            .replace_all(&masked, |found: &regex::Captures<'_>| format!("{}{}", &found[1], mask(&found[2])))
            .into_owned(),
        None => masked,
    };
    let mut shown = String::new();
    let mut is_blank = false;
    for (count, char) in masked.trim().chars().enumerate() {
        if count >= LENGTH {
            shown.push('…');
            break;
        }
        match char {
            ' ' | '\n' | '\r' | '\t' if is_blank => {}
            ' ' | '\n' | '\r' | '\t' => shown.push(' '),
            _ if char.is_control() || is_invisible(char) => {
                let _ = write!(shown, "\\u{{{:x}}}", char as u32);
            }
            _ => shown.push(char),
        }
        is_blank = char.is_ascii_whitespace();
    }
    shown
}

/// Keeps the first letters, so that the owner recognises it.
fn mask(secret: &str) -> String {
    let kept: String = secret.chars().take(4).collect();
    format!("{kept}…")
}

fn is_invisible(char: char) -> bool {
    matches!(char as u32,
        0xad | 0x34f | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfeff
        | 0xfff9..=0xfffb | 0xe0000..=0xe01ef)
}
