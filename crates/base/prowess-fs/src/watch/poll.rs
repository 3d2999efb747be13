//! Changes found by comparing, where nobody reports them.
//!
//! A difference counts once two looks in a row agree on it: a file that is being written looks different each time,
//! and one that is replaced by removing it first is missing only for a moment.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::grid::Stamps;
use crate::Stamp;

/// What one target was.
#[derive(Default)]
struct Memory {
    /// What was last reported.
    reported: Stamps,
    /// What differed from it at the last look.
    doubtful: Stamps,
}

/// What all targets were, by their numbers.
pub(super) struct Poll(BTreeMap<usize, Memory>);

impl Poll {
    /// Remembers how things are; only what differs later is a change.
    pub(super) fn begin(looks: BTreeMap<usize, Stamps>) -> Self {
        let remember = |(target, reported)| (target, Memory { reported, doubtful: Stamps::new() });
        Self(looks.into_iter().map(remember).collect())
    }

    /// The paths that changed, each with the target it belongs to.
    pub(super) fn compare(&mut self, looks: BTreeMap<usize, Stamps>) -> Vec<(usize, PathBuf)> {
        let mut changes = Vec::new();
        for (target, now) in looks {
            let memory = self.0.entry(target).or_default();
            changes.extend(memory.compare(now).into_iter().map(|path| (target, path)));
        }
        changes
    }
}

impl Memory {
    fn compare(&mut self, now: Stamps) -> Vec<PathBuf> {
        // Not among the paths and at the path of nothing are the same: there is nothing.
        let at = |stamps: &Stamps, path: &PathBuf| -> Option<Stamp> { stamps.get(path).copied().flatten() };
        let paths: Vec<PathBuf> = now.keys().chain(self.reported.keys()).cloned().collect();
        let mut changes = Vec::new();
        let mut doubtful = Stamps::new();
        for path in paths {
            let stamp = at(&now, &path);
            if stamp == at(&self.reported, &path) {
                continue;
            }
            if self.doubtful.get(&path) == Some(&stamp) {
                self.reported.insert(path.clone(), stamp);
                changes.push(path);
            } else {
                doubtful.insert(path, stamp);
            }
        }
        self.doubtful = doubtful;
        self.reported.retain(|_, stamp| stamp.is_some());
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(files: &[(&str, u64)]) -> BTreeMap<usize, Stamps> {
        let stamp = |size| Stamp {
            device: 0,
            inode: 0,
            size,
            modified_secs: 0,
            modified_nanos: 0,
            changed_secs: 0,
            changed_nanos: 0,
        };
        let stamps = files.iter().map(|(path, size)| (PathBuf::from(path), Some(stamp(*size)))).collect();
        BTreeMap::from([(0, stamps)])
    }

    #[test]
    fn a_difference_counts_when_it_stays() {
        let mut poll = Poll::begin(look(&[("a", 1)]));
        let none: Vec<(usize, PathBuf)> = Vec::new();
        let a = vec![(0, PathBuf::from("a"))];
        assert_eq!(poll.compare(look(&[("a", 1)])), none);
        assert_eq!(poll.compare(look(&[("a", 2)])), none, "being written");
        assert_eq!(poll.compare(look(&[("a", 3)])), none, "still being written");
        assert_eq!(poll.compare(look(&[("a", 3)])), a, "written");
        assert_eq!(poll.compare(look(&[("a", 3)])), none, "reported once");
        assert_eq!(poll.compare(look(&[])), none, "perhaps replaced");
        assert_eq!(poll.compare(look(&[])), a, "gone");
        assert_eq!(poll.compare(look(&[])), none);
        assert_eq!(poll.compare(look(&[("a", 1), ("b", 1)])), none);
        assert_eq!(
            poll.compare(look(&[("a", 1), ("b", 1)])),
            [(0, PathBuf::from("a")), (0, PathBuf::from("b"))]
        );
    }
}
