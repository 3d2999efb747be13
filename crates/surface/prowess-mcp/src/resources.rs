//! Files of skills as resources.
//!
//! The list has the skills that the model sees; a read works for all that the agent can use, because a skill that only people call
//! has files as well.

use data_encoding::BASE64;
use prowess_inventory::{SKILL_FILE, SkillEntry, SkillFile};
use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ReadResourceResult, Reference, Resource,
    ResourceContents, ResourceTemplate,
};
use serde_json::json;

use crate::core::Desk;
use crate::fault::Fault;
use crate::page::{self, PAGE, Page};
use crate::uri::{INDEX, SkillUri, mime_type, of_file, of_skill};

/// The description of the index in the extension's drafts.
const INDEX_SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// A page of all files of all skills that the model sees.
pub(crate) fn list(desk: &Desk, cursor: Option<&str>) -> Result<Page<Resource>, Fault> {
    let after = page::after(cursor)?;
    // Keys are `name`, a sign below all others, `path`.
    let from = after.split('\0').next().unwrap_or_default();
    let skills = desk.offered().into_iter().filter(|(name, _)| *name >= from);
    let files = skills.flat_map(|(name, entry)| {
        let mut files: Vec<(String, Resource)> = entry
            .files()
            .iter()
            .map(|file| (format!("{name}\0{}", file.path), resource(entry, file)))
            .collect();
        files.sort_by(|(one, _), (other, _)| one.cmp(other));
        files
    });
    Ok(page::cut(files.filter(|(key, _)| key.as_str() > after), PAGE))
}

/// Returns the description of a file, without reading it.
pub(crate) fn resource(entry: &SkillEntry, file: &SkillFile) -> Resource {
    let skill = &entry.skill;
    let mut resource = if file.path == SKILL_FILE {
        Resource::new(of_skill(&skill.name), skill.name.clone())
            .with_title(skill.display_name.clone())
            .with_description(skill.description.clone())
    } else {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        Resource::new(of_file(&skill.name, &file.path), name)
    };
    resource.mime_type = mime_type(&file.path).map(str::to_owned);
    resource.with_size(file.size)
}

pub(crate) fn template() -> ResourceTemplate {
    ResourceTemplate::new("skill://{name}/{+path}", "skill-file")
        .with_title("A file of a skill")
        .with_description("Every file of a skill; `SKILL.md` is its text, the other places stand in it.")
}

/// The skill and the place that a URI names.
pub(crate) fn named<'a>(desk: &'a Desk, uri: &str) -> Result<(&'a SkillEntry, String), Fault> {
    let found = SkillUri::parse(uri).and_then(|named| Some((desk.usable(&named.skill)?, named.path)));
    found.ok_or_else(|| Fault::invalid(format!("nothing is served at `{}`", uri.escape_debug())))
}

/// Fails if there is no file at a URI.
pub(crate) fn exists(desk: &Desk, uri: &str) -> Result<(), Fault> {
    let (entry, path) = named(desk, uri)?;
    let is_there = entry.files().iter().any(|file| file.path == path);
    is_there
        .then_some(())
        .ok_or_else(|| Fault::invalid(format!("nothing is served at `{}`", uri.escape_debug())))
}

pub(crate) fn read(desk: &Desk, uri: &str) -> Result<ReadResourceResult, Fault> {
    if uri == INDEX {
        let contents = ResourceContents::text(index(desk), uri).with_mime_type("application/json");
        return Ok(ReadResourceResult::new(vec![contents]));
    }
    let (entry, path) = named(desk, uri)?;
    let bytes = entry.read_file(&path)?.bytes;
    Ok(ReadResourceResult::new(vec![contents(uri, &path, bytes)]))
}

/// The content of a file: as text if it is text, else as base64.
pub(crate) fn contents(uri: &str, path: &str, bytes: Vec<u8>) -> ResourceContents {
    match String::from_utf8(bytes) {
        Ok(text) => ResourceContents::text(text, uri).with_mime_type(mime_type(path).unwrap_or("text/plain")),
        Err(error) => ResourceContents::blob(BASE64.encode(error.as_bytes()), uri)
            .with_mime_type(mime_type(path).unwrap_or("application/octet-stream")),
    }
}

/// The list of skills, as drafts of the extension had it.
fn index(desk: &Desk) -> String {
    let skills: Vec<_> = desk
        .offered()
        .into_iter()
        .map(|(name, entry)| {
            json!({
                "name": name,
                "type": "skill-md",
                "description": entry.skill.description,
                "url": of_skill(name),
                "digest": format!("sha256:{}", entry.skill.content_hash),
            })
        })
        .collect();
    json!({ "$schema": INDEX_SCHEMA, "skills": skills }).to_string()
}

/// Names of skills, and places of their files.
pub(crate) fn complete(desk: &Desk, params: &CompleteRequestParams) -> CompleteResult {
    let Reference::Resource(of) = &params.r#ref else { return CompleteResult::default() };
    if of.uri != template().uri_template {
        return CompleteResult::default();
    }
    let begins = |text: &String| text.starts_with(&params.argument.value);
    let chosen = params.context.as_ref().and_then(|context| context.arguments.as_ref()?.get("name").cloned());
    let mut values: Vec<String> = match (params.argument.name.as_str(), chosen) {
        ("name", _) => desk.offered().into_keys().map(str::to_owned).filter(begins).collect(),
        ("path" | "+path", Some(name)) => {
            let files = desk.usable(&name).map(SkillEntry::files).unwrap_or_default();
            files.into_iter().map(|file| file.path).filter(begins).collect()
        }
        _ => Vec::new(),
    };
    let total = u32::try_from(values.len()).ok();
    let has_more = values.len() > CompletionInfo::MAX_VALUES;
    values.truncate(CompletionInfo::MAX_VALUES);
    let info = CompletionInfo::with_pagination(values, total, has_more);
    info.map(CompleteResult::new).unwrap_or_default()
}
