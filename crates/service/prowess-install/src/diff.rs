//! How two versions of a skill differ, for a reader.

use std::collections::{BTreeMap, BTreeSet};

use prowess_types::{Bundle, BundleFile};
use serde::Serialize;
use similar::TextDiff;

const CONTEXT_LINES: usize = 3;

/// How a file differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FileDiff {
    /// The file.
    pub path: String,
    /// What happened to it.
    pub kind: DiffKind,
    /// The lines that differ, in the unified format; none if the file is not text or only its mode changed.
    pub text: Option<String>,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum DiffKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its content is another.
    Changed,
    /// It can be run now, or cannot any more.
    Mode,
}

/// The files that differ, sorted by path.
///
/// ```
/// use prowess_types::{Bundle, BundleFile};
/// let skill = |text: &str| Bundle {
///     files: vec![BundleFile { path: "SKILL.md".into(), bytes: text.into(), executable: false }],
/// };
/// let diff = prowess_install::diff(&skill("one\n"), &skill("two\n"));
/// assert!(diff[0].text.as_ref().is_some_and(|text| text.contains("-one\n+two\n")));
/// ```
pub fn diff(old: &Bundle, new: &Bundle) -> Vec<FileDiff> {
    let (old, new) = (by_path(old), by_path(new));
    let paths: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    paths
        .into_iter()
        .filter_map(|path| of_file(path, old.get(path).copied(), new.get(path).copied()))
        .collect()
}

fn by_path(bundle: &Bundle) -> BTreeMap<&str, &BundleFile> {
    bundle.files.iter().map(|file| (file.path.as_str(), file)).collect()
}

fn of_file(path: &str, old: Option<&BundleFile>, new: Option<&BundleFile>) -> Option<FileDiff> {
    let kind = match (old, new) {
        (None, Some(_)) => DiffKind::Added,
        (Some(_), None) => DiffKind::Removed,
        (Some(old), Some(new)) if old.bytes != new.bytes => DiffKind::Changed,
        (Some(old), Some(new)) if old.executable != new.executable => DiffKind::Mode,
        _ => return None,
    };
    let text = |file: Option<&BundleFile>| match file {
        None => Some(String::new()),
        Some(file) => String::from_utf8(file.bytes.clone()).ok().filter(|text| !text.contains('\0')),
    };
    let text = match (kind, text(old), text(new)) {
        (DiffKind::Mode, ..) => None,
        (_, Some(old), Some(new)) => Some(unified(path, kind, &old, &new)),
        _ => None,
    };
    Some(FileDiff { path: path.to_owned(), kind, text })
}

fn unified(path: &str, kind: DiffKind, old: &str, new: &str) -> String {
    let name = |side: &str, absent| {
        if kind == absent { "/dev/null".to_owned() } else { format!("{side}/{path}") }
    };
    let diff = TextDiff::from_lines(old, new);
    let mut unified = diff.unified_diff();
    unified.context_radius(CONTEXT_LINES).header(&name("a", DiffKind::Added), &name("b", DiffKind::Removed));
    unified.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(files: &[(&str, &[u8], bool)]) -> Bundle {
        let files = files.iter().map(|(path, bytes, executable)| BundleFile {
            path: (*path).to_owned(),
            bytes: bytes.to_vec(),
            executable: *executable,
        });
        Bundle { files: files.collect() }
    }

    #[test]
    fn every_kind_of_difference_is_told() {
        let old = bundle(&[
            ("a", b"1\n", false),
            ("gone", b"x\n", false),
            ("mode", b"", false),
            ("raw", b"\0", false),
            ("same", b"", true),
        ]);
        let new = bundle(&[
            ("a", b"2\n", false),
            ("mode", b"", true),
            ("new", b"y\n", false),
            ("raw", b"\0\0", false),
            ("same", b"", true),
        ]);
        let found = diff(&old, &new);
        let kinds: Vec<_> =
            found.iter().map(|file| (file.path.as_str(), file.kind, file.text.is_some())).collect();
        let expected = [
            ("a", DiffKind::Changed, true),
            ("gone", DiffKind::Removed, true),
            ("mode", DiffKind::Mode, false),
            ("new", DiffKind::Added, true),
            ("raw", DiffKind::Changed, false),
        ];
        assert_eq!(kinds, expected);
        insta::assert_snapshot!(found[3].text.as_deref().unwrap(), @r"
        --- /dev/null
        +++ b/new
        @@ -0,0 +1 @@
        +y
        ");
    }
}
