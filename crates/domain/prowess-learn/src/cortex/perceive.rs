//! Perceiving who could do a task, and judging how much must be asked before.

use prowess_acquire::Supply;
use prowess_cortex::constants::MAX_SEARCHED;
use prowess_cortex::{CortexState, EventKind, Perception, RegionMatch, WhyNot};
use prowess_inventory::{MatchDecision, MatchRequest, MessageMatch};
use prowess_match::AgentView;
use prowess_registry::SearchQuery;
use prowess_text::describe_error;
use serde::Serialize;

use super::learn::wordless_region;
use super::offer::{Offer, OfferSource, relevant};
use super::recall::{keywords, likeness_by_region};
use super::{Cortex, CortexError, NEAR, github};

/// Fewer relevant results than this, and repositories are searched too.
const ENOUGH: usize = 2;
/// Words that repositories are searched with: all of them have to be there.
const GITHUB_WORDS: usize = 3;
/// The maximum number of results of a search.
const SEARCH_LIMIT: u32 = 20;

/// A task for which a skill is looked for.
#[derive(Clone, Copy, Debug)]
pub struct PerceiveRequest<'a> {
    /// The user's task.
    pub task: &'a str,
    /// Whose installed skills come first.
    pub view: &'a AgentView,
    /// True if the installed skills were already checked, and none fits.
    pub nothing_fits: bool,
    /// The access to the registry; without it nothing is searched.
    pub supply: Option<&'a Supply>,
}

/// Who could do a task.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Perceived {
    /// The task.
    pub task: String,
    /// The installed skills that fit: then there is nothing to look for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub installed: Vec<String>,
    /// The kind of task, if it was recognised.
    pub region: Option<RegionMatch>,
    /// The kind that came nearest.
    pub nearest: Option<RegionMatch>,
    /// What the registry was asked for, if it was.
    pub keywords: Vec<String>,
    /// Who could do it, the best first.
    pub candidates: Vec<Offer>,
    /// What the user should know.
    pub notices: Vec<String>,
}

/// How much must be asked before a candidate is used.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "mode", rename_all = "lowercase")]
pub enum Validation {
    /// Its install is announced and can be cancelled; nothing else is asked.
    Reflex {
        /// The announcement.
        notice: String,
    },
    /// It is shown, and nothing happens without consent.
    Standard {
        /// What bars the fast path.
        why_not: Vec<WhyNot>,
    },
}

impl Cortex<'_> {
    /// Finds who could do a task that the installed skills cannot do.
    pub fn perceive(&mut self, request: PerceiveRequest<'_>) -> Result<Perceived, CortexError> {
        let task = request.task.trim();
        if task.is_empty() {
            return Err(CortexError::Incomplete("the task is empty".to_owned()));
        }
        let mut seen = Perceived {
            task: task.to_owned(),
            installed: Vec::new(),
            region: None,
            nearest: None,
            keywords: Vec::new(),
            candidates: Vec::new(),
            notices: Vec::new(),
        };
        seen.notices.extend(self.take_notices());
        if !request.nothing_fits {
            let answer = self.installed(task, request.view)?;
            if answer.decision == MatchDecision::Load {
                seen.installed = answer.loaded().into_iter().map(str::to_owned).collect();
                return Ok(seen);
            }
        }
        match self.damaged() {
            Some(damaged) => seen.notices.push(format!(
                "the cortex file is damaged ({}); its bytes are in `{}`, it is written anew after the task",
                damaged.problem,
                damaged.kept.display()
            )),
            None => self.recall(&mut seen)?,
        }
        if !seen.candidates.is_empty() {
            if let Some(supply) = request.supply {
                let state = self.state()?;
                complete(&mut seen, supply, &state);
                self.follow_up(&mut seen)?;
            }
        } else if let Some(supply) = request.supply {
            self.search(&mut seen, supply)?;
        } else {
            seen.notices.push("nothing is remembered for such tasks, and no registry was asked".to_owned());
        }
        Ok(seen)
    }

    fn installed(&self, task: &str, view: &AgentView) -> Result<MessageMatch, CortexError> {
        let selector = view.selector()?;
        selector.prepare_for(task, |_| {})?;
        Ok(selector.find(&MatchRequest { now: Some(self.clock.now_ms()), ..MatchRequest::new(task) })?)
    }

    /// Adds the remembered skills.
    fn recall(&mut self, seen: &mut Perceived) -> Result<(), CortexError> {
        let state = self.state()?;
        let likeness = likeness_by_region(self.context, &seen.task, state.patterns())?;
        let mut found = None;
        if let Some(region) = wordless_region(&seen.task, &state) {
            let candidates = state.listing(&region, self.now(), self.rules);
            let region = RegionMatch { region, similarity: 1.0 };
            found = Some(Perception { nearest: Some(region.clone()), region: Some(region), candidates });
        }
        let near =
            |pattern: &prowess_cortex::Pattern| likeness.get(&pattern.region).copied().unwrap_or(f64::NAN);
        let found = found.unwrap_or_else(|| state.perceive(&near, NEAR, self.now(), self.rules));
        seen.candidates = found.candidates.iter().map(Offer::remembered).collect();
        (seen.region, seen.nearest) = (found.region, found.nearest);
        if let Some(region) = seen.region.as_ref().filter(|_| !seen.candidates.is_empty()) {
            self.note(EventKind::CacheHit { region: region.region.clone() })?;
        }
        Ok(())
    }

    /// Asks the registry, and repositories if it knows too little. Only summaries are read.
    fn search(&mut self, seen: &mut Perceived, supply: &Supply) -> Result<(), CortexError> {
        // Names and numbers of the task do not leave this machine.
        seen.keywords = keywords(&*self.context.encoders()?, &seen.task)?;
        if seen.keywords.is_empty() {
            seen.notices.push("the task has no words to search for; say what is to be done".to_owned());
            return Ok(());
        }
        let words = seen.keywords.join(" ");
        let query = SearchQuery { text: &words, limit: Some(SEARCH_LIMIT), ..SearchQuery::default() };
        let found = match supply.registry().search(&query) {
            Ok(answer) => answer.results,
            Err(error) => {
                seen.notices.push(format!("the registry cannot be asked: {}", describe_error(&error)));
                Vec::new()
            }
        };
        let state = self.note(EventKind::Searched {})?;
        let offers = found.into_iter().filter_map(Offer::found).filter(|offer| !offer.is_barred(&state));
        seen.candidates = relevant(self.context, &seen.task, offers.collect())?;
        seen.candidates.truncate(MAX_SEARCHED);
        if seen.candidates.len() < ENOUGH {
            let base = self.context.config().cortex().github_api;
            let few = &seen.keywords[..seen.keywords.len().min(GITHUB_WORDS)];
            match github::search(supply.http(), &base, few) {
                Ok(offers) => {
                    let offers = offers.into_iter().filter(|offer| !offer.is_barred(&state)).collect();
                    seen.candidates.extend(relevant(self.context, &seen.task, offers)?);
                    seen.candidates.truncate(MAX_SEARCHED);
                }
                Err(problem) => seen.notices.push(problem),
            }
        }
        complete(seen, supply, &state);
        self.follow_up(seen)
    }

    /// Applies the registry's answers: other versions end reflexes, malware is banned.
    fn follow_up(&mut self, seen: &mut Perceived) -> Result<(), CortexError> {
        let state = self.state()?;
        let mut events = Vec::new();
        for offer in &seen.candidates {
            let stored = state.regions().find_map(|(_, region)| region.candidate(&offer.slug));
            if let (Some(stored), Some(version)) = (stored, &offer.version)
                && stored.version != *version
            {
                let (slug, version) = (offer.slug.clone(), version.clone());
                events.push(self.event(EventKind::VersionSeen { slug, version }));
            }
            if offer.verdict.as_deref() == Some("malicious") {
                seen.notices.push(format!("the registry calls `{}` malware; it is banned", offer.slug));
                events.push(self.event(EventKind::BlacklistAdded { slug: offer.slug.clone() }));
            }
        }
        seen.candidates.retain(|offer| offer.verdict.as_deref() != Some("malicious"));
        if !events.is_empty() {
            self.write(&events)?;
        }
        Ok(())
    }

    /// Returns the consent that a candidate needs before it is used: only the first may use a reflex.
    pub fn validate(&self, seen: &Perceived, offer: &Offer) -> Result<Validation, CortexError> {
        let Some(region) = &seen.region else {
            return Ok(Validation::Standard { why_not: vec![WhyNot::NoCandidate] });
        };
        let state = self.state()?;
        let version = offer.version.as_deref().unwrap_or_default();
        let path = state.fast_path(&region.region, &offer.slug, version, self.now(), self.rules);
        let candidate = state.region(&region.region).and_then(|region| region.candidate(&offer.slug));
        Ok(match candidate.filter(|_| path.fires()) {
            Some(candidate) => Validation::Reflex { notice: candidate.notice(&seen.task) },
            None => Validation::Standard { why_not: path.why_not },
        })
    }
}

/// Adds what the registry says about the candidates.
fn complete(seen: &mut Perceived, supply: &Supply, state: &CortexState) {
    for offer in &mut seen.candidates {
        seen.notices.extend(offer.look_up(supply));
        if offer.source == OfferSource::Github {
            seen.notices.push(format!("`{}` is from a repository without a review", offer.reference));
        }
    }
    seen.candidates.retain(|offer| !offer.is_barred(state));
}
