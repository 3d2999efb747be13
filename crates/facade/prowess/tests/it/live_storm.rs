//! Editors, floods and disappearing roots: whatever happens, what is published in the end is what a new engine would
//! say, and nothing half is published in between.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use prowess_fs::{WatchBackend, WatchMode};
use prowess_types::ContentHash;

use crate::live_support::{Followed, follow, tree};
use crate::support::skill;

fn native() -> Followed {
    follow(tree(), WatchBackend::Native)
}

/// A version of a skill whose parts all say which version they belong to.
fn version(number: usize) -> String {
    let line = format!("This is version {number} of the text.\n");
    skill("edited", "") + &line.repeat(200)
}

/// Saves versions in one way, while a reader looks at everything that is published.
fn save_often(save: impl Fn(&Path, &str) + Sync) {
    const VERSIONS: usize = 250;
    let followed = native();
    followed.tree.write("ws/skills/edited/SKILL.md", version(0));
    followed.write("other", "");
    followed.expect_state("both", |followed| followed.names().len() == 2);
    let file = followed.tree.path("ws/skills/edited/SKILL.md");
    let whole: Vec<ContentHash> = (0..=VERSIONS).map(|number| prowess_skill_hash(&version(number))).collect();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 1..=VERSIONS {
                save(&file, &version(number));
                if number % 50 == 0 {
                    // Long enough for something to be published in between.
                    std::thread::sleep(std::time::Duration::from_millis(120));
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        while !done.load(Ordering::Relaxed) {
            check(&followed, &whole);
            std::thread::yield_now();
        }
    });
    followed.expect_state("the last version", |followed| {
        check(followed, &whole);
        followed.snapshot().skills.iter().any(|skill| skill.content_hash == whole[VERSIONS])
    });
    followed.expect_fresh("the last version is what is there");
    assert!(followed.live.view(None).unwrap().stale_edits().is_empty());
}

fn prowess_skill_hash(text: &str) -> ContentHash {
    use sha2::{Digest as _, Sha256};
    ContentHash(Sha256::digest(text.as_bytes()).into())
}

fn check(followed: &Followed, whole: &[ContentHash]) {
    let snapshot = followed.snapshot();
    let edited = snapshot.skills.iter().find(|skill| skill.name == "edited");
    let is_whole = edited.is_none_or(|skill| whole.contains(&skill.content_hash));
    assert!(is_whole, "half a file was published");
    assert!(snapshot.skills.iter().any(|skill| skill.name == "other"));
}

/// In several writes, as programs do that do not know better.
fn write_in_parts(file: &Path, text: &str) {
    let mut file = File::create(file).unwrap();
    for part in text.as_bytes().chunks(1_024) {
        file.write_all(part).unwrap();
    }
}

#[test]
fn saves_that_rename_over_the_file() {
    save_often(|file, text| {
        let temporary = file.with_file_name(".SKILL.md.tmp");
        write_in_parts(&temporary, text);
        fs::rename(temporary, file).unwrap();
    });
}

#[test]
fn saves_that_truncate_and_write() {
    save_often(write_in_parts);
}

#[test]
fn saves_that_remove_and_create() {
    save_often(|file, text| {
        fs::remove_file(file).unwrap();
        write_in_parts(file, text);
    });
}

#[test]
fn saves_by_a_slow_writer() {
    let followed = native();
    followed.tree.write("ws/skills/edited/SKILL.md", version(0));
    followed.expect_published("it came");
    followed.settle();
    let before = followed.snapshot();
    let mut file = File::create(followed.tree.path("ws/skills/edited/SKILL.md")).unwrap();
    let text = version(1);
    file.write_all(&text.as_bytes()[..1_000]).unwrap();
    followed.expect_nothing("half of it is written, and the writer rests");
    file.write_all(&text.as_bytes()[1_000..]).unwrap();
    drop(file);
    followed.expect_published("it is whole");
    assert_ne!(followed.snapshot().id(), before.id());
    followed.expect_fresh("all of it");
}

#[test]
fn a_root_that_is_removed_and_made_again() {
    let followed = native();
    let root = followed.tree.path("ws/skills");
    for round in 0..100 {
        fs::remove_dir_all(&root).unwrap();
        if round % 3 == 0 {
            followed.expect_state("it is gone", |followed| followed.names().is_empty());
        }
        fs::create_dir(&root).unwrap();
        followed.write("one", &format!("{round}\n"));
        if round % 3 == 1 {
            followed.expect_fresh("it is back");
        }
    }
    followed.expect_fresh("after all of it");
    assert_eq!(followed.names(), ["one"]);
    followed.write("one", "It is still watched.\n");
    followed.expect_fresh("watched");
    assert!(followed.live.health().directories < 30);
}

#[test]
fn a_root_that_is_a_link() {
    let followed = native();
    followed.tree.write("elsewhere/one/SKILL.md", skill("one", ""));
    fs::remove_dir_all(followed.tree.path("ws/skills")).unwrap();
    std::os::unix::fs::symlink(followed.tree.path("elsewhere"), followed.tree.path("ws/skills")).unwrap();
    followed.expect_state("through the link", |followed| followed.names() == ["one"]);
    followed.tree.write("elsewhere/two/SKILL.md", skill("two", ""));
    followed.expect_state("watched where it leads", |followed| followed.names() == ["one", "two"]);
    followed.tree.write("elsewhere/two/SKILL.md", skill("two", "") + "more\n");
    followed.expect_fresh("edited there");
    fs::remove_file(followed.tree.path("ws/skills")).unwrap();
    followed.expect_state("the link is gone", |followed| followed.names().is_empty());
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Memory of this process, in kilobytes.
fn memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_hundred_thousand_unrelated_files_and_a_flood_of_events() {
    let tree = tree();
    let folders = [
        "ws/skills/node_modules/big",
        "ws/skills/data",
        "ws/skills/kept/assets",
        "bundled/dist",
        "ws/skills/.git",
    ];
    for folder in folders {
        fs::create_dir_all(tree.path(folder)).unwrap();
        for number in 0..20_000 {
            File::create(tree.path(folder).join(number.to_string())).unwrap();
        }
    }
    tree.write("ws/skills/kept/SKILL.md", skill("kept", ""));
    for number in 0..100 {
        tree.write(&format!("ws/skills/s{number:03}/SKILL.md"), skill(&format!("s{number:03}"), ""));
    }
    let before = (descriptors(), memory());
    let followed = follow(tree, WatchBackend::Native);
    let health = followed.live.health();
    assert_eq!(health.mode, WatchMode::Watching);
    assert!(health.directories < 200, "{health:?}");
    assert!(descriptors() < before.0 + 20);

    let data = followed.tree.path("ws/skills/data");
    for number in 0..10_000 {
        fs::write(data.join(number.to_string()), "x").unwrap();
        if number % 100 == 0 {
            followed.write(&format!("s{:03}", number / 100), &format!("{number}\n"));
        }
    }
    for number in 0..10_000 {
        fs::write(data.join(format!("{number}.json")), "x").unwrap();
    }
    for number in (0..100).step_by(7) {
        fs::remove_dir_all(followed.tree.path(&format!("ws/skills/s{number:03}"))).unwrap();
    }
    followed.write("last", "");
    followed.expect_state("the last change", |followed| followed.names().contains(&"last".to_owned()));
    followed.expect_fresh("nothing was missed");
    let health = followed.live.health();
    assert!(health.directories < 200, "{health:?}");
    assert!(descriptors() < before.0 + 20);
    let grown = memory().saturating_sub(before.1);
    assert!(grown < 64 * 1024, "grown by {grown} kB");
}

#[test]
fn more_events_than_the_system_keeps() {
    let followed = native();
    let data = followed.tree.path("ws/skills/data");
    fs::create_dir_all(&data).unwrap();
    followed.write("one", "");
    followed.expect_published("it came");
    // Four threads are faster than one that listens.
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let data = &data;
            scope.spawn(move || {
                for number in 0..12_500 {
                    File::create(data.join(format!("{thread}-{number}.json"))).unwrap();
                }
            });
        }
    });
    followed.write("two", "");
    followed.write("one", "Again.\n");
    followed.expect_state("both", |followed| followed.names() == ["one", "two"]);
    followed.expect_fresh("whatever was lost");
}
