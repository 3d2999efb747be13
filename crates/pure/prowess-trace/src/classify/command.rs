//! What a call does, as far as is needed to see that a later one does it again.

use std::fmt;

use prowess_types::OutcomeResult;
use serde_json::Value;

/// The keys under which the tools of different agents keep a command line.
const COMMAND_KEYS: [&str; 4] = ["command", "cmd", "script", "shell_command"];
/// Longer command lines are not taken apart.
const MAX_COMMAND_BYTES: usize = 64 * 1024;
/// Words before a program that only change how it is run.
const WRAPPERS: [&str; 10] =
    ["sudo", "env", "time", "nohup", "nice", "exec", "builtin", "stdbuf", "doas", "timeout"];
/// Statements that prepare a step and are not the step.
const PREPARATIONS: [&str; 8] = ["cd", "export", "set", "source", ".", "pushd", "popd", "true"];
/// Programs whose exit code 1 is an answer.
const ANSWERING: [&str; 14] = [
    "grep", "egrep", "fgrep", "rg", "ag", "diff", "cmp", "test", "[", "[[", "pgrep", "which", "command",
    "type",
];

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Programs were run: one per statement, in order.
    Programs(Vec<Program>),
    /// Another tool was called.
    Tool(String),
}

/// A program and its plain arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Program {
    name: String,
    words: Vec<String>,
}

impl Step {
    /// What a call does.
    pub(super) fn of(tool: &str, input: &Value) -> Self {
        let command = COMMAND_KEYS.iter().find_map(|key| input.get(key));
        let programs = match command {
            Some(Value::String(line)) => programs(line),
            Some(Value::Array(parts)) => {
                let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
                match parts.as_slice() {
                    // `["bash", "-lc", "…"]`
                    [shell, flags, line] if is_shell(shell) && flags.starts_with('-') => programs(line),
                    _ => Program::of(parts.iter().copied()).into_iter().collect(),
                }
            }
            _ => Vec::new(),
        };
        if programs.is_empty() { Self::Tool(tool.to_owned()) } else { Self::Programs(programs) }
    }

    /// Returns true if this step, which succeeded, does again what failed.
    pub(super) fn repeats(&self, failed: &Self, result: OutcomeResult) -> bool {
        match (self, failed) {
            (Self::Tool(this), Self::Tool(failed)) => this == failed,
            // Whichever statement failed, the last one was not reached or failed itself.
            (Self::Programs(these), Self::Programs(failed)) => failed.last().is_some_and(|failed| {
                these.iter().filter(|this| this.name == failed.name).any(|this| {
                    result == OutcomeResult::DependencyMissing
                        || failed.words.first().is_none_or(|word| this.words.contains(word))
                })
            }),
            _ => false,
        }
    }

    /// The program that was run last, if programs were run.
    pub(super) fn program(&self) -> Option<&str> {
        match self {
            Self::Programs(programs) => programs.last().map(|program| program.name.as_str()),
            Self::Tool(_) => None,
        }
    }

    /// Returns true if an exit code is an answer rather than a failure.
    pub(super) fn answers_no(&self, exit_code: Option<i32>) -> bool {
        let Self::Programs(programs) = self else {
            return false;
        };
        exit_code == Some(1)
            && programs.last().is_some_and(|program| ANSWERING.contains(&program.name.as_str()))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Programs(programs) => programs.last().map_or("", |program| &program.name),
            Self::Tool(tool) => tool,
        };
        write!(formatter, "`{name}`")
    }
}

impl Program {
    fn of<'a>(words: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut words = words
            .map(|word| word.trim_matches(['"', '\'', '(', ')', '{', '}']))
            .filter(|word| !word.is_empty());
        let is_before = |word: &str| {
            WRAPPERS.contains(&word) || is_assignment(word) || is_duration(word) || word.starts_with('-')
        };
        let name = words.find(|word| !is_before(word))?;
        if PREPARATIONS.contains(&name) {
            return None;
        }
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        // `python3.12` does what `python` does.
        let plain = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
        let name = if plain.is_empty() { name } else { plain };
        let words = words.filter(|word| !word.starts_with(['-', '>', '<', '&']) && !word.starts_with("2>"));
        Some(Self { name: name.to_owned(), words: words.map(str::to_owned).collect() })
    }
}

/// The programs of a command line: the first of each pipeline. Quotes are respected just enough not to split in them.
fn programs(line: &str) -> Vec<Program> {
    if line.len() > MAX_COMMAND_BYTES {
        return Vec::new();
    }
    let mut statements = vec![String::new()];
    let mut in_later_stage = false;
    let mut quote = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let mut ends = false;
        match (character, quote) {
            ('\\', _) => {
                characters.next();
                continue;
            }
            (mark, Some(open)) if mark == open => quote = None,
            ('"' | '\'', None) => quote = Some(character),
            (';' | '\n', None) => ends = true,
            ('&' | '|', None) if characters.peek() == Some(&character) => {
                characters.next();
                ends = true;
            }
            ('|', None) => in_later_stage = true,
            _ => {}
        }
        if ends {
            statements.push(String::new());
            in_later_stage = false;
        } else if !in_later_stage && let Some(statement) = statements.last_mut() {
            statement.push(character);
        }
    }
    statements.iter().filter_map(|statement| Program::of(statement.split_whitespace())).collect()
}

/// The command line of a call, if it has one.
fn line_of(input: &Value) -> Option<String> {
    match COMMAND_KEYS.iter().find_map(|key| input.get(key))? {
        Value::String(line) => Some(line.clone()),
        Value::Array(parts) => {
            let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
            match parts.as_slice() {
                [shell, flags, line] if is_shell(shell) && flags.starts_with('-') => Some((*line).to_owned()),
                _ => Some(parts.join(" ")),
            }
        }
        _ => None,
    }
}

/// The program that a shell came to last: the end of the last pipeline. It is what a shell without a word misses.
pub(super) fn last_program(input: &Value) -> Option<String> {
    let line = line_of(input).filter(|line| line.len() <= MAX_COMMAND_BYTES)?;
    let (mut quote, mut start) = (None, 0);
    for (place, character) in line.char_indices() {
        match (character, quote) {
            (mark, Some(open)) if mark == open => quote = None,
            ('"' | '\'', None) => quote = Some(character),
            ('|' | ';' | '&' | '\n', None) if !line[place + 1..].trim().is_empty() => start = place + 1,
            _ => {}
        }
    }
    let program = Program::of(line[start..].split_whitespace())?.name;
    let is_name = |char: char| char.is_alphanumeric() || "._-+".contains(char);
    (program.chars().all(is_name) && program.chars().any(char::is_alphabetic)).then_some(program)
}

/// The host that a command line names.
pub(super) fn host(input: &Value) -> Option<String> {
    super::reading::host(&line_of(input)?)
}

fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    matches!(name, "sh" | "bash" | "zsh" | "dash" | "fish" | "cmd" | "powershell" | "pwsh")
}

/// `60`, `2.5m`: what `timeout` is told.
fn is_duration(word: &str) -> bool {
    let number = word.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or(word);
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
