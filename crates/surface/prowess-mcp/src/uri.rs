//! `skill://<name>/<file>`: how files of skills are called over the protocol.

use prowess_inventory::SKILL_FILE;
use prowess_text::{percent_decode, percent_encode};

const SCHEME: &str = "skill://";
/// The list of skills, as drafts of the extension had it.
pub(crate) const INDEX: &str = "skill://index.json";

/// The target of a URI: a skill, and a file or folder in it. The place of the skill's own folder is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkillUri {
    pub(crate) skill: String,
    pub(crate) path: String,
}

impl SkillUri {
    /// Reads a URI; none if it cannot name anything here.
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix(SCHEME)?;
        let mut parts = rest.split('/').map(percent_decode);
        let skill = parts.next()??;
        let path: Option<Vec<String>> = parts.collect();
        let path = path?;
        let is_plain = |part: &String| !part.is_empty() && part != "." && part != ".." && !part.contains('/');
        (is_plain(&skill) && path.iter().all(is_plain)).then(|| Self { skill, path: path.join("/") })
    }
}

/// The URI of a skill's own text.
pub(crate) fn of_skill(name: &str) -> String {
    of_file(name, SKILL_FILE)
}

/// The URI of a file of a skill.
pub(crate) fn of_file(name: &str, path: &str) -> String {
    let path: Vec<String> = path.split('/').map(percent_encode).collect();
    format!("{}/{}", of_folder(name, ""), path.join("/"))
}

/// The URI of a folder of a skill; the empty place is the skill's own.
pub(crate) fn of_folder(name: &str, path: &str) -> String {
    if path.is_empty() { format!("{SCHEME}{}", percent_encode(name)) } else { of_file(name, path) }
}

/// The media type of a file, by its name.
pub(crate) fn mime_type(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "md" | "mdx" | "markdown" => "text/markdown",
        "txt" => "text/plain",
        "json" => "application/json",
        "yaml" | "yml" => "application/yaml",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "js" | "mjs" | "cjs" => "text/javascript",
        "py" => "text/x-python",
        "sh" | "bash" => "application/x-sh",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(uri: &str) -> Option<(String, String)> {
        SkillUri::parse(uri).map(|uri| (uri.skill, uri.path))
    }

    #[test]
    fn what_is_written_is_read_again() {
        for (name, path) in [("tea", "SKILL.md"), ("日本 tea", "a b/100%.md"), ("a?b#c", "x+y/&=.txt")] {
            let uri = of_file(name, path);
            assert!(uri.is_ascii() && !uri.contains([' ', '?', '#']), "{uri}");
            assert_eq!(parsed(&uri), Some((name.to_owned(), path.to_owned())), "{uri}");
        }
        assert_eq!(of_skill("tea"), "skill://tea/SKILL.md");
        assert_eq!(parsed(&of_folder("tea", "")), Some(("tea".to_owned(), String::new())));
        assert_eq!(of_folder("tea", "docs"), "skill://tea/docs");
    }

    #[test]
    fn what_leads_elsewhere_is_not_read() {
        for uri in [
            "",
            "skill://",
            "skill:///SKILL.md",
            "skill://tea/",
            "skill://tea//a",
            "skill://tea/../x",
            "skill://tea/%2e%2e/x",
            "skill://tea/a%2Fb",
            "skill://../x",
            "skill://tea/%zz",
            "skill://tea/%e",
            "skill://tea/%ff",
            "file:///etc/passwd",
            "SKILL://tea/SKILL.md",
        ] {
            assert_eq!(parsed(uri), None, "{uri}");
        }
    }
}
