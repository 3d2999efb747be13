//! The content of a skill's folder as hashes: any other file, name, byte or execute bit gives another tree hash.

use std::path::{Path, PathBuf};

use prowess_fs::{EntryKind, ListedEntry, sha256_hex};
use prowess_types::{SkillLayout, TreeHash};

/// Entries of one skill that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// Folders within folders that are looked at.
const MAX_DEPTH: usize = 64;
/// Size of a file that is read.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Size of all files of a skill.
const MAX_SKILL_BYTES: u64 = 64 * 1024 * 1024;

/// The hashes of a skill's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FolderHashes {
    /// The tree hash, as installs and locks have it.
    pub(super) tree: TreeHash,
    /// The digest of version 0.1, which did not see the execute bit. Stored answers may still have it.
    pub(super) without_modes: String,
}

/// A file, or a link with its target.
struct HashedEntry {
    path: PathBuf,
    executable: bool,
    content: String,
}

/// Hashes everything below a skill's folder; links count with their targets. A skill without a folder is its file
/// alone. Fails with the reason if not everything can be taken into account.
pub(super) fn hashes(base: &Path, file: &Path, layout: SkillLayout) -> Result<FolderHashes, String> {
    let mut room = MAX_SKILL_BYTES;
    let mut entries = Vec::new();
    match layout {
        SkillLayout::Folder => {
            for entry in listed(base)? {
                let (executable, content) = match entry.kind {
                    EntryKind::File { .. } => {
                        (prowess_fs::is_executable(&entry.path), hashed(&entry.path, &mut room)?)
                    }
                    EntryKind::LinkInside | EntryKind::LinkOutside | EntryKind::LinkDangling => {
                        (false, leads_to(base, &entry.path))
                    }
                    EntryKind::Special => (false, "special".to_owned()),
                };
                let path = entry.path.strip_prefix(base).unwrap_or(&entry.path).to_owned();
                entries.push(HashedEntry { path, executable, content });
            }
        }
        SkillLayout::LoneFile => entries.push(HashedEntry {
            path: file.file_name().unwrap_or_default().into(),
            executable: prowess_fs::is_executable(file),
            content: hashed(file, &mut room)?,
        }),
    }
    Ok(FolderHashes { tree: tree(&entries), without_modes: without_modes(&entries) })
}

fn tree(entries: &[HashedEntry]) -> TreeHash {
    let named: Vec<(String, &HashedEntry)> = entries.iter().map(|entry| (name(&entry.path), entry)).collect();
    let files = named.iter().map(|(name, entry)| (name.as_str(), entry.executable, entry.content.clone()));
    TreeHash::new(prowess_fs::tree_hash_of(files))
}

/// A path as text. One that is not text is escaped behind a slash, which no relative path begins with.
#[expect(clippy::unnecessary_debug_formatting, reason = "two names never have the same escaped text")]
fn name(path: &Path) -> String {
    path.to_str().map_or_else(|| format!("/{path:?}"), str::to_owned)
}

/// SHA-256 over the sorted lines `path NUL sha256 LF`.
fn without_modes(entries: &[HashedEntry]) -> String {
    let line = |entry: &HashedEntry| {
        let mut line = entry.path.as_os_str().as_encoded_bytes().to_vec();
        line.push(0);
        line.extend_from_slice(entry.content.as_bytes());
        line.push(b'\n');
        line
    };
    let mut lines: Vec<Vec<u8>> = entries.iter().map(line).collect();
    lines.sort_unstable();
    sha256_hex(&lines.concat())
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
    Ok(sha256_hex(&bytes))
}

fn leads_to(base: &Path, link: &Path) -> String {
    let Some(target) = prowess_fs::real(link) else {
        return "link to nothing".to_owned();
    };
    let inside = prowess_fs::real(base).and_then(|base| target.strip_prefix(base).map(PathBuf::from).ok());
    format!("link to {}", inside.unwrap_or(target).display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use prowess_testkit::Tree;

    fn of(tree: &Tree) -> FolderHashes {
        hashes(&tree.path("s"), &tree.path("s/SKILL.md"), SkillLayout::Folder).expect("hashes")
    }

    fn tree() -> Tree {
        let tree = Tree::new();
        tree.write("s/SKILL.md", "abc");
        tree.write("s/scripts/run.sh", "");
        tree
    }

    #[test]
    fn the_digest_of_version_0_1_is_still_known() {
        // printf 'SKILL.md\0<sha256 of abc>\nscripts/run.sh\0<sha256 of nothing>\n' | sha256sum
        let lines = format!("SKILL.md\0{}\nscripts/run.sh\0{}\n", sha256_hex(b"abc"), sha256_hex(b""));
        assert_eq!(of(&tree()).without_modes, sha256_hex(lines.as_bytes()));
    }

    #[cfg(unix)]
    #[test]
    fn the_tree_hash_sees_the_execute_bit() {
        use std::os::unix::fs::PermissionsExt as _;
        let tree = tree();
        let before = of(&tree);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(tree.path("s/scripts/run.sh"), mode).unwrap();
        let after = of(&tree);
        assert_ne!(after.tree, before.tree);
        assert_eq!(after.without_modes, before.without_modes);
    }

    #[test]
    fn every_change_shows_and_git_does_not() {
        let tree = tree();
        let mut seen = vec![of(&tree).tree];
        let mut changed = |tree: &Tree| {
            let next = of(tree).tree;
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
        let of =
            |tree: &Tree| hashes(&tree.path("s"), &tree.path("s/SKILL.md"), SkillLayout::LoneFile).unwrap();
        let first = of(&tree);
        tree.write("s/neighbour.md", "x");
        assert_eq!(of(&tree), first);
        tree.write("s/SKILL.md", "abcd");
        assert_ne!(of(&tree), first);
    }

    #[test]
    fn a_file_that_is_too_large_has_no_hash() {
        let tree = tree();
        let file = std::fs::File::create(tree.path("s/huge")).unwrap();
        file.set_len(MAX_FILE_BYTES + 1).unwrap();
        let answer = hashes(&tree.path("s"), &tree.path("s/SKILL.md"), SkillLayout::Folder);
        assert!(answer.is_err_and(|reason| reason.contains("huge")));
    }
}
