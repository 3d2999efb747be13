use proptest::prelude::*;

use super::*;
use crate::test_support::bundle;

fn merged(base: &[(&str, &str)], here: &[(&str, &str)], there: &[(&str, &str)]) -> SkillMerge {
    merge(&bundle(base), &BTreeSet::new(), &bundle(here), &bundle(there))
}

fn one_conflict(
    base: &[(&str, &str)],
    here: &[(&str, &str)],
    there: &[(&str, &str)],
) -> (ConflictKind, Bundle) {
    let mut merged = merged(base, here, there);
    assert_eq!(merged.report.conflicts.len(), 1, "{:?}", merged.report);
    (merged.report.conflicts.remove(0).kind, merged.bundle)
}

#[test]
fn one_sided_changes_are_that_sides() {
    let base = [("changed", "1"), ("deleted", "1"), ("same", "1")];
    let other = [("added", "2"), ("changed", "2"), ("same", "1")];
    let taken = merged(&base, &base, &other);
    assert_eq!(taken.bundle, bundle(&other));
    assert_eq!(
        (taken.report.taken, taken.report.removed),
        (vec!["added".into(), "changed".into()], vec!["deleted".into()])
    );
    let kept = merged(&base, &other, &base);
    assert_eq!(kept.bundle, bundle(&other));
    assert_eq!(kept.report.kept, ["added", "changed", "deleted"]);
    let both = merged(&base, &other, &other);
    assert_eq!((both.bundle, both.report), (bundle(&other), MergeReport::default()));
}

#[test]
fn disagreements_are_named() {
    let (kind, left) = one_conflict(&[("a", "1")], &[], &[("a", "2")]);
    assert_eq!((kind, left), (ConflictKind::DeletedHere, bundle(&[("a", "2")])));
    let (kind, left) = one_conflict(&[("a", "1")], &[("a", "2")], &[]);
    assert_eq!((kind, left), (ConflictKind::DeletedThere, bundle(&[("a", "2")])));
    let (kind, left) = one_conflict(&[("a", "\0")], &[("a", "\0h")], &[("a", "\0t")]);
    assert_eq!((kind, left), (ConflictKind::Binary, bundle(&[("a", "\0h")])));
    let (kind, _) = one_conflict(&[], &[("a", "h\n")], &[("a", "t\n")]);
    assert_eq!(kind, ConflictKind::Lines { places: 1 });
    let (kind, left) = one_conflict(&[], &[("a", "h")], &[("a/b", "t")]);
    assert_eq!((kind, left), (ConflictKind::FileAndFolder, bundle(&[("a", "h")])));
    let (kind, left) = one_conflict(&[], &[("a/b", "h")], &[("a", "t")]);
    assert_eq!((kind, left), (ConflictKind::FileAndFolder, bundle(&[("a/b", "h")])));
}

#[test]
fn modes_are_merged_like_content() {
    let result = merged(&[("a", "1\n2\n3\n")], &[("a!", "1\n2\n3\n")], &[("a", "1\n2\n4\n")]);
    assert_eq!(result.bundle, bundle(&[("a!", "1\n2\n4\n")]));
    assert_eq!(result.report.merged, ["a"]);
    let result = merged(&[("a!", "1\n")], &[("a!", "2\n")], &[("a", "1\n")]);
    assert_eq!(result.bundle, bundle(&[("a", "2\n")]));
}

#[test]
fn a_last_line_without_an_end_stays_a_line() {
    let result = merged(&[("a", "1\n2")], &[("a", "0\n1\n2")], &[("a", "1\n2\n3")]);
    assert_eq!((result.bundle, result.report.merged), (bundle(&[("a", "0\n1\n2\n3")]), vec!["a".to_owned()]));
    let (_, left) = one_conflict(&[("a", "1")], &[("a", "2")], &[("a", "3")]);
    assert_eq!(left, bundle(&[("a", "<<<<<<< here\n2\n=======\n3\n>>>>>>> there\n")]));
}

/// A text of few different lines, so that changes meet.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof!["[a-d]", Just(String::new())];
    (prop::collection::vec(line, 0..8), any::<bool>()).prop_map(|(lines, ends)| {
        let text = lines.join("\n");
        if ends && !text.is_empty() { text + "\n" } else { text }
    })
}

/// The same text with some lines that occur nowhere else put into it.
fn with_new_lines(base: &str, side: char, places: &[usize]) -> String {
    let mut lines: Vec<String> = base.lines().map(ToOwned::to_owned).collect();
    for (number, place) in places.iter().enumerate() {
        lines.insert(place % (lines.len() + 1), format!("{side}{number}"));
    }
    lines.join("\n") + "\n"
}

fn skill() -> impl Strategy<Value = Bundle> {
    let file = (prop::sample::select(vec!["a", "b", "c", "c/d", "e"]), text(), any::<bool>());
    prop::collection::btree_map(file.0, (file.1, file.2), 0..4).prop_map(|mut files| {
        // On a disk a file is no folder.
        if files.contains_key("c") {
            files.remove("c/d");
        }
        let files = files.into_iter().map(|(path, (text, executable))| BundleFile {
            path: path.to_owned(),
            bytes: text.into_bytes(),
            executable,
        });
        Bundle { files: files.collect() }
    })
}

fn find<'a>(bundle: &'a Bundle, path: &str) -> Option<&'a BundleFile> {
    bundle.files.iter().find(|file| file.path == path)
}

proptest! {
    #[test]
    fn no_new_line_of_either_side_is_lost(
        base in text(),
        here in prop::collection::vec(0..20_usize, 0..5),
        there in prop::collection::vec(0..20_usize, 0..5),
    ) {
        let here = with_new_lines(&base, 'h', &here);
        let there = with_new_lines(&base, 't', &there);
        let (merged, _) = merge_lines(&base, &here, &there);
        let lines: Vec<&str> = merged.lines().collect();
        for line in here.lines().chain(there.lines()).filter(|line| line.len() == 2) {
            prop_assert!(lines.contains(&line), "{line:?} is missing in {merged:?}");
        }
    }

    #[test]
    fn a_side_that_did_not_change_has_no_say(base in text(), other in text()) {
        prop_assert_eq!(merge_lines(&base, &other, &base), (other.clone(), 0));
        prop_assert_eq!(merge_lines(&base, &base, &other), (other, 0));
    }

    #[test]
    fn every_local_change_survives_or_is_named(base in skill(), here in skill(), there in skill()) {
        let result = merge(&base, &BTreeSet::new(), &here, &there);
        let named = |path: &str| result.report.conflicts.iter().any(|conflict| conflict.path == path);
        for file in &here.files {
            let was = find(&base, &file.path);
            if was == Some(file) || named(&file.path) {
                continue;
            }
            let now = find(&result.bundle, &file.path);
            prop_assert!(now.is_some(), "`{}` is gone", file.path);
            let is_merged = result.report.merged.contains(&file.path);
            prop_assert!(is_merged || now == Some(file), "`{}` is another", file.path);
        }
        for file in &base.files {
            if find(&here, &file.path).is_none() && !named(&file.path) {
                prop_assert!(find(&result.bundle, &file.path).is_none(), "`{}` is back", file.path);
            }
        }
    }

    #[test]
    fn what_is_merged_can_be_placed(base in skill(), here in skill(), there in skill()) {
        let result = merge(&base, &BTreeSet::new(), &here, &there);
        let both = find(&result.bundle, "c").is_some() && find(&result.bundle, "c/d").is_some();
        prop_assert!(!both);
        prop_assert!(result.bundle.files.is_sorted_by(|one, other| one.path < other.path));
    }
}
