//! `skill_read`: the text of a skill, or one of its files.

use prowess_inventory::{NameLookup, SKILL_FILE, SkillEntry};
use prowess_types::ActivatedBy;
use rmcp::model::{ContentBlock, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::looks;
use crate::ask::Outcome;
use crate::core::Desk;
use crate::fault::Fault;
use crate::resources;
use crate::tool_answer::ToolAnswer;
use crate::uri::{mime_type, of_file, of_skill};

/// A larger file is read as a resource.
const MAX_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// The skill's name.
    name: String,
    /// A file of the skill, as its text names it; the text itself if none is named.
    file: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The skill.
    name: String,
    /// The text that was read.
    about: String,
    /// The text of the skill, or of its file; left out if the file is not text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The source of the skill.
    source: String,
    /// The content that was read, as a resource.
    uri: String,
    /// The SHA-256 of the file, as `sha256:` and 64 digits.
    digest: String,
    /// All files of the skill.
    files: Vec<File>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct File {
    /// Its place in the skill.
    path: String,
    /// As a resource.
    uri: String,
    /// Its size in bytes.
    size: u64,
    /// Its media type, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
}

pub(super) fn tool() -> Tool {
    super::tool::<Input, Output>(
        "skill_read",
        "Read a skill",
        "Gives the text of a skill and the list of its files, or one of the files. Follow the text for the task at hand.",
        looks(),
    )
}

pub(super) fn run(desk: &Desk, input: Input) -> Outcome {
    let entry = offered(desk, &input.name)?;
    let name = &entry.skill.name;
    let path = input.file.as_deref().map_or(SKILL_FILE, |file| file.trim_start_matches("./"));
    let files = entry.files();
    let size = files.iter().find(|file| file.path == path).map_or(0, |file| file.size);
    let uri = of_file(name, path);
    if size > MAX_BYTES {
        return Err(format!(
            "`{path}` has {size} bytes, which is too much for a tool; read the resource {uri}"
        ));
    }
    let contents = entry.read_file(path).map_err(|error| Fault::from(error).to_string())?;
    let is_skill = path == SKILL_FILE;
    if is_skill {
        // A session that cannot be written does not stop the work.
        let _ = desk.loaded(entry, ActivatedBy::Read);
    }
    let source = desk.engine.profile().source_name(&entry.origin.source).to_owned();
    let digest = format!("sha256:{}", contents.digest);
    let (text, block) = match String::from_utf8(contents.bytes) {
        Ok(text) => (Some(text.clone()), ContentBlock::text(text)),
        Err(error) => (None, ContentBlock::resource(resources::contents(&uri, path, error.into_bytes()))),
    };
    let about = if is_skill {
        let others: Vec<&str> = files.iter().skip(1).map(|file| file.path.as_str()).collect();
        let others =
            if others.is_empty() { String::new() } else { format!(" Its files: {}.", others.join(", ")) };
        format!("The skill `{name}`, from `{source}` ({}).{others}", of_skill(name))
    } else {
        let form = if text.is_some() { "" } else { " It is not text: its bytes are the resource." };
        format!("`{path}` of the skill `{name}`, from `{source}` ({uri}).{form}")
    };
    let output = Output {
        name: name.clone(),
        about: about.clone(),
        text,
        uri,
        digest,
        files: files
            .iter()
            .map(|file| File {
                path: file.path.clone(),
                uri: of_file(name, &file.path),
                size: file.size,
                mime_type: mime_type(&file.path).map(str::to_owned),
            })
            .collect(),
        source,
    };
    Ok(ToolAnswer {
        content: vec![ContentBlock::text(about), block],
        fields: serde_json::to_value(output).unwrap_or_default(),
    })
}

/// A skill that the model sees, or the reason why there is none.
pub(super) fn offered<'a>(desk: &'a Desk, name: &str) -> Result<&'a SkillEntry, String> {
    let entry = match desk.inventory().find(name) {
        NameLookup::Found(entry) => entry,
        NameLookup::Ambiguous(names) => {
            return Err(format!("`{name}` could be one of: {}", names.join(", ")));
        }
        NameLookup::Missing => return Err(unknown(name)),
    };
    let known = &entry.skill.name;
    if !entry.allowed {
        Err(unknown(name))
    } else if !entry.verdict.eligible {
        Err(format!("the skill `{known}` cannot be used yet: {}", entry.verdict.reasons.join("; ")))
    } else if entry.is_model_visible() {
        Ok(entry)
    } else {
        Err(format!(
            "only people may call the skill `{known}`: the user can do so with the prompt of its name"
        ))
    }
}

fn unknown(name: &str) -> String {
    format!(
        "there is no skill `{}`; `skill_list` names them, `skill_search` finds one by meaning",
        name.escape_debug()
    )
}
