//! How long a walk takes, beside the least that the standard library needs to see the same files.

#![expect(clippy::expect_used, reason = "without its folder a benchmark cannot go on")]

use std::fs;
use std::path::{Path, PathBuf};

use divan::Bencher;
use prowess_fs::{WalkRules, walk};
use tempfile::TempDir;

const SIZES: [usize; 3] = [52, 500, 2_500];

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES)]
fn baseline(bencher: Bencher<'_, '_>, count: usize) {
    let root = root_with(count);
    assert_eq!(look(root.path()).len(), count);
    bencher.bench(|| look(root.path()));
}

#[divan::bench(args = SIZES)]
fn walk_root(bencher: Bencher<'_, '_>, count: usize) {
    let root = root_with(count);
    let rules = WalkRules::stop_at_skill(3_000);
    assert_eq!(walk(root.path(), &rules).found.len(), count);
    bencher.bench(|| walk(root.path(), &rules));
}

#[divan::bench(args = SIZES)]
fn walk_root_everywhere(bencher: Bencher<'_, '_>, count: usize) {
    let root = root_with(count);
    let rules = WalkRules::everywhere();
    assert_eq!(walk(root.path(), &rules).found.len(), count);
    bencher.bench(|| walk(root.path(), &rules));
}

/// A folder with `count` skills, each with a script beside its text.
fn root_with(count: usize) -> TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    for number in 0..count {
        let folder = root.path().join(format!("skill-number-{number:04}"));
        fs::create_dir_all(folder.join("scripts")).expect("a skill's folder");
        fs::write(folder.join("scripts/run.sh"), "exit 0\n").expect("a script");
        let text = "---\nname: x\ndescription: d\n---\n";
        fs::write(folder.join("SKILL.md"), text).expect("a skill's text");
    }
    root
}

/// No limits, no containment, no stamps: only which folders have a `SKILL.md`, in order.
fn look(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path().join("SKILL.md"))
        .filter(|file| fs::symlink_metadata(file).is_ok())
        .collect();
    found.sort_unstable();
    found
}
