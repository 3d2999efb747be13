//! The catalogue: the part of a system prompt that tells the model which skills exist.
//!
//! Four wordings share one set of entries: our own and OpenClaw's (`catalogue`), OpenPocket's
//! (`openpocket`) and the bare element of `skills-ref` (`skills_ref`).
//!
//! Invariants: the text never exceeds its budget (OpenPocket's first entry excepted); what is left out is
//! always a tail of the list and is reported; every entry can be parsed back from the XML.

mod catalogue;
mod fit;
mod location;
mod openpocket;
mod skills_ref;
mod wording;
mod xml;

use std::fmt;
use std::ops::Range;

use prowess_text::utf16_len;
use prowess_types::{OfferMode, PromptMode, PromptRules, PromptWording};
use serde::{Deserialize, Serialize};

pub use location::compact_home;

/// A skill that the model may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptEntry {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// Where to read it, as the model should write it.
    pub location: String,
    /// How to reach the location, for a skill of another machine.
    pub location_note: Option<String>,
    /// Pinned entries come first; name-only ones have no description.
    pub mode: OfferMode,
    /// Trigger phrases, for wordings that show them.
    pub hints: Vec<String>,
}

/// What else decides about the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptContext {
    /// What to say about connected machines.
    pub remote_note: Option<String>,
    /// How much of a prompt the agent gets.
    pub prompt_mode: PromptMode,
    /// True if the agent can read files; without, a list of files is of no use.
    pub has_read_tool: bool,
    /// The model's context window.
    pub context_tokens: Option<usize>,
    /// The command that notes name, such as `prowess check`.
    pub audit_command: String,
    /// True if the note about what was left out stands at the end, where it cannot change what comes before it.
    pub note_last: bool,
}

/// How much of each entry is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromptFormat {
    /// Everything.
    #[default]
    Full,
    /// Descriptions are cut to a common length.
    CompactShortened,
    /// Names and locations only.
    CompactOmitted,
}

/// The reason an entry is not in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutReason {
    /// More entries than `maxSkillsInPrompt`.
    OverCount,
    /// No room within `maxSkillsPromptChars`.
    OverBudget,
    /// The agent gets no catalogue at all.
    SectionOmitted,
}

impl fmt::Display for CutReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OverCount => "more skills than `maxSkillsInPrompt`",
            Self::OverBudget => "no room within `maxSkillsPromptChars`",
            Self::SectionOmitted => "this agent gets no list of skills",
        })
    }
}

/// An entry that is not in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Its place in the entries that were passed in.
    pub index: usize,
    /// The reason.
    pub reason: CutReason,
}

/// The text, and how it came about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rendered {
    /// Exactly what the model gets; empty when there is nothing to say.
    pub text: String,
    /// The entries in the text, in its order, by their place in what was passed in.
    pub included: Vec<usize>,
    /// How much of each entry is shown.
    pub format: PromptFormat,
    /// The entries that were left out.
    pub cuts: Vec<Cut>,
    /// The note about that in the text.
    pub note: Option<String>,
    /// Length of the text in UTF-16 units.
    pub chars: usize,
    /// So many of them are the rules and the pinned entries: the same whatever the rest of the list is.
    pub stable_chars: usize,
    /// The common length that descriptions were cut to.
    pub description_limit: Option<usize>,
    /// The place of each included entry in the text, in bytes.
    #[serde(skip)]
    pub spans: Vec<Range<usize>>,
}

/// Renders the catalogue for the skills that the model may see, in the order given.
///
/// ```
/// # use prowess_catalog::{PromptContext, PromptEntry, render};
/// # use prowess_types::{Budget, PromptRules, PromptWording};
/// let entry = PromptEntry {
///     name: "weather".into(),
///     description: "Rain & shine".into(),
///     location: "~/skills/weather/SKILL.md".into(),
///     ..PromptEntry::default()
/// };
/// let rules = PromptRules {
///     wording: PromptWording::Mandatory,
///     budget: Budget { max_skills: 150, max_chars: 30_000 },
///     compact_fallback: false,
///     omit_when_minimal: true,
/// };
/// let context = PromptContext { has_read_tool: true, ..PromptContext::default() };
/// let rendered = render(&[entry], &rules, &context);
/// assert!(rendered.text.contains("<description>Rain &amp; shine</description>"));
/// ```
pub fn render(entries: &[PromptEntry], rules: &PromptRules, context: &PromptContext) -> Rendered {
    let order = pinned_first(entries);
    if is_omitted(rules, context) {
        return Rendered::left_out(&order, CutReason::SectionOmitted);
    }
    let ordered: Vec<&PromptEntry> = order.iter().map(|&index| &entries[index]).collect();
    let page = match rules.wording {
        PromptWording::Mandatory => catalogue::render(&ordered, &wording::MANDATORY, rules, context),
        PromptWording::Openclaw => catalogue::render(&ordered, &wording::OPENCLAW, rules, context),
        PromptWording::Openpocket => openpocket::render(&ordered, rules.budget),
        PromptWording::SkillsRef => skills_ref::render(&ordered, rules.budget),
    };
    let mut rendered = Rendered::new(&order, page, rules.budget.max_skills);
    let pinned = rendered.included.iter().filter(|&&index| entries[index].mode == OfferMode::Pinned).count();
    rendered.spans = entry_spans(&rendered.text);
    let stable = match pinned.checked_sub(1).and_then(|last| rendered.spans.get(last)) {
        Some(span) => span.end,
        None => list_start(&rendered.text).unwrap_or_default(),
    };
    rendered.stable_chars = utf16_len(rendered.text.get(..stable).unwrap_or_default());
    rendered
}

/// The end of the tag that opens the list.
fn list_start(text: &str) -> Option<usize> {
    text.find(&format!("{}\n", xml::OPEN)).map(|start| start + xml::OPEN.len() + 1)
}

/// The places of the entries. Values are escaped, so no value looks like a tag.
fn entry_spans(text: &str) -> Vec<Range<usize>> {
    const ENTRY_END: &str = "</skill>\n";
    let Some(mut start) = list_start(text) else { return Vec::new() };
    let mut spans = Vec::new();
    for (place, _) in text.match_indices(ENTRY_END) {
        let end = place + ENTRY_END.len();
        spans.push(start..end);
        start = end;
    }
    spans
}

fn is_omitted(rules: &PromptRules, context: &PromptContext) -> bool {
    let by_mode = match context.prompt_mode {
        PromptMode::Full => false,
        PromptMode::Minimal => rules.omit_when_minimal,
        PromptMode::None => true,
    };
    by_mode || !context.has_read_tool
}

/// Places of the entries with the pinned ones first, otherwise in the order given. Cuts take the tail, so
/// pinned entries are cut last.
fn pinned_first(entries: &[PromptEntry]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&index| entries[index].mode != OfferMode::Pinned);
    order
}

/// A text and how many of the ordered entries are in it.
#[derive(Default)]
struct Page {
    text: String,
    count: usize,
    format: PromptFormat,
    note: Option<String>,
    description_limit: Option<usize>,
}

impl Rendered {
    fn new(order: &[usize], page: Page, max_skills: usize) -> Self {
        // A list that is shorter than the count allows was cut by its size, and raising the count would add nothing.
        let reason = if page.count < max_skills { CutReason::OverBudget } else { CutReason::OverCount };
        let cut = |&index: &usize| Cut { index, reason };
        Self {
            chars: utf16_len(&page.text),
            stable_chars: 0,
            text: page.text,
            included: order[..page.count].to_vec(),
            format: page.format,
            cuts: order.iter().skip(page.count).map(cut).collect(),
            note: page.note,
            description_limit: page.description_limit,
            spans: Vec::new(),
        }
    }

    fn left_out(order: &[usize], reason: CutReason) -> Self {
        Self { cuts: order.iter().map(|&index| Cut { index, reason }).collect(), ..Self::default() }
    }
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
