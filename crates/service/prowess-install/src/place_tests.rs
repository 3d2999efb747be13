use std::time::Duration;

use super::*;
use crate::test_support::{Case, bundle, demo, placement};
use crate::{Home, VerifyState, recover, status};

#[test]
fn a_skill_is_placed_with_its_modes_and_written_down() {
    let case = Case::new();
    let skill = bundle(&[("SKILL.md", "# Demo\n"), ("scripts/run!", "#!/bin/sh\n")]);
    let placed = case.writer().place(&placement(&skill), Existing::Refuse).unwrap();
    assert_eq!(placed.hash.as_str(), prowess_fs::tree_hash(&skill));
    assert!(placed.is_changed && placed.backup.is_none() && placed.leftover.is_none());
    assert_eq!(case.listed(), ["demo/SKILL.md", "demo/scripts/run"]);
    let installed = status(&case.home).unwrap();
    assert!(installed[0].state.is_clean() && installed[0].has_base);
    assert_eq!((installed[0].entry.installed_at, installed[0].entry.updated_at), (1000, None));
    #[cfg(unix)]
    assert!(prowess_fs::is_executable(&case.home.skills.join("demo/scripts/run")));

    let again = case.writer().place(&placement(&skill), Existing::Refuse).unwrap();
    assert!(!again.is_changed);
}

#[test]
fn files_that_skills_share_are_stored_once_and_go_with_the_last() {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "same"), ("a", "same"), ("b", "other")]));
    let stored = || std::fs::read_dir(case.home.state.join("base")).unwrap().count();
    assert_eq!(stored(), 2);
    let next = bundle(&[("SKILL.md", "same")]);
    case.writer().update(&placement(&next), crate::Edits::Refuse).unwrap();
    assert_eq!(stored(), 1);
}

#[test]
fn what_is_not_ours_is_refused_or_kept_in_the_trash() {
    let case = Case::new();
    case.write("demo/mine.txt", "precious");
    let skill = bundle(&[("SKILL.md", "x")]);
    let error = case.writer().place(&placement(&skill), Existing::Refuse).unwrap_err();
    assert!(matches!(error, InstallError::NotOurs { .. }), "{error}");
    assert_eq!(case.listed(), ["demo/mine.txt"]);

    let placed = case.writer().place(&placement(&skill), Existing::Replace).unwrap();
    let backup = placed.backup.unwrap();
    assert_eq!(backup, case.home.trash.join("0000000001000-demo"));
    assert_eq!(std::fs::read_to_string(backup.join("mine.txt")).unwrap(), "precious");
    let note = std::fs::read_to_string(case.home.trash.join("0000000001000-demo.json")).unwrap();
    let note: serde_json::Value = serde_json::from_str(&note).unwrap();
    assert_eq!(note["from"].as_str(), case.home.target(&demo()).to_str());
    assert_eq!(note["removedAt"], 1000);
    assert_eq!(case.listed(), ["demo/SKILL.md"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_trash_on_another_disk_gets_a_copy() {
    use std::os::unix::fs::MetadataExt as _;
    let case = Case::new();
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else {
        println!("skipped: there is no other disk");
        return;
    };
    if std::fs::metadata(other.path()).unwrap().dev() == std::fs::metadata(case.path()).unwrap().dev() {
        println!("skipped: there is no other disk");
        return;
    }
    let home = Home { trash: other.path().join("trash"), ..case.home.clone() };
    case.write("demo/deep/mine.txt", "precious");
    let skill = bundle(&[("SKILL.md", "x")]);
    let writer = Writer::open(&home, Duration::from_secs(5)).unwrap();
    let placed = writer.place(&placement(&skill), Existing::Replace).unwrap();
    assert!(placed.leftover.is_none());
    assert_eq!(std::fs::read_to_string(placed.backup.unwrap().join("deep/mine.txt")).unwrap(), "precious");
    assert_eq!(case.listed(), ["demo/SKILL.md"]);
}

#[test]
fn another_version_needs_an_update_or_force() {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "1")]));
    let next = bundle(&[("SKILL.md", "2")]);
    let error = case.writer().place(&placement(&next), Existing::Refuse).unwrap_err();
    assert!(matches!(error, InstallError::AlreadyInstalled { .. }), "{error}");
    let placed = case.writer().place(&placement(&next), Existing::Replace).unwrap();
    assert!(placed.backup.is_none(), "what was installed can be had again");
    case.write("demo/SKILL.md", "edited");
    let error = case.writer().place(&placement(&next), Existing::Refuse).unwrap_err();
    assert!(matches!(error, InstallError::Edited { .. }), "{error}");
    let placed = case.writer().place(&placement(&next), Existing::Replace).unwrap();
    assert_eq!(std::fs::read_to_string(placed.backup.unwrap().join("SKILL.md")).unwrap(), "edited");
    assert_eq!(case.read("demo/SKILL.md"), "2");
}

#[test]
fn frozen_installs_exactly_the_lock() {
    let case = Case::new();
    let skill = bundle(&[("SKILL.md", "1")]);
    let error = case.writer().place(&placement(&skill), Existing::Frozen).unwrap_err();
    assert!(matches!(error, InstallError::Frozen { .. }), "{error}");
    case.install(&skill);
    let lock = std::fs::read(case.home.lock_file()).unwrap();
    std::fs::remove_dir_all(case.home.target(&demo())).unwrap();
    let other = bundle(&[("SKILL.md", "2")]);
    let error = case.writer().place(&placement(&other), Existing::Frozen).unwrap_err();
    assert!(matches!(error, InstallError::Frozen { .. }), "{error}");
    let later = Placement { now: 9999, ..placement(&skill) };
    case.writer().place(&later, Existing::Frozen).unwrap();
    assert_eq!(std::fs::read(case.home.lock_file()).unwrap(), lock);
}

#[test]
fn notes_of_tools_are_written_along_and_are_no_part_of_the_skill() {
    let case = Case::new();
    let home = Home { mirror: Some(case.path().join(".clawhub/lock.json")), ..case.home.clone() };
    let skill = bundle(&[("SKILL.md", "1"), (".clawhub/origin.json", "theirs")]);
    let notes = bundle(&[(".clawhub/origin.json", "ours")]).files;
    let mirror = Some("{\"version\":1}".to_owned());
    let writer = Writer::open(&home, Duration::from_secs(5)).unwrap();
    writer.place(&Placement { notes, mirror, ..placement(&skill) }, Existing::Refuse).unwrap();
    assert_eq!(case.read("demo/.clawhub/origin.json"), "ours");
    assert_eq!(std::fs::read_to_string(case.path().join(".clawhub/lock.json")).unwrap(), "{\"version\":1}");
    assert!(status(&home).unwrap()[0].state.is_clean());

    let next = bundle(&[("SKILL.md", "2")]);
    writer.update(&placement(&next), crate::Edits::Refuse).unwrap();
    assert_eq!(case.read("demo/.clawhub/origin.json"), "ours", "an update without notes leaves them");
    assert!(status(&home).unwrap()[0].state.is_clean());
}

#[test]
fn a_pinned_skill_stays() {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "1")]));
    let writer = case.writer();
    writer.pin(&demo(), Some("2 is broken"), None).unwrap();
    let next = bundle(&[("SKILL.md", "2")]);
    for error in [
        writer.place(&placement(&next), Existing::Replace).unwrap_err(),
        writer.update(&placement(&next), crate::Edits::Overwrite).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), "`demo` is pinned (2 is broken); unpin it first");
    }
    assert!(writer.unpin(&demo(), None).unwrap());
    assert!(!writer.unpin(&demo(), None).unwrap());
    writer.update(&placement(&next), crate::Edits::Refuse).unwrap();
}

#[test]
fn bad_bundles_leave_nothing_behind() {
    let case = Case::new();
    for files in [
        &[][..],
        &[("../x", "")],
        &[("/x", "")],
        &[("a", ""), ("a", "")],
        &[("a", ""), ("a/b", "")],
        &[("a", ""), ("a!", "")],
        &[(crate::names::MARK, "")],
    ] {
        let skill = bundle(files);
        assert!(case.writer().place(&placement(&skill), Existing::Replace).is_err(), "{files:?}");
    }
    assert!(case.listed().is_empty());
    assert!(!prowess_fs::is_taken(&case.home.lock_file()));
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let case = Case::new();
    let outside = case.path().join("outside");
    std::fs::create_dir_all(outside.join("new")).unwrap();
    std::fs::write(outside.join("new/precious"), "x").unwrap();
    std::fs::create_dir_all(&case.home.skills).unwrap();
    let skill = bundle(&[("SKILL.md", "1")]);

    symlink(&outside, case.home.target(&demo())).unwrap();
    let error = case.writer().place(&placement(&skill), Existing::Replace).unwrap_err();
    assert!(matches!(error, InstallError::InTheWay { .. }), "{error}");

    symlink(&outside, case.home.skills.join("@ada")).unwrap();
    let nested = Placement { folder: Folder::parse("@ada/demo").unwrap(), ..placement(&skill) };
    let error = case.writer().place(&nested, Existing::Replace).unwrap_err();
    assert!(matches!(error, InstallError::InTheWay { .. }), "{error}");

    symlink(&outside, case.home.staging()).unwrap();
    assert_eq!(recover(&case.home, Duration::from_secs(5)).unwrap(), None);
    assert!(outside.join("new/precious").exists());
    assert!(!prowess_fs::is_taken(&case.home.staging()));
}

#[test]
fn owners_have_folders_that_go_when_they_are_empty() {
    let case = Case::new();
    let skill = bundle(&[("SKILL.md", "1")]);
    let folder = Folder::parse("@ada/demo").unwrap();
    let nested = Placement { folder: folder.clone(), ..placement(&skill) };
    let writer = case.writer();
    writer.place(&nested, Existing::Refuse).unwrap();
    assert_eq!(case.listed(), ["@ada/demo/SKILL.md"]);
    assert_eq!(status(&case.home).unwrap()[0].state, VerifyState::Clean);
    writer.uninstall(&folder, None, |path| std::fs::remove_dir_all(path)).unwrap();
    assert!(!prowess_fs::is_taken(&case.home.skills.join("@ada")));
}

#[test]
fn many_install_at_once() {
    let case = Case::new();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let home = &case.home;
            scope.spawn(move || {
                let skill = bundle(&[("SKILL.md", "same")]);
                let folder = Folder::parse(&format!("skill-{}", number % 4)).unwrap();
                let writer = Writer::open(home, Duration::from_mins(1)).unwrap();
                writer.place(&Placement { folder, ..placement(&skill) }, Existing::Refuse).unwrap();
            });
        }
    });
    let installed = status(&case.home).unwrap();
    assert_eq!(installed.len(), 4);
    assert!(installed.iter().all(|installed| installed.state.is_clean()));
}

#[test]
fn git_metadata_is_never_written() {
    for path in [".git/config", ".GIT", "a/.git/x", "git~1", "lib/commondir"] {
        let case = Case::new();
        let skill = bundle(&[("SKILL.md", "x"), (path, "x"), ("lib/HEAD", "x")]);
        for existing in [Existing::Refuse, Existing::Replace] {
            let error = case.writer().place(&placement(&skill), existing).unwrap_err();
            assert!(matches!(error, InstallError::GitMetadata { .. }), "{path}: {error}");
        }
        assert_eq!(case.listed(), Vec::<String>::new());
        case.install(&bundle(&[("SKILL.md", "y")]));
        let error = case.writer().update(&placement(&skill), crate::Edits::Refuse).unwrap_err();
        assert!(matches!(error, InstallError::GitMetadata { .. }), "{path}: {error}");
        assert_eq!(case.listed(), ["demo/SKILL.md"]);
    }
}
