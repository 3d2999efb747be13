//! The input of selection about a skill: its words, without its workings.

use std::sync::Arc;

use prowess_inventory::{SkillEntry, parallel_map};
use prowess_select::SelectDocument;
use prowess_types::{ContentHash, Dialect, Fields, Skill};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// As much of a file as can hold the part of a body that counts.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// As much of a body as selection looks at, in characters.
const BODY_CHARS: usize = prowess_select::BODY_CHARS;

/// The documents of skills, in their order, and how many texts were read for them. A document that is `known` by the
/// place of its skill is taken over.
pub(super) fn documents<'a>(
    entries: &[SkillEntry],
    known: impl Fn(usize) -> Option<&'a SelectDocument>,
    dialect: Dialect,
) -> (Vec<SelectDocument>, usize) {
    let mut documents: Vec<Option<SelectDocument>> =
        (0..entries.len()).map(|row| known(row).cloned()).collect();
    let unknown: Vec<usize> = (0..entries.len()).filter(|row| documents[*row].is_none()).collect();
    let read = parallel_map(unknown.clone(), |row| {
        let entry = &entries[row];
        document(&entry.skill, &body(entry, dialect))
    });
    let count = read.len();
    for (row, document) in unknown.into_iter().zip(read) {
        documents[row] = Some(document);
    }
    (documents.into_iter().flatten().collect(), count)
}

/// One document.
pub fn document(skill: &Skill, body: &str) -> SelectDocument {
    let extensions = &skill.extensions;
    let keywords = [
        &extensions.activation_keywords,
        &extensions.activation_patterns,
        &extensions.activation_tags,
        &extensions.tags,
    ];
    SelectDocument {
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

/// The beginning of the text below the frontmatter; empty if the file is gone.
fn body(entry: &SkillEntry, dialect: Dialect) -> String {
    let Some(bytes) = checked_text(entry) else { return String::new() };
    let text = prowess_skill::decode(&bytes, dialect).text;
    let body = text.get(entry.skill.body_start..).unwrap_or_default();
    body.chars().take(BODY_CHARS).collect()
}

/// The text of a skill as it was checked: from memory, else from its file, and then kept in memory where a view wants
/// that.
fn checked_text(entry: &SkillEntry) -> Option<Arc<[u8]>> {
    if let Some(kept) = entry.kept_text() {
        return Some(kept);
    }
    let bytes = prowess_fs::read_file(&entry.origin.real_file, MAX_FILE_BYTES).ok()?;
    if let Some(texts) = &entry.texts
        && ContentHash(Sha256::digest(&bytes).into()) == entry.skill.content_hash
    {
        texts.keep(entry.skill.content_hash, &bytes);
    }
    Some(bytes.into())
}
