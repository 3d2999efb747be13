//! The effect of a message on the catalogue: order, cut and preloaded texts.

use std::collections::HashSet;
use std::time::Duration;

use prowess_catalog::skill_frame;
use prowess_config::{PromptSettings, Select};
use prowess_types::OfferMode;

use crate::answer::{MatchDecision, MessageMatch};
use crate::inventory::{Inventory, SkillEntry};

/// A skill counts as new for this long after its last change.
const NEW_FOR: Duration = Duration::from_hours(14 * 24);
/// One place of the list in this number belongs to a new skill.
const EXPLORATION: usize = 8;
/// The text of a skill may take this share of the whole section.
const MOST_OF_BUDGET: (usize, usize) = (2, 3);

/// The way the catalogue follows one message.
#[derive(Clone, Debug)]
pub struct Relevance {
    /// Places of entries in the inventory, the most relevant first.
    pub order: Vec<usize>,
    /// The decision about the message.
    pub decision: MatchDecision,
    /// Entries to load.
    pub loaded: Vec<usize>,
    /// The rule by which the list follows the message.
    pub select: Select,
    /// The number of skills that are listed when only the best are.
    pub top: usize,
    /// True if the text of a clear match is put into the prompt at once.
    pub preload: bool,
    /// Confidence from which a match is clear enough for its text.
    pub preload_at: f32,
    /// The current time, in milliseconds since 1970; without it, no skill counts as new.
    pub now: Option<u64>,
}

impl Relevance {
    /// Makes the relevance of an answer. Skills that the answer does not rank come last, in their order.
    pub fn new(answer: &MessageMatch, rows: usize, settings: &PromptSettings) -> Self {
        let mut order: Vec<usize> = answer.results.iter().map(|result| result.row).collect();
        let ranked: HashSet<usize> = order.iter().copied().collect();
        order.extend((0..rows).filter(|row| !ranked.contains(row)));
        Self {
            order,
            decision: answer.decision,
            loaded: answer.results.iter().filter(|result| result.loaded).map(|result| result.row).collect(),
            select: settings.select,
            top: settings.top,
            preload: settings.preload,
            preload_at: settings.preload_at,
            now: None,
        }
    }

    /// Follows a message in another way. The text of a clear match goes with the skills in front of a message.
    pub fn choose(&mut self, select: Select) {
        self.preload |= select == Select::Message;
        self.select = select;
    }

    /// The skills for the list: pinned ones first, so that the text begins the same for every message.
    pub fn arrange<'a>(&self, inventory: &'a Inventory, visible: Vec<&'a SkillEntry>) -> Vec<&'a SkillEntry> {
        if self.select == Select::All {
            return visible;
        }
        let is_visible: HashSet<*const SkillEntry> =
            visible.iter().map(|entry| std::ptr::from_ref(*entry)).collect();
        let ranked = self.order.iter().map(|place| &inventory.entries[*place]);
        let ranked: Vec<&SkillEntry> = ranked
            .filter(|entry| {
                is_visible.contains(&std::ptr::from_ref(*entry)) && entry.mode != OfferMode::Pinned
            })
            .collect();
        let pinned = visible.iter().copied().filter(|entry| entry.mode == OfferMode::Pinned);
        let room = match (self.select, self.decision) {
            (Select::Top, MatchDecision::Nothing) => 0,
            (Select::Top | Select::Message, _) => self.top,
            (Select::All | Select::Ranked, _) => usize::MAX,
        };
        pinned.chain(self.with_new_ones(ranked).into_iter().take(room)).collect()
    }

    /// Gives every eighth place to the most relevant new skill that has none yet: an unused skill
    /// cannot have proved itself.
    pub(super) fn with_new_ones<'a>(&self, ranked: Vec<&'a SkillEntry>) -> Vec<&'a SkillEntry> {
        let is_new: Vec<bool> = ranked.iter().map(|entry| self.is_new(entry)).collect();
        let mut taken = vec![false; ranked.len()];
        let mut arranged = Vec::with_capacity(ranked.len());
        let mut next = 0;
        while arranged.len() < ranked.len() {
            let explores = (arranged.len() + 1).is_multiple_of(EXPLORATION);
            let new = (next..ranked.len()).find(|place| explores && is_new[*place] && !taken[*place]);
            let Some(place) = new.or_else(|| (next..ranked.len()).find(|place| !taken[*place])) else {
                break;
            };
            taken[place] = true;
            arranged.push(ranked[place]);
            while next < taken.len() && taken[next] {
                next += 1;
            }
        }
        arranged
    }

    fn is_new(&self, entry: &SkillEntry) -> bool {
        let Some(now) = self.now else { return false };
        let Ok(Some(stamp)) = prowess_fs::stamp(&entry.origin.real_file) else { return false };
        let changed = u64::try_from(stamp.modified_secs).ok().map(Duration::from_secs);
        let age = changed.and_then(|changed| Duration::from_millis(now).checked_sub(changed));
        age.is_some_and(|age| age < NEW_FOR)
    }

    /// The texts of the loaded skills, if they are to be there at once and fit, each with its place.
    pub fn preloaded_texts(&self, inventory: &Inventory, max_chars: usize) -> Vec<(usize, String)> {
        if !self.preload {
            return Vec::new();
        }
        let mut texts = Vec::new();
        let mut chars = 0;
        for place in &self.loaded {
            let Some(entry) = inventory.entries.get(*place) else { continue };
            // One that changed since it was checked stays out.
            let Some(body) = inventory.body_of(entry).ok().filter(|body| !body.trim().is_empty()) else {
                continue;
            };
            let location = inventory.model_location(entry);
            let block = format!("\n{}", skill_frame(&entry.skill.name, &location, None, &body));
            let with_this = chars + prowess_text::utf16_len(&block);
            if with_this * MOST_OF_BUDGET.1 <= max_chars * MOST_OF_BUDGET.0 {
                chars = with_this;
                texts.push((*place, block));
            }
        }
        texts
    }
}
