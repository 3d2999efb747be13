//! What a skill consists of, in one number: any other file, name or byte in its folder gives another.

use std::path::{Path, PathBuf};

use prowess_fs::{EntryKind, ListedEntry};
use prowess_types::{ContentHash, Layout};
use sha2::{Digest as _, Sha256};

/// Entries of one skill that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// Folders within folders that are looked at.
const MAX_DEPTH: usize = 64;
/// Size of a file that is read.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Size of all files of a skill.
const MAX_SKILL_BYTES: u64 = 64 * 1024 * 1024;

/// SHA-256 over the sorted lines `path NUL sha256 LF` of all files below a skill's folder, as published skill indexes
/// compute it; links stand with where they lead. A skill without a folder is its file alone. The reason if not
/// everything can be taken into account.
pub(crate) fn digest(base: &Path, file: &Path, layout: Layout) -> Result<ContentHash, String> {
    let entries = match layout {
        Layout::Folder => listed(base)?,
        Layout::LoneFile => Vec::new(),
    };
    let mut lines: Vec<Vec<u8>> = Vec::with_capacity(entries.len() + 1);
    let mut room = MAX_SKILL_BYTES;
    for entry in &entries {
        let content = match entry.kind {
            EntryKind::File { .. } => hashed(&entry.path, &mut room)?,
            EntryKind::LinkInside | EntryKind::LinkOutside | EntryKind::LinkDangling => {
                leads_to(base, &entry.path)
            }
            EntryKind::Special => "special".to_owned(),
        };
        lines.push(line(entry.path.strip_prefix(base).unwrap_or(&entry.path), &content));
    }
    if layout == Layout::LoneFile {
        lines.push(line(file.file_name().unwrap_or_default().as_ref(), &hashed(file, &mut room)?));
    }
    lines.sort_unstable();
    Ok(ContentHash(Sha256::digest(lines.concat()).into()))
}

/// Everything in a folder but git's own files, which change without the skill.
fn listed(base: &Path) -> Result<Vec<ListedEntry>, String> {
    let listing = prowess_fs::list_all(base, MAX_ENTRIES, MAX_DEPTH);
    if listing.is_cut {
        return Err(format!("it has more than {MAX_ENTRIES} files"));
    }
    if let Some((folder, reason)) = listing.unread.iter().find(|(folder, _)| !prowess_fs::is_gits(folder)) {
        return Err(format!("`{folder}` cannot be read: {reason}"));
    }
    Ok(listing.entries.into_iter().filter(|entry| !entry.is_gits()).collect())
}

fn hashed(file: &Path, room: &mut u64) -> Result<String, String> {
    let bytes = prowess_fs::read_file(file, MAX_FILE_BYTES.min(*room)).map_err(|error| error.to_string())?;
    *room -= bytes.len() as u64;
    Ok(prowess_fs::sha256_hex(&bytes))
}

fn leads_to(base: &Path, link: &Path) -> String {
    let Some(target) = prowess_fs::real(link) else {
        return "link to nothing".to_owned();
    };
    let inside = prowess_fs::real(base).and_then(|base| target.strip_prefix(base).map(PathBuf::from).ok());
    format!("link to {}", inside.unwrap_or(target).display())
}

fn line(path: &Path, content: &str) -> Vec<u8> {
    let mut line = path.as_os_str().as_encoded_bytes().to_vec();
    line.push(0);
    line.extend_from_slice(content.as_bytes());
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use prowess_testkit::Tree;

    fn of(tree: &Tree) -> ContentHash {
        digest(&tree.path("s"), &tree.path("s/SKILL.md"), Layout::Folder).expect("a digest")
    }

    fn tree() -> Tree {
        let tree = Tree::new();
        tree.write("s/SKILL.md", "abc");
        tree.write("s/scripts/run.sh", "");
        tree
    }

    #[test]
    fn it_is_what_published_indexes_compute() {
        // printf 'SKILL.md\0<sha256 of abc>\nscripts/run.sh\0<sha256 of nothing>\n' | sha256sum
        let hex = |bytes: &[u8]| ContentHash(Sha256::digest(bytes).into()).to_string();
        let lines = format!("SKILL.md\0{}\nscripts/run.sh\0{}\n", hex(b"abc"), hex(b""));
        assert_eq!(of(&tree()).to_string(), hex(lines.as_bytes()));
    }

    #[test]
    fn every_change_shows_and_git_does_not() {
        let tree = tree();
        let mut seen = vec![of(&tree)];
        let mut changed = |tree: &Tree| {
            let next = of(tree);
            assert!(!seen.contains(&next), "the change does not show");
            seen.push(next);
        };
        tree.write("s/.hidden", "");
        changed(&tree);
        tree.write("s/scripts/run.sh", "exit");
        changed(&tree);
        std::fs::rename(tree.path("s/.hidden"), tree.path("s/other")).unwrap();
        changed(&tree);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("other", tree.path("s/link")).unwrap();
            changed(&tree);
            std::fs::remove_file(tree.path("s/link")).unwrap();
            std::os::unix::fs::symlink("SKILL.md", tree.path("s/link")).unwrap();
            changed(&tree);
        }
        let last = of(&tree);
        tree.write("s/.git/index", "x");
        assert_eq!(of(&tree), last);
    }

    #[test]
    fn a_lone_file_is_itself_and_nothing_else() {
        let tree = tree();
        let of = |tree: &Tree| digest(&tree.path("s"), &tree.path("s/SKILL.md"), Layout::LoneFile).unwrap();
        let first = of(&tree);
        tree.write("s/neighbour.md", "x");
        assert_eq!(of(&tree), first);
        tree.write("s/SKILL.md", "abcd");
        assert_ne!(of(&tree), first);
    }

    #[test]
    fn what_is_too_large_has_no_digest() {
        let tree = tree();
        let file = std::fs::File::create(tree.path("s/huge")).unwrap();
        file.set_len(MAX_FILE_BYTES + 1).unwrap();
        let answer = digest(&tree.path("s"), &tree.path("s/SKILL.md"), Layout::Folder);
        assert!(answer.is_err_and(|reason| reason.contains("huge")));
    }
}
