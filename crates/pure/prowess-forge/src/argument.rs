//! Which words of a command line are general, and which belong to one task.
//!
//! A word stays if it is a program, a flag, a sub-command or a small number. Everything else becomes a parameter: it
//! may be a name, a path, a date or a key, and nobody can tell from its looks that it is not.

use prowess_text::posix_word;

use crate::parameter::Values;
use crate::shell::{Part, Piece, is_redirection};
use crate::words::{Filter, is_plain};

/// What the shell does itself.
const BUILT_IN: [&str; 24] = [
    ".", ":", "[", "alias", "cd", "command", "echo", "exit", "export", "false", "printf", "pwd", "read",
    "set", "shift", "source", "test", "trap", "true", "type", "ulimit", "umask", "unset", "wait",
];
/// Programs whose first word says what to do.
const WITH_SUBCOMMANDS: [&str; 46] = [
    "adb",
    "ansible",
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "bun",
    "cargo",
    "conda",
    "deno",
    "dnf",
    "docker",
    "dotnet",
    "flutter",
    "gcloud",
    "gh",
    "git",
    "glab",
    "go",
    "gradle",
    "hatch",
    "helm",
    "hg",
    "ip",
    "just",
    "kubectl",
    "make",
    "mvn",
    "npm",
    "npx",
    "pip",
    "pip3",
    "pnpm",
    "podman",
    "poetry",
    "rustup",
    "snap",
    "svn",
    "systemctl",
    "terraform",
    "tofu",
    "uv",
    "wrangler",
    "yarn",
    "zypper",
];
/// Flags of one dash and many letters.
const LONG_SINGLE: [&str; 10] =
    ["-name", "-iname", "-type", "-print", "-path", "-maxdepth", "-mindepth", "-size", "-mtime", "-delete"];
/// Words that name nothing.
const GENERAL: [&str; 7] = ["-", "--", ".", "..", "/dev/null", "", "="];
/// Variables that every environment has.
const USUAL: [&str; 4] = ["HOME", "PATH", "PWD", "TMPDIR"];

/// A command line, cleaned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cleaned {
    /// It, with parameters in the place of what belongs to one task.
    pub(crate) line: String,
    /// The programs it runs.
    pub(crate) programs: Vec<String>,
    /// The variables it reads and does not set.
    pub(crate) variables: Vec<String>,
}

/// The role of the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Program,
    File,
    /// After this number of words of a program with sub-commands.
    Subcommand(usize),
    Argument,
}

/// The longest run of sub-commands (`gh pr list`).
const SUBCOMMANDS: usize = 2;

/// Cleans a command line. `workspace` is where it ran: paths below it become relative.
pub(crate) fn clean(pieces: &[Piece], workspace: &str, filter: Filter<'_>, values: &mut Values) -> Cleaned {
    let mut cleaned = Cleaned::default();
    let mut words: Vec<String> = Vec::new();
    let mut set: Vec<String> = Vec::new();
    let mut place = Place::Program;
    // The role of the next word before a redirection.
    let mut before = place;
    for piece in pieces {
        match piece {
            Piece::Operator(operator) => {
                words.push((*operator).to_owned());
                if is_redirection(operator) {
                    before = place;
                    place = Place::File;
                } else if *operator != "2>&1" && *operator != ">&2" {
                    place = Place::Program;
                }
            }
            Piece::Word(parts) => {
                let assigned = (place == Place::Program).then(|| assignment(parts)).flatten();
                for part in parts {
                    if let Part::Variable(name) = part {
                        add(&mut cleaned.variables, name, |name| {
                            !USUAL.contains(&name) && !set.iter().any(|known| known == name)
                        });
                    }
                }
                if let Some((name, value)) = assigned {
                    words.push(format!(
                        "{name}={}",
                        render(&value, Place::Argument, workspace, filter, values)
                    ));
                    set.push(name);
                    continue;
                }
                words.push(render(parts, place, workspace, filter, values));
                place = match (place, parts.as_slice()) {
                    (Place::File, _) => before,
                    (Place::Program, [Part::Text(program)]) if is_program(program) => {
                        add(&mut cleaned.programs, program, |program| !BUILT_IN.contains(&program));
                        if WITH_SUBCOMMANDS.contains(&program.as_str()) {
                            Place::Subcommand(0)
                        } else {
                            Place::Argument
                        }
                    }
                    (Place::Subcommand(at), [Part::Text(word)]) if at + 1 < SUBCOMMANDS && is_lower(word) => {
                        Place::Subcommand(at + 1)
                    }
                    _ => Place::Argument,
                };
            }
        }
    }
    cleaned.line = words.join(" ");
    cleaned
}

fn add(list: &mut Vec<String>, item: &str, is_wanted: impl Fn(&str) -> bool) {
    if is_wanted(item) && !list.iter().any(|known| known == item) {
        list.push(item.to_owned());
    }
}

/// `NAME=value` before a program.
fn assignment(parts: &[Part]) -> Option<(String, Vec<Part>)> {
    let Part::Text(first) = parts.first()? else { return None };
    let (name, value) = first.split_once('=')?;
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut rest = vec![Part::Text(value.to_owned())];
    rest.extend_from_slice(&parts[1..]);
    is_name.then(|| (name.to_owned(), rest))
}

/// A word as the script has it.
fn render(parts: &[Part], place: Place, workspace: &str, filter: Filter<'_>, values: &mut Values) -> String {
    let is_whole = parts.len() == 1;
    let mut word = String::new();
    for part in parts {
        match part {
            Part::Pattern(pattern) => word += pattern,
            Part::Variable(name) => word += &format!("\"${name}\""),
            Part::Text(text) => {
                let place = if is_whole { place } else { Place::Argument };
                word += &render_text(text, place, workspace, filter, values);
            }
        }
    }
    if word.is_empty() { "''".to_owned() } else { word }
}

fn render_text(text: &str, place: Place, workspace: &str, filter: Filter<'_>, values: &mut Values) -> String {
    let is_kept = match place {
        Place::Program => is_program(text),
        Place::Subcommand(0) => is_lower(text),
        Place::Subcommand(_) => is_lower(text) && is_plain(filter, text),
        Place::File | Place::Argument => false,
    };
    if is_kept || is_general(text) || is_plain(filter, text) {
        return posix_word(text);
    }
    if let Some((flag, value)) = text.split_once('=')
        && is_flag(flag)
    {
        return format!("{flag}={}", render_text(value, Place::Argument, workspace, filter, values));
    }
    match relative(text, workspace) {
        here if is_general(&here) => here,
        value => values.word(&value),
    }
}

/// A path below the workspace, relative to it: a copy of the workspace must do as well.
pub(crate) fn relative(text: &str, workspace: &str) -> String {
    let workspace = workspace.trim_end_matches('/');
    let inside = if workspace.is_empty() { None } else { text.strip_prefix(workspace) };
    match inside {
        Some("" | "/") => ".".to_owned(),
        Some(rest) if rest.starts_with('/') => rest.trim_start_matches('/').to_owned(),
        _ => text.to_owned(),
    }
}

fn is_general(word: &str) -> bool {
    let is_small_number = (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    is_small_number || GENERAL.contains(&word) || is_flag(word)
}

/// A flag that carries no value.
fn is_flag(word: &str) -> bool {
    if let Some(name) = word.strip_prefix("--") {
        return name.len() <= 32
            && name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    }
    let Some(letters) = word.strip_prefix('-') else { return false };
    let is_short = |letters: &str| {
        (1..=3).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let is_number = |digits: &str| digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let starts_with_letter = letters.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    is_short(letters)
        || (!letters.is_empty() && is_number(letters))
        || (starts_with_letter && is_number(&letters[1..]))
        || LONG_SINGLE.contains(&word)
}

/// The bare name of a program.
fn is_program(word: &str) -> bool {
    (1..=32).contains(&word.len())
        && word.starts_with(|first: char| first.is_ascii_lowercase() || first == '[' || first == ':')
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._+-[:".contains(&byte))
}

fn is_lower(word: &str) -> bool {
    (1..=24).contains(&word.len())
        && word.starts_with(|first: char| first.is_ascii_lowercase())
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || b"-:".contains(&byte))
}

#[cfg(test)]
#[path = "argument_tests.rs"]
mod tests;
