//! `skill_search`: the agent asks for a skill by meaning.

use std::collections::BTreeMap;
use std::sync::Arc;

use prowess_inventory::{Inventory, MatchRequest};
use prowess_match::Selector;
use prowess_run::{SkillSearch, SkillSearchHit};

/// Searches the skills of one agent.
pub(super) struct Search {
    selector: Arc<Selector>,
    /// The purpose and the place of each offered skill, by name.
    offered: BTreeMap<String, (String, String)>,
}

impl Search {
    pub(super) fn new(selector: Arc<Selector>, inventory: &Inventory) -> Self {
        let offered = inventory.entries.iter().filter(|entry| entry.is_model_visible()).map(|entry| {
            let told = (entry.skill.description.clone(), inventory.model_location(entry));
            (entry.skill.name.clone(), told)
        });
        Self { selector, offered: offered.collect() }
    }
}

impl SkillSearch for Search {
    fn search(&self, need: &str, limit: usize) -> Result<Vec<SkillSearchHit>, String> {
        let fault = |error: prowess_context::ChooseError| prowess_text::describe_error(&error);
        self.selector.prepare_for(need, |_| {}).map_err(fault)?;
        // Some of the best may be hidden from the model.
        let request = MatchRequest { top: limit.saturating_mul(2).max(limit), ..MatchRequest::new(need) };
        let found = self.selector.find(&request).map_err(fault)?;
        let hits = found.results.into_iter().filter(|result| result.eligible).filter_map(|result| {
            let (description, location) = self.offered.get(&result.name)?.clone();
            Some(SkillSearchHit { name: result.name, description, location, confidence: result.confidence })
        });
        Ok(hits.take(limit).collect())
    }
}

/// Searches nothing: there is no encoder.
pub(super) struct NoSearch(pub(super) String);

impl SkillSearch for NoSearch {
    fn search(&self, _: &str, _: usize) -> Result<Vec<SkillSearchHit>, String> {
        Err(format!("skills cannot be searched: {}", self.0))
    }
}
