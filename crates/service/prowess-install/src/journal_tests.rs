use std::fs;
use std::time::Duration;

use super::*;
use crate::recover;
use crate::test_support::{Case, bundle, demo, placement};
use crate::{Existing, Writer};

fn swap(old: Option<Digest>) -> Change {
    let backup = Folder::parse("0000000001000-demo").unwrap();
    Change::Swap { old, keeps_old: false, backup, at: 1000, withdraws: false }
}

/// A home with an installed skill, another version staged, and the note written.
fn begun(case: &Case) -> Journal {
    case.install(&bundle(&[("SKILL.md", "old")]));
    let other = Case::new();
    other.install(&bundle(&[("SKILL.md", "new")]));
    let entry = |case: &Case| LockFile::read(&case.home).unwrap().skills[&demo()].clone();
    let old = DiskTree::scan(&case.home.target(&demo())).unwrap().map(|tree| tree.digest());
    disk::write_tree(&case.home.staged_new(), &bundle(&[("SKILL.md", "new")]).files).unwrap();
    disk::mark(&case.home.staged_new()).unwrap();
    let (before, after) = (Some(entry(case)), Some(entry(&other)));
    let journal =
        Journal { folder: demo(), change: swap(old), before, after, mirror: None, companions: Vec::new() };
    journal.begin(&case.home).unwrap();
    journal
}

fn recovered(case: &Case) -> Recovered {
    recover(&case.home, Duration::from_secs(5)).unwrap().unwrap()
}

fn check(case: &Case, text: &str) {
    assert_eq!(case.read("demo/SKILL.md"), text);
    assert!(crate::status(&case.home).unwrap()[0].state.is_clean());
    assert_eq!(case.listed(), ["demo/SKILL.md"]);
    assert!(!is_pending(&case.home));
}

#[test]
fn before_the_swap_the_old_state_holds() {
    let case = Case::new();
    begun(&case);
    assert_eq!(recovered(&case), Recovered::Undone(demo()));
    check(&case, "old");
}

#[test]
fn what_is_staged_without_a_note_is_waste() {
    let case = Case::new();
    begun(&case);
    fs::remove_file(case.home.journal()).unwrap();
    disk::unmark(&case.home.staged_new()).unwrap();
    assert_eq!(recover(&case.home, Duration::from_secs(5)).unwrap(), None);
    check(&case, "old");
}

#[test]
fn after_the_swap_the_new_state_holds() {
    let case = Case::new();
    begun(&case).swap(&case.home).unwrap();
    assert_eq!(recovered(&case), Recovered::Finished(demo()));
    check(&case, "new");
}

#[test]
fn between_two_renames_the_old_state_holds() {
    let case = Case::new();
    begun(&case);
    fs::rename(case.home.target(&demo()), case.home.staged_old()).unwrap();
    assert_eq!(recovered(&case), Recovered::Undone(demo()));
    check(&case, "old");
}

#[test]
fn a_folder_made_between_two_renames_stays_and_the_old_one_is_kept() {
    let case = Case::new();
    begun(&case);
    fs::rename(case.home.target(&demo()), case.home.staged_old()).unwrap();
    case.write("demo/mine", "precious");
    assert_eq!(recovered(&case), Recovered::Undone(demo()));
    assert_eq!(case.read("demo/mine"), "precious");
    assert_eq!(fs::read_to_string(case.home.trash.join("0000000001000-demo/SKILL.md")).unwrap(), "old");
}

#[test]
fn an_edit_made_meanwhile_is_kept() {
    let case = Case::new();
    let journal = begun(&case);
    case.write("demo/SKILL.md", "edited in the last moment");
    let ended = journal.run(&case.home).unwrap();
    check(&case, "new");
    let kept = fs::read_to_string(ended.backup.unwrap().join("SKILL.md")).unwrap();
    assert_eq!(kept, "edited in the last moment");
}

#[test]
fn a_damaged_note_loses_nothing() {
    let case = Case::new();
    begun(&case);
    fs::write(case.home.journal(), "{").unwrap();
    let Recovered::Kept(kept) = recovered(&case) else { panic!("nobody knows what was meant") };
    assert_eq!(kept.len(), 2);
    assert!(kept[0].join("new/SKILL.md").is_file());
    assert_eq!(case.read("demo/SKILL.md"), "old");
    assert!(!is_pending(&case.home));
}

#[test]
fn a_note_that_names_another_place_is_damaged() {
    let case = Case::new();
    let journal = begun(&case);
    let mut value = serde_json::to_value(&journal).unwrap();
    value["folder"] = "../../outside".into();
    fs::write(case.home.journal(), value.to_string()).unwrap();
    assert!(matches!(recovered(&case), Recovered::Kept(_)));
}

#[test]
fn an_install_settles_what_was_left_first() {
    let case = Case::new();
    begun(&case).swap(&case.home).unwrap();
    let writer = Writer::open(&case.home, Duration::from_secs(5)).unwrap();
    assert_eq!(writer.recovered(), Some(&Recovered::Finished(demo())));
    let next = bundle(&[("SKILL.md", "new")]);
    let placed = writer.place(&placement(&next), Existing::Refuse).unwrap();
    assert!(!placed.is_changed);
}

#[test]
fn a_removal_is_finished_or_forgotten() {
    let case = Case::new();
    let skill = bundle(&[("SKILL.md", "old")]);
    for is_gone in [false, true] {
        case.writer().place(&placement(&skill), Existing::Refuse).unwrap();
        let before = LockFile::read(&case.home).unwrap().skills.get(&demo()).cloned();
        let journal = Journal {
            folder: demo(),
            change: Change::Remove,
            before,
            after: None,
            mirror: None,
            companions: Vec::new(),
        };
        journal.begin(&case.home).unwrap();
        if is_gone {
            fs::remove_dir_all(case.home.target(&demo())).unwrap();
            assert_eq!(recovered(&case), Recovered::Finished(demo()));
        } else {
            assert_eq!(recovered(&case), Recovered::Undone(demo()));
        }
        assert_eq!(crate::status(&case.home).unwrap().is_empty(), is_gone);
    }
}

#[test]
fn the_other_tools_lock_is_taken_back_unless_somebody_else_wrote_it() {
    let case = Case::new();
    let path = case.path().join("mirror.json");
    let home = Home { mirror: Some(path.clone()), ..case.home.clone() };
    let mirror = Some(Mirrored { before: Some("old".to_owned()), after: "new".to_owned() });
    let journal = Journal { mirror, ..begun(&case) };
    for (present, expected) in [("new", "old"), ("old", "old"), ("theirs", "theirs")] {
        fs::write(&path, present).unwrap();
        journal.record(&home, Side::Before).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    }
    journal.record(&home, Side::After).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
}
