//! Rules of the walk on real trees.

#![cfg(unix)]

mod everywhere;
mod limits;
mod links;
mod random;
mod stop_at_skill;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use prowess_types::{LinkPolicy, LossReason};

use super::{Walk, WalkRules, walk};

/// A throw-away folder that is filled by short calls.
struct Tree {
    _temp: tempfile::TempDir,
    root: PathBuf,
}

impl Tree {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        Self { _temp: temp, root }
    }

    /// A tree with skills in these folders.
    fn with_skills(folders: &[&str]) -> Self {
        let tree = Self::new();
        for folder in folders {
            tree.skill(folder);
        }
        tree
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    fn folder(&self, relative: &str) -> &Self {
        fs::create_dir_all(self.path(relative)).unwrap();
        self
    }

    fn file(&self, relative: &str) -> &Self {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "---\nname: x\ndescription: d\n---\n").unwrap();
        self
    }

    fn skill(&self, folder: &str) -> &Self {
        self.file(&format!("{folder}/SKILL.md"))
    }

    /// A link to `target`, which is taken as it is written.
    fn link(&self, relative: &str, target: &str) -> &Self {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
        self
    }

    /// A link to the absolute path of another part of the tree.
    fn link_to(&self, relative: &str, target: &str) -> &Self {
        let target = self.path(target);
        self.link(relative, target.to_str().unwrap())
    }

    fn pipe(&self, relative: &str) -> &Self {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::from_raw_mode(0o600));
        rustix::fs::mknodat(rustix::fs::CWD, &path, kind, mode, 0).unwrap();
        self
    }

    fn walk(&self, root: &str, rules: &WalkRules) -> Walk {
        walk(&self.path(root), rules)
    }
}

fn rules() -> WalkRules {
    WalkRules::stop_at_skill(300)
}

fn extra_rules() -> WalkRules {
    WalkRules { max_depth: 2, ..rules() }
}

fn with_links(links: LinkPolicy) -> WalkRules {
    WalkRules { links, ..rules() }
}

/// Where skills were found, relative to the root.
fn found(walk: &Walk) -> Vec<&str> {
    walk.found.iter().map(|found| found.relative.as_str()).collect()
}

/// What was skipped, relative to `root`.
fn skipped(walk: &Walk, root: &Path) -> Vec<(String, LossReason)> {
    walk.skipped
        .iter()
        .map(|skipped| {
            let path = skipped.path.strip_prefix(root).unwrap_or(&skipped.path);
            (path.to_str().unwrap().to_owned(), skipped.reason)
        })
        .collect()
}

fn loss(path: &str, reason: LossReason) -> (String, LossReason) {
    (path.to_owned(), reason)
}
