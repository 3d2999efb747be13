#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

use BinRule::{ExecutableAnything, ExecutableFile, Exists};

fn put(path: &Path, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn each_rule_has_its_own_idea_of_a_program() {
    let temp = tempfile::tempdir().unwrap();
    let (one, two) = (temp.path().join("one"), temp.path().join("two"));
    put(&one.join("tool"), 0o755);
    put(&one.join("text"), 0o644);
    put(&one.join("sub/deep"), 0o755);
    put(&two.join("second"), 0o755);
    put(&two.join("text"), 0o755);
    fs::create_dir(one.join("folder")).unwrap();
    symlink("tool", one.join("link")).unwrap();
    symlink("nowhere", one.join("broken")).unwrap();
    let absolute = one.join("tool").display().to_string();
    let missing = one.join("none").display().to_string();
    let path_var = std::env::join_paths([&PathBuf::new(), &one, &two]).unwrap();

    for (name, file, anything, exists) in [
        ("tool", true, true, true),
        ("second", true, true, true),
        ("text", true, true, true),
        ("link", true, true, true),
        ("sub/deep", true, true, true),
        ("../two/second", true, true, true),
        ("folder", false, true, true),
        (".", false, true, true),
        ("broken", false, false, false),
        ("none", false, false, false),
        ("", false, false, false),
        (" tool ", false, false, true),
        (&absolute, false, false, true),
        (&missing, false, false, false),
        ("tool\0", false, false, false),
    ] {
        let found =
            [ExecutableFile, ExecutableAnything, Exists].map(|rule| find_in_path(name, &path_var, rule));
        assert_eq!(found, [file, anything, exists], "{name:?}");
    }
}

#[test]
fn an_execute_bit_is_needed_except_for_existence() {
    let temp = tempfile::tempdir().unwrap();
    put(&temp.path().join("text"), 0o644);
    let path_var = temp.path().as_os_str();
    assert!(!find_in_path("text", path_var, ExecutableFile));
    assert!(!find_in_path("text", path_var, ExecutableAnything));
    assert!(find_in_path("text", path_var, Exists));
}

#[test]
fn an_absolute_name_is_looked_for_below_each_folder() {
    let temp = tempfile::tempdir().unwrap();
    put(&temp.path().join("usr/bin/tool"), 0o755);
    let path_var = temp.path().as_os_str();
    assert!(find_in_path("/usr/bin/tool", path_var, ExecutableFile));
    assert!(!find_in_path("/bin/sh", path_var, ExecutableFile));
    assert!(find_in_path("/bin/sh", path_var, Exists));
}

#[test]
fn an_empty_path_holds_nothing() {
    for path_var in ["", ":", "::"] {
        for rule in [ExecutableFile, ExecutableAnything, Exists] {
            assert!(!find_in_path("Cargo.toml", OsStr::new(path_var), rule));
            assert!(!find_in_path("src", OsStr::new(path_var), rule));
        }
    }
}

#[test]
fn many_names_get_the_same_answers_as_one() {
    let temp = tempfile::tempdir().unwrap();
    put(&temp.path().join("a"), 0o755);
    put(&temp.path().join("b"), 0o644);
    let mut path_var = OsString::from(temp.path());
    path_var.push(":");
    path_var.push(temp.path());
    let found = find_all_in_path(["a", "b", "c", "a", ""], &path_var, ExecutableFile);
    assert_eq!(found, BTreeSet::from(["a".to_owned()]));
}
