//! Finding a path in the table of known keys.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::keypath::display;
use crate::keys::KEYS;
use crate::kind::Kind;
use crate::schema::Key;

/// What the table says about a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spot {
    /// A known key.
    Key(&'static Key),
    /// An object that only known keys are in.
    Section,
    /// Nothing.
    Unknown,
}

/// The table as a tree of names.
static TREE: LazyLock<Branch> = LazyLock::new(|| {
    let mut tree = Branch::default();
    for key in KEYS {
        tree.grow(key);
    }
    tree
});

#[derive(Default)]
struct Branch {
    key: Option<&'static Key>,
    names: BTreeMap<&'static str, Self>,
    /// What is below any name.
    any: Option<Box<Self>>,
}

/// Returns the key or section at a path.
pub(crate) fn find(path: &[&str]) -> Spot {
    match TREE.descend(path) {
        Some(Branch { key: Some(key), .. }) => Spot::Key(key),
        Some(_) => Spot::Section,
        None => Spot::Unknown,
    }
}

/// The known key at a path.
pub(crate) fn key(path: &[&str]) -> Option<&'static Key> {
    TREE.descend(path)?.key
}

/// Returns true if the last name of a path is free: the name of a skill, an agent or a variable.
pub(crate) fn is_free_name(path: &[&str]) -> bool {
    let Some((last, parents)) = path.split_last() else { return false };
    let parent = TREE.descend(parents);
    parent.is_some_and(|parent| !parent.names.contains_key(last) && parent.below(last).is_some())
}

/// The current name of the last part of a path, where an older one was used.
pub(crate) fn current_name(path: &[&str]) -> Option<&'static str> {
    let last = path.last()?;
    let key = key(path)?;
    key.aliases.contains(last).then(|| key.name())
}

/// A known path that an unknown one was probably meant to be.
pub(crate) fn suggestion(path: &[&str]) -> Option<String> {
    let (last, parents) = path.split_last()?;
    let siblings = &TREE.descend(parents)?.names;
    let current = siblings.iter().filter(|(name, branch)| branch.key.is_none_or(|key| key.name() == **name));
    if let Some(name) = closest(last, current.map(|(name, _)| *name)) {
        return Some(display(&[parents, &[name]].concat()));
    }
    // The right name in the wrong place: `skills.extraDirs` for `skills.load.extraDirs`.
    let section = parents.first()?;
    let mut elsewhere = KEYS.iter().filter(|key| {
        key.name() == *last && !key.pattern.contains('*') && key.pattern.split('.').next() == Some(section)
    });
    match (elsewhere.next(), elsewhere.next()) {
        (Some(key), None) => Some(key.pattern.into()),
        _ => None,
    }
}

/// The name that differs least, if it is near enough to be a slip.
fn closest<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let written = plain(written);
    let distance = |name: &&str| strsim::damerau_levenshtein(&plain(name), &written);
    names.min_by_key(distance).filter(|name| distance(name) <= (written.chars().count() / 3).min(2))
}

impl Branch {
    fn grow(&mut self, key: &'static Key) {
        let parent = key.parents().fold(self, |branch, part| branch.entry(part));
        for &name in [key.name()].iter().chain(key.aliases) {
            parent.entry(name).key = Some(key);
        }
    }

    fn entry(&mut self, part: &'static str) -> &mut Self {
        match part {
            "*" => self.any.get_or_insert_default(),
            name => self.names.entry(name).or_default(),
        }
    }

    fn descend(&'static self, path: &[&str]) -> Option<&'static Self> {
        path.iter().try_fold(self, |branch, segment| branch.below(segment))
    }

    fn below(&'static self, segment: &str) -> Option<&'static Self> {
        // The elements of some lists are described elsewhere.
        if let Some(Kind::ListOf(target)) = self.key.map(|key| key.kind) {
            let is_index = segment.parse::<usize>().is_ok();
            return is_index.then(|| TREE.descend(&target.split('.').collect::<Vec<_>>()))?;
        }
        self.names.get(segment).or(self.any.as_deref())
    }
}

#[cfg(test)]
#[path = "lookup_tests.rs"]
mod tests;
