use super::*;

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn content_is_created_and_replaced_and_nothing_is_left_over() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("new/folder");
    let file = folder.join("config.json");
    write_atomic(&file, b"one", None).unwrap();
    write_atomic(&file, b"two", None).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"two");
    assert_eq!(entries(&folder), ["config.json"]);
}

#[test]
fn a_failed_write_leaves_everything_as_it_was() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("folder");
    fs::create_dir(&folder).unwrap();
    assert!(matches!(write_atomic(&folder, b"x", None), Err(WriteError::NotAFile { .. })));
    let file = temp.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = write_atomic(&file.join("below"), b"y", None).unwrap_err();
    assert!(matches!(error, WriteError::Io { .. }));
    assert!(error.to_string().contains("below"));
    let long = temp.path().join("n".repeat(300));
    assert!(write_atomic(&long, b"y", None).is_err());
    assert_eq!(fs::read(&file).unwrap(), b"x");
    assert_eq!(entries(temp.path()), ["file", "folder"]);
    assert_eq!(entries(&folder), [""; 0]);
}

#[cfg(unix)]
mod on_unix {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn permissions_are_kept_or_given() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("a");
        write_atomic(&file, b"x", Some(0o600)).unwrap();
        assert_eq!(mode(&file), 0o600);
        fs::set_permissions(&file, Permissions::from_mode(0o754)).unwrap();
        write_atomic(&file, b"y", Some(0o600)).unwrap();
        assert_eq!(mode(&file), 0o754);

        let usual = temp.path().join("usual");
        fs::write(&usual, "").unwrap();
        let new = temp.path().join("new");
        write_atomic(&new, b"x", None).unwrap();
        assert_eq!(mode(&new), mode(&usual));
    }

    #[test]
    fn the_owner_is_kept_by_a_privileged_writer() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("a");
        fs::write(&file, "x").unwrap();
        std::os::unix::fs::chown(&file, Some(1234), Some(4321)).unwrap();
        write_atomic(&file, b"y", None).unwrap();
        let metadata = fs::metadata(&file).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (1234, 4321));
    }

    #[test]
    fn a_link_stays_a_link() {
        let temp = tempfile::tempdir().unwrap();
        let (store, home) = (temp.path().join("store"), temp.path().join("home"));
        fs::create_dir(&store).unwrap();
        fs::create_dir(&home).unwrap();
        symlink("../store/config", home.join("config")).unwrap();
        symlink("config", home.join("alias")).unwrap();
        for text in ["first creates the target", "then replaces it"] {
            write_atomic(&home.join("alias"), text.as_bytes(), None).unwrap();
            assert_eq!(fs::read_to_string(store.join("config")).unwrap(), text);
        }
        assert!(home.join("alias").is_symlink());
        assert!(home.join("config").is_symlink());
        assert_eq!(entries(&home), ["alias", "config"]);
        assert_eq!(entries(&store), ["config"]);
    }

    #[test]
    fn what_is_no_file_is_not_replaced() {
        let temp = tempfile::tempdir().unwrap();
        symlink("circle", temp.path().join("circle")).unwrap();
        assert!(matches!(
            write_atomic(&temp.path().join("circle"), b"x", None),
            Err(WriteError::LinkLoop { .. })
        ));
        symlink("/dev/null", temp.path().join("null")).unwrap();
        assert!(matches!(
            write_atomic(&temp.path().join("null"), b"x", None),
            Err(WriteError::NotAFile { .. })
        ));
    }

    #[test]
    fn readers_never_see_a_part() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("a");
        let contents = [vec![b'a'; 200_000], vec![b'b'; 100_000]];
        write_atomic(&file, &contents[0], None).unwrap();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for round in 0..50 {
                    write_atomic(&file, &contents[round % 2], None).unwrap();
                }
            });
            while !writer.is_finished() {
                assert!(contents.contains(&fs::read(&file).unwrap()));
            }
        });
    }
}
