//! The answers of `skills-ref` 0.1.1, so that a check in CI can change tools without changing its text.
//!
//! The reference reads a stricter YAML than YAML (no flow collections, anchors or tags), splits at the first
//! two `---` wherever they stand, and takes every scalar as text. So does this module.

use unicode_normalization::UnicodeNormalization as _;

use crate::yaml::{self, Kind, Node};

const FIELDS: [&str; 6] = ["allowed-tools", "compatibility", "description", "license", "metadata", "name"];

/// The messages `agentskills validate` would print for a `SKILL.md` in a folder; none if it is valid.
///
/// ```
/// let messages = prowess_skill::validate_skills_ref(b"---\nname: a\ndescription: d\n---\n", "b");
/// assert_eq!(messages, ["Directory name 'b' must match skill name 'a'"]);
/// ```
pub fn validate(bytes: &[u8], folder: &str) -> Vec<String> {
    match read(bytes) {
        Ok(fields) => check(&fields, folder),
        Err(message) => vec![message],
    }
}

type Fields = Vec<(String, Field)>;

enum Field {
    Text(String),
    Collection,
}

fn read(bytes: &[u8]) -> Result<Fields, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "SKILL.md is not valid UTF-8".to_owned())?;
    // Python's text mode turns every line end into LF.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let Some(rest) = text.strip_prefix("---") else {
        return Err("SKILL.md must start with YAML frontmatter (---)".to_owned());
    };
    let Some((block, _)) = rest.split_once("---") else {
        return Err("SKILL.md frontmatter not properly closed with ---".to_owned());
    };
    let invalid = |what: &str| format!("Invalid YAML in frontmatter: {what}");
    let node = yaml::parse(block).map_err(|error| invalid(&error.message))?;
    let Some(node) = node else {
        return Err("SKILL.md frontmatter must be a YAML mapping".to_owned());
    };
    if let Some(what) = disallowed(&node, block) {
        return Err(invalid(what));
    }
    let Kind::Mapping(pairs) = node.kind else {
        return Err("SKILL.md frontmatter must be a YAML mapping".to_owned());
    };
    Ok(pairs.into_iter().map(|(key, value)| (text_of(key), field(value))).collect())
}

/// What the stricter YAML refuses: flow collections, anchors and tags.
fn disallowed(node: &Node, block: &str) -> Option<&'static str> {
    let opens_with = |mark: char| block.get(node.span.start..).is_some_and(|text| text.starts_with(mark));
    let follows_tab = block[..node.span.start.min(block.len())].ends_with('\t');
    match &node.kind {
        Kind::Scalar { tag: Some(_), .. } => Some("Disallowed tag token"),
        Kind::Scalar { plain: true, .. } if opens_with('&') || opens_with('*') => {
            Some("Disallowed anchor token")
        }
        Kind::Scalar { plain: true, text, .. } if text.contains('\t') || follows_tab => {
            Some("found character '\\t' that cannot start any token")
        }
        Kind::Scalar { .. } => None,
        Kind::Sequence(_) if opens_with('[') => Some("ugly disallowed JSONesque flow mapping"),
        Kind::Mapping(_) if opens_with('{') => Some("ugly disallowed JSONesque flow mapping"),
        Kind::Sequence(items) => items.iter().find_map(|item| disallowed(item, block)),
        Kind::Mapping(pairs) => {
            pairs.iter().find_map(|(key, value)| disallowed(key, block).or_else(|| disallowed(value, block)))
        }
    }
}

fn text_of(node: Node) -> String {
    match node.kind {
        Kind::Scalar { text, .. } => text,
        Kind::Sequence(_) | Kind::Mapping(_) => String::new(),
    }
}

fn field(node: Node) -> Field {
    match node.kind {
        Kind::Scalar { text, .. } => Field::Text(text),
        Kind::Sequence(_) | Kind::Mapping(_) => Field::Collection,
    }
}

fn check(fields: &Fields, folder: &str) -> Vec<String> {
    let get = |key: &str| fields.iter().find(|(name, _)| name == key).map(|(_, field)| field);
    let mut messages = Vec::new();
    let mut unexpected: Vec<&str> =
        fields.iter().map(|(key, _)| key.as_str()).filter(|key| !FIELDS.contains(key)).collect();
    if !unexpected.is_empty() {
        unexpected.sort_unstable();
        let allowed = FIELDS.map(|field| format!("'{field}'")).join(", ");
        messages.push(format!(
            "Unexpected fields in frontmatter: {}. Only [{allowed}] are allowed.",
            unexpected.join(", ")
        ));
    }
    match get("name") {
        None => messages.push("Missing required field in frontmatter: name".to_owned()),
        Some(Field::Text(name)) if !name.trim().is_empty() => check_name(name, folder, &mut messages),
        Some(_) => messages.push("Field 'name' must be a non-empty string".to_owned()),
    }
    match get("description") {
        None => messages.push("Missing required field in frontmatter: description".to_owned()),
        Some(Field::Text(text)) if !text.trim().is_empty() => {
            let length = text.chars().count();
            if length > 1_024 {
                messages.push(format!("Description exceeds 1024 character limit ({length} chars)"));
            }
        }
        Some(_) => messages.push("Field 'description' must be a non-empty string".to_owned()),
    }
    match get("compatibility") {
        None => {}
        Some(Field::Text(text)) => {
            let length = text.chars().count();
            if length > 500 {
                messages.push(format!("Compatibility exceeds 500 character limit ({length} chars)"));
            }
        }
        Some(Field::Collection) => messages.push("Field 'compatibility' must be a string".to_owned()),
    }
    messages
}

fn check_name(name: &str, folder: &str, messages: &mut Vec<String>) {
    let name: String = name.trim().nfkc().collect();
    let length = name.chars().count();
    if length > 64 {
        messages.push(format!("Skill name '{name}' exceeds 64 character limit ({length} chars)"));
    }
    if name != name.to_lowercase() {
        messages.push(format!("Skill name '{name}' must be lowercase"));
    }
    if name.starts_with('-') || name.ends_with('-') {
        messages.push("Skill name cannot start or end with a hyphen".to_owned());
    }
    if name.contains("--") {
        messages.push("Skill name cannot contain consecutive hyphens".to_owned());
    }
    if !name.chars().all(|next| next.is_alphanumeric() || next == '-') {
        messages.push(format!(
            "Skill name '{name}' contains invalid characters. Only letters, digits, and hyphens are allowed."
        ));
    }
    if folder.nfkc().collect::<String>() != name {
        messages.push(format!("Directory name '{folder}' must match skill name '{name}'"));
    }
}
