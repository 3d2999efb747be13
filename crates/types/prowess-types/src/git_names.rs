//! Names that git takes for its own metadata.
//!
//! A `.git` folder that arrives with a skill runs programs: `core.fsmonitor` and filters are started by a plain
//! `git status`, which shell prompts and editors call by themselves. One list of names serves the scanner, the archive
//! reader, the registry and the installer, so that no way in knows fewer of them than another.

use std::collections::HashMap;

/// Returns true if git, or a file system that git supports, takes one part of a path for `.git`.
///
/// Letter case, trailing dots and blanks, the short name of NTFS, alternate data streams and characters that HFS+ and
/// case-folding file systems ignore make no difference.
///
/// ```
/// use prowess_types::git_names::is_git_name;
/// assert!(is_git_name(".git") && is_git_name(".GIT") && is_git_name("git~1"));
/// assert!(!is_git_name(".gitignore") && !is_git_name("git"));
/// ```
pub fn is_git_name(part: &str) -> bool {
    let stem = part.split(':').next().unwrap_or_default();
    let stem = stem.trim_end_matches(|letter: char| {
        letter == '.' || letter.is_whitespace() || is_ignored_by_file_systems(letter)
    });
    let is_same = |name: &str| {
        let letters = stem.chars().filter(|letter| !is_ignored_by_file_systems(*letter));
        letters.map(|letter| letter.to_ascii_lowercase()).eq(name.chars())
    };
    is_same(".git") || is_same("git~1")
}

/// The part of a path that [`is_git_name`], with everything in front of it. Both `/` and `\` separate parts.
pub fn git_part(path: &str) -> Option<&str> {
    let mut start = 0;
    for part in path.split(['/', '\\']) {
        let end = start + part.len();
        if is_git_name(part) {
            return path.get(..end);
        }
        start = end + 1;
    }
    None
}

/// The first place among the files of a skill that git would take for a repository: a path with a [`git_part`], or a
/// folder with the content of a bare repository, which needs no special name. The skill's own folder is `.`.
pub fn repository_in<'a>(paths: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut folders: HashMap<&str, u8> = HashMap::new();
    for path in paths {
        if let Some(place) = git_part(path) {
            return Some(place.to_owned());
        }
        let mut folder = "";
        for (end, _) in path.match_indices('/').chain([(path.len(), "")]) {
            let start = if folder.is_empty() { 0 } else { folder.len() + 1 };
            let name = path.get(start..end).unwrap_or_default();
            let signature = repository_signature(name, end == path.len());
            if signature != 0 {
                let seen = folders.entry(folder).or_default();
                *seen |= signature;
                if is_repository(*seen) {
                    return Some(if folder.is_empty() { ".".to_owned() } else { folder.to_owned() });
                }
            }
            folder = path.get(..end).unwrap_or_default();
        }
    }
    None
}

const HEAD: u8 = 1;
const OBJECTS: u8 = 2;
const REFS: u8 = 4;
const COMMON: u8 = 8;

/// The mark of an entry that git looks for in a repository. `objects` and `refs` only have to be accessible, so that
/// an executable file serves as well as a folder.
fn repository_signature(name: &str, is_file: bool) -> u8 {
    let marks = [
        ("HEAD", HEAD, true),
        ("commondir", COMMON, true),
        ("objects", OBJECTS, false),
        ("refs", REFS, false),
    ];
    let is_same =
        |known: &str, needs_file: bool| (is_file || !needs_file) && name.eq_ignore_ascii_case(known);
    marks
        .into_iter()
        .find(|(known, _, needs_file)| is_same(known, *needs_file))
        .map_or(0, |(_, mark, _)| mark)
}

/// Returns true if git accepts a folder with these entries: its objects and references may also be elsewhere.
fn is_repository(seen: u8) -> bool {
    let has = |marks: u8| seen & marks == marks;
    has(HEAD | OBJECTS | REFS) || has(HEAD | COMMON)
}

/// Characters that HFS+ or a case-folding file system leaves out when it compares names (Unicode's
/// `Default_Ignorable_Code_Point`).
fn is_ignored_by_file_systems(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_that_git_takes_for_its_folder() {
        for name in [
            ".git",
            ".GIT",
            ".Git",
            ".gIT",
            ".git.",
            ".git ",
            ".git. . ",
            ".git\t",
            ".git\u{a0}",
            "git~1",
            "GIT~1",
            "Git~1.",
            ".git::$INDEX_ALLOCATION",
            ".GIT:stream",
            "git~1:x",
            ".git :x",
            ".g\u{200c}it",
            ".gi\u{200d}t",
            "\u{feff}.git",
            ".git\u{200e}",
            ".\u{202a}g\u{2069}it",
            ".g\u{ad}it",
            ".g\u{e0067}it",
            ".git\u{200b}.",
        ] {
            assert!(is_git_name(name), "{name:?}");
            assert_eq!(git_part(name), Some(name));
            assert_eq!(git_part(&format!("docs/{name}/config")), Some(format!("docs/{name}").as_str()));
            assert_eq!(git_part(&format!("docs\\{name}\\config")), Some(format!("docs\\{name}").as_str()));
        }
        for name in [
            "",
            ".",
            "git",
            ".gitignore",
            ".gitattributes",
            ".gitmodules",
            ".github",
            ".git-hooks",
            "x.git",
            ". git",
            " .git",
            "git~2",
            "git~10",
            "agit~1",
            ".git~1",
            ".ġit",
            "．ｇｉｔ",
            "dot.git",
            ".g it",
        ] {
            assert!(!is_git_name(name), "{name:?}");
            assert_eq!(git_part(&format!("docs/{name}/config")), None);
        }
    }

    #[test]
    fn repositories_by_name_and_by_content() {
        for (files, expected) in [
            (vec!["SKILL.md", ".git/config"], Some(".git")),
            (vec!["SKILL.md", "a/b/.GIT"], Some("a/b/.GIT")),
            (vec!["HEAD", "SKILL.md", "config", "objects/x", "refs/x"], Some(".")),
            (vec!["a/HEAD", "a/b/objects", "a/objects", "a/refs/heads/main"], Some("a")),
            (vec!["a/head", "a/OBJECTS/x", "a/Refs/x"], Some("a")),
            (vec!["a/HEAD", "a/commondir"], Some("a")),
            (vec!["HEAD", "objects/x", "a/refs/x"], None),
            (vec!["HEAD/x", "objects/x", "refs/x"], None),
            (vec!["SKILL.md", "docs/git.md", "HEAD", "refs.md"], None),
            (vec![], None),
        ] {
            assert_eq!(repository_in(files.iter().copied()).as_deref(), expected, "{files:?}");
        }
    }
}
