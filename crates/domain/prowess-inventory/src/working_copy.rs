//! The `.git` of a folder that is a working copy: the user's own, and not part of the skill.
//!
//! Only a repository that git itself would make counts. One that runs programs came from elsewhere, for example with an
//! archive that was unpacked by hand, and is scanned like everything else in the folder.

use std::path::Path;

use prowess_fs::FolderListing;
use prowess_scan::git_command_setting;
use prowess_types::path_text::spelled_out;

/// Size of a file of git that is read.
const MAX_BYTES: u64 = 1024 * 1024;
/// The hook that runs at `git status`.
const STATUS_HOOK: &str = "post-index-change";

/// Returns true if a folder is a working copy whose git settings run nothing.
pub fn is_plain_working_copy(folder: &Path, listing: &FolderListing) -> bool {
    let git = folder.join(".git");
    let has_hook = || {
        let name = |relative: &str| relative.rsplit('/').next().unwrap_or_default().to_owned();
        listing.entries.iter().any(|entry| name(&entry.relative).eq_ignore_ascii_case(STATUS_HOOK))
    };
    if is_folder(&git) {
        return is_repository(&git) && !has_hook();
    }
    match text(&git) {
        Some(pointer) => leads_out(folder, &pointer) && !has_hook(),
        None => false,
    }
}

fn is_repository(git: &Path) -> bool {
    let runs = |name: &str| text(&git.join(name)).is_some_and(|text| git_command_setting(&text).is_some());
    text(&git.join("HEAD")).is_some()
        && is_folder(&git.join("objects"))
        && is_folder(&git.join("refs"))
        && !prowess_fs::is_taken(&git.join("commondir"))
        && !runs("config")
        && !runs("config.worktree")
}

/// Returns true if a `.git` file names a repository outside of the folder, as those of work trees and submodules do.
fn leads_out(folder: &Path, pointer: &str) -> bool {
    let Some(target) = pointer.trim().strip_prefix("gitdir:") else { return false };
    let folder = prowess_fs::real(folder).unwrap_or_else(|| folder.to_owned());
    let target = spelled_out(&folder.join(target.trim()));
    let target = prowess_fs::real(&target).unwrap_or(target);
    !target.starts_with(folder)
}

fn is_folder(path: &Path) -> bool {
    prowess_fs::is_folder(path).unwrap_or(false)
}

fn text(path: &Path) -> Option<String> {
    let bytes = prowess_fs::read_file(path, MAX_BYTES).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use prowess_testkit::Tree;

    use super::*;

    fn is_plain_in(tree: &Tree) -> bool {
        let folder = tree.path("s");
        is_plain_working_copy(&folder, &prowess_fs::list_all(&folder, 1000, 8))
    }

    fn repository(config: &str) -> Tree {
        let tree = Tree::new();
        tree.write("s/SKILL.md", "x");
        tree.write("s/.git/HEAD", "ref: refs/heads/main\n");
        tree.write("s/.git/config", config);
        tree.write("s/.git/objects/x", "");
        tree.write("s/.git/refs/x", "");
        tree
    }

    #[test]
    fn only_a_repository_that_runs_nothing_is_the_users_own() {
        assert!(is_plain_in(&repository("[core]\n\tbare = false\n")));
        assert!(!is_plain_in(&repository("[core] fsmonitor = \"id; false\"\n")));
        let hooked = repository("[core]\n\thooksPath = h\n");
        assert!(is_plain_in(&hooked));
        hooked.write("s/h/post-index-change", "#!/bin/sh\n");
        assert!(!is_plain_in(&hooked));
        let redirected = repository("");
        redirected.write("s/.git/commondir", "../payload");
        assert!(!is_plain_in(&redirected));
        let none = Tree::new();
        none.write("s/SKILL.md", "x");
        none.write("s/.git/config", "[core]\n");
        assert!(!is_plain_in(&none));
    }

    #[test]
    fn a_file_must_lead_to_a_repository_elsewhere() {
        for (pointer, expected) in [
            ("gitdir: ../main/.git/worktrees/s\n", true),
            ("gitdir: /srv/main/.git/worktrees/s\n", true),
            ("gitdir: ./payload\n", false),
            ("gitdir: ../s/payload\n", false),
            ("something else", false),
        ] {
            let tree = Tree::new();
            tree.write("s/SKILL.md", "x");
            tree.write("s/.git", pointer);
            assert_eq!(is_plain_in(&tree), expected, "{pointer}");
        }
    }
}
