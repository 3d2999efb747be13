//! What tells one state of a file from another without reading it.
//!
//! A cache may trust its entry as long as the stamp is equal. The change time is part of it, so a rewrite
//! that restores the modification time is noticed too.

use std::io;
use std::path::Path;

use crate::platform::{self, Stamp};

/// The stamp of what `path` leads to (links are followed); none if there is nothing.
pub fn stamp(path: &Path) -> io::Result<Option<Stamp>> {
    match platform::follow(path) {
        Ok(meta) => Ok(Some(meta.stamp)),
        Err(error) if platform::is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_stamp_follows_the_file_and_its_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        assert_eq!(stamp(&file).unwrap(), None);
        assert_eq!(stamp(&file.join("below-a-file")).unwrap(), None);
        fs::write(&file, "one").unwrap();
        let first = stamp(&file).unwrap().unwrap();
        assert_eq!(first.size, 3);
        assert_eq!(stamp(&file).unwrap(), Some(first));
        fs::write(&file, "three").unwrap();
        assert_ne!(stamp(&file).unwrap(), Some(first));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_has_the_stamp_of_its_target() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "one").unwrap();
        std::os::unix::fs::symlink("a", folder.path().join("b")).unwrap();
        assert_eq!(stamp(&folder.path().join("b")).unwrap(), stamp(&folder.path().join("a")).unwrap());
    }
}
