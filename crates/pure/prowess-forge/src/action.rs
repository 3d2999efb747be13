//! One step: what it says in the procedure, and what repeats it in the script.

use serde_json::Value;

use crate::argument::{Cleaned, clean, relative};
use crate::episode::EpisodeStep;
use crate::parameter::Values;
use crate::shell::split;
use crate::words::Filter;

/// Tools that take a command line.
const SHELLS: [&str; 9] = [
    "exec",
    "bash",
    "shell",
    "local_shell",
    "exec_command",
    "run_shell_command",
    "run_command",
    "terminal",
    "execute",
];
/// Tools that write a file.
const WRITERS: [&str; 4] = ["write", "write_file", "create_file", "writefile"];
/// Tools that only look.
const READERS: [&str; 9] =
    ["read", "read_file", "grep", "glob", "ls", "list", "webfetch", "websearch", "view"];
/// A larger text does not fit into a variable everywhere.
const MAX_VALUE: usize = 64 * 1024;

/// What a step comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Action {
    /// For the procedure.
    pub(crate) summary: String,
    /// For the script.
    pub(crate) replay: Repeat,
    /// Programs that it runs.
    pub(crate) programs: Vec<String>,
    /// Variables that it reads.
    pub(crate) variables: Vec<String>,
}

impl Action {
    /// Returns true if the script does something for it.
    pub(crate) fn is_repeated(&self) -> bool {
        matches!(self.replay, Repeat::Lines(_))
    }
}

/// How a step is repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// By these lines.
    Lines(String),
    /// It changes nothing.
    #[default]
    Nothing,
    /// Not at all, for this reason.
    Not(&'static str),
}

/// The bare names of the programs that a step runs, in order; none for a step that is not a command line.
pub(crate) fn programs(step: &EpisodeStep) -> Vec<String> {
    let Some(line) = command_line(step) else { return Vec::new() };
    let nothing = |_: &str| Vec::new();
    split(&line)
        .map(|pieces| clean(&pieces, "", &nothing, &mut Values::default()).programs)
        .unwrap_or_default()
}

pub(crate) fn action(step: &EpisodeStep, workspace: &str, filter: Filter<'_>, values: &mut Values) -> Action {
    let kind = step.kind.to_lowercase();
    if let Some(line) = command_line(step) {
        return shell(step, &line, workspace, filter, values);
    }
    if WRITERS.contains(&kind.as_str()) {
        return write(step, workspace, values);
    }
    let replay =
        if READERS.contains(&kind.as_str()) { Repeat::Nothing } else { Repeat::Not("it is not a command") };
    let place = path(&step.input).map(|path| format!(" \"${}\"", values.name(&relative(path, workspace))));
    let summary = format!("{}{}", identifier(&step.kind), place.unwrap_or_default());
    Action { summary, replay, ..Action::default() }
}

fn shell(step: &EpisodeStep, line: &str, workspace: &str, filter: Filter<'_>, values: &mut Values) -> Action {
    let kind = identifier(&step.kind);
    let Ok(pieces) = split(line) else {
        let summary = format!("{kind} a longer shell script");
        return Action {
            summary,
            replay: Repeat::Not("its command line is not simple"),
            ..Action::default()
        };
    };
    if step.input.get("background").and_then(Value::as_bool) == Some(true) {
        let summary = format!("{kind} a program in the background");
        return Action { summary, replay: Repeat::Not("it runs in the background"), ..Action::default() };
    }
    let Cleaned { line, programs, variables } = clean(&pieces, workspace, filter, values);
    let folder = ["workdir", "cwd"].iter().find_map(|name| step.input.get(name)?.as_str());
    let folder =
        folder.map(|folder| relative(folder, workspace)).filter(|folder| folder != "." && !folder.is_empty());
    let entered = folder.map(|folder| format!("cd {} && ", values.word(&folder))).unwrap_or_default();
    Action {
        summary: format!("{kind} `{line}`"),
        // Each command had a shell of its own.
        replay: Repeat::Lines(format!("( {entered}{line} )")),
        programs,
        variables,
    }
}

fn write(step: &EpisodeStep, workspace: &str, values: &mut Values) -> Action {
    let kind = identifier(&step.kind);
    let content = ["content", "contents", "text"].iter().find_map(|name| step.input.get(name)?.as_str());
    let (Some(path), Some(content)) = (path(&step.input), content) else {
        return Action {
            summary: kind,
            replay: Repeat::Not("what it wrote is not known"),
            ..Action::default()
        };
    };
    let path = values.word(&relative(path, workspace));
    if content.len() > MAX_VALUE {
        let summary = format!("{kind} a long text to {path}");
        return Action { summary, replay: Repeat::Not("its text is too long"), ..Action::default() };
    }
    let content = values.word(content);
    let appends = step.input.get("append").and_then(Value::as_bool) == Some(true);
    let (arrow, verb) = if appends { (">>", "append") } else { (">", "write") };
    Action {
        summary: format!("{kind}: {verb} {content} to {path}"),
        replay: Repeat::Lines(format!(
            "mkdir -p \"$(dirname {path})\"\nprintf '%s' {content} {arrow} {path}"
        )),
        ..Action::default()
    }
}

/// The command line of a step, if it is one for a shell.
fn command_line(step: &EpisodeStep) -> Option<String> {
    if step.is_phone || !SHELLS.contains(&step.kind.to_lowercase().as_str()) {
        return None;
    }
    let command = ["command", "cmd", "script"].iter().find_map(|name| step.input.get(name))?;
    match command {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            let words = words?;
            match words.as_slice() {
                ["bash" | "sh" | "zsh" | "/bin/bash" | "/bin/sh" | "/bin/zsh", "-c" | "-lc", line] => {
                    Some((*line).to_owned())
                }
                words => Some(
                    words.iter().map(|word| prowess_text::posix_word(word)).collect::<Vec<_>>().join(" "),
                ),
            }
        }
        _ => None,
    }
}

fn path(input: &Value) -> Option<&str> {
    ["path", "file_path", "file"].iter().find_map(|name| input.get(name)?.as_str())
}

/// A name that programs gave; anything else is not shown.
pub(crate) fn identifier(text: &str) -> String {
    let is_one = (1..=120).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:/$-".contains(&byte));
    if is_one { text.to_owned() } else { "unknown".to_owned() }
}

#[cfg(test)]
#[path = "action_tests.rs"]
mod tests;
