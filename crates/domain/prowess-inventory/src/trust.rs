//! Consent for skills that came with a foreign repository.
//!
//! A clone brings its own skills, and a skill tells an agent what to do. So the skills of a workspace that lies in a
//! git work tree with a remote are not offered until the user has agreed to exactly what is in their folders; any
//! change asks again. A CI job inherits answers and gives none.
//!
//! Invariant: no file of a repository can give its own skills trust. The setting comes from the user's config alone,
//! answers lie in the user's state folder, and an inherited file does not count for the repository it lies in.

mod answers;
mod hashes;
mod repository;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use answers::{Answers, change as change_answers};
use prowess_catalog::MergeCandidate;
use prowess_config::RepositoryTrust;
use prowess_context::Context;
use prowess_fs::UpdateError;
use prowess_gate::Trust;
use prowess_types::{Loss, LossReason, MergeKey, ProfileName, SkillLayout, Tier, TreeHash};
use repository::{Repositories, Repository};

pub use answers::{Answer, AnswersError, TrustDecision};

/// A skill that came with a cloned repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignSkill {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Its folder.
    pub folder: PathBuf,
    /// The address that it was cloned from, if the repository has one.
    pub repository: Option<String>,
    /// The user's decision.
    pub trust: Trust,
    /// The hash of its folder; none until it is needed, or if it cannot be computed.
    pub digest: Option<TreeHash>,
    layout: SkillLayout,
    /// The digest of version 0.1 under which the user's own answer is stored.
    stored_as: Option<String>,
}

/// The decisions about the skills of a workspace that came with a repository.
#[derive(Default)]
pub(crate) struct Judged {
    pub(crate) foreign: Vec<ForeignSkill>,
    by_file: HashMap<PathBuf, Trust>,
}

/// The reason an answer was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrustError {
    /// There is no person to agree.
    #[error(
        "trust is never given in CI (`CI` is set); answer on your own machine and name the file with `PROWESS_TRUST`"
    )]
    Ci,
    /// There is nothing that the answer could belong to.
    #[error("`{skill}` cannot be trusted: {reason}")]
    Unknowable {
        /// The skill.
        skill: String,
        /// The reason.
        reason: String,
    },
    /// The answers cannot be read, for this reason.
    #[error("cannot read the answers: {0}")]
    Read(String),
    /// The answers cannot be written.
    #[error("cannot write the answers")]
    Write(#[from] UpdateError<AnswersError>),
}

impl prowess_types::Classify for TrustError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Ci | Self::Unknowable { .. } => Is(ErrorKind::Refused),
            Self::Read(_) | Self::Write(_) => Is(ErrorKind::Damaged),
        }
    }
}

/// Finds out which candidates came with a repository, and what the user answered about them.
pub(crate) fn judge(context: &Context, workspace: &Path, candidates: &[MergeCandidate]) -> Judged {
    let is_asked = context.profile().name == ProfileName::Prowess
        && context.config().repository_trust() != RepositoryTrust::Always;
    if !is_asked {
        return Judged::default();
    }
    let book = Book::open(context);
    let mut repositories = Repositories::default();
    let mut judged = Judged::default();
    let (brought, own): (Vec<&MergeCandidate>, Vec<&MergeCandidate>) =
        candidates.iter().partition(|candidate| is_of_workspace(candidate, workspace));
    // A skill that the user also has under another tier is not foreign: our own repository, built and run in place.
    let own: HashSet<&Path> = own.iter().map(|candidate| candidate.origin.real_file.as_path()).collect();
    let mut around = None;
    for candidate in brought.into_iter().filter(|it| !own.contains(it.origin.real_file.as_path())) {
        // A link may lead out of the repository that brought it.
        let folder = repositories.brought(&candidate.origin);
        let mut of_workspace = || around.get_or_insert_with(|| repositories.cloned(workspace)).clone();
        let Some(repository) = folder.or_else(&mut of_workspace) else { continue };
        let skill = book.judged(candidate, &repository);
        judged.by_file.insert(skill.file.clone(), skill.trust.clone());
        judged.foreign.push(skill);
    }
    renew(&book.own.file, &judged.foreign);
    judged
}

/// Stores the answers of version 0.1 that still hold under the tree hashes, so that a change of the execute bit asks
/// again. If the file cannot be written, the next reader tries it again.
fn renew(file: &Path, skills: &[ForeignSkill]) {
    let moved = |skill: &ForeignSkill| Some((skill.stored_as.clone()?, skill.digest.as_ref()?.to_string()));
    let moves: Vec<(String, String)> = skills.iter().filter_map(moved).collect();
    if !moves.is_empty() {
        let _ = answers::renew(file, &moves);
    }
}

/// Returns true if a workspace brought a skill, as opposed to the user's own folders and settings.
fn is_of_workspace(candidate: &MergeCandidate, workspace: &Path) -> bool {
    let origin = &candidate.origin;
    let is_plugin = origin.plugin.is_some() && origin.root.starts_with(workspace);
    matches!(origin.tier, Tier::Project | Tier::Workspace) || is_plugin
}

impl Judged {
    /// Returns the user's decision about a candidate.
    pub(crate) fn of(&self, candidate: &MergeCandidate) -> Trust {
        self.by_file.get(&candidate.origin.file).cloned().unwrap_or_default()
    }

    /// Removes skills that are not trusted where they would hide one that is: opening a foreign repository must
    /// not remove a skill.
    pub(crate) fn without_rivals(
        &self,
        candidates: Vec<MergeCandidate>,
        key: MergeKey,
        losses: &mut Vec<Loss>,
    ) -> Vec<MergeCandidate> {
        if self.by_file.values().all(Trust::allows) {
            return candidates;
        }
        let key = |candidate: &MergeCandidate| match key {
            MergeKey::Name => candidate.skill.name.clone(),
            MergeKey::Id => candidate.skill.id.clone(),
        };
        let trusted: HashSet<String> =
            candidates.iter().filter(|candidate| self.of(candidate).allows()).map(key).collect();
        let (kept, out): (Vec<MergeCandidate>, Vec<MergeCandidate>) = candidates
            .into_iter()
            .partition(|candidate| self.of(candidate).allows() || !trusted.contains(&key(candidate)));
        losses.extend(out.iter().map(|candidate| Loss {
            name: Some(candidate.skill.name.clone()),
            source: candidate.origin.source.clone(),
            path: candidate.origin.file.clone(),
            reason: LossReason::Gated,
            message: self.of(candidate).objection(&candidate.skill.name).unwrap_or_default(),
            winner: None,
            diagnostics: Vec::new(),
        }));
        kept
    }
}

/// The file of the user's answers.
pub(crate) fn answers_file(context: &Context) -> PathBuf {
    context.places().state.join("trust.json")
}

/// All answers that count here.
struct Book {
    own: Answers,
    inherited: Option<Answers>,
}

impl Book {
    fn open(context: &Context) -> Self {
        let named = context.env().trimmed("PROWESS_TRUST");
        let inherited = named.map(|file| {
            let file = context.places().expand_in(file, context.env().cwd());
            Answers::read_inherited(&prowess_fs::real(&file).unwrap_or(file))
        });
        Self { own: Answers::read(&answers_file(context)), inherited }
    }

    fn judged(&self, candidate: &MergeCandidate, repository: &Arc<Repository>) -> ForeignSkill {
        let mut skill = ForeignSkill {
            name: candidate.skill.name.clone(),
            file: candidate.origin.file.clone(),
            folder: candidate.origin.base.clone(),
            repository: repository.remote.clone(),
            trust: Trust::Undecided,
            digest: None,
            layout: candidate.skill.layout,
            stored_as: None,
        };
        let inherited = self.inherited.as_ref();
        let is_its_own = inherited.is_some_and(|answers| answers.file.starts_with(&repository.work_tree));
        let inherited = inherited.filter(|_| !is_its_own);
        let books: Vec<&Answers> = [Some(&self.own), inherited].into_iter().flatten().collect();
        // Nothing was answered, so there is nothing to compare with.
        if books.iter().any(|book| !book.by_digest.is_empty()) {
            skill.look(&books);
        }
        skill.stored_as = skill.stored_as.filter(|old| self.own.by_digest.contains_key(old));
        if skill.trust == Trust::Undecided {
            let issue = books.iter().find_map(|book| book.issue.clone());
            let own = || "`PROWESS_TRUST` lies in the very repository it would vouch for".to_owned();
            skill.trust = issue.or_else(|| is_its_own.then(own)).map_or(Trust::Undecided, Trust::Unknowable);
        }
        skill
    }
}

impl ForeignSkill {
    /// Reads its folder and looks the answer up. A refusal anywhere is a refusal.
    pub(crate) fn look(&mut self, books: &[&Answers]) {
        self.trust = match hashes::hashes(&self.folder, &self.file, self.layout) {
            Err(reason) => Trust::Unknowable(reason),
            Ok(hashes) => {
                let (new, old) = (hashes.tree.to_string(), hashes.without_modes);
                let answer = |book: &Answers| {
                    let stored = book.by_digest.get(&new).or_else(|| book.by_digest.get(&old));
                    stored.map(|answer| answer.decision)
                };
                let given = books.iter().filter_map(|book| answer(book));
                self.digest = Some(hashes.tree);
                self.stored_as = Some(old.clone());
                match given.max_by_key(|decision| *decision == TrustDecision::Refused) {
                    Some(TrustDecision::Trusted) => Trust::Given,
                    Some(TrustDecision::Refused) => Trust::Refused,
                    None => Trust::Undecided,
                }
            }
        };
    }
}
