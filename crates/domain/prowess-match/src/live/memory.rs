//! The state of one root: its skills as they were last read, and the last good version of each.
//!
//! Memory is trusted where the watcher vouches for it: a file that no change was reported for, in the state in which
//! it was read, is not read again. A file that is being written at this moment is not used at all; the watcher will
//! report it when it is whole.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_catalog::MergeCandidate;
use prowess_fs::{Found, Stamp, WatchChange, Watcher};
use prowess_inventory::load::{self, Loaded, ParsedFiles, Read, RootPlan};
use prowess_types::{Loss, LossReason, Skill};

use crate::view::StaleEdit;

struct Remembered {
    stamp: Stamp,
    skill: Arc<Skill>,
}

/// One root, shared by every view that has it.
pub(super) struct RootMemory {
    plan: RootPlan,
    files: HashMap<PathBuf, Remembered>,
    good: HashMap<PathBuf, MergeCandidate>,
    loaded: Loaded,
    stale_edits: Vec<StaleEdit>,
    /// Rises whenever something in it is different from before.
    generation: u64,
}

/// The files that need not be read again.
struct Trusted<'a> {
    files: &'a HashMap<PathBuf, Remembered>,
    change: &'a WatchChange,
}

impl ParsedFiles for Trusted<'_> {
    fn skill(&self, found: &Found) -> Option<Arc<Skill>> {
        let remembered = self.files.get(&found.real_file)?;
        let is_same = remembered.stamp == found.stamp && !self.change.is_about(&found.real_file);
        is_same.then(|| Arc::clone(&remembered.skill))
    }
}

impl RootMemory {
    /// Reads a root for the first time.
    pub(super) fn read(plan: &RootPlan, cache: Option<&Path>, watcher: &Watcher) -> Self {
        let mut memory = Self {
            plan: plan.clone(),
            files: HashMap::new(),
            good: HashMap::new(),
            loaded: Loaded::default(),
            stale_edits: Vec::new(),
            generation: 0,
        };
        memory.read_again(None, cache, watcher);
        memory
    }

    pub(super) fn plan(&self) -> &RootPlan {
        &self.plan
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn stale_edits(&self) -> &[StaleEdit] {
        &self.stale_edits
    }

    /// Adds what the root holds to what others hold.
    pub(super) fn add_to(&self, all: &mut Loaded, rank: usize) {
        let ranked = |candidate: &MergeCandidate| MergeCandidate { rank, ..candidate.clone() };
        all.candidates.extend(self.loaded.candidates.iter().map(ranked));
        all.losses.extend(self.loaded.losses.iter().cloned());
    }

    /// Reads the root again: with a change, only what it may be about; without, everything.
    pub(super) fn read_again(
        &mut self,
        change: Option<&WatchChange>,
        cache: Option<&Path>,
        watcher: &Watcher,
    ) {
        let mut loaded = Loaded::default();
        let read = match change.filter(|change| !change.overflow) {
            Some(change) => {
                let walk = prowess_fs::walk(&self.plan.source.root, &self.plan.walk);
                let trusted = Trusted { files: &self.files, change };
                load::read_root(&self.plan, walk, Some(&trusted), &mut loaded.losses)
            }
            None => load::read_root_cached(&self.plan, cache, &mut loaded.losses),
        };
        let anew: Vec<&Path> =
            read.iter().filter(|one| !one.from_cache).map(|one| one.found.real_file.as_path()).collect();
        let unsettled = if anew.is_empty() { BTreeSet::new() } else { watcher.unsettled(anew) };
        let files = read
            .iter()
            .filter(|one| !unsettled.contains(&one.found.real_file))
            .filter_map(|one| {
                let skill = Arc::clone(one.outcome.as_ref().ok()?);
                Some((one.found.real_file.clone(), Remembered { stamp: one.stamp, skill }))
            })
            .collect();
        let stale_edits = self.sort(read, &unsettled, &mut loaded);
        self.files = files;
        self.good = loaded.candidates.iter().map(|one| (one.origin.file.clone(), one.clone())).collect();
        let is_same = is_same(&self.loaded, &loaded) && self.stale_edits == stale_edits;
        self.generation += u64::from(!is_same);
        self.stale_edits = stale_edits;
        self.loaded = loaded;
    }

    /// Sorts what was read into skills and losses; the last good version stands in for what cannot be used.
    fn sort(&self, read: Vec<Read>, unsettled: &BTreeSet<PathBuf>, loaded: &mut Loaded) -> Vec<StaleEdit> {
        let mut stale_edits = Vec::new();
        for loss in &mut loaded.losses {
            // A folder that cannot be entered hides the skill in it.
            let file = loss.path.join("SKILL.md");
            if let Some(good) = self.good.get(&file).filter(|_| loss.reason == LossReason::Unreadable) {
                stale_edits.push(stand_in(good, loss));
                loaded.candidates.push(good.clone());
            }
        }
        let mut in_place: BTreeMap<PathBuf, Loss> = BTreeMap::new();
        let mut neighbours = prowess_fs::Neighbours::default();
        for one in read {
            let file = one.found.file.clone();
            let good = self.good.get(&file);
            if unsettled.contains(&one.found.real_file) {
                loaded.candidates.extend(good.cloned());
                continue;
            }
            let before = loaded.losses.len();
            load::keep(&self.plan, one, &mut neighbours, loaded);
            let Some(good) = good else { continue };
            for mut loss in loaded.losses.split_off(before) {
                if is_edit(loss.reason) {
                    stale_edits.push(stand_in(good, &mut loss));
                    loaded.candidates.push(good.clone());
                }
                in_place.insert(file.clone(), loss);
            }
        }
        loaded.losses.extend(in_place.into_values());
        stale_edits
    }
}

/// Returns true if a person who edits a file may cause the loss in passing. Links and hard links are not typing errors.
fn is_edit(reason: LossReason) -> bool {
    matches!(reason, LossReason::Invalid | LossReason::Unreadable | LossReason::Oversize)
}

/// Says of a loss that the last good version is used instead.
fn stand_in(good: &MergeCandidate, loss: &mut Loss) -> StaleEdit {
    let edit = StaleEdit {
        name: good.skill.name.clone(),
        file: good.origin.file.clone(),
        reason: loss.reason,
        message: loss.message.clone(),
        diagnostics: loss.diagnostics.clone(),
    };
    loss.message = format!("stale edit: {} (the last valid version is used until it is fixed)", loss.message);
    edit
}

fn is_same(one: &Loaded, other: &Loaded) -> bool {
    let is_same_skill = |(one, other): (&MergeCandidate, &MergeCandidate)| {
        one.skill.content_hash == other.skill.content_hash
            && one.skill.key() == other.skill.key()
            && one.origin == other.origin
    };
    one.candidates.len() == other.candidates.len()
        && one.candidates.iter().zip(&other.candidates).all(is_same_skill)
        && one.losses == other.losses
}
