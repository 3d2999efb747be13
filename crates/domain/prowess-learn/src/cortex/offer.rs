//! A skill that could do a task, as it is shown before any consent.

use prowess_acquire::Supply;
use prowess_context::Context;
use prowess_cortex::{CortexState, Listed};
use prowess_inventory::MatchRequest;
use prowess_match::Selector;
use prowess_registry::SkillId;
use prowess_registry::protocol::{SearchHit, SkillDetail};
use prowess_select::SelectDocument;
use serde::Serialize;
use serde_json::Value;

use super::CortexError;

/// Where a skill is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OfferSource {
    /// A registry.
    Clawhub,
    /// A repository that nobody reviewed.
    Github,
}

impl OfferSource {
    /// The word in the log and in `cortex.json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Clawhub => "clawhub",
            Self::Github => "github",
        }
    }
}

/// A skill that could do a task.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// What to install it by.
    pub reference: String,
    /// What it is remembered by.
    pub slug: String,
    /// Its name for people.
    pub name: String,
    /// What it does, in a summary.
    pub description: Option<String>,
    /// Where it is from.
    pub source: OfferSource,
    /// Whether somebody looked at it.
    pub reviewed: bool,
    /// Its latest version.
    pub version: Option<String>,
    /// Stars.
    pub stars: Option<u64>,
    /// Downloads.
    pub downloads: Option<u64>,
    /// What the registry's scan says: `clean`, `suspicious`, `malicious`, or none if it does not say.
    pub verdict: Option<String>,
    /// How likely the task asks for it; none if it was remembered.
    pub relevance: Option<f32>,
    /// What is remembered about it.
    pub history: Option<History>,
}

/// What is remembered about a skill for such tasks.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// Its weight.
    pub weight: f64,
    /// Its weight today.
    pub effective: f64,
    /// Successes.
    pub successes: u64,
    /// Failures.
    pub failures: u64,
    /// Successes in a row.
    pub streak: u64,
    /// Whether it has a reflex.
    pub reflex: bool,
    /// The last failure, in a line.
    pub last_failure: Option<String>,
}

impl History {
    pub(super) fn of(listed: &Listed) -> Self {
        let candidate = &listed.candidate;
        Self {
            weight: candidate.weight,
            effective: listed.effective,
            successes: candidate.runs.success,
            failures: candidate.runs.fail,
            streak: candidate.streak(),
            reflex: candidate.reflex,
            last_failure: candidate.last_fail.as_ref().map(|last| {
                let kind = serde_json::to_value(last.kind).unwrap_or_default();
                let kind = kind.as_str().unwrap_or_default();
                if last.detail.is_empty() { kind.to_owned() } else { format!("{kind}: {}", last.detail) }
            }),
        }
    }
}

impl Offer {
    /// Makes an offer from a search hit.
    pub(super) fn found(hit: SearchHit) -> Option<Self> {
        let slug = hit.slug?;
        let owner = hit.owner_handle.or_else(|| hit.owner?.handle);
        Some(Self {
            reference: owner.map_or_else(|| slug.clone(), |owner| format!("@{owner}/{slug}")),
            name: hit.display_name.unwrap_or_else(|| slug.clone()),
            slug,
            description: hit.summary,
            source: OfferSource::Clawhub,
            reviewed: true,
            version: hit.version,
            stars: None,
            downloads: hit.downloads.map(count),
            verdict: None,
            relevance: None,
            history: None,
        })
    }

    /// Makes an offer from the memory.
    pub(super) fn remembered(listed: &Listed) -> Self {
        let candidate = &listed.candidate;
        let source = if candidate.source == "github" { OfferSource::Github } else { OfferSource::Clawhub };
        Self {
            reference: candidate.slug.clone(),
            slug: candidate.slug.clone(),
            name: candidate.slug.clone(),
            description: None,
            source,
            reviewed: source == OfferSource::Clawhub,
            version: None,
            stars: None,
            downloads: None,
            verdict: None,
            relevance: None,
            history: Some(History::of(listed)),
        }
    }

    /// Adds what the registry says about it. Returns why it does not, if so.
    pub(super) fn look_up(&mut self, supply: &Supply) -> Option<String> {
        if self.source != OfferSource::Clawhub {
            return None;
        }
        let (owner, slug) = match self.reference.strip_prefix('@').and_then(|rest| rest.split_once('/')) {
            Some((owner, slug)) => (Some(owner), slug),
            None => (None, self.reference.as_str()),
        };
        match supply.registry().inspect(SkillId { slug, owner }) {
            Ok(detail) => {
                self.complete(detail);
                None
            }
            Err(error) => Some(format!("`{}`: {}", self.reference, prowess_text::describe_error(&error))),
        }
    }

    fn complete(&mut self, detail: SkillDetail) {
        if let Some(skill) = detail.skill {
            let number = |name: &str| skill.stats.get(name).and_then(Value::as_f64).map(count);
            self.stars = number("stars").or(self.stars);
            self.downloads = number("downloads").or(self.downloads);
            self.name = skill.display_name;
            self.description = skill.summary.or_else(|| self.description.take());
        }
        self.version = detail.latest_version.map(|latest| latest.version).or_else(|| self.version.take());
        self.verdict = detail.moderation.map(|moderation| match moderation {
            moderation if moderation.is_malware_blocked => "malicious".to_owned(),
            moderation if moderation.is_suspicious => "suspicious".to_owned(),
            moderation => moderation.verdict.unwrap_or_else(|| "clean".to_owned()),
        });
    }

    /// Returns true if it must not be offered at all.
    pub(super) fn is_barred(&self, state: &CortexState) -> bool {
        state.is_blacklisted(&self.slug, self.version.as_deref().unwrap_or_default())
    }
}

/// The least confidence of an offer. It is lower than for a message, because a task asks for something in any case.
const LEAST_FIT: f32 = 0.15;

/// Judges by meaning which of the found skills a task asks for, and drops the others. The best come first.
pub(super) fn relevant(context: &Context, task: &str, offers: Vec<Offer>) -> Result<Vec<Offer>, CortexError> {
    let document = |offer: &Offer| SelectDocument {
        name: offer.slug.rsplit('/').next().unwrap_or_default().to_owned(),
        description: offer.description.clone().unwrap_or_else(|| offer.name.clone()),
        ..SelectDocument::default()
    };
    let selector = Selector::over_documents(context, offers.iter().map(document).collect())?;
    selector.prepare_for(task, |_| {})?;
    let answer = selector.find(&MatchRequest { top: offers.len(), ..MatchRequest::new(task) })?;
    let fits = answer.results.iter().filter(|result| result.confidence >= LEAST_FIT);
    Ok(fits
        .map(|result| Offer { relevance: Some(result.confidence), ..offers[result.row].clone() })
        .collect())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts are small and not negative"
)]
fn count(number: f64) -> u64 {
    number.max(0.0) as u64
}
