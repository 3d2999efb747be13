use super::*;
use crate::test_support::{Case, bundle, demo};

#[test]
fn every_difference_is_named() {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "1"), ("a", "a"), ("b", "b"), ("run!", "r")]));
    assert_eq!(status(&case.home).unwrap()[0].state, VerifyState::Clean);
    case.write("demo/a", "changed");
    case.write("demo/.hidden/extra", "x");
    std::fs::remove_file(case.home.skills.join("demo/b")).unwrap();
    let mut expected = Drift {
        missing: vec!["b".to_owned()],
        changed: vec!["a".to_owned()],
        extra: vec![".hidden/extra".to_owned()],
        ..Drift::default()
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(case.home.skills.join("demo/run"), mode).unwrap();
        std::os::unix::fs::symlink("a", case.home.skills.join("demo/link")).unwrap();
        expected.mode = vec!["run".to_owned()];
        expected.odd = vec![("link".to_owned(), "a link".to_owned())];
    }
    assert_eq!(status(&case.home).unwrap()[0].state, VerifyState::Edited(expected));
}

#[test]
fn folders_can_be_gone_or_be_something_else() {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "1")]));
    std::fs::remove_dir_all(case.home.target(&demo())).unwrap();
    assert_eq!(status(&case.home).unwrap()[0].state, VerifyState::Gone);
    case.write("demo", "a file");
    assert_eq!(status(&case.home).unwrap()[0].state, VerifyState::Replaced);
}

#[test]
fn skills_that_nobody_installed_are_found() {
    let case = Case::new();
    case.install(&bundle(&[("SKILL.md", "1")]));
    for path in ["mine/SKILL.md", "@ada/own/SKILL.md", "no-skill/README.md", ".hidden/SKILL.md"] {
        case.write(path, "x");
    }
    let found = unlisted(&case.home).unwrap();
    assert_eq!(found.iter().map(Folder::as_str).collect::<Vec<_>>(), ["@ada/own", "mine"]);
}

#[test]
fn files_are_had_as_they_came_and_as_they_are() {
    let case = Case::new();
    let skill = bundle(&[("SKILL.md", "1"), ("run!", "r")]);
    case.install(&skill);
    case.write("demo/SKILL.md", "2");
    assert_eq!(original_files(&case.home, &demo()).unwrap(), skill);
    assert_eq!(local_files(&case.home, &demo()).unwrap(), bundle(&[("SKILL.md", "2"), ("run!", "r")]));
    assert!(local_files(&case.home, &Folder::parse("other").unwrap()).is_err());
}

#[test]
fn reading_writes_nothing() {
    let case = Case::new();
    assert!(status(&case.home).unwrap().is_empty());
    assert_eq!(crate::recover(&case.home, std::time::Duration::ZERO).unwrap(), None);
    assert_eq!(std::fs::read_dir(case.path()).unwrap().count(), 0);
}
