//! Which names matter, judged without looking at the disk.

use std::ffi::OsStr;

pub(super) const SKILL_FILE: &str = "SKILL.md";
pub(super) const SKILLS_FOLDER: &str = "skills";

/// Folders that programs fill, with nothing in them that a person wrote as a skill.
const IGNORED: [&str; 14] = [
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    "dist",
    "build",
    ".venv",
    "venv",
    "__pycache__",
    ".tox",
    ".cache",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
];

/// Returns true if a folder is never watched.
pub(super) fn is_ignored(name: &OsStr) -> bool {
    IGNORED.iter().any(|ignored| name == *ignored)
}

/// Returns true if a file may be a skill, or say something about one.
pub(super) fn is_text(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let ends_with =
        |end: &[u8]| name.len() > end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end);
    ends_with(b".md") || ends_with(b".json")
}

/// Returns true if a file makes its folder a skill.
pub(super) fn is_skill_file(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(SKILL_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        for name in ["SKILL.md", "skill.MD", "a.md", "prowess.json", ".a.json"] {
            assert!(is_text(OsStr::new(name)), "{name}");
        }
        for name in ["SKILL.md~", ".SKILL.md.swp", "md", ".md", "a.txt", "4913", ""] {
            assert!(!is_text(OsStr::new(name)), "{name}");
        }
        assert!(is_ignored(OsStr::new("node_modules")) && !is_ignored(OsStr::new("modules")));
        assert!(is_skill_file(OsStr::new("skill.md")) && !is_skill_file(OsStr::new("a.md")));
    }
}
