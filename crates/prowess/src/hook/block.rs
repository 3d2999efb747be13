//! What is put into a context: the text of a skill, or where it is.

use prowess_catalog::estimate_tokens;

use super::log::{HowShown, ShownSkill};
use crate::choose::{Match, MatchDecision, MatchResult, Relevance};
use crate::inventory::{Entry, Inventory};

/// How many skills are suggested.
const SUGGESTED: usize = 3;
/// Characters of a description that are shown.
const MAX_DESCRIPTION: usize = 300;

/// The words for a context, and the skills in it.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) text: String,
    pub(super) skills: Vec<ShownSkill>,
}

/// What may be said and what was said already.
pub(super) struct Room<'a> {
    /// UTF-16 units that the block may have.
    pub(super) max_chars: usize,
    /// Skills whose text is in the context already.
    pub(super) present: &'a [ShownSkill],
}

impl Block {
    /// The block for an answer; empty if no skill is asked for.
    pub(super) fn new(inventory: &Inventory, answer: &Match, relevance: &Relevance, room: &Room<'_>) -> Self {
        let mut block = Self::default();
        match answer.decision {
            MatchDecision::Load => {
                for result in answer.results.iter().filter(|result| result.loaded) {
                    block.load(inventory, result, relevance, room);
                }
            }
            MatchDecision::Suggest => {
                let may_help =
                    |result: &&MatchResult| result.eligible && result.confidence >= answer.suggest_threshold;
                for result in answer.results.iter().filter(may_help).take(SUGGESTED) {
                    block.suggest(inventory, result, room);
                }
            }
            MatchDecision::Nothing => {}
        }
        block
    }

    fn load(&mut self, inventory: &Inventory, result: &MatchResult, relevance: &Relevance, room: &Room<'_>) {
        let Some(entry) = inventory.entries.get(result.row) else { return };
        let name = one_line(&entry.skill.name);
        let is_present = room
            .present
            .iter()
            .any(|shown| shown.name == entry.skill.name && shown.content_hash == entry.skill.content_hash);
        if is_present {
            let text = format!(
                "The message asks for the skill `{name}`, whose text you were given above. Follow it.\n"
            );
            return self.add(entry, result, HowShown::Again, &text, room);
        }
        let alone = Relevance { loaded: vec![result.row], preload: true, ..relevance.clone() };
        let left = room.max_chars.saturating_sub(self.text.encode_utf16().count());
        let (text, _) = alone.preloaded(inventory, left);
        if text.is_empty() {
            let text = format!(
                "The message asks for the skill `{name}` ({}). Read `{}` before you answer, and follow it.\n",
                description(entry),
                one_line(&entry.origin.file.display().to_string())
            );
            return self.add(entry, result, HowShown::Pointer, &text, room);
        }
        let folder = one_line(&inventory.model_folder(entry));
        let text = format!(
            "The message asks for the skill `{name}`. Follow it; paths in it are relative to `{folder}`.{text}\n"
        );
        self.add(entry, result, HowShown::Text, &text, room);
    }

    fn suggest(&mut self, inventory: &Inventory, result: &MatchResult, room: &Room<'_>) {
        let Some(entry) = inventory.entries.get(result.row) else { return };
        let start = if self.text.is_empty() {
            "These skills may be what the message asks for. Read the file of one before you use it.\n"
        } else {
            ""
        };
        let file = one_line(&entry.origin.file.display().to_string());
        let text = format!("{start}- `{}`: {} (`{file}`)\n", one_line(&entry.skill.name), description(entry));
        self.add(entry, result, HowShown::Suggestion, &text, room);
    }

    /// Adds words for a skill, if they fit.
    fn add(&mut self, entry: &Entry, result: &MatchResult, how: HowShown, text: &str, room: &Room<'_>) {
        let chars = self.text.encode_utf16().count() + text.encode_utf16().count();
        if chars > room.max_chars {
            return;
        }
        self.text += text;
        self.skills.push(ShownSkill {
            name: entry.skill.name.clone(),
            path: entry.origin.file.display().to_string(),
            content_hash: entry.skill.content_hash,
            confidence: result.confidence,
            how,
            tokens: estimate_tokens(text),
        });
    }
}

fn description(entry: &Entry) -> String {
    let text = one_line(&entry.skill.description);
    match text.char_indices().nth(MAX_DESCRIPTION) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

/// A text that cannot pretend to be more than one line of ours.
pub(crate) fn one_line(text: &str) -> String {
    let plain = crate::printable(text).replace('`', "'");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
