//! The skills extension, `io.modelcontextprotocol/skills`: whole skills with the digests of all their files.
//!
//! Only skills that keep the rules of the Agent Skills specification, and the extension's limits, are entries here. All
//! others are still resources.

use std::collections::BTreeMap;

use prowess_inventory::{SKILL_FILE, SkillEntry};
use prowess_types::SkillLayout;
use rmcp::ErrorData;
use rmcp::model::Resource;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::core::Desk;
use crate::fault::Fault;
use crate::page::{self, PAGE};
use crate::resources;
use crate::uri::{SkillUri, of_file, of_folder, of_skill};

/// The extension's name.
pub(crate) const NAME: &str = "io.modelcontextprotocol/skills";
/// Files that a skill may have.
const MAX_FILES: usize = 512;
/// Bytes that all files of a skill may have.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Entries of a page: each of them means reading all files of a skill.
const SKILLS_PAGE: usize = 25;

/// A request of the extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// `skills/list`
    List { cursor: Option<String> },
    /// `skills/get`
    Get { uri: String },
    /// `resources/directory/read`
    Directory { uri: String, cursor: Option<String> },
}

#[derive(Default, Deserialize)]
struct ListParams {
    cursor: Option<String>,
}

#[derive(Deserialize)]
struct UriParams {
    uri: String,
    cursor: Option<String>,
}

impl Asked {
    /// Reads a request; none if it is not a method of the extension.
    pub(crate) fn parse(method: &str, params: Option<Value>) -> Option<Result<Self, ErrorData>> {
        Some(match method {
            "skills/list" => match params {
                None | Some(Value::Null) => Ok(Self::List { cursor: None }),
                params => read(method, params).map(|ListParams { cursor }| Self::List { cursor }),
            },
            "skills/get" => read(method, params).map(|UriParams { uri, .. }| Self::Get { uri }),
            "resources/directory/read" => {
                read(method, params).map(|UriParams { uri, cursor }| Self::Directory { uri, cursor })
            }
            _ => return None,
        })
    }
}

fn read<T: DeserializeOwned>(method: &str, params: Option<Value>) -> Result<T, ErrorData> {
    serde_json::from_value(params.unwrap_or_default()).map_err(|error| {
        ErrorData::invalid_params(format!("invalid parameters of `{method}`: {error}"), None)
    })
}

pub(crate) fn answer(desk: &Desk, asked: &Asked) -> Result<Value, Fault> {
    match asked {
        Asked::List { cursor } => list(desk, cursor.as_deref()),
        Asked::Get { uri } => get(desk, uri),
        Asked::Directory { uri, cursor } => directory(desk, uri, cursor.as_deref()),
    }
}

fn list(desk: &Desk, cursor: Option<&str>) -> Result<Value, Fault> {
    let after = page::after(cursor)?;
    let skills = desk.offered().into_iter().filter(|(name, _)| *name > after);
    // Skills that cannot be entries, or change just now, are left out; a request for one of them gets the reason.
    let entries = skills.filter_map(|(name, entry)| Some((name.to_owned(), skill(entry).ok()?)));
    let page = page::cut(entries, SKILLS_PAGE);
    Ok(cacheable(json!({ "skills": page.items }), page.next))
}

fn get(desk: &Desk, uri: &str) -> Result<Value, Fault> {
    let found = SkillUri::parse(uri).filter(|named| named.path == SKILL_FILE);
    let entry = found.and_then(|named| desk.usable(&named.skill));
    let entry =
        entry.ok_or_else(|| Fault::invalid(format!("no skill is served at `{}`", uri.escape_debug())))?;
    Ok(cacheable(json!({ "skill": skill(entry)? }), None))
}

/// The entry of a skill.
fn skill(entry: &SkillEntry) -> Result<Value, Fault> {
    let name = &entry.skill.name;
    if let Some(reason) = objection(entry) {
        return Err(Fault::invalid(format!("the extension does not offer `{name}`: {reason}")));
    }
    let files = entry.files();
    let bytes: u64 = files.iter().map(|file| file.size).sum();
    if files.len() > MAX_FILES || bytes > MAX_BYTES {
        let size = format!("{} files with {bytes} bytes", files.len());
        return Err(Fault::invalid(format!("`{name}` is larger than the extension allows: {size}")));
    }
    let mut listed = Vec::with_capacity(files.len());
    for file in &files {
        let contents = entry.contents(file)?;
        listed.push(json!({
            "uri": of_file(name, &file.path),
            "digest": format!("sha256:{}", contents.digest),
            "size": contents.bytes.len(),
        }));
    }
    Ok(json!({ "uri": of_skill(name), "frontmatter": *entry.skill.frontmatter, "resources": listed }))
}

/// Returns the reason a skill cannot be an entry.
fn objection(entry: &SkillEntry) -> Option<&'static str> {
    let skill = &entry.skill;
    let field = |key: &str| skill.frontmatter.get(key).and_then(Value::as_str).unwrap_or_default();
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let name = skill.name.as_str();
    let is_portable = (1..=64).contains(&name.len())
        && name.bytes().all(is_name)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--");
    if skill.layout != SkillLayout::Folder {
        Some("it has no folder")
    } else if field("name") != name || !is_portable {
        Some("its name is not lower-case letters, digits and hyphens in its frontmatter")
    } else if field("description").trim().is_empty() {
        Some("its frontmatter has no description")
    } else {
        None
    }
}

/// The direct entries of a folder of a skill.
fn directory(desk: &Desk, uri: &str, cursor: Option<&str>) -> Result<Value, Fault> {
    let after = page::after(cursor)?;
    let (entry, path) = resources::named(desk, uri)?;
    let (name, files) = (&entry.skill.name, entry.files());
    if files.iter().any(|file| file.path == path) {
        return Err(Fault::invalid(format!("`{}` is not a directory resource", uri.escape_debug())));
    }
    let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
    let mut children: BTreeMap<String, Resource> = BTreeMap::new();
    for file in &files {
        let Some(rest) = file.path.strip_prefix(&prefix) else { continue };
        let (child, resource) = match rest.split_once('/') {
            None => (rest, resources::resource(entry, file)),
            Some((folder, _)) => {
                let uri = of_folder(name, &format!("{prefix}{folder}"));
                (folder, Resource::new(uri, folder).with_mime_type("inode/directory"))
            }
        };
        children.insert(child.to_owned(), resource);
    }
    if children.is_empty() {
        return Err(Fault::invalid(format!("nothing is served at `{}`", uri.escape_debug())));
    }
    let page = page::cut(children.into_iter().filter(|(child, _)| child.as_str() > after), PAGE);
    Ok(complete(json!({ "resources": page.items }), page.next))
}

/// An answer that is the whole answer.
fn complete(mut answer: Value, next: Option<String>) -> Value {
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("resultType".to_owned(), "complete".into());
        answer.extend(
            next.map(|next| ("nextCursor".to_owned(), next.into())).into_iter().collect::<Map<_, _>>(),
        );
    }
    answer
}

/// The same, for an answer that says how long it may be kept: not at all, because files change.
fn cacheable(answer: Value, next: Option<String>) -> Value {
    let mut answer = complete(answer, next);
    answer["ttlMs"] = 0.into();
    answer["cacheScope"] = "private".into();
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_or_refused() {
        let parsed = |method: &str, params: Value| {
            Asked::parse(method, Some(params)).map(|asked| asked.map_err(|error| error.code.0))
        };
        assert_eq!(Asked::parse("skills/list", None), Some(Ok(Asked::List { cursor: None })));
        assert_eq!(
            parsed("skills/list", json!({"cursor": "x"})),
            Some(Ok(Asked::List { cursor: Some("x".into()) }))
        );
        assert_eq!(parsed("skills/get", json!({"uri": "u"})), Some(Ok(Asked::Get { uri: "u".into() })));
        for bad in [json!({}), json!([]), json!({"uri": 7}), json!("text"), Value::Null] {
            assert_eq!(parsed("skills/get", bad.clone()), Some(Err(-32602)), "{bad}");
            assert_eq!(parsed("resources/directory/read", bad.clone()), Some(Err(-32602)), "{bad}");
        }
        assert_eq!(parsed("skills/list", json!({"cursor": 7})), Some(Err(-32602)));
        assert_eq!(parsed("skills/else", json!({})), None);
    }
}
