use std::fs;

use super::*;

fn mirror() -> (tempfile::TempDir, Mirror) {
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::open(&folder.path().join("deep/in")).unwrap();
    (folder, mirror)
}

fn text(mirror: &Mirror, place: &str) -> Option<String> {
    let found = mirror.read(place, 100).unwrap()?;
    Some(String::from_utf8(found.bytes).unwrap())
}

#[test]
fn files_are_written_read_and_removed() {
    let (folder, mirror) = mirror();
    assert_eq!(text(&mirror, "a/b/c"), None);
    mirror.write("a/b/c", b"one", false).unwrap();
    mirror.write("a/b/c", b"two", true).unwrap();
    assert_eq!(mirror.read("a/b/c", 3).unwrap().unwrap().bytes, b"two");
    assert_eq!(mirror.read("a/b/c", 2).unwrap(), None, "too large");
    mirror.write("a/d", b"", false).unwrap();
    assert!(mirror.remove("a/b/c").unwrap());
    assert!(!mirror.remove("a/b/c").unwrap());
    let root = folder.path().join("deep/in");
    assert!(!root.join("a/b").exists() && root.join("a").exists(), "only empty folders go");
    assert!(mirror.remove("a/d").unwrap());
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn places_outside_are_refused() {
    let (_folder, mirror) = mirror();
    for place in ["", "/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/", "a\0b"] {
        assert!(mirror.write(place, b"x", false).is_err(), "{place:?}");
        assert!(mirror.read(place, 9).is_err(), "{place:?}");
        assert!(mirror.remove(place).is_err(), "{place:?}");
    }
}

#[test]
fn what_an_interrupted_writer_left_is_removed() {
    let (folder, mirror) = mirror();
    let root = folder.path().join("deep/in");
    fs::write(root.join(TEMPORARY), "half").unwrap();
    mirror.write("a", b"whole", false).unwrap();
    assert!(!root.join(TEMPORARY).exists());
    assert_eq!(text(&mirror, "a").as_deref(), Some("whole"));
}

#[cfg(unix)]
#[test]
fn the_owner_may_execute_what_was_executable() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, mirror) = mirror();
    for (is_executable, mode) in [(true, 0o755), (false, 0o644), (true, 0o755)] {
        mirror.write("run", b"x", is_executable).unwrap();
        let metadata = fs::metadata(folder.path().join("deep/in/run")).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, mode);
        assert_eq!(mirror.read("run", 9).unwrap().unwrap().is_executable, is_executable);
    }
    assert!(is_executable(&folder.path().join("deep/in/run")));
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let (folder, mirror) = mirror();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "precious").unwrap();
    let root = folder.path().join("deep/in");
    symlink(&outside, root.join("folder")).unwrap();
    symlink(outside.join("file"), root.join("link")).unwrap();
    symlink(outside.join("file"), root.join(TEMPORARY)).unwrap();
    assert_eq!(text(&mirror, "folder/file"), None);
    assert_eq!(text(&mirror, "link"), None);
    assert!(!mirror.remove("folder/file").unwrap());
    mirror.write("link", b"mine", false).unwrap();
    mirror.write("folder/file", b"mine", false).unwrap();
    assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "precious");
    assert_eq!(text(&mirror, "folder/file").as_deref(), Some("mine"));
    assert_eq!(text(&mirror, "link").as_deref(), Some("mine"));
}

#[cfg(unix)]
#[test]
fn other_things_in_the_way() {
    let (folder, mirror) = mirror();
    let root = folder.path().join("deep/in");
    fs::create_dir_all(root.join("dir/inner")).unwrap();
    assert_eq!(text(&mirror, "dir"), None);
    assert!(mirror.write("dir", b"x", false).is_err(), "a folder with something in it does not give way");
    assert!(!root.join(TEMPORARY).exists());
    std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    assert_eq!(text(&mirror, "socket"), None);
    mirror.write("socket/file", b"x", false).unwrap();
    assert_eq!(text(&mirror, "socket/file").as_deref(), Some("x"));
}
