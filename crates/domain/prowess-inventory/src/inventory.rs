//! The skills of one agent in one workspace: every skill with its verdict, and everything that lost.
//!
//! Invariant: eligibility (can it run) and enablement (may this agent use it) are never mixed, and whatever
//! was found is either an entry or a loss with its reason.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use prowess_catalog::{MergeCandidate, MergeRules};
use prowess_config::Profile;
use prowess_gate::{AgentFilter, EntrySettings, GateInput, InstallPreferences, Trust};
use prowess_types::{
    Dialect, Facts, GateCheck, GateOrder, GateRules, InstallOption, Loss, LossReason, ModeScope, OfferMode,
    Origin, RefusedInstall, Skill, Tier, Verdict,
};

use crate::catalog_settings::CatalogSettings;
use crate::checked_texts::CheckedTexts;
use crate::list_limits::{ListLimit, ListLimits};
use crate::trust::ForeignSkill;

/// A skill that won its name.
#[derive(Clone, Debug)]
pub struct SkillEntry {
    /// The skill.
    pub skill: Arc<Skill>,
    /// Its origin.
    pub origin: Arc<Origin>,
    /// Copies that it hides, the next in line first.
    pub shadowed: Vec<Arc<Origin>>,
    /// Its verdict: whether it can run here.
    pub verdict: Verdict,
    /// The mode in which it is offered.
    pub mode: OfferMode,
    /// The scope that set the mode.
    pub mode_scope: Option<ModeScope>,
    /// True if the agent's allowlist has it.
    pub allowed: bool,
    /// Ways to install what it needs.
    pub install: Vec<InstallOption>,
    /// The limit that keeps it out of the list of all skills, if one does. It can still be chosen and called.
    pub unlisted: Option<ListLimit>,
    pub(crate) settings: EntrySettings,
    /// The cache of its text, if it may be kept in memory.
    pub texts: Option<Arc<CheckedTexts>>,
}

impl SkillEntry {
    /// It can run, and this agent may use it.
    pub fn is_usable(&self) -> bool {
        self.verdict.eligible && self.allowed
    }

    /// Returns true if the model sees it.
    pub fn is_model_visible(&self) -> bool {
        self.is_usable() && !self.skill.invocation.disable_model_invocation && self.mode != OfferMode::Manual
    }

    /// A person can call it by name.
    pub fn is_command_visible(&self) -> bool {
        self.is_usable() && self.skill.invocation.user_invocable
    }

    /// Returns the user's decision about its origin.
    pub fn trust(&self) -> &Trust {
        &self.settings.trust
    }

    /// It is shipped with the engine.
    pub fn is_bundled(&self) -> bool {
        self.origin.tier == Tier::Bundled
    }
}

/// The inputs of the gate that are the same for every skill.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    pub(crate) rules: GateRules,
    pub(crate) allow_bundled: Vec<String>,
}

impl Gate {
    fn input<'a>(&'a self, skill: &'a Skill, origin: &Origin, entry: &'a EntrySettings) -> GateInput<'a> {
        let bundled = origin.tier == Tier::Bundled;
        GateInput { skill, bundled, entry, allow_bundled: &self.allow_bundled, rules: self.rules }
    }
}

/// The rules that are the same for every skill.
pub(crate) struct Rules {
    pub(crate) merge: MergeRules,
    pub(crate) gate: Gate,
    pub(crate) filter: AgentFilter,
    pub(crate) install: InstallPreferences,
    pub(crate) list_limits: ListLimits,
}

/// The skills and the losses of one agent in one workspace.
#[derive(Clone, Debug)]
pub struct Inventory {
    /// The agent.
    pub agent_id: String,
    /// Its allowlist, normalised; none means that every skill is allowed.
    pub filter: Option<Vec<String>>,
    /// The workspace.
    pub workspace: PathBuf,
    /// The folder in which skills for all workspaces are installed.
    pub managed: PathBuf,
    /// The winners, in the profile's order.
    pub entries: Vec<SkillEntry>,
    /// Everything that was found and is not in `entries`.
    pub losses: Vec<Loss>,
    /// Skills that came with a cloned repository, and what the user thinks of them.
    pub foreign: Vec<ForeignSkill>,
    pub(crate) profile: &'static Profile,
    pub(crate) facts: Facts,
    pub(crate) gate: Gate,
    /// The settings of its prompts.
    pub settings: CatalogSettings,
}

/// Merges and gates, in the order the profile wants.
pub(crate) fn build(
    candidates: Vec<MergeCandidate>,
    mut losses: Vec<Loss>,
    facts: &Facts,
    rules: &Rules,
    settings: impl Fn(&MergeCandidate) -> EntrySettings,
) -> (Vec<SkillEntry>, Vec<Loss>) {
    let judge = |candidate: &MergeCandidate| {
        let settings = settings(candidate);
        let input = rules.gate.input(&candidate.skill, &candidate.origin, &settings);
        (prowess_gate::screen(&input, facts), settings)
    };
    let candidates = match rules.gate.rules.order {
        GateOrder::AfterMerge => candidates,
        GateOrder::BeforeMerge => {
            let (fit, unfit): (Vec<_>, Vec<_>) =
                candidates.into_iter().partition(|candidate| judge(candidate).0.eligible);
            losses.extend(unfit.iter().map(|candidate| gated(candidate, &judge(candidate).0)));
            fit
        }
    };
    let merged = prowess_catalog::merge(candidates, &rules.merge);
    losses.extend(merged.losses);
    let entries = merged
        .winners
        .into_iter()
        .map(|winner| {
            let (verdict, settings) = judge(&winner.candidate);
            let skill = winner.candidate.skill;
            SkillEntry {
                unlisted: rules.list_limits.of(&winner.candidate.origin),
                allowed: rules.filter.allows(&skill.name),
                install: prowess_gate::install_options(&skill, &facts.platform, rules.install),
                mode: settings.mode,
                mode_scope: settings.mode_scope,
                settings,
                texts: None,
                verdict,
                skill,
                origin: winner.candidate.origin,
                shadowed: winner.shadowed.into_iter().map(|candidate| candidate.origin).collect(),
            }
        })
        .collect();
    (entries, losses)
}

fn gated(candidate: &MergeCandidate, verdict: &Verdict) -> Loss {
    Loss {
        name: Some(candidate.skill.name.clone()),
        source: candidate.origin.source.clone(),
        path: candidate.origin.file.clone(),
        reason: LossReason::Gated,
        message: verdict.reasons.join("; "),
        winner: None,
        diagnostics: Vec::new(),
    }
}

/// A name that several skills could be meant by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameLookup<'a, T> {
    /// Exactly one.
    Found(&'a T),
    /// None.
    Missing,
    /// Several, by their names.
    Ambiguous(Vec<String>),
}

impl Inventory {
    /// Keeps the texts of its skills where other views may have kept them already.
    pub fn keep_texts_in(&mut self, texts: Option<Arc<CheckedTexts>>) {
        for entry in &mut self.entries {
            entry.texts.clone_from(&texts);
        }
    }

    /// The declared ways to install what a skill needs that cannot be used here. Profiles of other engines have none, since
    /// those drop such options in silence.
    pub fn refused_installs(&self, entry: &SkillEntry) -> Vec<RefusedInstall> {
        match self.settings.dialect {
            Dialect::Prowess => prowess_gate::refused_installs(&entry.skill, &self.facts.platform),
            Dialect::Openclaw | Dialect::Openpocket => Vec::new(),
        }
    }

    /// Every rule of the gate for one skill, in order.
    pub fn checks(&self, entry: &SkillEntry) -> Vec<GateCheck> {
        let input = self.gate.input(&entry.skill, &entry.origin, &entry.settings);
        prowess_gate::judge(&input, &self.facts).checks
    }

    /// Finds a skill by its name, then by its key, then without regard to case, then to separators.
    pub fn find(&self, name: &str) -> NameLookup<'_, SkillEntry> {
        let fold = |text: &str| text.to_lowercase();
        let plain = |text: &str| fold(text).replace(['_', ' '], "-");
        let tests: [&dyn Fn(&SkillEntry) -> bool; 4] = [
            &|entry| entry.skill.name == name,
            &|entry| entry.skill.key() == name,
            &|entry| fold(&entry.skill.name) == fold(name) || fold(entry.skill.key()) == fold(name),
            &|entry| plain(&entry.skill.name) == plain(name) || plain(entry.skill.key()) == plain(name),
        ];
        for test in tests {
            let mut hits = self.entries.iter().filter(|entry| test(entry));
            if let Some(first) = hits.next() {
                let others: Vec<String> = hits.map(|entry| entry.skill.name.clone()).collect();
                if others.is_empty() {
                    return NameLookup::Found(first);
                }
                return NameLookup::Ambiguous([vec![first.skill.name.clone()], others].concat());
            }
        }
        NameLookup::Missing
    }

    /// Everything that lost under a name, or in a folder or file of that name.
    pub fn losses_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Loss> {
        self.losses.iter().filter(move |loss| {
            let file_name = |path: Option<&Path>| {
                path.and_then(Path::file_name).is_some_and(|file| file.eq_ignore_ascii_case(name))
            };
            loss.name.as_deref() == Some(name)
                || file_name(Some(&loss.path))
                || file_name(loss.path.parent())
                || loss.path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(name))
        })
    }
}
