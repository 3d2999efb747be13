//! `read`: a window of a text file, or what is in a folder.

use std::io;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use prowess_fs::ConditionKind;
use prowess_model::ToolSpec;
use prowess_text::describe_error;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::parse;
use super::place::{self, Place};
use super::{Tool, ToolInput, ToolOutput, beneath};
use crate::{RunContext, RunSkill};

/// Larger files are for other programs.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Lines of a window, by default.
const USUAL_LINES: usize = 2000;
/// Entries of a listing.
const MAX_ENTRIES: usize = 500;
/// The length of the beginning that is searched for a byte that no text has.
const SNIFFED_BYTES: usize = 8192;

/// The line above the text of a skill whose file can no longer be used.
const LAST_GOOD: &str = "[the last good version of this skill; the file was edited since and cannot be used as it is: \
    `exec` shows it]";

/// Reads files in the workspace and in the folders of the run's skills. Needs no consent.
pub struct ReadTool {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Arguments {
    path: String,
    offset: Option<usize>,
    limit: Option<usize>,
}

impl ReadTool {
    /// The tool.
    pub fn new() -> Self {
        let description = "Read a text file, or list a folder, in the workspace or in a skill's folder. \
            Relative paths start at the workspace, `~/` at the home folder. \
            Long files come in windows: `offset` is the first line (from 1), `limit` the number of lines.";
        let input = json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "The file or folder" },
                "offset": { "type": "integer", "minimum": 1, "description": "First line, from 1" },
                "limit": { "type": "integer", "minimum": 1, "description": "Number of lines" }
            },
            "required": ["path"]
        });
        Self { spec: ToolSpec { name: "read".into(), description: description.into(), input } }
    }
}

impl Default for ReadTool {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for ReadTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, _input: &Value, _context: &RunContext) -> Option<String> {
        None
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move { read(input).unwrap_or_else(|refusal| refusal) })
    }
}

fn read(input: ToolInput<'_>) -> Result<ToolOutput, ToolOutput> {
    let arguments: Arguments = parse(input.value)?;
    let place = place::readable(&arguments.path, input.context)
        .map_err(|error| ToolOutput::failed(error.to_string()))?;
    let cannot = |error: io::Error| {
        ToolOutput::failed(format!("cannot read `{}`: {}", place.path().display(), describe_error(&error)))
    };
    if place.path().is_dir() {
        return list(&place).map_err(cannot);
    }
    let limit = arguments.limit.unwrap_or(USUAL_LINES).max(1);
    let window = Window { first: arguments.offset.unwrap_or(1).max(1), lines: limit };
    if let Some(text) = checked_text(&place, input.context) {
        let text = String::from_utf8_lossy(&text);
        let text = input.context.redactor.redact(&text);
        let mut output = window.of(&text, input.context.limits.max_output_bytes);
        output.text = format!("{LAST_GOOD}\n{}", output.text);
        return Ok(output);
    }
    let file = beneath::open_file(&place, &input.context.protected).map_err(cannot)?;
    let bytes = beneath::contents(file, MAX_FILE_BYTES).map_err(cannot)?;
    if bytes.iter().take(SNIFFED_BYTES).any(|byte| *byte == 0) {
        let size = bytes.len();
        let path = place.path();
        return Err(ToolOutput::failed(format!(
            "`{}` is a binary file of {size} bytes; use a program that understands it through `exec`",
            path.display()
        )));
    }
    // Before the window is cut: half a secret would not be recognised.
    let text = String::from_utf8_lossy(&bytes);
    let text = input.context.redactor.redact(&text);
    Ok(window.of(&text, input.context.limits.max_output_bytes))
}

/// The text of a skill as it was checked, if its file is another by now.
fn checked_text(place: &Place, context: &RunContext) -> Option<Arc<[u8]>> {
    let path = place.path();
    let is_meant = |skill: &&RunSkill| prowess_fs::real(&skill.file).is_some_and(|file| file == path);
    let mut changed = context.skills.iter().filter(|skill| skill.text.is_some());
    changed.find(is_meant)?.text.clone()
}

/// The names in a folder, sorted; folders end with `/`, links with `@`.
fn list(place: &Place) -> io::Result<ToolOutput> {
    let mut names: Vec<String> = Vec::new();
    for entry in prowess_fs::children(&place.path())? {
        let mark = match entry.kind {
            ConditionKind::Folder => "/",
            ConditionKind::Link => "@",
            _ => "",
        };
        names.push(format!("{}{mark}", entry.name.to_string_lossy()));
    }
    names.sort();
    let rest = names.len().saturating_sub(MAX_ENTRIES);
    names.truncate(MAX_ENTRIES);
    if rest > 0 {
        names.push(format!("[{rest} more]"));
    } else if names.is_empty() {
        names.push("[the folder is empty]".to_owned());
    }
    Ok(ToolOutput::done(names.join("\n")))
}

#[derive(Clone, Copy, Debug)]
struct Window {
    first: usize,
    lines: usize,
}

impl Window {
    /// As many whole lines as fit, and where to go on.
    fn of(self, text: &str, max_bytes: usize) -> ToolOutput {
        if text.is_empty() {
            return ToolOutput::done("[the file is empty]");
        }
        let total = text.split_inclusive('\n').count();
        let mut shown = String::new();
        let mut last = self.first - 1;
        let mut cut_bytes = 0;
        for line in text.split_inclusive('\n').skip(self.first - 1).take(self.lines) {
            if shown.is_empty() && line.len() > max_bytes {
                let end = line.floor_char_boundary(max_bytes);
                shown.push_str(&line[..end]);
                cut_bytes = line.len() - end;
                last += 1;
                break;
            }
            if shown.len() + line.len() > max_bytes {
                break;
            }
            shown.push_str(line);
            last += 1;
        }
        if last < self.first {
            return ToolOutput::failed(format!("the file has only {total} lines"));
        }
        let rest: usize = text.split_inclusive('\n').skip(last).map(str::len).sum();
        if cut_bytes > 0 {
            shown.push_str(&format!("\n[line {last} goes on for {cut_bytes} bytes]"));
        }
        if last < total || self.first > 1 {
            let first = self.first;
            shown.push_str(&format!("\n[lines {first} to {last} of {total}"));
            if last < total {
                shown.push_str(&format!("; go on with offset {}", last + 1));
            }
            shown.push(']');
        }
        ToolOutput { omitted_bytes: (rest + cut_bytes) as u64, ..ToolOutput::done(shown) }
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
