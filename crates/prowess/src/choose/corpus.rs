//! What selection gets to know of a skill: its words, without its workings.

use prowess_select::Document;
use prowess_types::{Dialect, Fields, Skill};
use serde_json::Value;

use crate::inventory::Entry;
use crate::parallel;

/// As much of a file as can hold the part of a body that counts.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// The documents of skills, in their order.
pub(super) fn documents(entries: &[Entry], dialect: Dialect) -> Vec<Document> {
    parallel::map(entries.iter().collect(), |entry| document(&entry.skill, &body(entry, dialect)))
}

/// One document.
pub(crate) fn document(skill: &Skill, body: &str) -> Document {
    let extensions = &skill.extensions;
    let keywords = [
        &extensions.activation_keywords,
        &extensions.activation_patterns,
        &extensions.activation_tags,
        &extensions.tags,
    ];
    Document {
        name: skill.name.clone(),
        description: skill.description.clone(),
        when_to_use: extensions.when_to_use.clone(),
        triggers: (*skill.metadata.triggers).clone(),
        keywords: keywords.into_iter().flatten().cloned().collect(),
        body: body.to_owned(),
        paths: if extensions.paths.is_empty() { globs(&skill.frontmatter) } else { extensions.paths.clone() },
    }
}

/// Cursor's name for `paths`: a list, or one text with commas.
fn globs(fields: &Fields) -> Vec<String> {
    let split = |text: &str| -> Vec<String> {
        text.split(',').map(str::trim).filter(|glob| !glob.is_empty()).map(Into::into).collect()
    };
    match fields.get("globs") {
        Some(Value::String(text)) => split(text),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).flat_map(split).collect(),
        _ => Vec::new(),
    }
}

/// The text below the frontmatter; empty if the file is gone.
fn body(entry: &Entry, dialect: Dialect) -> String {
    let Ok(bytes) = prowess_fs::read_file(&entry.origin.real_file, MAX_FILE_BYTES) else {
        return String::new();
    };
    let text = prowess_skill::decode(&bytes, dialect).text;
    text.get(entry.skill.body_start..).unwrap_or_default().to_owned()
}
