//! Parsed skills are kept on disk, and nobody can tell but by the time it takes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use prowess_context::Caching;
use prowess_testkit::Tree;
use prowess_types::ProfileName;
use serde_json::Value;

use crate::support::{configure, engine_with, skill, write_skill};

fn tree() -> Tree {
    let tree = Tree::new();
    for number in 0..5 {
        write_skill(&tree, &format!("ws/skills/skill-{number}"), &format!("skill-{number}"));
    }
    tree.write("ws/skills/broken/SKILL.md", "no frontmatter\n");
    write_skill(&tree, "bundled/skill-1", "skill-1");
    tree
}

/// Everything that a client can see.
fn answer(tree: &Tree, cache: Caching) -> Value {
    let inventory =
        engine_with(tree, ProfileName::Prowess, &[], cache).inventory(None).expect("an inventory");
    serde_json::to_value(inventory.status()).expect("JSON")
}

fn description(answer: &Value, name: &str) -> String {
    let skills = answer["skills"].as_array().expect("a list");
    let found = skills.iter().find(|skill| skill["name"] == name).expect("the skill");
    found["description"].as_str().expect("a text").to_owned()
}

fn cache_files(tree: &Tree) -> Vec<PathBuf> {
    let folder = fs::read_dir(tree.path("home/.prowess/cache/skills")).expect("the cache folder");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn modified(file: &Path) -> SystemTime {
    fs::metadata(file).and_then(|metadata| metadata.modified()).expect("a time")
}

/// Makes every cache file look as if it had been written long after the skills, so that it is believed.
fn settle(tree: &Tree) {
    for file in cache_files(tree) {
        let later = modified(&file) + Duration::from_mins(1);
        File::options().write(true).open(&file).and_then(|open| open.set_modified(later)).expect("a time");
    }
}

#[test]
fn the_second_load_gives_the_same_answer() {
    let tree = tree();
    let plain = answer(&tree, Caching::Off);
    assert!(!tree.path("home/.prowess/cache").exists(), "switched off means off");
    assert_eq!(answer(&tree, Caching::On), plain);
    assert_eq!(answer(&tree, Caching::On), plain);
    settle(&tree);
    let before: Vec<SystemTime> = cache_files(&tree).iter().map(|file| modified(file)).collect();
    assert_eq!(answer(&tree, Caching::On), plain);
    let after: Vec<SystemTime> = cache_files(&tree).iter().map(|file| modified(file)).collect();
    assert_eq!(before, after, "a cache that is right is not written again");
}

#[test]
fn an_edit_is_noticed_even_if_size_and_time_are_restored() {
    let tree = tree();
    for is_settled in [false, true] {
        let file = tree.write("ws/skills/skill-0/SKILL.md", skill("skill-0", ""));
        assert_eq!(description(&answer(&tree, Caching::On), "skill-0"), "Does skill-0. Use when asked.");
        if is_settled {
            settle(&tree);
        }
        let time = modified(&file);
        let edited = skill("skill-0", "").replace("Does", "Dare");
        fs::write(&file, edited).unwrap();
        File::options().write(true).open(&file).and_then(|open| open.set_modified(time)).unwrap();
        assert_eq!(modified(&file), time);
        assert_eq!(description(&answer(&tree, Caching::On), "skill-0"), "Dare skill-0. Use when asked.");
    }
}

#[test]
fn every_change_of_the_tree_is_noticed() {
    let tree = tree();
    answer(&tree, Caching::On);
    let check = |what: &str| {
        settle(&tree);
        assert_eq!(answer(&tree, Caching::On), answer(&tree, Caching::Off), "{what}");
    };
    fs::remove_dir_all(tree.path("ws/skills/skill-0")).unwrap();
    check("a skill is gone");
    write_skill(&tree, "ws/skills/new", "new");
    check("a skill is new");
    fs::rename(tree.path("ws/skills/skill-2"), tree.path("ws/skills/renamed")).unwrap();
    check("a folder has another name");
    fs::rename(tree.path("ws/skills/skill-3/SKILL.md"), tree.path("aside")).unwrap();
    fs::rename(tree.path("ws/skills/skill-4/SKILL.md"), tree.path("ws/skills/skill-3/SKILL.md")).unwrap();
    fs::rename(tree.path("aside"), tree.path("ws/skills/skill-4/SKILL.md")).unwrap();
    check("two files changed places");
    write_skill(&tree, "ws/skills/broken", "broken");
    check("a broken skill was repaired");
    tree.write("ws/skills/new/SKILL.md", "broken");
    check("a good skill was broken");
    tree.write("ws/skills/new/SKILL.md", "x".repeat(300_000));
    check("a skill grew over the limit");
    tree.write("ws/skills/renamed/.openclaw/source-origin.json", r#"{"slug": "other-key"}"#);
    check("a file beside the skill names another key");
    fs::remove_dir_all(tree.path("ws/skills/renamed/.openclaw")).unwrap();
    check("and does not any more");
}

#[test]
fn another_way_to_read_has_another_cache() {
    let tree = tree();
    tree.write("ws/skills/lone.md", "# Lone\n\nA lone file.\n");
    let mixed = answer(&tree, Caching::On);
    settle(&tree);
    for mode in ["legacy", "strict", "mixed"] {
        configure(&tree, &format!("{{agent: {{skillsSpecMode: '{mode}'}}}}"));
        assert_eq!(answer(&tree, Caching::On), answer(&tree, Caching::Off), "{mode}");
    }
    assert_eq!(answer(&tree, Caching::On), mixed);
}

#[test]
fn limits_hold_for_what_is_in_the_cache() {
    let tree = tree();
    tree.write("ws/skills/large/SKILL.md", skill("large", "") + &"x".repeat(5_000));
    let with = |limits: &str| {
        configure(&tree, &format!("{{skills: {{limits: {limits}}}}}"));
        let cached = answer(&tree, Caching::On);
        settle(&tree);
        assert_eq!(cached, answer(&tree, Caching::Off), "{limits}");
    };
    with("{}");
    with("{maxSkillFileBytes: 5000}");
    with("{maxSkillsLoadedPerSource: 2}");
    with("{maxCandidatesPerRoot: 2}");
    with("{}");
}

#[test]
fn a_damaged_cache_reads_as_empty() {
    let tree = tree();
    let plain = answer(&tree, Caching::On);
    let file = cache_files(&tree).pop().unwrap();
    let whole = fs::read(&file).unwrap();
    let mut damages: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"PROWESS\0".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        whole[..whole.len() - 1].to_vec(),
        [&whole[..], b"more"].concat(),
        (0..4096_u32).map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect(),
    ];
    for place in (0..whole.len()).step_by(whole.len() / 24) {
        let mut flipped = whole.clone();
        flipped[place] ^= 0x55;
        damages.push(flipped);
    }
    for damage in damages {
        for file in cache_files(&tree) {
            fs::write(file, &damage).unwrap();
        }
        settle(&tree);
        assert_eq!(answer(&tree, Caching::On), plain);
    }
    fs::remove_dir_all(tree.path("home/.prowess/cache")).unwrap();
    assert_eq!(answer(&tree, Caching::On), plain);
}

#[test]
fn a_cache_that_cannot_be_written_costs_time_only() {
    let tree = tree();
    let plain = answer(&tree, Caching::On);
    for file in cache_files(&tree) {
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
    }
    assert_eq!(answer(&tree, Caching::On), plain, "a folder where the file should be");
    fs::remove_dir_all(tree.path("home/.prowess/cache")).unwrap();
    tree.write("home/.prowess/cache", "a file where the folder should be");
    assert_eq!(answer(&tree, Caching::On), plain);
    assert_eq!(answer(&tree, Caching::On), plain);
}

#[test]
fn engines_at_once_agree() {
    let tree = tree();
    let plain = answer(&tree, Caching::Off);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..8 {
                    assert_eq!(answer(&tree, Caching::On), plain);
                }
            });
        }
    });
}
