//! The words for the context of another program, and the skills in them.

use prowess_inventory::{
    GivenSkills, Inventory, ListRule, MessageMatch, MessageRoom, MessageSkills, Relevance,
};
use prowess_sessions::{HowShown, ShownSkill};

/// The words for a context, and the skills in it.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) text: String,
    pub(super) skills: Vec<ShownSkill>,
}

impl Block {
    /// The block for an answer, of at most `max_chars` UTF-16 units; empty if no skill is asked for.
    pub(super) fn new(
        inventory: &Inventory,
        answer: &MessageMatch,
        relevance: &Relevance,
        max_chars: usize,
        given: &GivenSkills,
    ) -> Self {
        let room = MessageRoom { list: ListRule::Likely, max_chars, given };
        // A hook is installed to give texts, whatever runs do.
        let relevance = Relevance { preload: true, ..relevance.clone() };
        let made = MessageSkills::new(inventory, answer, &relevance, &room);
        let tokens = made.tokens();
        let MessageSkills { text, skills, .. } = made;
        let shown = skills.into_iter().zip(tokens).filter_map(|(skill, tokens)| {
            let is_meant = |path: &std::path::Path| path.display().to_string() == skill.path;
            let result = answer.results.iter().find(|result| is_meant(&result.file_path))?;
            let content_hash = inventory.entries.get(result.row)?.skill.content_hash;
            Some(ShownSkill {
                name: skill.name,
                path: skill.path,
                content_hash,
                confidence: result.confidence,
                how: HowShown::from(skill.how),
                tokens,
            })
        });
        Self { text, skills: shown.collect() }
    }
}
