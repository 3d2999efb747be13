//! The kind and the key of a failure, read from the text that a program left.
//!
//! The key is what the failure is about: the program or module that is missing, the variable or the service that
//! refused. It is a name, never a value: anything that is shaped like a secret is not a key.

use prowess_types::OutcomeResult;

use super::signs;
use super::wordings::{GENERAL_PROGRAMS, MISSING, Name, SERVICES, Side, Wording};
use crate::secret_spans;

/// Longer names are not keys.
const MAX_KEY_CHARS: usize = 100;
/// Pairs of quotes around a name.
const QUOTES: [(char, char); 10] = [
    ('\'', '\''),
    ('"', '"'),
    ('`', '`'),
    ('‘', '’'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('`', '\''),
    ('「', '」'),
    ('”', '”'),
];
/// The parts of the names of variables that hold credentials.
const CREDENTIALS: [&str; 10] =
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "CREDENTIALS", "AUTH", "PAT", "APIKEY"];
/// Words that stand before the host of a service.
const BEFORE_HOST: [&str; 9] = [
    "://",
    "resolve host: ",
    "resolve hostname ",
    "failed to connect to ",
    "enotfound ",
    "eai_again ",
    "econnrefused ",
    "host='",
    "lookup ",
];

/// The content of the text of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureReading {
    /// Its kind.
    pub result: OutcomeResult,
    /// The program, module, variable or service that it is about.
    pub key: Option<String>,
    /// The line that says it.
    pub line: String,
}

/// Reads a text of a shell or a language, such as an error output; none if it says no known kind of failure.
///
/// ```
/// let read = prowess_trace::read_failure("zsh: command not found: jq").unwrap();
/// assert_eq!(read.key.as_deref(), Some("jq"));
/// ```
pub fn read_failure(text: &str) -> Option<FailureReading> {
    let (result, line) = signs::find(text)?;
    Some(FailureReading { result, key: key_of(text, result, None), line: line.to_owned() })
}

/// A cause as an agent or a person named it, as a key: one line without a value. None if nothing of it is a name.
///
/// ```
/// use prowess_types::OutcomeResult;
/// let key = prowess_trace::cause_key(OutcomeResult::AuthError, "TODOIST_API_KEY=abc");
/// assert_eq!(key.as_deref(), Some("TODOIST_API_KEY"));
/// ```
pub fn cause_key(result: OutcomeResult, said: &str) -> Option<String> {
    let line = said.lines().map(str::trim).find(|line| !line.is_empty())?;
    // An ability has words; everything else has a name.
    if result == OutcomeResult::TaskMismatch {
        return Some(line.chars().take(MAX_KEY_CHARS).collect()).filter(|key: &String| !is_secret(key));
    }
    let read = read_failure(line).filter(|read| read.result == result).and_then(|read| read.key);
    read.or_else(|| {
        let quotes: &[char] = &['\'', '"', '`', '$', ' '];
        let name = line.split_once('=').map_or(line, |(name, _)| name).trim_matches(quotes);
        let key: String = name.chars().take(MAX_KEY_CHARS).collect();
        (!key.is_empty() && !is_secret(&key)).then_some(key)
    })
}

/// The key of a failure of a known kind. `program` is the program that failed.
pub(super) fn key_of(text: &str, result: OutcomeResult, program: Option<&str>) -> Option<String> {
    let lines = || signs::last_lines(text).filter(|line| signs::kind_of(line) == Some(result));
    match result {
        OutcomeResult::DependencyMissing => lines().find_map(missing),
        OutcomeResult::AuthError => lines()
            .find_map(credential)
            .or_else(|| signs::last_lines(text).find_map(credential))
            .or_else(|| service(text, program, lines().next())),
        OutcomeResult::ApiError => service(text, program, lines().next()),
        _ => None,
    }
}

/// The program, module or library that a line says is missing.
pub(super) fn missing(line: &str) -> Option<String> {
    if let Some(name) = signs::missing_in_small_shell(line) {
        return cleaned(name, Name::Program);
    }
    let lower = line.to_ascii_lowercase();
    MISSING.iter().find_map(|wording| named(line, position(&lower, wording)?, wording))
}

/// Returns true if a line has one of the wordings. A general one counts only with a name that fits.
pub(super) fn says_missing(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    MISSING.iter().any(|wording| {
        position(&lower, wording)
            .is_some_and(|place| wording.name != Name::Bare || named(line, place, wording).is_some())
    })
}

/// The name beside a wording.
fn named(line: &str, place: usize, wording: &Wording) -> Option<String> {
    let name = match wording.side {
        Side::Before => last_name(line.get(..place)?),
        Side::After | Side::First => first_name(line.get(place + wording.literal.len()..)?, wording),
    }?;
    cleaned(name, wording.name)
}

/// The place of a wording in a line, if it is one of its own: general words need their companion.
fn position(lower: &str, wording: &Wording) -> Option<usize> {
    let place = lower.find(wording.literal)?;
    let opens =
        || lower.get(..place).is_some_and(|start| start.trim_start().is_empty() || start.ends_with('/'));
    if wording.side == Side::First && !opens() {
        return None;
    }
    (wording.also.is_empty() || lower.contains(wording.also)).then_some(place)
}

/// The name at the end of a text: in quotes, or the last word.
fn last_name(text: &str) -> Option<&str> {
    let text = text.trim_end().trim_end_matches(':').trim_end();
    let last = text.chars().next_back()?;
    for (open, close) in QUOTES {
        if last == close {
            let inner = &text[..text.len() - close.len_utf8()];
            if let Some(start) = inner.rfind(open) {
                return Some(&inner[start + open.len_utf8()..]);
            }
        }
    }
    text.rsplit(|char: char| char.is_whitespace()).next()
}

/// The name at the start of a text: in quotes, or the first word.
fn first_name<'a>(text: &'a str, wording: &Wording) -> Option<&'a str> {
    // `cannot import name 'x' from 'y'`, `[Errno 2] No such file or directory: 'y'`.
    let text = if wording.also.ends_with(": ") {
        let place = text.to_ascii_lowercase().find(wording.also)?;
        text.get(place + wording.also.len()..)?
    } else {
        text
    };
    let text = text.trim_start();
    let first = text.chars().next()?;
    for (open, close) in QUOTES {
        if first == open {
            let inner = &text[open.len_utf8()..];
            if let Some(end) = inner.find(close) {
                return Some(&inner[..end]);
            }
        }
    }
    text.split(|char: char| char.is_whitespace() || ",;()[]".contains(char)).next()
}

/// A name as a key; none if it cannot be one.
fn cleaned(name: &str, kind: Name) -> Option<String> {
    let quotes: &[char] = &['\'', '"', '`', '‘', '’', '“', '”', '„', '«', '»', '\u{a0}', ' '];
    let name = name.trim().trim_matches(quotes).trim_end_matches([':', ',', ';', '.']).trim();
    let name = match kind {
        // PowerShell names the type of the word behind it.
        Name::Program => name.split_once(":String").map_or(name, |(name, _)| name),
        _ => name,
    };
    let key = match kind {
        Name::Bare if name.contains(['/', '\\', '.']) => return None,
        Name::Bare => name.to_owned(),
        Name::Program | Name::Library => name.rsplit(['/', '\\']).next()?.to_owned(),
        Name::Perl => name.trim_end_matches(".pm").replace('/', "::"),
        Name::Plain => name.split(", ").next()?.to_owned(),
    };
    // A file of the skill's own is not a dependency.
    let is_own_file = kind == Name::Plain && (is_path(&key));
    (!is_own_file && is_name(&key)).then_some(key)
}

fn is_path(key: &str) -> bool {
    key.starts_with(['.', '/', '\\', '~']) || key.starts_with("file:") || key.contains(":\\")
}

/// Returns true if a text can be the name of a program, a module or a library.
fn is_name(key: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || "._-+@/:\\~$".contains(char);
    let has_letter = key.chars().any(char::is_alphabetic);
    has_letter && key.chars().count() <= MAX_KEY_CHARS && key.chars().all(is_part) && !is_secret(key)
}

fn is_secret(text: &str) -> bool {
    !secret_spans(text).is_empty()
}

/// The variable of a line that holds credentials, by its name.
pub(super) fn credential(line: &str) -> Option<String> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let mut words = line.split(|char: char| !is_part(char));
    words.find(|word| is_credential(word)).map(str::to_owned)
}

/// Returns true if this is the name of a variable that holds credentials, as far as its name says it.
fn is_credential(word: &str) -> bool {
    let is_upper =
        word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let starts = word.as_bytes().first().is_some_and(u8::is_ascii_uppercase);
    is_upper
        && starts
        && word.contains('_')
        && word.len() <= MAX_KEY_CHARS
        && word.split('_').any(|part| CREDENTIALS.contains(&part))
        && !is_secret(word)
}

/// The service that a failure is about: its host, its name, or the program that speaks to it.
fn service(text: &str, program: Option<&str>, line: Option<&str>) -> Option<String> {
    let named = |line: &str| {
        let lower = line.to_ascii_lowercase();
        let is_said = |service: &&&str| {
            lower.match_indices(**service).any(|(place, _)| {
                let is_edge = |char: Option<char>| char.is_none_or(|char| !char.is_ascii_alphanumeric());
                let after = lower.get(place + service.len()..).and_then(|rest| rest.chars().next());
                is_edge(lower.get(..place).and_then(|start| start.chars().next_back())) && is_edge(after)
            })
        };
        SERVICES.iter().find(is_said).map(|service| (*service).to_owned())
    };
    let is_special = |name: &&str| {
        let plain = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
        !GENERAL_PROGRAMS.contains(&plain) && is_name(name)
    };
    line.and_then(host)
        .or_else(|| line.and_then(named))
        .or_else(|| signs::last_lines(text).find_map(host))
        .or_else(|| program.filter(is_special).map(str::to_owned))
}

/// The host that a line names.
pub(super) fn host(line: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    BEFORE_HOST.iter().find_map(|before| {
        let place = lower.find(before)? + before.len();
        let end = |char: char| !(char.is_ascii_alphanumeric() || ".-_@:%".contains(char));
        let authority = lower.get(place..)?.split(end).next()?;
        let host = authority.rsplit('@').next()?.split(':').next()?.trim_end_matches('.');
        let is_host =
            host.contains('.') && host.bytes().any(|byte| byte.is_ascii_alphabetic()) && is_name(host);
        is_host.then(|| host.to_owned())
    })
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
