//! One look at one target: from above, along the way to it, and from inside.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::grid::{Grid, Stamps, identity_of};
use super::survey::Visitor;
use crate::Stamp;

/// As many links as the kernel itself would follow.
const MAX_LINKS: usize = 40;

/// What a target needs to be watched.
#[derive(Default)]
pub(super) struct Needs {
    pub(super) inside: BTreeSet<PathBuf>,
    pub(super) above: BTreeSet<PathBuf>,
    pub(super) doors: BTreeSet<PathBuf>,
}

/// One look at one target.
pub(super) struct Round<'a> {
    pub(super) grid: &'a mut Grid,
    target: usize,
    pub(super) needs: Needs,
    pub(super) stamps: Stamps,
}

impl<'a> Round<'a> {
    pub(super) fn new(grid: &'a mut Grid, target: usize) -> Self {
        Self { grid, target, needs: Needs::default(), stamps: Stamps::new() }
    }

    /// Watches the way to a path: where it is, or where it would come into being, and the same for what it links to.
    pub(super) fn approach(&mut self, path: &Path) {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            self.watch_from_above(&path);
            let Ok(target) = std::fs::read_link(&path) else { return };
            path = path.parent().map(|parent| parent.join(&target)).unwrap_or(target);
        }
    }

    fn watch_from_above(&mut self, path: &Path) {
        let mut steps: Vec<&Path> = path.ancestors().collect();
        // The nearest folder that exists. It is watched before the next step is looked at, so that a step made
        // meanwhile is either seen or reported.
        let Some(first) = steps.iter().skip(1).position(|above| above.is_dir()) else { return };
        steps.truncate(first + 2);
        while let [.., step, folder] = steps.as_slice() {
            let Ok(real) = folder.canonicalize() else { return };
            let Some(name) = step.file_name() else { return };
            self.door(real.join(name));
            if self.grid.watch_above(&real, self.target) {
                self.needs.above.insert(real);
            }
            if !step.is_dir() {
                return;
            }
            steps.pop();
        }
    }

    fn door(&mut self, path: PathBuf) {
        self.grid.open_door(&path, self.target);
        self.needs.doors.insert(path);
    }
}

impl Visitor for Round<'_> {
    fn folder(&mut self, real: &Path) {
        if self.grid.watch_inside(real, self.target) {
            self.needs.inside.insert(real.to_owned());
        }
        // Entries come and go in a folder without any bearing on skills; that it is another folder matters.
        let identity = identity_of(real).map(|(device, inode)| Stamp {
            device,
            inode,
            size: 0,
            modified_secs: 0,
            modified_nanos: 0,
            changed_secs: 0,
            changed_nanos: 0,
        });
        self.stamps.insert(real.to_owned(), identity);
    }

    fn link(&mut self, path: &Path) {
        self.door(path.to_owned());
    }

    fn file(&mut self, real: &Path) {
        self.stamps.insert(real.to_owned(), crate::stamp(real).ok().flatten());
    }
}
