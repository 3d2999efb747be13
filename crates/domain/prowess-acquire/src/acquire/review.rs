//! The review of a skill before it is installed: its capabilities, its needs, and the skills it would hide.

use std::path::Path;
use std::sync::Arc;

use prowess_catalog::MergeCandidate;
use prowess_install::Display;
use prowess_inventory::load::{self, Loaded};
use prowess_registry::protocol::Moderation;
use prowess_scan::{Capabilities, CapabilityDiff, ScanFinding, ScanSeverity, Verdict};
use prowess_skill::SkillInput;
use prowess_types::{Bundle, ConflictPolicy, InstallOption, MergeKey, Origin, Requirements, Skill};
use serde::Serialize;
use serde_json::{Value, json};

use super::source::Got;
use super::{Acquire, AcquireError};
use crate::policy::PolicyDecision;
use crate::scan::scan_bundle;

/// Findings that are named where something is refused or needs consent.
const NAMED_FINDINGS: usize = 5;

/// What was found out about a skill.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// What the skill says it is for.
    pub description: String,
    /// What the scanner thinks of it.
    pub verdict: Verdict,
    /// What the scanner saw, the worst first.
    pub findings: Vec<ScanFinding>,
    /// What it can do.
    pub capabilities: Capabilities,
    /// What it can do that the installed version could not, and the other way round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capability_diff: Option<CapabilityDiff>,
    /// What the registry thinks of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moderation: Option<Moderation>,
    /// What all that amounts to.
    pub decision: PolicyDecision,
    /// Why it is refused, or what to look at before agreeing.
    pub reasons: Vec<String>,
    /// What it needs and this machine does not have.
    pub missing: Requirements,
    /// How that can be installed.
    pub install: Vec<InstallOption>,
    /// What else to know.
    pub warnings: Vec<String>,
}

/// A skill that is looked at.
pub(super) struct Subject<'a> {
    pub(super) got: &'a Got,
    pub(super) skill: Skill,
    /// Its future path.
    pub(super) path: &'a Path,
    /// `install` or `update`.
    pub(super) doing: &'static str,
    /// The capabilities of the version before it.
    pub(super) could: Option<&'a [String]>,
}

impl Acquire<'_> {
    /// A bundle's own words.
    pub(super) fn parse(&self, bundle: &Bundle, id: &str) -> Skill {
        let text = bundle.files.iter().find(|file| file.path.eq_ignore_ascii_case("SKILL.md"));
        let bytes = text.map(|file| file.bytes.as_slice()).unwrap_or_default();
        prowess_skill::parse(&SkillInput::folder(bytes, id), &self.context.parse_options())
    }

    /// Gathers the facts for the consent.
    pub(super) fn review(&self, subject: &Subject<'_>) -> Result<Review, AcquireError> {
        let fetched = &subject.got.fetched;
        let (decision, mut reasons, report) = self.admitted(subject)?;
        let moderation = fetched.moderation.clone();
        let is_suspect = moderation.as_ref().is_some_and(|moderation| moderation.is_suspicious);
        let decision = if is_suspect { decision.max(PolicyDecision::Warn) } else { decision };
        if is_suspect {
            let summary = moderation.as_ref().and_then(|moderation| moderation.summary.clone());
            let words = summary.map(|summary| format!(": {summary}")).unwrap_or_default();
            reasons.push(format!("the registry calls it suspicious{words}"));
        }
        let mut warnings = name_warnings(subject);
        let prospect = self.prospect(subject, &mut warnings)?;
        let left_out = fetched.left_out.iter();
        warnings.extend(left_out.map(|left| format!("`{}` is left out: {}", left.path, left.reason)));
        let capability_diff = subject.could.map(|could| {
            let had = |tag: &&str| could.iter().any(|old| old == tag);
            let has = |tag: &&String| report.capabilities.contains(tag);
            CapabilityDiff {
                added: report.capabilities.iter().filter(|tag| !had(tag)).map(str::to_owned).collect(),
                removed: could.iter().filter(|tag| !has(tag)).cloned().collect(),
            }
        });
        Ok(Review {
            description: subject.skill.description.clone(),
            verdict: report.verdict,
            findings: report.findings,
            capabilities: report.capabilities,
            capability_diff,
            moderation,
            decision,
            reasons,
            missing: prospect.0,
            install: prospect.1,
            warnings,
        })
    }

    /// Returns the findings of the scanner, and of the operator's command if there is one. Malice is always refused.
    fn admitted(
        &self,
        subject: &Subject<'_>,
    ) -> Result<(PolicyDecision, Vec<String>, prowess_scan::Report), AcquireError> {
        let bundle = &subject.got.fetched.bundle;
        let mut scanned = scan_bundle(bundle, subject.path, &self.context.parse_options());
        // The operator's command needs to see the files.
        let is_asked = self.context.config().install_policy().is_some();
        let display = is_asked.then(|| Display::new(bundle, &self.context.places().cache)).transpose()?;
        if let Some(display) = &display {
            display.path().clone_into(&mut scanned.path);
        }
        let request = json!({
            "kind": format!("skill-{}", subject.doing),
            "requestedSpecifier": subject.got.fetched.resolved.reference.to_string(),
        });
        let admission = crate::scan::admit(self.context, &scanned, origin(subject.got), request);
        let (decision, mut reasons) = match scanned.report.verdict {
            Verdict::Malicious => {
                (PolicyDecision::Block, told(&scanned.report.findings, ScanSeverity::Critical))
            }
            Verdict::Suspicious => (admission.decision, told(&scanned.report.findings, ScanSeverity::Warn)),
            Verdict::Clean => (admission.decision, Vec::new()),
        };
        reasons.extend(admission.policy.map(|answer| answer.reason).filter(|reason| !reason.is_empty()));
        Ok((decision, reasons, scanned.report))
    }

    /// Returns the skill's needs on this machine, and the other skills of its name.
    fn prospect(
        &self,
        subject: &Subject<'_>,
        warnings: &mut Vec<String>,
    ) -> Result<(Requirements, Vec<InstallOption>), AcquireError> {
        let blueprint = prowess_inventory::blueprint(self.context, self.options.agent.as_deref(), &mut None)?;
        let home = &self.target.home;
        let Some(plan) = blueprint.plans.iter().find(|plan| plan.source.root == home.skills) else {
            warnings.push(format!("this profile reads no skills from `{}`", home.skills.display()));
            return Ok((Requirements::default(), Vec::new()));
        };
        let file = subject.path.join("SKILL.md");
        let origin = Origin {
            tier: plan.source.tier,
            source: plan.source.label.clone(),
            root: plan.source.root.clone(),
            base: subject.path.to_owned(),
            real_file: file.clone(),
            file,
            plugin: None,
        };
        let (key, conflict) = (self.context.profile().merge_key, self.context.profile().conflict);
        let same = |skill: &Skill| match key {
            MergeKey::Name => skill.name == subject.skill.name,
            MergeKey::Id => skill.id == subject.skill.id,
        };
        let loaded = load::load(&blueprint.plans, self.context.cache_folder());
        for other in loaded.candidates.iter().filter(|other| same(&other.skill)) {
            if other.origin.base == subject.path {
                continue;
            }
            let wins = match conflict {
                ConflictPolicy::LastWins => plan.rank > other.rank,
                ConflictPolicy::FirstWins => plan.rank < other.rank,
            };
            let verb = if wins { "hides" } else { "is hidden by" };
            let label = self.context.profile().source_name(&other.origin.source);
            let place = other.origin.file.display();
            warnings.push(format!("it {verb} the skill of the same name in `{place}` ({label})"));
        }
        if !subject.skill.is_loadable() {
            return Ok((Requirements::default(), Vec::new()));
        }
        let skill = Arc::new(subject.skill.clone());
        let relative = skill.id.clone();
        let candidate = MergeCandidate { skill, origin: Arc::new(origin), rank: plan.rank, relative };
        let alone = Loaded { candidates: vec![candidate], losses: Vec::new() };
        let inventory = prowess_inventory::assemble(self.context, &blueprint, alone);
        let entry = inventory.entries.into_iter().next();
        Ok(entry.map(|entry| (entry.verdict.missing, entry.install)).unwrap_or_default())
    }
}

/// Returns warnings if the skill's own name, its folder and its slug disagree.
fn name_warnings(subject: &Subject<'_>) -> Vec<String> {
    let (skill, mut warnings) = (&subject.skill, Vec::new());
    let folder = subject.path.file_name().unwrap_or_default().to_string_lossy();
    if !skill.is_loadable() {
        let problem = skill.diagnostics.iter().find(|it| it.severity == prowess_types::Severity::Error);
        let why = problem.map_or_else(|| "it cannot be read".to_owned(), |it| it.message.clone());
        warnings.push(format!("it will not be offered to an agent: {why}"));
    } else if skill.name != folder {
        warnings.push(format!("it calls itself `{}`, and its folder is `{folder}`", skill.name));
    }
    let files = &subject.got.fetched.bundle.files;
    if !files.iter().any(|file| file.path == "SKILL.md") {
        warnings.push("its file is `skill.md`; not every engine finds it".to_owned());
    }
    warnings
}

/// Returns its origin, for the operator's command.
fn origin(got: &Got) -> Value {
    let resolved = &got.fetched.resolved;
    json!({
        "reference": resolved.reference.to_string(),
        "place": resolved.place,
        "registry": got.registry,
        "owner": resolved.owner,
        "version": resolved.version,
        "commit": resolved.commit,
        "digest": resolved.digest,
    })
}

/// The findings in a line each, the first few.
fn told(findings: &[ScanFinding], least: ScanSeverity) -> Vec<String> {
    let shown: Vec<&ScanFinding> = findings.iter().filter(|finding| finding.severity >= least).collect();
    let more = shown.len().saturating_sub(NAMED_FINDINGS);
    let line = |finding: &&ScanFinding| {
        format!("{} ({}, line {}): {}", finding.rule, finding.file, finding.line, finding.reason)
    };
    let mut lines: Vec<String> = shown.iter().take(NAMED_FINDINGS).map(line).collect();
    if more > 0 {
        lines.push(format!("and {more} more findings"));
    }
    lines
}
