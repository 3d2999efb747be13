use super::*;
use prowess_testkit::Tree;
use serde_json::json;

fn answer(decision: TrustDecision) -> Answer {
    Answer { name: "x".to_owned(), repository: None, decision, at: Some("now".to_owned()) }
}

fn value(tree: &Tree) -> Value {
    serde_json::from_slice(&std::fs::read(tree.path("trust.json")).unwrap()).unwrap()
}

#[test]
fn answers_are_kept_changed_and_taken_away() {
    let tree = Tree::new();
    let file = tree.path("trust.json");
    assert!(Answers::read(&file).by_digest.is_empty());
    let changes = [
        ("a".to_owned(), Some(answer(TrustDecision::Trusted))),
        ("b".to_owned(), Some(answer(TrustDecision::Refused))),
    ];
    assert_eq!(change(&file, &changes).unwrap(), FileUpdate::Written);
    assert_eq!(change(&file, &changes).unwrap(), FileUpdate::Unchanged);
    let read = Answers::read(&file);
    assert_eq!(read.by_digest["a"].decision, TrustDecision::Trusted);
    assert_eq!(read.by_digest["b"].decision, TrustDecision::Refused);
    change(&file, &[("a".to_owned(), None)]).unwrap();
    assert_eq!(Answers::read(&file).by_digest.len(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn unknown_fields_survive() {
    let tree = Tree::new();
    let before = json!({
        "version": 1, "note": "mine",
        "skills": {"a": {"name": "old", "decision": "refused", "by": "me"}, "odd": 7},
    });
    tree.write("trust.json", before.to_string());
    change(&tree.path("trust.json"), &[("a".to_owned(), Some(answer(TrustDecision::Trusted)))]).unwrap();
    let after = json!({
        "version": 1, "note": "mine",
        "skills": {"a": {"name": "x", "decision": "trusted", "at": "now", "by": "me"}, "odd": 7},
    });
    assert_eq!(value(&tree), after);
}

#[test]
fn a_damaged_file_counts_for_nothing_and_is_not_overwritten() {
    let texts = ["{", "[]", "{}", "{\"version\": 2, \"skills\": {}}", "{\"version\": 1, \"skills\": []}"];
    for text in texts {
        let tree = Tree::new();
        let file = tree.write("trust.json", text);
        let read = Answers::read(&file);
        assert!(read.by_digest.is_empty() && read.issue.is_some(), "{text}");
        assert!(change(&file, &[("a".to_owned(), None)]).is_err(), "{text}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn an_inherited_file_must_be_there() {
    let tree = Tree::new();
    let issue = Answers::read_inherited(&tree.path("none.json")).issue;
    assert!(issue.is_some_and(|issue| issue.contains("PROWESS_TRUST")));
}
