//! The explanation of a catalogue: the cost of each skill, and the limit that left out each of the others.

use std::collections::HashMap;
use std::ops::Range;

use prowess_catalog::{CutReason, Rendered, estimate_tokens, split_tokens};
use prowess_types::PromptRules;
use serde::Serialize;

use super::message_skills::MAX_CHARS;
use super::{EmptyPrompt, PromptRequest, TurnSkills, why_invisible};
use crate::inventory::{Inventory, SkillEntry};
use crate::list_limits::ListLimit;

/// The explanation of a catalogue.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptExplanation {
    /// Length of the text in UTF-16 units.
    pub chars: usize,
    /// The budget it had.
    pub max_chars: usize,
    /// An estimate of what it costs: the overhead and the skills together.
    pub tokens: usize,
    /// The part of the tokens that belongs to no skill: rules, notes and the frame of the list.
    pub overhead_tokens: usize,
    /// So much of it is the same for every message.
    pub stable_chars: usize,
    /// The note in the text about what was left out.
    pub note: Option<String>,
    /// The common length that descriptions were cut to.
    pub description_limit: Option<usize>,
    /// The limits that left skills out, each with the number of skills.
    pub cuts: Vec<ListCut>,
    /// The reason there are no skills in the text, if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty: Option<EmptyPrompt>,
    /// Every skill, in the order of the list.
    pub skills: Vec<ExplainedSkill>,
}

/// A limit that left skills out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListCut {
    /// The setting.
    pub limit: String,
    /// Its value.
    pub value: usize,
    /// The number of skills that it left out.
    pub skills: usize,
    /// The number of skills that the model may be told about.
    pub of: usize,
    /// The names of the skills that it left out, in the order of the list.
    pub names: Vec<String>,
    /// One sentence for people.
    pub message: String,
    /// A command that raises the limit far enough, or nearly.
    pub help: String,
}

/// One skill in an explanation.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedSkill {
    /// Its name.
    pub name: String,
    /// Whether it is in the text.
    pub included: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// An estimate of what it costs in the text; 0 if it is not there.
    pub tokens: usize,
    /// An estimate of what its entry would cost, for a skill that is not in the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_cost: Option<usize>,
}

impl Inventory {
    /// The cost of every skill in the catalogue, and the limit that left out each of the others.
    pub fn explain_prompt(&self, request: &PromptRequest) -> PromptExplanation {
        let rules = self.prompt_rules(request);
        let listed = self.listed(request);
        let (rendered, texts) = self.render_with_texts(request, &listed);
        let places: HashMap<*const SkillEntry, usize> =
            listed.iter().enumerate().map(|(index, entry)| (std::ptr::from_ref(*entry), index)).collect();
        let reasons: HashMap<usize, CutReason> =
            rendered.cuts.iter().map(|cut| (cut.index, cut.reason)).collect();
        let costs = self.costs(&listed, &rendered, &texts);
        let explain = |entry: &SkillEntry| {
            let index = places.get(&std::ptr::from_ref(entry)).copied();
            let tokens = costs.get(&std::ptr::from_ref(entry)).copied();
            let reason = match (index, entry.unlisted) {
                (Some(index), _) => reasons.get(&index).map(ToString::to_string),
                (None, _) if !entry.is_model_visible() => Some(why_invisible(entry)),
                (None, Some(limit)) if request.relevance.is_none() => Some(limit.to_string()),
                (None, _) => Some("not among the best for this message".to_owned()),
            };
            ExplainedSkill {
                name: entry.skill.name.clone(),
                included: tokens.is_some(),
                reason: reason.filter(|_| tokens.is_none()),
                tokens: tokens.unwrap_or_default(),
                would_cost: tokens.is_none().then(|| self.would_cost(entry, &rules)),
            }
        };
        let others = self.entries.iter().filter(|entry| !places.contains_key(&std::ptr::from_ref(*entry)));
        // In the order of the list where it follows a message, else in the profile's.
        let skills: Vec<ExplainedSkill> = match request.relevance {
            Some(_) => listed.iter().copied().chain(others).map(explain).collect(),
            None => self.entries.iter().map(explain).collect(),
        };
        let tokens = estimate_tokens(&rendered.text);
        let of_skills: usize = skills.iter().map(|skill| skill.tokens).sum();
        PromptExplanation {
            chars: rendered.chars,
            max_chars: rules.budget.max_chars,
            tokens,
            overhead_tokens: tokens.saturating_sub(of_skills),
            stable_chars: rendered.stable_chars,
            cuts: self.cuts(&listed, &rendered, &rules, request.relevance.is_none()),
            empty: (rendered.included.is_empty() && texts.is_empty())
                .then(|| self.reason_of_empty(request, &listed)),
            note: rendered.note,
            description_limit: rendered.description_limit,
            skills,
        }
    }

    /// The cost of every skill in the skills part of a turn.
    pub fn explain_turn(&self, turn: &TurnSkills) -> PromptExplanation {
        let costs: HashMap<&str, usize> =
            turn.skills.iter().map(|skill| skill.path.as_str()).zip(turn.tokens.iter().copied()).collect();
        let explain = |entry: &SkillEntry| {
            let tokens = costs.get(entry.origin.file.display().to_string().as_str()).copied();
            let reason = if entry.is_model_visible() {
                "not among the best for this message".to_owned()
            } else {
                why_invisible(entry)
            };
            ExplainedSkill {
                name: entry.skill.name.clone(),
                included: tokens.is_some(),
                reason: tokens.is_none().then_some(reason),
                tokens: tokens.unwrap_or_default(),
                would_cost: tokens.is_none().then(|| self.would_cost(entry, &self.settings.rules)),
            }
        };
        let mut skills: Vec<ExplainedSkill> = self.entries.iter().map(explain).collect();
        skills.sort_by_key(|skill| !skill.included);
        let texts = [turn.system.as_str(), turn.context.as_deref().unwrap_or_default()];
        let tokens: usize = texts.iter().map(|text| estimate_tokens(text)).sum();
        let of_skills: usize = skills.iter().map(|skill| skill.tokens).sum();
        let chars = prowess_text::utf16_len;
        PromptExplanation {
            chars: chars(texts[0]) + chars(texts[1]),
            max_chars: MAX_CHARS,
            tokens,
            overhead_tokens: tokens.saturating_sub(of_skills),
            stable_chars: chars(texts[0]),
            note: None,
            description_limit: None,
            cuts: Vec::new(),
            empty: None,
            skills,
        }
    }

    /// The tokens of each skill in the text. They are differences of one running sum, so that they add up.
    fn costs(
        &self,
        listed: &[&SkillEntry],
        rendered: &Rendered,
        texts: &[(usize, String)],
    ) -> HashMap<*const SkillEntry, usize> {
        let mut end = rendered.text.len() - texts.iter().map(|(_, block)| block.len()).sum::<usize>();
        let in_list = rendered.included.iter().zip(&rendered.spans);
        let in_list = in_list.filter_map(|(index, span)| Some((*listed.get(*index)?, span.clone())));
        let loaded = texts.iter().filter_map(|(place, block)| {
            let span = end..end + block.len();
            end = span.end;
            Some((self.entries.get(*place)?, span))
        });
        let (entries, spans): (Vec<&SkillEntry>, Vec<Range<usize>>) = in_list.chain(loaded).unzip();
        let mut costs: HashMap<*const SkillEntry, usize> = HashMap::new();
        for (entry, tokens) in entries.into_iter().zip(split_tokens(&rendered.text, &spans)) {
            *costs.entry(std::ptr::from_ref(entry)).or_default() += tokens;
        }
        costs
    }

    fn would_cost(&self, entry: &SkillEntry, rules: &PromptRules) -> usize {
        let shown = self.prompt_entry(entry, rules.wording);
        estimate_tokens(&[shown.name, shown.description, shown.location].join("\n"))
    }

    /// The limits that left skills out of the list.
    fn cuts(
        &self,
        listed: &[&SkillEntry],
        rendered: &Rendered,
        rules: &PromptRules,
        is_whole_list: bool,
    ) -> Vec<ListCut> {
        let visible = self.entries.iter().filter(|entry| entry.is_model_visible());
        let of = visible.clone().count();
        let mut beyond = visible.filter(|entry| is_whole_list && entry.unlisted.is_some());
        let names: Vec<String> = beyond.clone().map(|entry| entry.skill.name.clone()).collect();
        let mut cuts: Vec<ListCut> = Vec::new();
        if let Some(limit) = beyond.find_map(|entry| entry.unlisted) {
            let (ListLimit::CandidatesPerRoot(value) | ListLimit::SkillsPerSource(value)) = limit;
            let skills = names.len();
            let message = format!(
                "{} of {} skills are beyond the first {} of their folder",
                grouped(skills),
                grouped(of),
                grouped(value)
            );
            let help =
                format!("prowess config set {} {}", limit.key(), self.entries.len().max(value + skills));
            cuts.push(ListCut { limit: limit.key().to_owned(), value, skills, of, names, message, help });
        }
        let cut_by = |reason| -> Vec<String> {
            let cut = rendered.cuts.iter().filter(|cut| cut.reason == reason);
            cut.filter_map(|cut| Some(listed.get(cut.index)?.skill.name.clone())).collect()
        };
        let names = cut_by(CutReason::OverBudget);
        let by_size = names.len();
        if by_size > 0 {
            let value = rules.budget.max_chars;
            let message = format!(
                "{} of {} skills do not fit into {} characters",
                grouped(by_size),
                grouped(of),
                grouped(value)
            );
            let each = rendered.chars / rendered.included.len().max(1) + 1;
            let wanted = (rendered.chars + each * by_size).div_ceil(1_000) * 1_000;
            let limit = "skills.limits.maxSkillsPromptChars".to_owned();
            let help = format!("prowess config set {limit} {wanted}");
            cuts.push(ListCut { limit, value, skills: by_size, of, names, message, help });
        }
        let names = cut_by(CutReason::OverCount);
        let by_count = names.len();
        if by_count > 0 {
            let value = rules.budget.max_skills;
            let message = format!(
                "{} of {} skills are beyond the {} that are listed",
                grouped(by_count),
                grouped(of),
                grouped(value)
            );
            let limit = "skills.limits.maxSkillsInPrompt".to_owned();
            let help = format!("prowess config set {limit} {}", value + by_count);
            cuts.push(ListCut { limit, value, skills: by_count, of, names, message, help });
        }
        cuts
    }
}

/// A number with commas between its thousands.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_commas() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
