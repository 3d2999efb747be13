//! The places that stay out of reach of a run: the state folder of the engine with its keys and records.
//!
//! [`ProtectedPlaces`] names what is hidden and the exceptions within it. The innermost place that is named decides
//! about everything below it; a place that is both hidden and open is hidden. Built-in tools judge the path that they
//! resolved, every folder above it by its identity (device and inode) and the opened file by its identity, so another
//! spelling, another case, a bind mount and a hard link are the same place. The kernel's rules of a confined program
//! are made from the same map ([`ReachMap::reachable`]).

mod identity;
mod links;
mod mounts;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use prowess_fs::ConditionKind;

use identity::Identity;
pub use links::ExtraLinks;

/// The hidden places of a run and the exceptions within them.
///
/// ```
/// use prowess_run::ProtectedPlaces;
///
/// let places = ProtectedPlaces {
///     hidden: vec!["/home/me/.prowess".into()],
///     open: vec!["/home/me/.prowess/skills".into()],
///     ..ProtectedPlaces::default()
/// };
/// assert!(places.hides("/home/me/.prowess/prowess.json".as_ref()));
/// assert!(!places.hides("/home/me/.prowess/skills/tea/SKILL.md".as_ref()));
/// assert!(places.lies_below("/home/me".as_ref()) && !places.lies_below("/home/me/project".as_ref()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProtectedPlaces {
    /// Folders and files that no tool and no confined program opens, with everything below them.
    pub hidden: Vec<PathBuf>,
    /// Places below a hidden one that stay in reach: skills, their tools, the workspace.
    pub open: Vec<PathBuf>,
    /// Hidden files, or folders of them, that hold secrets. Confined programs do not start while one of these files
    /// has a second name (a hard link), because the kernel's rules would not cover that name.
    pub secrets: Vec<PathBuf>,
}

impl ProtectedPlaces {
    /// Returns true if a path leads to a hidden place. A path that does not exist counts from its nearest existing
    /// folder.
    pub fn hides(&self, path: &Path) -> bool {
        self.map().hides(&resolved(path))
    }

    /// Returns true if a hidden place is this folder or lies below it.
    pub fn lies_below(&self, folder: &Path) -> bool {
        let folder = resolved(folder);
        self.map().marks.iter().any(|mark| mark.reach == Reach::Hidden && mark.path.starts_with(&folder))
    }

    /// The first secret file that has more than one name.
    pub fn extra_links(&self) -> Option<ExtraLinks> {
        links::extra_links(&self.secrets, &self.map())
    }

    /// Returns true if an opened file is a hidden file under another name.
    pub(crate) fn hides_file(&self, metadata: &Metadata) -> bool {
        links::has_other_names(metadata)
            && Identity::of(metadata).is_some_and(|identity| links::is_among_hidden(identity, &self.map()))
    }

    /// The places as they are on the disk now, under all names that mounts give them.
    pub(crate) fn map(&self) -> ReachMap {
        let hidden = self.hidden.iter().chain(&self.secrets).map(|path| (path, Reach::Hidden));
        let open = self.open.iter().map(|path| (path, Reach::Open));
        let mut map = ReachMap::default();
        for (path, reach) in hidden.chain(open) {
            map.add(resolved(path), reach);
        }
        for (path, reach) in mounts::aliases(&map) {
            map.add(path, reach);
        }
        map
    }
}

/// Whether a place is in reach of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Hidden,
    Open,
}

#[derive(Clone, Debug)]
struct Mark {
    path: PathBuf,
    identity: Option<Identity>,
    reach: Reach,
}

/// What is hidden and what is open, by resolved paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReachMap {
    marks: Vec<Mark>,
}

impl ReachMap {
    fn add(&mut self, path: PathBuf, reach: Reach) {
        let is_known = self.marks.iter().any(|mark| mark.path == path && mark.reach == reach);
        if !is_known {
            self.marks.push(Mark { identity: Identity::at(&path), path, reach });
        }
    }

    /// Returns true if a resolved path is out of reach: the innermost place that is named decides.
    pub(crate) fn hides(&self, path: &Path) -> bool {
        path.ancestors().find_map(|place| self.named(place)) == Some(Reach::Hidden)
    }

    /// The same by the spelling of the path alone.
    fn hides_spelling(&self, path: &Path) -> bool {
        let named = |place: &Path| decide(self.marks.iter().filter(|mark| mark.path == place));
        path.ancestors().find_map(named) == Some(Reach::Hidden)
    }

    /// What is said about exactly this place.
    fn named(&self, place: &Path) -> Option<Reach> {
        if self.marks.is_empty() {
            return None;
        }
        let identity = Identity::at(place);
        let is_same = |mark: &&Mark| mark.path == place || (identity.is_some() && mark.identity == identity);
        decide(self.marks.iter().filter(is_same))
    }

    /// Everything at and below a folder that is in reach, in as few paths as possible: no path in the answer has a
    /// hidden place below it. Links are left out, because the kernel judges where a path leads.
    pub(crate) fn reachable(&self, root: &Path) -> Vec<PathBuf> {
        let Some(root) = prowess_fs::real(root) else { return Vec::new() };
        let mut found = BTreeSet::new();
        let is_hidden = self.hides(&root);
        let mut waiting = vec![(root, is_hidden)];
        while let Some((path, is_hidden)) = waiting.pop() {
            let is_below = |mark: &&Mark| mark.path != path && mark.path.starts_with(&path);
            let mut below = self.marks.iter().filter(is_below);
            if is_hidden {
                let open = below.filter(|mark| mark.reach == Reach::Open && !self.hides(&mark.path));
                waiting.extend(open.filter(|mark| mark.path.exists()).map(|mark| (mark.path.clone(), false)));
            } else if below.any(|mark| mark.reach == Reach::Hidden) {
                let child = |child: PathBuf| {
                    let is_hidden = self.named(&child) == Some(Reach::Hidden);
                    (child, is_hidden)
                };
                waiting.extend(children(&path).map(child));
            } else {
                found.insert(path);
            }
        }
        found.into_iter().collect()
    }

    /// The outermost hidden places.
    fn hidden(&self) -> impl Iterator<Item = &Path> {
        self.marks.iter().filter(|mark| mark.reach == Reach::Hidden).map(|mark| mark.path.as_path())
    }
}

fn decide<'a>(mut marks: impl Iterator<Item = &'a Mark>) -> Option<Reach> {
    let first = marks.next()?.reach;
    Some(if marks.any(|mark| mark.reach == Reach::Hidden) { Reach::Hidden } else { first })
}

/// The entries of a folder that are not links.
fn children(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = prowess_fs::children(folder).unwrap_or_default().into_iter();
    entries.filter(|entry| entry.kind != ConditionKind::Link).map(|entry| entry.path)
}

/// The path with every link resolved; what does not exist yet stays as it is spelled.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let mut existing = path.to_owned();
    let mut missing: Vec<OsString> = Vec::new();
    loop {
        if let Some(mut real) = prowess_fs::real(&existing) {
            real.extend(missing.into_iter().rev());
            return real;
        }
        let Some(name) = existing.file_name().map(OsString::from) else { return path.to_owned() };
        missing.push(name);
        existing.pop();
    }
}

#[cfg(test)]
#[cfg(unix)]
#[path = "protected/tests.rs"]
mod tests;
