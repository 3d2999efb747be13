use std::time::Duration;

use super::*;
use crate::test_support::{Case, bundle, demo};
use crate::{CompanionContent, CompanionRoot, Recovered, recover};

const DRAFT: &str = "drafts/demo/draft.json";

fn case() -> Case {
    let mut case = Case::new();
    let path = case.path().join("forge");
    case.home.companions.insert("forge".to_owned(), CompanionRoot { path, is_private: true });
    case
}

fn record(before: Option<&str>, after: Option<&str>) -> CompanionFile {
    let content =
        |text: Option<&str>| text.map(|text| CompanionContent { text: text.to_owned(), executable: false });
    CompanionFile {
        root: "forge".to_owned(),
        path: FilePath::parse(DRAFT).unwrap(),
        before: content(before),
        after: content(after),
    }
}

fn paths(names: &[&str]) -> Vec<FilePath> {
    names.iter().map(|name| FilePath::parse(name).unwrap()).collect()
}

#[test]
fn a_folder_and_its_record_come_change_and_go_together() {
    let case = case();
    let state = || std::fs::read_to_string(case.path().join("forge").join(DRAFT)).ok();
    let change = |old: &[&str], new: &[(&str, &str)], before, after| {
        let wanted = FolderExchange {
            folder: &demo(),
            change: FolderChange::Files { old: &paths(old), new: bundle(new).files },
            companions: vec![record(before, after)],
            now: 1000,
        };
        case.writer().exchange(wanted).unwrap();
    };
    change(&[], &[("SKILL.md", "1"), ("scripts/run.sh!", "x")], None, Some("one"));
    assert_eq!(case.listed(), ["demo/SKILL.md", "demo/scripts/run.sh"]);
    assert_eq!(state().as_deref(), Some("one"));
    case.write("demo/mine.txt", "the user's");
    change(&["SKILL.md", "scripts/run.sh"], &[("SKILL.md", "2")], Some("one"), Some("two"));
    assert_eq!(case.listed(), ["demo/SKILL.md", "demo/mine.txt"]);
    assert_eq!(state().as_deref(), Some("two"));
    std::fs::remove_file(case.home.skills.join("demo/mine.txt")).unwrap();
    change(&["SKILL.md"], &[], Some("two"), None);
    assert_eq!((case.listed(), state()), (Vec::new(), None));
    assert!(!crate::is_interrupted(&case.home));
    assert!(!case.home.lock_file().exists(), "the lock does not know it");
}

#[test]
fn a_companion_that_cannot_be_written_undoes_the_folder() {
    let case = case();
    std::fs::write(case.path().join("forge"), "a file").unwrap();
    let wanted = FolderExchange {
        folder: &demo(),
        change: FolderChange::Files { old: &[], new: bundle(&[("SKILL.md", "1")]).files },
        companions: vec![record(None, Some("one"))],
        now: 1000,
    };
    case.writer().exchange(wanted.clone()).unwrap_err();
    // The next command, once it can, settles what could not be undone.
    std::fs::remove_file(case.path().join("forge")).unwrap();
    recover(&case.home, Duration::from_secs(5)).unwrap();
    assert_eq!(case.listed(), Vec::<String>::new());
    case.writer().exchange(wanted).unwrap();
    assert_eq!(case.listed(), ["demo/SKILL.md"]);
}

#[test]
fn a_journal_with_unknown_companions_is_put_aside() {
    let mut case = case();
    let wanted = FolderExchange {
        folder: &demo(),
        change: FolderChange::None,
        companions: vec![record(None, Some("planted"))],
        now: 1000,
    };
    std::fs::write(case.path().join("forge"), "a file").unwrap();
    case.writer().exchange(wanted).unwrap_err();
    std::fs::remove_file(case.path().join("forge")).unwrap();
    assert!(crate::is_interrupted(&case.home), "the change could not be undone");
    // As if the journal had come with a repository.
    case.home.companions.clear();
    let recovered = recover(&case.home, Duration::from_secs(5)).unwrap();
    assert!(matches!(recovered, Some(Recovered::Kept(_))), "{recovered:?}");
    assert!(!case.path().join("forge").join(DRAFT).exists());
}
