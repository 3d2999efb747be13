//! OpenPocket's dialect: a line parser that is not YAML, and its validator.
//!
//! Its surprises are kept on purpose (indentation is ignored, block scalars read as `>`), because the profile
//! promises what the real program would do.

use prowess_text::{utf16_len, utf16_prefix};
use prowess_types::{
    Diagnostic, Dialect, Fields, Metadata, Requirements, Severity, Skill, SkillLayout, Span, SpecLevel,
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::fence::{self, Fence};
use crate::input::{SkillInput, content_hash};
use crate::text::{decode, trim};
use crate::values::list;
use crate::{metadata, rules};

/// A description that is taken from the text is cut here, in UTF-16 units.
const DERIVED_DESCRIPTION: usize = 180;

/// The three fields it knows.
#[derive(Debug, Default)]
struct Header {
    name: Option<String>,
    description: Option<String>,
    metadata: Option<Map<String, Value>>,
}

/// Reads a skill the way OpenPocket does. Every file is a skill; strict mode is the caller's to enforce.
pub(crate) fn parse(input: &SkillInput<'_>) -> Skill {
    let decoded = decode(input.bytes, Dialect::Openpocket);
    let text = decoded.text.as_ref();
    let mut diagnostics = decoded.diagnostics;
    let (header, body_start) = match fence::find(text, Dialect::Openpocket) {
        Fence::Block { yaml, body_start } => (read_header(&text[yaml]), body_start),
        Fence::Missing | Fence::Unterminated => {
            diagnostics.push(Diagnostic {
                severity: Severity::Warning,
                ..rules::FRONTMATTER_MISSING.at(Span::new(0, 0), "the text has no frontmatter".to_owned())
            });
            (Header::default(), 0)
        }
    };
    let body = &text[body_start..];
    let mut fields = Fields::new();
    for (key, value) in [("name", &header.name), ("description", &header.description)] {
        if let Some(value) = value {
            fields.insert(key.to_owned(), Value::from(value.as_str()));
        }
    }
    let (metadata, requirements) = gates(header.metadata.as_ref());
    if let Some(map) = header.metadata {
        fields.insert("metadata".to_owned(), Value::Object(map));
    }
    let filled = |value: Option<String>| value.filter(|value| !value.is_empty());
    let name = filled(header.name).or_else(|| heading(body)).unwrap_or_else(|| input.id.to_owned());
    Skill {
        id: input.id.to_owned(),
        display_name: name.clone(),
        name,
        description: filled(header.description).unwrap_or_else(|| derived_description(body)),
        layout: input.layout,
        frontmatter: fields.into(),
        requirements,
        metadata,
        content_hash: content_hash(input.bytes),
        body_start,
        body_chars: utf16_len(body),
        level: SpecLevel::Loadable,
        diagnostics: diagnostics.into(),
        ..Skill::default()
    }
}

/// `key: value` on any line, whatever its indentation; the last one wins.
fn read_header(block: &str) -> Header {
    let mut header = Header::default();
    for line in block.split('\n') {
        let line = line.trim();
        let Some((key, value)) = line.split_once(':').map(|(key, value)| (key.trim_end(), value.trim()))
        else {
            continue;
        };
        let is_key = !key.is_empty()
            && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'));
        if !is_key || value.is_empty() {
            continue;
        }
        match key.to_ascii_lowercase().as_str() {
            "name" => header.name = Some(unquote(value).to_owned()),
            "description" => header.description = Some(unquote(value).to_owned()),
            "metadata" => header.metadata = read_metadata(unquote(value)),
            _ => {}
        }
    }
    header
}

/// Reads the value one level down, because that is where it stands among the fields: what is nested so deeply
/// that the fields could not be read back is not read at all.
fn read_metadata(text: &str) -> Option<Map<String, Value>> {
    let [map] = serde_json::from_str(&format!("[{text}]")).ok()?;
    Some(map)
}

/// Drops surrounding quotes; a lone quote is both ends at once, and leaves nothing.
fn unquote(text: &str) -> &str {
    for quote in ['"', '\''] {
        if text.starts_with(quote) && text.ends_with(quote) {
            return text.get(1..text.len() - 1).unwrap_or("");
        }
    }
    text
}

/// The first line that, trimmed, starts with `# `. An indented one keeps its mark.
fn heading(body: &str) -> Option<String> {
    let line = body.split('\n').find(|line| line.trim().starts_with("# "))?;
    let text = line.strip_prefix('#').map_or(line, str::trim_start).trim();
    (!text.is_empty()).then(|| text.to_owned())
}

pub(crate) fn derived_description(body: &str) -> String {
    body.split('\n').map(trim).find(|line| !line.is_empty() && !line.starts_with('#')).map_or_else(
        || "(no description)".to_owned(),
        |line| utf16_prefix(line, DERIVED_DESCRIPTION).to_owned(),
    )
}

fn gates(metadata_field: Option<&Map<String, Value>>) -> (Metadata, Requirements) {
    let Some(block) = metadata_field.and_then(|map| map.get("openclaw")).and_then(Value::as_object) else {
        return (Metadata::default(), Requirements::default());
    };
    let requires = block.get("requires").and_then(Value::as_object);
    let read = |key: &str| list(requires.and_then(|requires| requires.get(key)), Dialect::Openpocket);
    let requirements = Requirements {
        bins: read("bins"),
        env: read("env"),
        config: read("config"),
        os: list(block.get("os"), Dialect::Openpocket),
        any_bins: Vec::new(),
    };
    let metadata = Metadata {
        namespace: Some("openclaw".to_owned()),
        requires_declared: requires.is_some(),
        triggers: metadata::triggers(block.get("triggers"), Dialect::Openpocket).into(),
        ..Metadata::default()
    };
    (metadata, requirements)
}

/// One finding of OpenPocket's validator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Issue {
    /// Its code.
    pub code: &'static str,
    /// Its text.
    pub message: &'static str,
    /// Always `error`.
    pub severity: &'static str,
    /// The field it is about, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<&'static str>,
}

/// Validates a file as `openpocket skills validate [--strict]` would.
///
/// ```
/// let issues = prowess_skill::validate_openpocket(b"# no frontmatter\n", "notes", "a.md", false);
/// assert_eq!(issues[0].code, "FRONTMATTER_MISSING");
/// ```
pub fn validate(bytes: &[u8], folder: &str, file_name: &str, strict: bool) -> Vec<Issue> {
    let decoded = decode(bytes, Dialect::Openpocket);
    let text = decoded.text.as_ref();
    let error = |code, message, field| Issue { code, message, severity: "error", field };
    let mut issues = Vec::new();
    let mut name = String::new();
    if let Fence::Block { yaml, .. } = fence::find(text, Dialect::Openpocket) {
        let header = read_header(&text[yaml]);
        header.name.unwrap_or_default().trim().clone_into(&mut name);
        if name.is_empty() {
            issues.push(error("NAME_MISSING", "Frontmatter must include non-empty `name`.", Some("name")));
        }
        if header.description.unwrap_or_default().trim().is_empty() {
            let message = "Frontmatter must include non-empty `description`.";
            issues.push(error("DESCRIPTION_MISSING", message, Some("description")));
        }
    } else {
        let message = "Skill document must start with YAML frontmatter block.";
        issues.push(error("FRONTMATTER_MISSING", message, None));
    }
    if !strict {
        return issues;
    }
    if !file_name.eq_ignore_ascii_case("skill.md") {
        let message = "Strict mode requires file name `SKILL.md`.";
        issues.push(error("SKILL_FILENAME_INVALID", message, Some("path")));
    }
    if !is_kebab(folder) {
        let message = "Strict mode requires parent skill directory to be kebab-case [a-z0-9-].";
        issues.push(error("SKILL_DIR_INVALID", message, Some("path")));
    }
    if !name.is_empty() && !is_kebab(&name) {
        let message = "Strict mode requires frontmatter `name` to be kebab-case [a-z0-9-].";
        issues.push(error("NAME_INVALID", message, Some("name")));
    }
    if !name.is_empty() && !folder.is_empty() && as_folder_name(&name) != folder {
        let message = "Strict mode requires frontmatter `name` to match parent directory name.";
        issues.push(error("NAME_PATH_MISMATCH", message, Some("name")));
    }
    issues
}

fn is_kebab(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && !text.starts_with('-')
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Lower case; every run of other characters becomes one hyphen; none at the ends.
fn as_folder_name(name: &str) -> String {
    let lower = name.to_lowercase();
    lower
        .split(|next: char| !(next.is_ascii_lowercase() || next.is_ascii_digit()))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// Returns true if strict mode would load it.
pub(crate) fn is_strictly_valid(input: &SkillInput<'_>) -> bool {
    input.layout == SkillLayout::Folder && validate(input.bytes, input.id, "SKILL.md", true).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_that_was_read_can_be_read_again_among_the_fields() {
        for depth in 100..140 {
            let text = format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
            if let Some(map) = read_metadata(&text) {
                let fields = serde_json::json!({ "metadata": map }).to_string();
                assert!(serde_json::from_str::<Fields>(&fields).is_ok(), "{depth}");
            }
        }
        assert!(read_metadata("{\"a\":1}").is_some());
        for text in ["[]", "{},{}", "{}],[{}", ""] {
            assert_eq!(read_metadata(text), None, "{text}");
        }
    }
}
