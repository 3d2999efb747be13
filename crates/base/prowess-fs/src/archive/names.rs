//! The paths in an archive: each is checked alone, then against all others.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;

use super::ArchiveError;
use super::error::shown;

/// Bytes of one part, and of a whole path, beyond which file systems do not go.
const PART_BYTES: usize = 255;
const PATH_BYTES: usize = 4096;

/// The parts of a path that is harmless on every system; none for the folder itself (`./`).
///
/// A `./` in front and a `/` at the end are taken off, because common packers write them.
pub(super) fn parts(raw: &[u8], max_parts: usize) -> Result<Vec<&str>, ArchiveError> {
    let refused = |why| Err(ArchiveError::UnsafePath { entry: shown(raw), why });
    let Ok(text) = std::str::from_utf8(raw) else { return refused("it is not UTF-8") };
    if text.len() > PATH_BYTES {
        return refused("it is too long");
    }
    if text.chars().any(char::is_control) {
        return refused("it has a control character");
    }
    if text.contains('\\') {
        return refused("it has a backslash");
    }
    if text.starts_with('/') {
        return refused("it is absolute");
    }
    if matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return refused("it names a drive");
    }
    let text = if text == "." { "" } else { text.strip_prefix("./").unwrap_or(text) };
    let text = text.strip_suffix('/').unwrap_or(text);
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let parts: Vec<&str> = text.split('/').take(max_parts + 1).collect();
    if parts.len() > max_parts {
        return refused("it has too many parts");
    }
    for part in &parts {
        match *part {
            ".." => return refused("it leads upwards"),
            "" | "." => return refused("it has an empty part"),
            part if part.len() > PART_BYTES => return refused("a part of it is too long"),
            part if part.ends_with(['.', ' ']) => return refused("a part of it ends in a dot or a space"),
            part if is_reserved(part) => return refused("a part of it is reserved on Windows"),
            _ => {}
        }
    }
    Ok(parts)
}

/// Names of devices, with or without an extension.
fn is_reserved(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    match stem.as_bytes() {
        b"con" | b"prn" | b"aux" | b"nul" => true,
        [b'c', b'o', b'm', digit] | [b'l', b'p', b't', digit] => (b'1'..=b'9').contains(digit),
        _ => false,
    }
}

/// What file systems that ignore letter case and composition take a name for.
fn folded(part: &str) -> String {
    if part.is_ascii() {
        return part.to_ascii_lowercase();
    }
    part.nfd().collect::<String>().to_uppercase().to_lowercase().nfc().collect()
}

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
}

/// Every path seen so far, as a tree: a hostile archive cannot make it larger than its names.
#[derive(Debug)]
pub(super) struct Names {
    /// By parent and folded name.
    nodes: HashMap<(usize, String), Node>,
    max: usize,
}

#[derive(Debug)]
struct Node {
    id: usize,
    spelling: String,
    kind: Kind,
}

/// The folder that everything is unpacked to.
const ROOT: usize = 0;

impl Names {
    pub(super) fn new(max: usize) -> Self {
        Self { nodes: HashMap::new(), max }
    }

    /// Takes note of a path and of the folders above it.
    pub(super) fn add(&mut self, parts: &[&str], kind: Kind) -> Result<(), ArchiveError> {
        let mut parent = ROOT;
        for (index, part) in parts.iter().enumerate() {
            let is_last = index + 1 == parts.len();
            let kind = if is_last { kind } else { Kind::Folder };
            let entry = || shown(parts[..=index].join("/").as_bytes());
            let next = self.nodes.len() + 1;
            let key = (parent, folded(part));
            if let Some(node) = self.nodes.get(&key) {
                if node.spelling != *part {
                    let other = [&parts[..index], &[node.spelling.as_str()]].concat().join("/");
                    return Err(ArchiveError::Collision { entry: entry(), other: shown(other.as_bytes()) });
                }
                match (node.kind, kind) {
                    (Kind::Folder, Kind::Folder) => {}
                    (Kind::File, Kind::File) => return Err(ArchiveError::Duplicate { entry: entry() }),
                    _ => return Err(ArchiveError::FileAndFolder { entry: entry() }),
                }
                parent = node.id;
                continue;
            }
            if next > self.max {
                return Err(ArchiveError::TooManyEntries { limit: self.max });
            }
            self.nodes.insert(key, Node { id: next, spelling: (*part).to_owned(), kind });
            parent = next;
        }
        Ok(())
    }

    /// The one folder that holds everything, if there is one.
    pub(super) fn single_root(&self) -> Option<&str> {
        let mut top = self.nodes.iter().filter(|((parent, _), _)| *parent == ROOT).map(|(_, node)| node);
        let first = top.next()?;
        (top.next().is_none() && first.kind == Kind::Folder).then_some(first.spelling.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(path: &str) -> &'static str {
        match parts(path.as_bytes(), 4) {
            Err(ArchiveError::UnsafePath { why, .. }) => why,
            other => panic!("{path:?} gave {other:?}"),
        }
    }

    #[test]
    fn paths_that_mean_something_else_somewhere_are_refused() {
        for (path, reason) in [
            ("/a", "it is absolute"),
            ("//server/share", "it is absolute"),
            ("c:a", "it names a drive"),
            ("a\\b", "it has a backslash"),
            ("a/../b", "it leads upwards"),
            ("..", "it leads upwards"),
            ("a//b", "it has an empty part"),
            ("a/./b", "it has an empty part"),
            ("a\0b", "it has a control character"),
            ("a\u{85}b", "it has a control character"),
            ("a/b/c/d/e", "it has too many parts"),
            ("a/CON", "a part of it is reserved on Windows"),
            ("lpt1.txt", "a part of it is reserved on Windows"),
            ("nul .md", "a part of it is reserved on Windows"),
            ("a./b", "a part of it ends in a dot or a space"),
            ("b ", "a part of it ends in a dot or a space"),
        ] {
            assert_eq!(why(path), reason, "{path:?}");
        }
        assert_eq!(why(&"n".repeat(256)), "a part of it is too long");
        assert_eq!(why(&"n/".repeat(3000)), "it is too long");
        assert!(parts(b"a\xff", 4).is_err());
    }

    #[test]
    fn ordinary_paths_are_taken_apart() {
        assert_eq!(parts(b"./a/b.sh", 4).unwrap(), ["a", "b.sh"]);
        assert_eq!(parts(b"a/", 4).unwrap(), ["a"]);
        assert_eq!(parts(b"./", 4).unwrap(), [""; 0]);
        assert_eq!(parts(b".", 4).unwrap(), [""; 0]);
        assert_eq!(parts("File::Spec.3/console/com10".as_bytes(), 4).unwrap().len(), 3);
    }

    #[test]
    fn folders_collide_as_files_do() {
        let mut names = Names::new(100);
        names.add(&["Docs", "a"], Kind::File).unwrap();
        assert!(matches!(names.add(&["docs", "b"], Kind::File), Err(ArchiveError::Collision { .. })));
        names.add(&["Docs"], Kind::Folder).unwrap();
        assert!(matches!(names.add(&["Docs"], Kind::File), Err(ArchiveError::FileAndFolder { .. })));
        assert!(matches!(
            names.add(&["Docs", "a", "b"], Kind::File),
            Err(ArchiveError::FileAndFolder { .. })
        ));
        assert!(matches!(names.add(&["Docs", "a"], Kind::File), Err(ArchiveError::Duplicate { .. })));
        assert_eq!(names.single_root(), Some("Docs"));
        names.add(&["straße"], Kind::File).unwrap();
        assert!(matches!(names.add(&["STRASSE"], Kind::File), Err(ArchiveError::Collision { .. })));
        assert_eq!(names.single_root(), None);
    }

    #[test]
    fn implied_folders_are_counted() {
        let mut names = Names::new(3);
        assert!(matches!(
            names.add(&["a", "b", "c", "d"], Kind::File),
            Err(ArchiveError::TooManyEntries { limit: 3 })
        ));
    }
}
