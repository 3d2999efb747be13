//! `write`: a file in the workspace, whole or longer than before.

use std::io::Read as _;
use std::sync::Mutex;

use futures_util::future::BoxFuture;
use prowess_model::ToolSpec;
use prowess_text::describe_error;
use prowess_types::IgnorePoison as _;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::parse;
use super::place;
use super::{Tool, ToolInput, ToolOutput, beneath};
use crate::RunContext;
use crate::process::Captured;

/// What a file may have before something is appended.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// How much of the content a question shows.
const SHOWN_BYTES: usize = 4096;

/// Several agents of this process may append to one file, and none of them may lose what another wrote.
static WRITING: Mutex<()> = Mutex::new(());

/// Writes files in the workspace.
pub struct WriteTool {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Arguments {
    path: String,
    content: String,
    #[serde(default)]
    append: bool,
}

impl WriteTool {
    /// The tool.
    pub fn new() -> Self {
        let description = "Write a text file in the workspace: replaces it, or appends to it; missing folders are \
            made. Relative paths start at the workspace.";
        let input = json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "The file" },
                "content": { "type": "string", "description": "Its new content, or what is appended" },
                "append": { "type": "boolean", "description": "Append instead of replacing" }
            },
            "required": ["path", "content"]
        });
        Self { spec: ToolSpec { name: "write".into(), description: description.into(), input } }
    }
}

impl Default for WriteTool {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for WriteTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn needs_consent(&self, input: &Value, context: &RunContext) -> Option<String> {
        // Even a call that would fail now is asked about: it might not fail a moment later.
        let Ok(arguments) = parse::<Arguments>(input) else {
            return Some(format!("write a file as told by {input}"));
        };
        let (path, exists) = match place::writable(&arguments.path, context) {
            Ok(place) => (place.path().display().to_string(), place.path().exists()),
            Err(_) => (arguments.path, false),
        };
        let act = match (arguments.append, exists) {
            (true, _) => "append to",
            (false, true) => "replace",
            (false, false) => "create",
        };
        let size = arguments.content.len();
        let content = Captured::of(&arguments.content, SHOWN_BYTES).text;
        Some(format!("{act} `{path}` ({size} bytes):\n{content}"))
    }

    fn call<'a>(&'a self, input: ToolInput<'a>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move { write(input).unwrap_or_else(|refusal| refusal) })
    }
}

fn write(input: ToolInput<'_>) -> Result<ToolOutput, ToolOutput> {
    let Arguments { path, content, append } = parse(input.value)?;
    let place =
        place::writable(&path, input.context).map_err(|error| ToolOutput::failed(error.to_string()))?;
    let shown = place.path();
    let shown = shown.display();
    let _only_one = WRITING.lock().ignore_poison();
    let mut bytes = Vec::new();
    if append && place.path().exists() {
        let cannot = |error| ToolOutput::failed(format!("cannot read `{shown}`: {}", describe_error(&error)));
        let file = beneath::open_file(&place, &input.context.protected).map_err(cannot)?;
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(ToolOutput::failed(format!("`{shown}` is not a regular file")));
        }
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(ToolOutput::failed(format!("`{shown}` has more than {MAX_FILE_BYTES} bytes")));
        }
    }
    bytes.extend_from_slice(content.as_bytes());
    beneath::replace(&place, &bytes)
        .map_err(|error| ToolOutput::failed(format!("cannot write `{shown}`: {}", describe_error(&error))))?;
    let (size, act) = (content.len(), if append { "appended" } else { "wrote" });
    Ok(ToolOutput::done(format!("{act} {size} bytes to `{shown}`")))
}
