//! Whether a file system reports what happens on it.

use std::path::Path;

/// The name of the file system below a path, if changes made elsewhere never show up as events.
#[cfg(target_os = "linux")]
pub(super) fn silent_file_system(path: &Path) -> Option<&'static str> {
    // From `linux/magic.h` and `statfs(2)`.
    const SILENT: [(i64, &str); 9] = [
        (0x6969, "NFS"),
        (0x517B, "SMB"),
        (0xFF53_4D42, "CIFS"),
        (0xFE53_4D42, "SMB"),
        (0x6573_5546, "FUSE"),
        (0x0102_1997, "9P"),
        (0x5346_414F, "AFS"),
        (0x00C3_6400, "Ceph"),
        (0x786F_4256, "VirtualBox"),
    ];
    #[expect(clippy::useless_conversion, reason = "the width of the field differs between systems")]
    let kind = i64::from(rustix::fs::statfs(path).ok()?.f_type);
    SILENT.iter().find(|(magic, _)| *magic == kind).map(|(_, name)| *name)
}

/// The name of the file system below a path, if changes made elsewhere never show up as events.
#[cfg(not(target_os = "linux"))]
pub(super) fn silent_file_system(_path: &Path) -> Option<&'static str> {
    None
}
