//! The skills for one message, as they stand in front of it: a short list, and the text of a clear match.
//!
//! One renderer serves runs, other agent programs, hooks and `prowess prompt --message`. Everything it says is in its
//! report too: no skill counts as shown that is not in the text.

use std::collections::HashSet;
use std::ops::Range;

use prowess_catalog::{SKILLS_ELEMENT, Section, beginning, outline, skill_frame, split_tokens};
use prowess_types::{OfferMode, PromptedAs, PromptedSkill};

use super::explain::grouped;
use super::relevance::Relevance;
use crate::answer::{MatchDecision, MatchResult, MessageMatch};
use crate::inventory::{Inventory, SkillEntry};

/// The most of list and texts together, in UTF-16 units.
pub(crate) const MAX_CHARS: usize = 10_000;
/// The element around the text.
const FRAME_CHARS: usize = 2 * SKILLS_ELEMENT.len() + "<>\n</>\n\n".len();
/// The most of the list alone.
const MAX_LIST_CHARS: usize = 4_000;
/// Skills that are listed beside a text.
const BESIDE_TEXT: usize = 4;
/// Skills that are listed when the message asks for none.
const SMALL_TALK: usize = 3;
/// Skills that a hook suggests.
const SUGGESTED: usize = 3;
/// Characters of a description in the list.
const MAX_DESCRIPTION: usize = 160;
/// The least room for a map of a long text; with less, only its place is written.
const LEAST_MAP_CHARS: usize = 1_000;
/// Skills among which a new one is looked for.
const EXPLORED: usize = 200;

/// The words before a list that follows no request.
const READY: &str = "Some of the skills that are ready:\n";

/// The skills for one message.
#[derive(Clone, Debug, Default)]
pub struct MessageSkills {
    /// The text; empty if there is nothing to say.
    pub text: String,
    /// Every skill in the text, in its order.
    pub skills: Vec<PromptedSkill>,
    /// The place of the words about each of them in the text, in bytes.
    spans: Vec<Range<usize>>,
}

/// The list that goes with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRule {
    /// Pinned skills and the best ones.
    Best,
    /// Only skills that the message may ask for; the reader has a list of its own.
    Likely,
}

/// The skills that earlier messages of a conversation brought and that the reader still has.
#[derive(Clone, Debug, Default)]
pub struct GivenSkills {
    texts: HashSet<(String, Option<String>)>,
    listed: HashSet<(String, Option<String>)>,
}

impl GivenSkills {
    /// Notes what an earlier message brought.
    pub fn note(&mut self, skill: &PromptedSkill) {
        let key = (skill.path.clone(), skill.content_hash.clone());
        match skill.how {
            PromptedAs::Text | PromptedAs::Map => {
                self.texts.insert(key.clone());
                self.listed.insert(key);
            }
            PromptedAs::Listed | PromptedAs::Pointer => {
                self.listed.insert(key);
            }
            PromptedAs::Again => {}
        }
    }
}

/// The bounds of one text.
#[derive(Clone, Copy, Debug)]
pub struct MessageRoom<'a> {
    /// The rule of the list.
    pub list: ListRule,
    /// The size of the whole text, in UTF-16 units.
    pub max_chars: usize,
    /// Skills that the reader has already.
    pub given: &'a GivenSkills,
}

impl<'a> MessageRoom<'a> {
    /// The room in front of a message.
    fn of(inventory: &Inventory, list: ListRule, given: &'a GivenSkills) -> Self {
        let max_chars = inventory.settings.rules.budget.max_chars.min(MAX_CHARS - FRAME_CHARS);
        Self { list, max_chars, given }
    }
}

impl MessageSkills {
    /// The skills for a message that was answered by the selector.
    pub fn new(
        inventory: &Inventory,
        answer: &MessageMatch,
        relevance: &Relevance,
        room: &MessageRoom<'_>,
    ) -> Self {
        let is_clear = |result: &&MatchResult| {
            let is_sure = result.certain.is_some() || result.confidence >= relevance.preload_at;
            result.loaded && (result.kept || is_sure)
        };
        let clear: Vec<&SkillEntry> = answer
            .results
            .iter()
            .filter(|_| relevance.preload)
            .filter(is_clear)
            .filter_map(|result| inventory.entries.get(result.row))
            .collect();
        let mut builder = Builder { inventory, room, made: Self::default() };
        builder.list(answer, relevance, &clear);
        for entry in clear {
            builder.load(entry);
        }
        builder.made
    }

    /// A list for a message that could not be understood: pinned skills and the first ones.
    pub(crate) fn of_any_message(inventory: &Inventory, given: &GivenSkills) -> Self {
        let room = MessageRoom::of(inventory, ListRule::Best, given);
        let mut builder = Builder { inventory, room: &room, made: Self::default() };
        let (pinned, others): (Vec<&SkillEntry>, Vec<&SkillEntry>) = inventory
            .entries
            .iter()
            .filter(|entry| entry.is_model_visible())
            .partition(|entry| entry.mode == OfferMode::Pinned);
        let entries = pinned.into_iter().chain(others.into_iter().take(BESIDE_TEXT)).collect();
        builder.write_list(entries, READY);
        builder.made
    }

    /// The number of skills that are listed.
    pub fn listed(&self) -> usize {
        self.skills.iter().filter(|skill| skill.how == PromptedAs::Listed).count()
    }

    /// An estimate of what the words about each skill cost.
    pub fn tokens(&self) -> Vec<usize> {
        split_tokens(&self.text, &self.spans)
    }

    /// The text in an element of its own, as it stands in front of the user's words; none if there is nothing to say.
    pub fn element(&self) -> Option<String> {
        (!self.text.is_empty()).then(|| format!("<{SKILLS_ELEMENT}>\n{}</{SKILLS_ELEMENT}>", self.text))
    }
}

impl Inventory {
    /// The skills for a message, as they stand in front of it in a run.
    pub fn message_skills(
        &self,
        answer: &MessageMatch,
        relevance: &Relevance,
        given: &GivenSkills,
    ) -> MessageSkills {
        MessageSkills::new(self, answer, relevance, &MessageRoom::of(self, ListRule::Best, given))
    }

    /// The skills that a message may ask for, for a reader with a list of its own.
    pub(crate) fn suggested_skills(
        &self,
        answer: &MessageMatch,
        relevance: &Relevance,
        given: &GivenSkills,
    ) -> MessageSkills {
        MessageSkills::new(self, answer, relevance, &MessageRoom::of(self, ListRule::Likely, given))
    }
}

/// A text in the making.
struct Builder<'a> {
    inventory: &'a Inventory,
    room: &'a MessageRoom<'a>,
    made: MessageSkills,
}

impl<'a> Builder<'a> {
    /// Pinned skills first, then the most relevant ones. Skills that the reader was told about are only named.
    fn list(&mut self, answer: &MessageMatch, relevance: &Relevance, clear: &[&'a SkillEntry]) {
        let (entries, head) = match (self.room.list, answer.decision) {
            (ListRule::Best, MatchDecision::Nothing) => (self.best(answer.decision, relevance, clear), READY),
            (ListRule::Best, _) => (
                self.best(answer.decision, relevance, clear),
                "The skills that fit this message best. Read the file of one before you use it.\n",
            ),
            (ListRule::Likely, _) => (
                self.likely(answer, clear),
                "These skills may be what the message asks for. Read the file of one before you use it.\n",
            ),
        };
        self.write_list(entries, head);
    }

    fn write_list(&mut self, entries: Vec<&'a SkillEntry>, head: &str) {
        let max_chars = self.room.max_chars.min(MAX_LIST_CHARS);
        let is_given = |entry: &&SkillEntry| {
            self.room.list == ListRule::Best && self.room.given.listed.contains(&identity(entry))
        };
        let (given, fresh): (Vec<&SkillEntry>, Vec<&SkillEntry>) = entries.into_iter().partition(is_given);
        let mut text = String::new();
        let (mut skills, mut spans) = (Vec::new(), Vec::new());
        for entry in fresh {
            let line = self.line(entry);
            let start = if text.is_empty() { head } else { "" };
            if chars(&text) + chars(start) + chars(&line) <= max_chars {
                text += start;
                text += &line;
                skills.push(prompted(entry, PromptedAs::Listed));
                spans.push(text.len() - line.len()..text.len());
            }
        }
        let names: Vec<String> =
            given.iter().map(|entry| format!("`{}`", one_line(&entry.skill.name))).collect();
        let line = format!("Listed above, and fitting again: {}.\n", names.join(", "));
        if !given.is_empty() && chars(&text) + chars(&line) <= max_chars {
            text += &line;
            skills.extend(given.iter().map(|entry| prompted(entry, PromptedAs::Listed)));
            let mut start = text.len() - line.len();
            for name in &names {
                start += text[start..].find(name.as_str()).unwrap_or_default();
                spans.push(start..start + name.len());
                start += name.len();
            }
        }
        self.made = MessageSkills { text, skills, spans };
    }

    fn line(&self, entry: &SkillEntry) -> String {
        let name = one_line(&entry.skill.name);
        let file = one_line(&self.file(entry));
        match entry.mode {
            OfferMode::NameOnly => format!("- `{name}` (`{file}`)\n"),
            _ => format!("- `{name}`: {} (`{file}`)\n", description(entry)),
        }
    }

    /// The file of a skill as the reader should write it. Other programs may not know what `~` stands for.
    fn file(&self, entry: &SkillEntry) -> String {
        match self.room.list {
            ListRule::Best => self.inventory.model_location(entry),
            ListRule::Likely => entry.origin.file.display().to_string(),
        }
    }

    fn best(
        &self,
        decision: MatchDecision,
        relevance: &Relevance,
        clear: &[&'a SkillEntry],
    ) -> Vec<&'a SkillEntry> {
        let entries = &self.inventory.entries;
        let is_listed = |entry: &&SkillEntry| {
            entry.is_model_visible() && !clear.iter().any(|other| std::ptr::eq(*other, *entry))
        };
        let pinned = entries.iter().filter(|entry| entry.mode == OfferMode::Pinned).filter(is_listed);
        let ranked = relevance.order.iter().filter_map(|place| entries.get(*place));
        let ranked = ranked.filter(|entry| entry.mode != OfferMode::Pinned).filter(is_listed);
        let ranked: Vec<&SkillEntry> = ranked.take(EXPLORED).collect();
        let (ranked, most) = match decision {
            MatchDecision::Nothing => (ranked, relevance.top.min(SMALL_TALK)),
            _ if clear.is_empty() => (relevance.with_new_ones(ranked), relevance.top),
            _ => (ranked, relevance.top.min(BESIDE_TEXT)),
        };
        pinned.chain(ranked.into_iter().take(most)).collect()
    }

    fn likely(&self, answer: &MessageMatch, clear: &[&'a SkillEntry]) -> Vec<&'a SkillEntry> {
        let may_help = |result: &&MatchResult| {
            result.eligible && (result.loaded || result.confidence >= answer.suggest_threshold)
        };
        if answer.decision == MatchDecision::Nothing || !clear.is_empty() {
            return Vec::new();
        }
        let likely = answer.results.iter().filter(may_help).take(SUGGESTED);
        likely.filter_map(|result| self.inventory.entries.get(result.row)).collect()
    }

    /// The text of a skill that the message asks for: whole, as a map, or where it is.
    fn load(&mut self, entry: &SkillEntry) {
        let name = one_line(&entry.skill.name);
        if self.room.given.texts.contains(&identity(entry)) {
            let text = format!(
                "The message asks for the skill `{name}`, whose text you were given above. Follow it.\n"
            );
            self.add(entry, PromptedAs::Again, &text);
            return;
        }
        // A text that changed since it was checked is not given out.
        let body = self.inventory.numbered_body_of(entry).ok().filter(|(_, body)| !body.trim().is_empty());
        let folder = one_line(&self.inventory.model_folder(entry));
        let intro = format!(
            "The message asks for the skill `{name}`. Follow it; paths in it are relative to `{folder}`.\n"
        );
        if let Some((first_line, body)) = &body {
            let location = self.file(entry);
            let framed = skill_frame(&entry.skill.name, &location, None, body);
            if self.add(entry, PromptedAs::Text, &format!("{intro}{framed}\n")) {
                return;
            }
            let map = self.map(entry, &intro, *first_line, body);
            if map.is_some_and(|map| self.add(entry, PromptedAs::Map, &map)) {
                return;
            }
        }
        let text = format!(
            "The message asks for the skill `{name}` ({}). Read `{}` before you answer, and follow it.\n",
            description(entry),
            one_line(&self.file(entry))
        );
        self.add(entry, PromptedAs::Pointer, &text);
    }

    /// The sections of a long text and its beginning, within the room that is left.
    fn map(&self, entry: &SkillEntry, intro: &str, first_line: usize, body: &str) -> Option<String> {
        let room = self.left().checked_sub(chars(intro)).filter(|room| *room >= LEAST_MAP_CHARS)?;
        let blank = body.len() - body.trim_start().len();
        let first_line = first_line + body[..blank].matches('\n').count();
        let body = &body[body[..blank].rfind('\n').map_or(0, |place| place + 1)..];
        let sections = outline(body, first_line);
        let location = one_line(&self.file(entry));
        let mut text = format!(
            "{intro}Its text has {} characters, too many to be given whole. Its sections, by the lines of `{location}`:\n",
            grouped(chars(body))
        );
        for section in &sections {
            text += &section_line(section);
        }
        text += "Before you act on a section that is not below, read it with `read`: `offset` is its first line, `limit` the number of its lines.\n";
        let empty = skill_frame(&entry.skill.name, &location, Some(first_line..=usize::MAX), "");
        let rest = room.checked_sub(chars(&text) - chars(intro) + chars(&empty) + 1)?;
        // A map without any of the text would only be a longer way to name the file.
        let (lines, start) = beginning(body, &sections, rest);
        let last = (first_line + lines).checked_sub(1).filter(|_| lines > 0)?;
        text += &skill_frame(&entry.skill.name, &location, Some(first_line..=last), start);
        text.push('\n');
        Some(text)
    }

    fn left(&self) -> usize {
        self.room.max_chars.saturating_sub(chars(&self.made.text))
    }

    /// Adds words about a skill, if they fit.
    fn add(&mut self, entry: &SkillEntry, how: PromptedAs, text: &str) -> bool {
        let fits = chars(text) <= self.left();
        if fits {
            self.made.text += text;
            self.made.skills.push(prompted(entry, how));
            let end = self.made.text.len();
            self.made.spans.push(end - text.len()..end);
        }
        fits
    }
}

fn section_line(section: &Section) -> String {
    let (start, end) = (section.lines.start(), section.lines.end());
    let title =
        if section.title.is_empty() { "(the beginning)".to_owned() } else { one_line(&section.title) };
    format!("- {start}–{end}: {title}, {} characters\n", grouped(section.chars))
}

fn identity(entry: &SkillEntry) -> (String, Option<String>) {
    (entry.origin.file.display().to_string(), Some(entry.skill.content_hash.to_string()))
}

/// A skill as it is recorded.
pub fn prompted(entry: &SkillEntry, how: PromptedAs) -> PromptedSkill {
    let (path, content_hash) = identity(entry);
    PromptedSkill { name: entry.skill.name.clone(), path, content_hash, how }
}

fn description(entry: &SkillEntry) -> String {
    let text = one_line(&entry.skill.description);
    match text.char_indices().nth(MAX_DESCRIPTION) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

/// A text that cannot pretend to be more than one line of ours, or the end of an element.
pub fn one_line(text: &str) -> String {
    let plain = prowess_text::printable(text).replace('`', "'").replace('<', "‹");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn chars(text: &str) -> usize {
    prowess_text::utf16_len(text)
}
