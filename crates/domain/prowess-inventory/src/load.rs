//! From roots on disk to parsed skills, with every loss accounted for.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_catalog::{MergeCandidate, SortKey};
use prowess_fs::{FileReadError, FinalLink, Found, Neighbours, Stamp, Walk, WalkRules};
use prowess_skill::SkillInput;
use prowess_text::describe_error;
use prowess_types::{Dialect, Loss, LossReason, Origin, Severity, Skill, Source};

use crate::cache::RootCache;
use crate::{parallel, sidecar};

/// Files are read in parts of at least this many.
const LEAST_PART: usize = 64;

/// One root to load.
#[derive(Clone, Debug)]
pub struct RootPlan {
    /// The root folder and its tier.
    pub source: Source,
    /// Its place in the order of precedence.
    pub rank: usize,
    /// The rules of the walk.
    pub walk: WalkRules,
    /// The folder with a link to each of its skills, where the program that owns it makes such links.
    pub published: Option<PathBuf>,
    pub(crate) parse: prowess_skill::ParseOptions,
    pub(crate) max_file_bytes: u64,
    pub(crate) max_skills: usize,
    /// True if `max_skills` is the cap of the profile, which no setting raises.
    pub(crate) is_capped: bool,
}

impl RootPlan {
    /// Returns true if both read the same from the same place, whatever their ranks.
    pub fn is_same_root(&self, other: &Self) -> bool {
        self.source == other.source
            && self.walk == other.walk
            && self.published == other.published
            && self.parse.dialect == other.parse.dialect
            && self.parse.spec_mode == other.parse.spec_mode
            && self.max_file_bytes == other.max_file_bytes
            && self.max_skills == other.max_skills
            && self.is_capped == other.is_capped
    }
}

/// The content of all roots.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The skills that can be merged.
    pub candidates: Vec<MergeCandidate>,
    /// Everything else that was found.
    pub losses: Vec<Loss>,
}

impl Loaded {
    /// Keeps at most `cap` candidates. Roots of the lowest rank give way first, and in a root the last paths.
    pub(crate) fn within_cap(mut self, cap: usize, losses: &mut Vec<Loss>) -> Self {
        let surplus = self.candidates.len().saturating_sub(cap);
        if surplus == 0 {
            return self;
        }
        let mut places: Vec<usize> = (0..self.candidates.len()).collect();
        places.sort_by_key(|&place| (self.candidates[place].rank, std::cmp::Reverse(place)));
        let dropped: HashSet<usize> = places.into_iter().take(surplus).collect();
        let mut place = 0;
        self.candidates.retain(|candidate| {
            let is_kept = !dropped.contains(&place);
            place += 1;
            if !is_kept {
                losses.push(Loss {
                    name: Some(candidate.skill.name.clone()),
                    source: candidate.origin.source.clone(),
                    path: candidate.origin.file.clone(),
                    reason: LossReason::OverSourceLimit,
                    message: over_cap(cap),
                    winner: None,
                    diagnostics: Vec::new(),
                });
            }
            is_kept
        });
        self
    }
}

fn over_cap(cap: usize) -> String {
    format!("the agent already has {cap} skills, and no more are loaded; move some of them away")
}

/// Loads every root. Without a cache folder everything is parsed anew.
pub fn load(plans: &[RootPlan], cache: Option<&Path>) -> Loaded {
    let mut loaded = Loaded::default();
    for plan in plans {
        load_root(plan, cache, &mut loaded);
    }
    loaded
}

/// Files that need not be read again.
pub trait ParsedFiles: Sync {
    /// The skill that was parsed from this very state of a file.
    fn skill(&self, found: &Found) -> Option<Arc<Skill>>;
}

impl ParsedFiles for RootCache {
    fn skill(&self, found: &Found) -> Option<Arc<Skill>> {
        self.get(&found.relative, &found.stamp)
    }
}

fn load_root(plan: &RootPlan, cache: Option<&Path>, loaded: &mut Loaded) {
    let mut neighbours = Neighbours::default();
    for one in read_root_cached(plan, cache, &mut loaded.losses) {
        keep(plan, one, &mut neighbours, loaded);
    }
}

/// Reads a root with the help of the cache on disk.
pub fn read_root_cached(plan: &RootPlan, cache: Option<&Path>, losses: &mut Vec<Loss>) -> Vec<Read> {
    let (walk, cache) = walk_with_cache(plan, cache);
    let read = read_root(plan, walk, cache.as_ref().map(|cache| cache as &dyn ParsedFiles), losses);
    refresh_cache(cache.filter(|_| !read.is_empty()), &read);
    read
}

/// Reads what a walk found, but for what is known.
pub fn read_root(
    plan: &RootPlan,
    walk: Walk,
    known: Option<&dyn ParsedFiles>,
    losses: &mut Vec<Loss>,
) -> Vec<Read> {
    for skipped in walk.skipped {
        losses.push(loss(plan, &skipped.path, skipped.reason, skipped.message));
    }
    let mut all = walk.found;
    if all.len() > plan.max_skills {
        // The limit cuts the list where OpenClaw does.
        all.sort_by_cached_key(|found| SortKey::new(&found.relative));
    }
    let mut read = Vec::with_capacity(all.len());
    let mut loads = 0;
    // A root that is itself a valid skill holds no others.
    let outer_is_valid = walk.outer.is_some_and(|outer| {
        read.push(read_one(plan, outer, known));
        let is_valid = read[0].outcome.as_ref().is_ok_and(|skill| skill.is_loadable());
        loads += usize::from(is_valid);
        is_valid
    });
    let mut waiting = if outer_is_valid { Vec::new() } else { all };
    while !waiting.is_empty() && loads < plan.max_skills {
        let rest = waiting.split_off(waiting.len().min((plan.max_skills - loads).max(LEAST_PART)));
        for one in read_all(plan, waiting, known) {
            let is_loadable = one.outcome.as_ref().is_ok_and(|skill| skill.is_loadable());
            if is_loadable && loads == plan.max_skills {
                losses.push(over_limit(plan, &one.found));
            } else {
                loads += usize::from(is_loadable);
                read.push(one);
            }
        }
        waiting = rest;
    }
    for found in waiting {
        losses.push(over_limit(plan, &found));
    }
    read
}

/// Walks a root; a large cache is read at the same time.
fn walk_with_cache(plan: &RootPlan, folder: Option<&Path>) -> (Walk, Option<RootCache>) {
    let root = &plan.source.root;
    let cache = folder.map(|folder| RootCache::locate(folder, root, &plan.parse));
    match cache {
        Some(cache) if cache.is_large() => std::thread::scope(|scope| {
            let reader = scope.spawn(|| cache.read());
            let walk = prowess_fs::walk(root, &plan.walk);
            match reader.join() {
                Ok(cache) => (walk, Some(cache)),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }),
        cache => {
            let walk = prowess_fs::walk(root, &plan.walk);
            let is_needed = walk.outer.is_some() || !walk.found.is_empty();
            (walk, cache.filter(|_| is_needed).map(RootCache::read))
        }
    }
}

/// One file after it was looked at.
pub struct Read {
    /// The file as the walk found it.
    pub found: Found,
    /// Its size and time when it was read.
    pub stamp: Stamp,
    /// The outcome comes from the cache.
    pub from_cache: bool,
    /// The skill, or the reason that there is none.
    pub outcome: Result<Arc<Skill>, (LossReason, String)>,
}

fn read_all(plan: &RootPlan, found: Vec<Found>, known: Option<&dyn ParsedFiles>) -> Vec<Read> {
    parallel::map(found, |one| read_one(plan, one, known))
}

fn read_one(plan: &RootPlan, found: Found, known: Option<&dyn ParsedFiles>) -> Read {
    let fits = found.stamp.size <= plan.max_file_bytes;
    if let Some(skill) = known.filter(|_| fits).and_then(|known| known.skill(&found)) {
        let stamp = found.stamp;
        return Read { found, stamp, from_cache: true, outcome: Ok(skill) };
    }
    match prowess_fs::read_stamped(&found.real_file, plan.max_file_bytes, FinalLink::Refuse) {
        Ok(contents) => {
            let input = SkillInput { bytes: &contents.bytes, id: &found.id, layout: found.layout };
            let skill = prowess_skill::parse(&input, &plan.parse);
            Read { stamp: contents.stamp, from_cache: false, outcome: Ok(Arc::new(skill)), found }
        }
        Err(error) => {
            let reason = match &error {
                FileReadError::Oversize { .. } => LossReason::Oversize,
                FileReadError::NotAFile { .. } => LossReason::NotAFile,
                _ => LossReason::Unreadable,
            };
            let stamp = found.stamp;
            Read { found, stamp, from_cache: false, outcome: Err((reason, describe_error(&error))) }
        }
    }
}

/// Writes the cache anew if anything in the root has changed.
fn refresh_cache(cache: Option<RootCache>, read: &[Read]) {
    let Some(cache) = cache else { return };
    let usable = || read.iter().filter_map(|one| one.outcome.as_ref().ok().map(|skill| (one, skill)));
    let is_current = usable().all(|(one, _)| one.from_cache) && usable().count() == cache.len();
    if !is_current {
        cache.write(usable().map(|(one, skill)| (one.found.relative.as_str(), &one.stamp, skill)));
    }
}

/// Sorts one file into skills and losses.
pub fn keep(plan: &RootPlan, one: Read, neighbours: &mut Neighbours, loaded: &mut Loaded) {
    let mut skill = match one.outcome {
        Ok(skill) => skill,
        Err((reason, message)) => {
            loaded.losses.push(loss(plan, &one.found.file, reason, message));
            return;
        }
    };
    if !skill.is_loadable() {
        let worst = skill.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        let message = worst.map_or_else(|| "the skill is invalid".to_owned(), |worst| worst.message.clone());
        loaded.losses.push(Loss {
            name: Some(skill.name.clone()),
            diagnostics: skill.diagnostics.to_vec(),
            ..loss(plan, &one.found.file, LossReason::Invalid, message)
        });
        return;
    }
    if plan.parse.dialect != Dialect::Openpocket
        && skill.metadata.skill_key.is_none()
        && let Some(slug) = sidecar::source_slug(&one.found.base, neighbours)
    {
        Arc::make_mut(&mut skill).metadata.skill_key = Some(slug);
    }
    let relative = one.found.relative;
    let (file, base) = match published(plan, &one.found.base) {
        Some(link) => (link.join(one.found.file.file_name().unwrap_or_default()), link),
        None => (one.found.file, one.found.base),
    };
    let origin = Origin {
        tier: plan.source.tier,
        source: plan.source.label.clone(),
        root: plan.source.root.clone(),
        file,
        base,
        real_file: one.found.real_file,
        plugin: plan.source.plugin.clone(),
    };
    loaded.candidates.push(MergeCandidate { skill, origin: Arc::new(origin), rank: plan.rank, relative });
}

/// The link under which a skill of a plugin is known, if it was made and leads there.
fn published(plan: &RootPlan, base: &Path) -> Option<PathBuf> {
    let link = plan.published.as_ref()?.join(base.file_name()?);
    let target = prowess_fs::real(&link)?;
    (prowess_fs::real(base)? == target).then_some(link)
}

fn loss(plan: &RootPlan, path: &Path, reason: LossReason, message: String) -> Loss {
    Loss {
        name: None,
        source: plan.source.label.clone(),
        path: path.to_owned(),
        reason,
        message,
        winner: None,
        diagnostics: Vec::new(),
    }
}

fn over_limit(plan: &RootPlan, found: &Found) -> Loss {
    let message = if plan.is_capped {
        over_cap(plan.max_skills)
    } else {
        format!(
            "the root already gave {} skills; raise `skills.limits.maxSkillsLoadedPerSource`",
            plan.max_skills
        )
    };
    loss(plan, &found.file, LossReason::OverSourceLimit, message)
}
