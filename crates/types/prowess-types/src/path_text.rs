//! Paths in answers: text, whatever the file system allows. What is not UTF-8 reads as U+FFFD, because one odd
//! folder name must not cost the whole report. And paths without detours.

use std::path::{Component, Path, PathBuf};

use serde::Serializer;

/// Writes a path as text.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// Writes a path as text, if there is one.
pub fn serialize_option<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => serializer.serialize_some(&path.to_string_lossy()),
        None => serializer.serialize_none(),
    }
}

/// A path without `.` and `..`, by its words alone: links are not looked at.
///
/// ```
/// use std::path::Path;
/// assert_eq!(prowess_types::path_text::spelled_out(Path::new("/a/./b/../c")), Path::new("/a/c"));
/// ```
pub fn spelled_out(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = clean.pop(),
            other => clean.push(other),
        }
    }
    clean
}
