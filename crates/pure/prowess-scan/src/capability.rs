//! Detection of the capabilities of a skill.

use std::sync::LazyLock;

use regex::Regex;

use crate::address::{addresses, is_local};
use crate::blocks::Kind;
use crate::capabilities::Capabilities;
use crate::observe::Observed;
use crate::rules::hints;
use crate::signal::compile;

static STARTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compile(r"(?:exec|spawn|execfile|execsync|execfilesync|spawnsync|run|popen|call|check_output|command::new|exec\.command)\s*\(\s*\[?\s*[\x22'`]((?-i:[a-z][\w.+-]{1,30}))").ok()
});

/// Words that start a line of shell without being a program.
const SHELL_WORDS: &[&str] = &[
    "if", "then", "else", "elif", "fi", "for", "do", "done", "while", "case", "esac", "function", "return",
    "local", "export", "set", "cd", "echo", "exit", "source", "read", "shift", "unset", "in", "true",
    "false", "test", "eval", "break", "continue",
];

/// Collects what a text does.
pub(crate) fn collect(observed: &Observed<'_>, is_shell_file: bool, capabilities: &mut Capabilities) {
    let mut found: Vec<(&'static str, &str)> = Vec::new();
    let blocks = observed.candidates(hints::ADDRESSES).iter().copied();
    let mut hosts: Vec<&str> =
        blocks.flat_map(|block| addresses(observed.slice(block)).map(|address| address.host)).collect();
    hosts.sort_unstable();
    hosts.dedup();
    found.extend(hosts.into_iter().filter(|host| is_public(host)).map(|host| ("network", host)));
    for block in observed.candidates(hints::VARIABLES).iter().copied() {
        read_variables(observed.slice(block), &mut found);
        if matches!(observed.blocks[block].kind, Kind::Code | Kind::Script) {
            shell_variables(observed.slice(block), &mut found);
        }
    }
    for (number, block) in observed.blocks.iter().enumerate() {
        let slice = observed.slice(number);
        if is_shell_file || (block.kind == Kind::Code && is_shell_fence(slice)) {
            slice.lines().for_each(|line| shell_line(line, &mut found));
        }
    }
    for block in observed.candidates(hints::STARTS).iter().copied() {
        let is_code = matches!(observed.blocks[block].kind, Kind::Code | Kind::Script);
        if let Some(started) = STARTED.as_ref().filter(|_| is_code) {
            let programs = started.captures_iter(observed.slice(block)).filter_map(|found| found.get(1));
            found.extend(programs.map(|program| ("shell", program.as_str())));
        }
    }
    found.sort_unstable();
    found.dedup();
    for (verb, target) in found {
        capabilities.add(verb, target);
    }
}

/// A name in the public web, not a placeholder and not this machine.
fn is_public(host: &str) -> bool {
    host.contains('.') && !host.contains(['$', '{', '<', '%', '(', '[']) && !is_local(host)
}

/// A name in capitals at a place, long enough to be a variable.
fn name_at(text: &str, from: usize) -> Option<&str> {
    let is_part = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b'_';
    let length = text.as_bytes().get(from..)?.iter().take_while(is_part).count();
    text.get(from..from + length)
        .filter(|name| length > 2 && !name.starts_with(|char: char| char.is_ascii_digit()))
}

/// Variables of a shell: `$NAME`, `${NAME}`.
fn shell_variables<'t>(text: &'t str, found: &mut Vec<(&'static str, &'t str)>) {
    for (at, _) in text.match_indices('$') {
        let is_braced = text[at + 1..].starts_with('{');
        if let Some(name) = name_at(text, at + 1 + usize::from(is_braced)) {
            found.push(("env", name));
        }
    }
}

/// Variables that code reads: `process.env.NAME`, `os.environ["NAME"]`, `getenv("NAME")`, `$env:NAME`.
fn read_variables<'t>(text: &'t str, found: &mut Vec<(&'static str, &'t str)>) {
    for (at, _) in text.match_indices("env") {
        let rest = &text.as_bytes()[at + 3..];
        let skipped = rest.iter().take(12).take_while(|byte| b".([\"':irongetEnv ".contains(byte)).count();
        if let Some(name) = name_at(text, at + 3 + skipped).filter(|_| skipped > 0) {
            found.push(("env", name));
        }
    }
}

/// The program a line of shell starts, and the files it writes and deletes.
fn shell_line<'t>(line: &'t str, found: &mut Vec<(&'static str, &'t str)>) {
    let line = line.trim_ascii_start();
    let line = line.strip_prefix("$ ").or_else(|| line.strip_prefix("> ")).unwrap_or(line);
    let mut words = line
        .split_ascii_whitespace()
        .skip_while(|word| matches!(*word, "sudo" | "nohup" | "time" | "env") || is_assignment(word));
    let Some(first) = words.next().filter(|word| is_program(word)) else { return };
    if !SHELL_WORDS.contains(&first) {
        found.push(("shell", first));
    }
    for (at, _) in line.match_indices('>') {
        let target = line[at..].trim_start_matches('>').split_ascii_whitespace().next().unwrap_or("");
        let is_path = target.trim_start_matches('"').starts_with(['~', '/', '.', '$']);
        if is_path && !target.starts_with("/dev/") && !line[..at].ends_with(['-', '=', '<']) {
            found.push(("write", target));
        }
    }
    if matches!(first, "rm" | "rmdir" | "unlink" | "shred") {
        found.extend(words.filter(|word| !word.starts_with('-')).take(8).map(|word| ("delete", word)));
    }
}

fn is_program(word: &str) -> bool {
    word.len() > 1
        && word.starts_with(|char: char| char.is_ascii_lowercase())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._+-".contains(&byte))
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    })
}

fn is_shell_fence(block: &str) -> bool {
    let first = block.trim_start().lines().next().unwrap_or("").trim_start_matches(['`', '~']).trim();
    ["sh", "bash", "shell", "zsh", "console", ""].iter().any(|name| first.eq_ignore_ascii_case(name))
}
