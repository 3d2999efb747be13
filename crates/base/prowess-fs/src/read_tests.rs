use super::*;

#[test]
fn the_limit_is_inclusive() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("a");
    fs::write(&file, "12345").unwrap();
    assert_eq!(read_file(&file, 5).unwrap(), b"12345");
    assert!(matches!(read_file(&file, 4), Err(FileReadError::Oversize { size: 5, max: 4, .. })));
    fs::write(&file, "").unwrap();
    assert_eq!(read_file(&file, 0).unwrap(), b"");
    assert_eq!(read_file(&file, u64::MAX).unwrap(), b"");
}

#[test]
fn bytes_and_stamp_belong_together() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("a");
    fs::write(&file, "12345").unwrap();
    let contents = read_stamped(&file, 10, FinalLink::Refuse).unwrap();
    assert_eq!(Some(contents.stamp), crate::stamp(&file).unwrap());
    assert_eq!(contents.bytes.len() as u64, contents.stamp.size);
}

#[test]
fn what_is_missing_or_a_folder_is_told_apart() {
    let temp = tempfile::tempdir().unwrap();
    assert!(read_file(&temp.path().join("none"), 9).unwrap_err().is_missing());
    let error = read_file(temp.path(), 9).unwrap_err();
    assert!(matches!(error, FileReadError::NotAFile { .. }));
    assert!(!error.is_missing());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_claims_to_be_empty_is_still_bounded() {
    let status = Path::new("/proc/self/status");
    assert!(!read_file(status, 1 << 20).unwrap().is_empty());
    assert!(matches!(read_file(status, 10), Err(FileReadError::Oversize { size: 11, max: 10, .. })));
}

#[cfg(unix)]
#[test]
fn pipes_sockets_and_devices_are_refused_without_waiting() {
    let temp = tempfile::tempdir().unwrap();
    let pipe = temp.path().join("pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let socket = temp.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [&pipe, &socket, Path::new("/dev/zero")] {
        assert!(matches!(read_file(path, 9), Err(FileReadError::NotAFile { .. })), "{}", path.display());
    }
}

#[cfg(unix)]
#[test]
fn a_final_link_is_followed_or_refused() {
    use std::os::unix::fs::symlink;
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("a"), "x").unwrap();
    let link = temp.path().join("b");
    symlink("a", &link).unwrap();
    assert_eq!(read_file(&link, 9).unwrap(), b"x");
    assert!(matches!(read_stamped(&link, 9, FinalLink::Refuse), Err(FileReadError::Link { .. })));
    let circle = temp.path().join("c");
    symlink("c", &circle).unwrap();
    assert!(matches!(read_file(&circle, 9), Err(FileReadError::Io { .. })));
}

#[test]
fn the_end_of_a_file_is_read_and_no_link_is_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("log");
    std::fs::write(&file, "one\ntwo\nthree\n").expect("written");
    assert_eq!(read_tail(&file, 6).expect("read"), b"three\n");
    assert_eq!(read_tail(&file, 600).expect("read"), b"one\ntwo\nthree\n");
    assert!(matches!(
        read_tail(folder.path(), 6),
        Err(FileReadError::NotAFile { .. } | FileReadError::Io { .. })
    ));
    #[cfg(unix)]
    {
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        assert!(matches!(read_tail(&link, 6), Err(FileReadError::Link { .. })));
    }
}
