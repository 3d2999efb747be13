//! The licence and the version that a skill declares about itself.

use prowess_types::{Bundle, Skill};
use serde_json::Value;

use super::publication::PublishError;

/// The longest licence that is shown and kept, in characters.
const MAX_LICENSE: usize = 200;
/// Names of files with a licence, without their endings.
const LICENSE_FILES: [&str; 4] = ["license", "licence", "copying", "unlicense"];

/// The licence in the frontmatter, in one line. None stays none: a registry grants no rights by itself.
pub fn declared_license(skill: &Skill) -> Option<String> {
    let text = skill.frontmatter.get("license")?.as_str()?;
    // A list or a map, read as its text.
    if text.starts_with(['[', '{']) {
        return None;
    }
    let words = text.split(|letter: char| letter.is_control() || letter.is_whitespace());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    Some(line.chars().take(MAX_LICENSE).collect::<String>()).filter(|line| !line.is_empty())
}

/// The file at the top of a skill that has the text of its licence.
pub(super) fn license_file(bundle: &Bundle) -> Option<String> {
    let is_license = |path: &str| {
        let stem = path.split('.').next().unwrap_or_default();
        !path.contains('/') && LICENSE_FILES.iter().any(|name| stem.eq_ignore_ascii_case(name))
    };
    bundle.files.iter().map(|file| &file.path).find(|path| is_license(path)).cloned()
}

/// A version in the frontmatter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredVersion {
    /// The field that states it.
    pub(super) field: &'static str,
    /// The version, with three numbers.
    pub(super) version: String,
}

/// The version that `metadata.version` or `version` states. A value that is not a version is an error, because
/// publishing under another number would contradict the file.
pub(super) fn declared_version(skill: &Skill) -> Result<Option<DeclaredVersion>, PublishError> {
    let in_metadata = skill.frontmatter.get("metadata").and_then(|metadata| metadata.get("version"));
    let fields = [("metadata.version", in_metadata), ("version", skill.frontmatter.get("version"))];
    let stated =
        fields.into_iter().find_map(|(field, value)| Some((field, value.filter(|value| !value.is_null())?)));
    let Some((field, value)) = stated else { return Ok(None) };
    match full_version(value) {
        Some(version) => Ok(Some(DeclaredVersion { field, version })),
        None => Err(PublishError::DeclaredVersion { field, text: shown(value) }),
    }
}

/// A version with three numbers. `1.2` means `1.2.0`, but a number of YAML does not tell `1.1` from `1.10`.
fn full_version(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => {
            number.to_string()
        }
        _ => return None,
    };
    let text = text.strip_prefix(['v', 'V']).unwrap_or(&text);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at(end);
    let missing = 3_usize.checked_sub(numbers.split('.').count())?;
    let full = format!("{numbers}{}{rest}", ".0".repeat(missing));
    prowess_registry::check_version(&full).ok().map(|version| version.to_string())
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned).chars().take(MAX_LICENSE).collect()
}

#[cfg(test)]
mod tests {
    use prowess_skill::SkillInput;
    use prowess_types::BundleFile;

    use super::*;

    fn skill(fields: &str) -> Skill {
        let text = format!("---\nname: tea\ndescription: Makes tea.\n{fields}\n---\n");
        prowess_skill::parse(
            &SkillInput::folder(text.as_bytes(), "tea"),
            &prowess_skill::ParseOptions::default(),
        )
    }

    #[test]
    fn versions_as_people_write_them() {
        for (fields, expected) in [
            ("metadata:\n  version: 3.2.1", Some(("metadata.version", "3.2.1"))),
            ("metadata:\n  version: \"1.10\"", Some(("metadata.version", "1.10.0"))),
            ("version: 2.0.0-beta.1+x", Some(("version", "2.0.0-beta.1+x"))),
            ("version: v1.2.3", Some(("version", "1.2.3"))),
            ("version: 2", Some(("version", "2.0.0"))),
            ("version: 1.0", Some(("version", "1.0.0"))),
            ("version: 1.0.0\nmetadata:\n  version: 2.0.0", Some(("metadata.version", "2.0.0"))),
            ("metadata:\n  author: acme", None),
            ("license: MIT", None),
        ] {
            let found = declared_version(&skill(fields)).unwrap();
            let found = found.as_ref().map(|found| (found.field, found.version.as_str()));
            assert_eq!(found, expected, "{fields}");
        }
        for bad in ["version: latest", "version: 1.10", "version: 1.2.3.4", "version: [1]", "version: 01.2.3"]
        {
            assert!(
                matches!(declared_version(&skill(bad)), Err(PublishError::DeclaredVersion { .. })),
                "{bad}"
            );
        }
    }

    #[test]
    fn licences_as_people_write_them() {
        let license = |fields: &str| declared_license(&skill(fields));
        assert_eq!(license("license: Proprietary").as_deref(), Some("Proprietary"));
        assert_eq!(
            license("license: |\n  Apache-2.0\n  see LICENSE").as_deref(),
            Some("Apache-2.0 see LICENSE")
        );
        for none in ["version: 1.0.0", "license:", "license: \"\"", "license: [MIT]"] {
            assert_eq!(license(none), None, "{none}");
        }
        let file = |path: &str| BundleFile { path: path.to_owned(), bytes: Vec::new(), executable: false };
        let files = |paths: &[&str]| Bundle { files: paths.iter().map(|path| file(path)).collect() };
        assert_eq!(license_file(&files(&["SKILL.md", "licence.TXT"])).as_deref(), Some("licence.TXT"));
        assert_eq!(license_file(&files(&["SKILL.md", "docs/LICENSE", "licenses.md"])), None);
    }
}
