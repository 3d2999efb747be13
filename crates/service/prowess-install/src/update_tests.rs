use super::*;
use crate::test_support::{Case, bundle, demo, placement};
use crate::{ConflictKind, status};

fn first() -> Bundle {
    bundle(&[("SKILL.md", "one\ntwo\nthree\n"), ("a", "a\n"), ("b", "b\n")])
}

#[test]
fn an_untouched_folder_is_replaced() {
    let case = Case::new();
    case.install(&first());
    let next = bundle(&[("SKILL.md", "one\ntwo\n"), ("a", "a\n"), ("c!", "c\n")]);
    let later = Placement { now: 2000, ..placement(&next) };
    let updated = case.writer().update(&later, Edits::Refuse).unwrap();
    let expected = MergeReport {
        taken: vec!["SKILL.md".to_owned(), "c".to_owned()],
        removed: vec!["b".to_owned()],
        ..MergeReport::default()
    };
    assert_eq!(updated.report, expected);
    let installed = status(&case.home).unwrap();
    assert!(installed[0].state.is_clean());
    assert_eq!((installed[0].entry.installed_at, installed[0].entry.updated_at), (1000, Some(2000)));
    assert_eq!(case.listed(), ["demo/SKILL.md", "demo/a", "demo/c"]);
}

#[test]
fn an_edited_folder_is_refused_with_the_list_and_what_a_merge_would_do() {
    let case = Case::new();
    case.install(&first());
    case.write("demo/a", "mine\n");
    case.write("demo/new", "mine\n");
    let next = bundle(&[("SKILL.md", "one\n"), ("a", "a\n"), ("b", "b\n")]);
    let error = case.writer().update(&placement(&next), Edits::Refuse).unwrap_err();
    assert_eq!(error.to_string(), "`demo` has local changes: `a` (changed), `new` (extra)");
    let InstallError::Edited { merge: Some(report), .. } = error else { panic!("{error}") };
    assert_eq!(
        (report.taken, report.kept),
        (vec!["SKILL.md".to_owned()], vec!["a".to_owned(), "new".to_owned()])
    );
    assert_eq!(case.read("demo/SKILL.md"), "one\ntwo\nthree\n");
}

#[test]
fn edits_and_news_are_merged_and_stay_edits() {
    let case = Case::new();
    case.install(&first());
    case.write("demo/SKILL.md", "ONE\ntwo\nthree\n");
    case.write("demo/new", "mine\n");
    std::fs::remove_file(case.home.skills.join("demo/a")).unwrap();
    let next = bundle(&[("SKILL.md", "one\ntwo\nTHREE\n"), ("a", "a\n")]);
    let updated = case.writer().update(&placement(&next), Edits::Merge).unwrap();
    assert_eq!(case.read("demo/SKILL.md"), "ONE\ntwo\nTHREE\n");
    assert_eq!(case.listed(), ["demo/SKILL.md", "demo/new"]);
    let expected = MergeReport {
        merged: vec!["SKILL.md".to_owned()],
        kept: vec!["a".to_owned(), "new".to_owned()],
        removed: vec!["b".to_owned()],
        ..MergeReport::default()
    };
    assert_eq!(updated.report, expected);
    let installed = status(&case.home).unwrap();
    assert_eq!(installed[0].entry.hash.as_str(), prowess_fs::tree_hash(&next), "the lock says what came");
    assert!(!installed[0].state.is_clean());

    let third = bundle(&[("SKILL.md", "one\ntwo\nTHREE\nfour\n"), ("a", "a\n")]);
    case.writer().update(&placement(&third), Edits::Merge).unwrap();
    assert_eq!(case.read("demo/SKILL.md"), "ONE\ntwo\nTHREE\nfour\n");
}

#[test]
fn conflicts_stop_a_merge_unless_markers_are_wanted() {
    let case = Case::new();
    case.install(&first());
    case.write("demo/SKILL.md", "one\nmine\nthree\n");
    let next = bundle(&[("SKILL.md", "one\ntheirs\nthree\n"), ("a", "a\n"), ("b", "b\n")]);
    let error = case.writer().update(&placement(&next), Edits::Merge).unwrap_err();
    let InstallError::Conflicts { report, .. } = &error else { panic!("{error}") };
    assert_eq!(report.conflicts[0].kind, ConflictKind::Lines { places: 1 });
    assert_eq!(case.read("demo/SKILL.md"), "one\nmine\nthree\n");
    case.writer().update(&placement(&next), Edits::MergeWithMarkers).unwrap();
    let text = "one\n<<<<<<< here\nmine\n=======\ntheirs\n>>>>>>> there\nthree\n";
    assert_eq!(case.read("demo/SKILL.md"), text);
}

#[test]
fn force_keeps_a_copy() {
    let case = Case::new();
    case.install(&first());
    case.write("demo/SKILL.md", "mine\n");
    let next = bundle(&[("SKILL.md", "theirs\n")]);
    let updated = case.writer().update(&placement(&next), Edits::Overwrite).unwrap();
    assert_eq!(case.read("demo/SKILL.md"), "theirs\n");
    let backup = updated.placed.backup.unwrap();
    assert_eq!(std::fs::read_to_string(backup.join("SKILL.md")).unwrap(), "mine\n");
    assert!(status(&case.home).unwrap()[0].state.is_clean());
}

#[test]
fn the_same_version_changes_nothing_but_puts_a_lost_folder_back() {
    let case = Case::new();
    case.install(&first());
    case.write("demo/a", "mine\n");
    let skill = first();
    let updated = case.writer().update(&placement(&skill), Edits::Refuse).unwrap();
    assert!(!updated.placed.is_changed);
    assert_eq!(case.read("demo/a"), "mine\n");
    std::fs::remove_dir_all(case.home.target(&demo())).unwrap();
    case.writer().update(&placement(&skill), Edits::Refuse).unwrap();
    assert!(status(&case.home).unwrap()[0].state.is_clean());
    let missing = Placement { folder: Folder::parse("other").unwrap(), ..placement(&skill) };
    assert!(matches!(case.writer().update(&missing, Edits::Refuse), Err(InstallError::NotInstalled { .. })));
}

#[test]
fn new_notes_come_with_the_same_version_and_leave_edits_alone() {
    let case = Case::new();
    case.install(&first());
    case.write("demo/a", "mine\n");
    let skill = first();
    let notes = bundle(&[(".clawhub/origin.json", "1")]).files;
    let updated = case.writer().update(&Placement { notes, ..placement(&skill) }, Edits::Refuse).unwrap();
    assert!(updated.placed.is_changed);
    assert_eq!((case.read("demo/a"), case.read("demo/.clawhub/origin.json")), ("mine\n".into(), "1".into()));
    assert_eq!(updated.report.kept, ["a"]);
}

#[test]
fn a_lost_base_makes_an_edit_a_conflict() {
    let case = Case::new();
    case.install(&first());
    case.write("demo/a", "mine\n");
    std::fs::remove_dir_all(case.home.state.join("base")).unwrap();
    let next = bundle(&[("SKILL.md", "one\n"), ("a", "theirs\n"), ("b", "b\n")]);
    let plan = plan_update(&case.home, &demo(), &next).unwrap();
    let conflicts = plan.merged.unwrap().report.conflicts;
    assert!(conflicts.iter().all(|conflict| conflict.kind == ConflictKind::BaseLost), "{conflicts:?}");
    assert!(conflicts.iter().any(|conflict| conflict.path == "a"));
    assert!(!status(&case.home).unwrap()[0].has_base);
}

#[cfg(unix)]
#[test]
fn a_folder_with_links_cannot_be_merged_but_kept() {
    let case = Case::new();
    case.install(&first());
    std::os::unix::fs::symlink("a", case.home.skills.join("demo/link")).unwrap();
    let next = bundle(&[("SKILL.md", "x\n")]);
    let error = case.writer().update(&placement(&next), Edits::Merge).unwrap_err();
    assert_eq!(error.to_string(), "`demo` cannot be merged: `link` is a link");
    let updated = case.writer().update(&placement(&next), Edits::Overwrite).unwrap();
    assert!(prowess_fs::is_taken(&updated.placed.backup.unwrap().join("link")));
}
