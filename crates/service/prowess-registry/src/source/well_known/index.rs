//! The index itself.

use serde_json::Value;

use super::LeftOut;
use crate::digest::is_sha256;
use crate::names::{check_path, is_hyphenated};

/// What the `$schema` of an index begins with; the version follows.
const SCHEMA: &str = "https://schemas.agentskills.io/discovery/";
/// The maximum number of files that a skill may list.
const MAX_FILES: usize = 1000;

/// A skill of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) source: Source,
}

/// How to get it. Digests are SHA-256 in lower-case hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Archive { url: String, digest: String },
    SkillFile { url: String, digest: String },
    Files { files: Vec<(String, Option<String>)>, digest: Option<String> },
}

/// The reason a document is not an index.
#[derive(Debug, thiserror::Error)]
pub(super) enum IndexError {
    #[error("it is not JSON")]
    Json(#[from] serde_json::Error),
    #[error("it has no list `skills`")]
    NoSkills,
    #[error("its `$schema` is `{0}`, which is not known")]
    Schema(String),
    #[error("one of its skills has an invalid entry")]
    Entry,
}

/// The usable entries and those that were dropped. In the oldest form one bad entry spoils all.
pub(super) fn parse(body: &[u8]) -> Result<(Vec<Entry>, Vec<LeftOut>), IndexError> {
    let document: Value = serde_json::from_slice(body)?;
    let is_strict = match document.get("$schema") {
        Some(Value::String(schema)) if schema.starts_with(SCHEMA) => false,
        Some(schema) => return Err(IndexError::Schema(schema.to_string().chars().take(200).collect())),
        None => document.get("version").is_none(),
    };
    let skills = document.get("skills").and_then(Value::as_array).ok_or(IndexError::NoSkills)?;
    let (mut entries, mut left_out) = (Vec::new(), Vec::new());
    for skill in skills {
        match entry(skill) {
            Some(entry) => entries.push(entry),
            None if is_strict => return Err(IndexError::Entry),
            None => left_out
                .push(LeftOut { path: shown(skill), reason: "the index does not describe it as it must" }),
        }
    }
    Ok((entries, left_out))
}

fn shown(skill: &Value) -> String {
    let name = skill.get("name").and_then(Value::as_str).unwrap_or("(no name)");
    name.chars().filter(|letter| !letter.is_control()).take(64).collect()
}

fn entry(skill: &Value) -> Option<Entry> {
    let text = |key: &str| skill.get(key).and_then(Value::as_str);
    let name = text("name").filter(|name| name.len() <= 64 && is_hyphenated(name))?;
    text("description").filter(|text| (1..=1024).contains(&text.chars().count()))?;
    let source = match (text("type"), text("url")) {
        (Some("archive"), Some(url)) => {
            Source::Archive { url: url.to_owned(), digest: digest(text("digest")?)? }
        }
        (Some("skill-md"), Some(url)) => {
            Source::SkillFile { url: url.to_owned(), digest: digest(text("digest")?)? }
        }
        (None, None) => listed(skill, text("digest"))?,
        _ => return None,
    };
    Some(Entry { name: name.to_owned(), source })
}

/// An entry that lists its files, as texts or with checksums, and perhaps all of them as one package.
fn listed(skill: &Value, promised: Option<&str>) -> Option<Source> {
    if let Some(package) = skill.get("package") {
        let text = |key: &str| package.get(key).and_then(Value::as_str);
        return Some(Source::Archive { url: text("url")?.to_owned(), digest: digest(text("digest")?)? });
    }
    let files = skill.get("files")?.as_array().filter(|files| (1..=MAX_FILES).contains(&files.len()))?;
    let file = |file: &Value| {
        let (path, promised) = match file {
            Value::String(path) => (path.as_str(), None),
            file => (file.get("path")?.as_str()?, Some(digest(file.get("digest")?.as_str()?)?)),
        };
        check_path(path).ok()?;
        Some((path.to_owned(), promised))
    };
    let files: Vec<(String, Option<String>)> = files.iter().map(file).collect::<Option<_>>()?;
    let mut paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    paths.sort_unstable();
    if paths.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let digest = match promised {
        Some(promised) => Some(digest(promised)?),
        None => None,
    };
    Some(Source::Files { files, digest })
}

/// The hexadecimal digits of `sha256:…`.
fn digest(text: &str) -> Option<String> {
    text.strip_prefix("sha256:").filter(|hex| is_sha256(hex)).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(document: &Value) -> Result<(Vec<Entry>, usize), IndexError> {
        parse(document.to_string().as_bytes()).map(|(entries, left_out)| (entries, left_out.len()))
    }

    #[test]
    fn bad_entries_are_dropped_one_by_one_in_0_2() {
        let digest = format!("sha256:{}", "A".repeat(64));
        let good = |name: &str| json!({ "name": name, "description": "d", "type": "archive", "url": "a.zip", "digest": digest });
        let mut skills = vec![good("a"), good("b")];
        for (key, value) in [
            ("name", json!("A")),
            ("name", json!("a--b")),
            ("name", json!("")),
            ("description", json!("")),
            ("description", json!("x".repeat(1025))),
            ("type", json!("exe")),
            ("digest", json!("sha256:12")),
            ("digest", json!("md5:x")),
            ("url", Value::Null),
        ] {
            let mut bad = good("c");
            bad[key] = value;
            skills.push(bad);
        }
        let schema = format!("{SCHEMA}0.2.0/schema.json");
        let (entries, dropped) = read(&json!({ "$schema": schema, "skills": skills })).unwrap();
        assert_eq!((entries.len(), dropped), (2, 9));
        let expected = Source::Archive { url: "a.zip".to_owned(), digest: "a".repeat(64) };
        assert_eq!(entries[0].source, expected);
        assert!(matches!(read(&json!({ "$schema": "x", "skills": [] })), Err(IndexError::Schema(_))));
    }

    #[test]
    fn one_bad_entry_spoils_0_1() {
        let good = json!({ "name": "a", "description": "d", "files": ["SKILL.md", "b/c.md"] });
        let (entries, _) = read(&json!({ "skills": [good] })).unwrap();
        assert!(matches!(&entries[0].source, Source::Files { files, digest: None } if files.len() == 2));
        for files in [json!([]), json!(["../x"]), json!(["a", "a"]), json!([1]), json!("SKILL.md")] {
            let bad = json!({ "name": "b", "description": "d", "files": files });
            assert!(matches!(read(&json!({ "skills": [good, bad] })), Err(IndexError::Entry)));
        }
        assert!(matches!(read(&json!({})), Err(IndexError::NoSkills)));
        assert!(matches!(parse(b"<html>"), Err(IndexError::Json(_))));
    }

    #[test]
    fn the_draft_lists_files_with_checksums() {
        let hash = format!("sha256:{}", "0".repeat(64));
        let listed = json!({ "name": "a", "description": "d", "digest": hash, "files": [{ "path": "SKILL.md", "digest": hash }] });
        let packed = json!({ "name": "b", "description": "d", "digest": hash, "files": [], "package": { "url": "b.zip", "digest": hash } });
        let (entries, dropped) =
            read(&json!({ "version": "0.2.0", "skills": [listed, packed, {}] })).unwrap();
        assert_eq!((entries.len(), dropped), (2, 1));
        assert!(matches!(&entries[0].source, Source::Files { digest: Some(_), .. }));
        assert!(matches!(&entries[1].source, Source::Archive { .. }));
    }
}
