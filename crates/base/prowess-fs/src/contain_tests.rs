use std::fs;

use super::*;

#[test]
fn spelling_is_normalised() {
    for (written, expected) in [
        ("/a/./b//c/", "/a/b/c"),
        ("/a/../b", "/b"),
        ("/../../b", "/b"),
        ("a/../../b", "../b"),
        ("../../b", "../../b"),
        ("./a", "a"),
        ("a/..", ""),
    ] {
        assert_eq!(normalize(Path::new(written)), Path::new(expected), "{written}");
    }
}

#[cfg(unix)]
#[test]
fn containment_is_checked_by_spelling_and_by_target() {
    use std::os::unix::fs::symlink;

    #[derive(Debug, PartialEq)]
    enum Answer {
        Inside(&'static str),
        Missing,
        Outside,
        Unresolvable,
    }
    use Answer::{Inside, Missing, Outside, Unresolvable};

    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().join("plugin");
    fs::create_dir_all(root.join("skills/deep")).unwrap();
    fs::create_dir_all(temp.path().join("plugin-evil")).unwrap();
    symlink(root.join("skills"), root.join("within")).unwrap();
    symlink(temp.path().join("plugin-evil"), root.join("without")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    symlink("nowhere", root.join("broken")).unwrap();
    let absolute_inside = root.join("skills");
    let absolute_outside = temp.path().join("plugin-evil");

    for (candidate, expected) in [
        ("skills", Inside("skills")),
        ("./skills/../skills/deep/", Inside("skills/deep")),
        (".", Inside("")),
        ("", Inside("")),
        ("within/deep", Inside("within/deep")),
        (absolute_inside.to_str().unwrap(), Inside("skills")),
        ("missing", Missing),
        ("broken", Missing),
        ("../missing", Missing),
        ("..", Outside),
        ("../plugin-evil", Outside),
        (absolute_outside.to_str().unwrap(), Outside),
        ("without", Outside),
        ("without/../skills", Inside("skills")),
        ("loop", Unresolvable),
    ] {
        let answer = match resolve_inside(&root, Path::new(candidate)) {
            Ok(path) => {
                let rest = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                Inside(Box::leak(rest.into_boxed_str()))
            }
            Err(EscapeError::Missing { .. }) => Missing,
            Err(EscapeError::Outside { .. }) => Outside,
            Err(EscapeError::Io { .. }) => Unresolvable,
        };
        assert_eq!(answer, expected, "{candidate}");
    }
}

#[cfg(unix)]
#[test]
fn a_linked_root_contains_what_its_target_contains() {
    let temp = tempfile::tempdir().unwrap();
    fs::create_dir_all(temp.path().join("real/skills")).unwrap();
    std::os::unix::fs::symlink("real", temp.path().join("root")).unwrap();
    let root = temp.path().join("root");
    assert_eq!(resolve_inside(&root, Path::new("skills")).unwrap(), root.join("skills"));
    assert!(matches!(
        resolve_inside(&temp.path().join("absent"), Path::new("x")),
        Err(EscapeError::Missing { .. })
    ));
}
