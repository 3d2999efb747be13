//! Three versions of a skill become one, and no local change is lost without being named.
//!
//! The base is what came last time, the local version is what is on the disk, the other one is what comes now. A file
//! that only one side changed is that side's; where both changed it, texts are merged line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use prowess_types::{Bundle, BundleFile};
use serde::Serialize;
use similar::{MergeResolution, TextMerge};

/// What a merge did, or would do. The lists hold paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MergeReport {
    /// New or changed there, and taken.
    pub taken: Vec<String>,
    /// Changed, added or deleted here, and left so.
    pub kept: Vec<String>,
    /// Changed on both sides, and put together.
    pub merged: Vec<String>,
    /// Changed on both sides in ways that exclude each other.
    pub conflicts: Vec<MergeConflict>,
    /// Deleted there, and here too now.
    pub removed: Vec<String>,
}

impl MergeReport {
    /// Returns true if the local folder would not change.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
            && self.merged.is_empty()
            && self.conflicts.is_empty()
            && self.removed.is_empty()
    }

    pub(crate) fn conflicts_line(&self) -> String {
        self.conflicts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// A file on which both sides disagree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Conflict")]
pub struct MergeConflict {
    /// The file.
    pub path: String,
    /// How they disagree.
    pub kind: ConflictKind,
}

/// How two sides disagree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConflictKind {
    /// The same lines of a text were changed.
    Lines {
        /// In how many places.
        places: usize,
    },
    /// A file that is not text was changed on both sides.
    Binary,
    /// Deleted here, changed there.
    DeletedHere,
    /// Changed here, deleted there.
    DeletedThere,
    /// A file on one side is a folder on the other.
    FileAndFolder,
    /// Changed here, and the copy of what it was is lost.
    BaseLost,
}

impl fmt::Display for MergeConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ", self.path)?;
        match &self.kind {
            ConflictKind::Lines { places: 1 } => f.write_str("(the same lines in 1 place)"),
            ConflictKind::Lines { places } => write!(f, "(the same lines in {places} places)"),
            ConflictKind::Binary => f.write_str("(not a text)"),
            ConflictKind::DeletedHere => f.write_str("(deleted here, changed there)"),
            ConflictKind::DeletedThere => f.write_str("(changed here, deleted there)"),
            ConflictKind::FileAndFolder => f.write_str("(a file on one side, a folder on the other)"),
            ConflictKind::BaseLost => f.write_str("(changed here; the stored copy is lost)"),
        }
    }
}

/// A merged skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillMerge {
    /// Its files. Where there are conflicts, a text has markers, and of anything else the local file stays; a file that
    /// was deleted here and changed there is back.
    pub bundle: Bundle,
    /// The report of the merge.
    pub report: MergeReport,
}

/// Merges what is here with what comes. Files whose base is lost are named in `lost`.
pub fn merge(base: &Bundle, lost: &BTreeSet<String>, here: &Bundle, there: &Bundle) -> SkillMerge {
    let (base, here, there) = (by_path(base), by_path(here), by_path(there));
    let mut report = MergeReport::default();
    let mut files = BTreeMap::new();
    let paths: BTreeSet<&str> = base.keys().chain(here.keys()).chain(there.keys()).copied().collect();
    for path in paths {
        let versions = [&base, &here, &there].map(|side| side.get(path).copied());
        let file = if lost.contains(path) {
            without_base(path, versions[1], versions[2], &mut report)
        } else {
            with_base(path, versions, &mut report)
        };
        if let Some(file) = file {
            files.insert(path.to_owned(), file);
        }
    }
    part_files_from_folders(&mut files, &here, &mut report);
    SkillMerge { bundle: Bundle { files: files.into_values().collect() }, report }
}

fn by_path(bundle: &Bundle) -> BTreeMap<&str, &BundleFile> {
    bundle.files.iter().map(|file| (file.path.as_str(), file)).collect()
}

type Version<'a> = Option<&'a BundleFile>;

fn with_base(
    path: &str,
    [base, here, there]: [Version<'_>; 3],
    report: &mut MergeReport,
) -> Option<BundleFile> {
    if here == there {
        return here.cloned();
    }
    if here == base {
        let list = if there.is_some() { &mut report.taken } else { &mut report.removed };
        list.push(path.to_owned());
        return there.cloned();
    }
    if there == base {
        report.kept.push(path.to_owned());
        return here.cloned();
    }
    both_changed(path, base, here, there, report)
}

/// What was changed here cannot be told, so a difference is a conflict.
fn without_base(
    path: &str,
    here: Version<'_>,
    there: Version<'_>,
    report: &mut MergeReport,
) -> Option<BundleFile> {
    if here != there {
        report.conflicts.push(MergeConflict { path: path.to_owned(), kind: ConflictKind::BaseLost });
    }
    here.or(there).cloned()
}

fn both_changed(
    path: &str,
    base: Version<'_>,
    here: Version<'_>,
    there: Version<'_>,
    report: &mut MergeReport,
) -> Option<BundleFile> {
    let mut conflict = |kind| report.conflicts.push(MergeConflict { path: path.to_owned(), kind });
    let (here, there) = match (here, there) {
        (Some(here), Some(there)) => (here, there),
        (None, there) => {
            conflict(ConflictKind::DeletedHere);
            return there.cloned();
        }
        (here, None) => {
            conflict(ConflictKind::DeletedThere);
            return here.cloned();
        }
    };
    let base_bytes = base.map_or(&[][..], |base| &base.bytes);
    // Two flags that differ: the one that is not the base's was changed; without a base, a file that runs keeps running.
    let executable = match base {
        Some(base) if here.executable == base.executable => there.executable,
        Some(_) => here.executable,
        None => here.executable || there.executable,
    };
    let merged = |bytes| Some(BundleFile { path: path.to_owned(), bytes, executable });
    let bytes = if here.bytes == there.bytes || there.bytes == base_bytes {
        here.bytes.clone()
    } else if here.bytes == base_bytes {
        there.bytes.clone()
    } else {
        let texts = [base_bytes, &here.bytes, &there.bytes].map(text);
        let [Some(base), Some(here_text), Some(there_text)] = texts else {
            conflict(ConflictKind::Binary);
            return merged(here.bytes.clone());
        };
        let (text, places) = merge_lines(base, here_text, there_text);
        if places > 0 {
            conflict(ConflictKind::Lines { places });
            return merged(text.into_bytes());
        }
        text.into_bytes()
    };
    report.merged.push(path.to_owned());
    merged(bytes)
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// The merged text, and in how many places it has conflict markers.
fn merge_lines(base: &str, here: &str, there: &str) -> (String, usize) {
    let merge = TextMerge::from_lines(base, here, there);
    let here_lines = |range: std::ops::Range<usize>| range.filter_map(|index| merge.ours_line(index));
    let there_lines = |range: std::ops::Range<usize>| range.filter_map(|index| merge.theirs_line(index));
    let mut text = Joined::default();
    let mut places = 0;
    for region in merge.regions() {
        match region.resolution() {
            MergeResolution::Theirs => text.lines(there_lines(region.theirs_range())),
            MergeResolution::Conflict => {
                places += 1;
                text.marker("<<<<<<< here\n");
                text.lines(here_lines(region.ours_range()));
                text.marker("=======\n");
                text.lines(there_lines(region.theirs_range()));
                text.marker(">>>>>>> there\n");
            }
            _ => text.lines(here_lines(region.ours_range())),
        }
    }
    (text.0, places)
}

/// Lines put together; one that had no end because it was the last gets one when others follow.
#[derive(Default)]
struct Joined(String);

impl Joined {
    fn lines<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        lines.for_each(|line| self.marker(line));
    }

    fn marker(&mut self, line: &str) {
        if !self.0.is_empty() && !self.0.ends_with(['\n', '\r']) {
            self.0.push('\n');
        }
        self.0.push_str(line);
    }
}

/// A file cannot be where a folder is: what is here stays.
fn part_files_from_folders(
    files: &mut BTreeMap<String, BundleFile>,
    here: &BTreeMap<&str, &BundleFile>,
    report: &mut MergeReport,
) {
    let ancestors = |path: &str| -> Vec<String> {
        path.match_indices('/').map(|(index, _)| path[..index].to_owned()).collect()
    };
    let pairs: Vec<(String, String)> = files
        .keys()
        .flat_map(|path| ancestors(path).into_iter().map(move |above| (above, path.clone())))
        .filter(|(above, _)| files.contains_key(above))
        .collect();
    for (file, inside) in pairs {
        let goes = if here.contains_key(file.as_str()) { &inside } else { &file };
        if files.remove(goes).is_some() {
            report.taken.retain(|path| path != goes);
            report.conflicts.push(MergeConflict { path: goes.clone(), kind: ConflictKind::FileAndFolder });
        }
    }
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
