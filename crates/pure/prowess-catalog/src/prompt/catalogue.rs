//! Our own section and OpenClaw's: rules, a note when something was cut, and the element.
//!
//! When the entries do not all fit, either the list is cut (the largest prefix of full entries) or, with
//! the compact fallback, descriptions go first: the largest prefix without descriptions, and then the
//! longest common description that still fits. The note is part of the budget; it is given up only when
//! not even one skill would fit beside it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::RangeInclusive;

use prowess_text::{XmlEscaping, collapse_blanks, shorten_utf16, utf16_len};
use prowess_types::{OfferMode, PromptRules};

use super::fit::largest;
use super::wording::Wording;
use super::xml::{self, Shown};
use super::{Page, PromptContext, PromptEntry, PromptFormat};

/// Lengths that descriptions are cut to when the budget is short.
const BUDGET_LIMITS: RangeInclusive<usize> = 4..=220;

/// Lengths that descriptions are cut to when the model's context is small.
const CONTEXT_LIMITS: RangeInclusive<usize> = 64..=220;

/// Descriptions are cut when the text has more units than a fifth of the tokens of the context.
const CONTEXT_SHARE: usize = 5;

/// The element without entries.
const FRAME: usize = xml::OPEN.len() + "\n".len() + xml::CLOSE.len();

pub(super) fn render(
    entries: &[&PromptEntry],
    wording: &Wording,
    rules: &PromptRules,
    context: &PromptContext,
) -> Page {
    let catalogue = Catalogue::new(entries, wording, rules, context);
    let plan = if rules.compact_fallback { catalogue.plan_compact() } else { catalogue.plan_prefix() };
    match plan {
        Some(plan) => catalogue.write(catalogue.for_context(plan, context.context_tokens)),
        None => Page::default(),
    }
}

/// How much of each entry is shown.
#[derive(Clone, Copy)]
struct Shape {
    format: PromptFormat,
    limit: Option<usize>,
}

impl Shape {
    const FULL: Self = Self { format: PromptFormat::Full, limit: None };
    const OMITTED: Self = Self { format: PromptFormat::CompactOmitted, limit: None };

    const fn shortened(limit: usize) -> Self {
        Self { format: PromptFormat::CompactShortened, limit: Some(limit) }
    }
}

/// What goes into the text.
#[derive(Clone, Copy)]
struct Plan {
    count: usize,
    shape: Shape,
    with_note: bool,
}

/// The entries that the count allows. What they measure is found out when it is asked for.
struct Catalogue<'a> {
    entries: &'a [&'a PromptEntry],
    total: usize,
    wording: &'a Wording,
    max_chars: usize,
    audit: &'a str,
    remote_note: Option<&'a str>,
    note_last: bool,
    /// Units of the first entries without descriptions; one more than there are entries.
    bare: OnceCell<Vec<usize>>,
    /// Units of the first full entries.
    full: OnceCell<Vec<usize>>,
    /// Descriptions in one line, ready to be cut.
    collapsed: OnceCell<Vec<String>>,
}

impl<'a> Catalogue<'a> {
    fn new(
        entries: &'a [&'a PromptEntry],
        wording: &'a Wording,
        rules: &PromptRules,
        context: &'a PromptContext,
    ) -> Self {
        let allowed = &entries[..entries.len().min(rules.budget.max_skills)];
        let remote_note = context.remote_note.as_deref().map(str::trim);
        Self {
            entries: allowed,
            total: entries.len(),
            wording,
            max_chars: rules.budget.max_chars,
            audit: &context.audit_command,
            note_last: context.note_last,
            remote_note: remote_note.filter(|note| !note.is_empty()),
            bare: OnceCell::new(),
            full: OnceCell::new(),
            collapsed: OnceCell::new(),
        }
    }

    fn running_lengths(&self, shape: Shape) -> Vec<usize> {
        let mut sum = 0;
        let lengths = (0..self.entries.len()).map(|place| {
            sum += self.entry_length(place, shape);
            sum
        });
        std::iter::once(0).chain(lengths).collect()
    }

    /// The largest prefix of full entries.
    fn plan_prefix(&self) -> Option<Plan> {
        let plan = |with_note| {
            let count = self.largest_prefix(Shape::FULL, with_note)?;
            Some(Plan { count, shape: Shape::FULL, with_note })
        };
        plan(true).or_else(|| plan(false))
    }

    /// Everything in full, else descriptions go before skills do.
    fn plan_compact(&self) -> Option<Plan> {
        let all = self.entries.len();
        let full = |with_note| Plan { count: all, shape: Shape::FULL, with_note };
        if all > 0 && self.fits(full(true)) {
            return Some(full(true));
        }
        let (count, with_note) = match self.largest_prefix(Shape::OMITTED, true) {
            Some(count) => (count, true),
            None if all > 0 && self.fits(full(false)) => return Some(full(false)),
            None => (self.largest_prefix(Shape::OMITTED, false)?, false),
        };
        let shortened = |limit| Plan { count, shape: Shape::shortened(limit), with_note };
        let limit = largest(BUDGET_LIMITS, |limit| self.fits(shortened(limit)));
        Some(limit.map_or(Plan { count, shape: Shape::OMITTED, with_note }, shortened))
    }

    fn largest_prefix(&self, shape: Shape, with_note: bool) -> Option<usize> {
        largest(1..=self.entries.len(), |count| self.fits(Plan { count, shape, with_note }))
    }

    /// Cuts descriptions further where the whole would take too much of the model's context.
    fn for_context(&self, plan: Plan, context_tokens: Option<usize>) -> Plan {
        let share = context_tokens.filter(|&tokens| tokens > 0).map(|tokens| tokens / CONTEXT_SHARE);
        let Some(share) = share.filter(|&share| self.length_with_remote(plan) > share) else {
            return plan;
        };
        let cut = |limit: usize| {
            let limit = plan.shape.limit.map_or(limit, |already| already.min(limit));
            Plan { shape: Shape { limit: Some(limit), ..plan.shape }, ..plan }
        };
        let fits = |limit| self.length_with_remote(cut(limit)) <= share;
        let cut = cut(largest(CONTEXT_LIMITS, fits).unwrap_or(*CONTEXT_LIMITS.start()));
        if self.length(cut) < self.length(plan) { cut } else { plan }
    }

    fn fits(&self, plan: Plan) -> bool {
        self.length(plan) <= self.max_chars
    }

    /// Units of the text without the note about other machines, which yields to everything else.
    fn length(&self, plan: Plan) -> usize {
        let Plan { count, shape, .. } = plan;
        let entries = match (shape.format, shape.limit) {
            (PromptFormat::CompactOmitted, _) => self.bare.get_or_init(|| self.running_lengths(shape))[count],
            (PromptFormat::Full, None) => self.full.get_or_init(|| self.running_lengths(shape))[count],
            _ => (0..count).map(|place| self.entry_length(place, shape)).sum(),
        };
        let note = self.note(plan).map_or(0, |note| utf16_len(&note) + 1);
        note + utf16_len(self.wording.rules(shape.format)) + FRAME + entries
    }

    fn length_with_remote(&self, plan: Plan) -> usize {
        let remote = self.remote_note_for(plan).map_or(0, |note| utf16_len(note) + 1);
        remote + self.length(plan)
    }

    fn note(&self, plan: Plan) -> Option<String> {
        let note = || self.wording.note(plan.count, self.total, plan.shape.format, self.audit);
        plan.with_note.then(note).flatten()
    }

    fn remote_note_for(&self, plan: Plan) -> Option<&'a str> {
        let room = self.max_chars.saturating_sub(self.length(plan));
        self.remote_note.filter(|note| utf16_len(note) < room)
    }

    fn entry_length(&self, place: usize, shape: Shape) -> usize {
        let mut text = String::new();
        self.push_entry(&mut text, place, shape);
        utf16_len(&text)
    }

    fn push_entry(&self, out: &mut String, place: usize, shape: Shape) {
        let entry = self.entries[place];
        let description = self.description(place, shape);
        let shown = Shown {
            name: &entry.name,
            description: description.as_deref(),
            location: &entry.location,
            location_note: entry.location_note.as_deref(),
        };
        xml::push_skill(out, &shown, XmlEscaping::Xml);
    }

    fn collapsed(&self, place: usize) -> &str {
        let collapse = || {
            let descriptions = self.entries.iter().map(|entry| collapse_blanks(&entry.description));
            descriptions.collect()
        };
        &self.collapsed.get_or_init(collapse)[place]
    }

    fn description(&self, place: usize, shape: Shape) -> Option<Cow<'_, str>> {
        if self.entries[place].mode == OfferMode::NameOnly {
            return None;
        }
        match (shape.format, shape.limit) {
            (PromptFormat::CompactOmitted, _) => None,
            (_, None) => Some(Cow::Borrowed(&self.entries[place].description)),
            (format, Some(limit)) => {
                let text = shorten_utf16(self.collapsed(place), limit);
                let is_worth_a_line = format == PromptFormat::Full || !text.is_empty();
                is_worth_a_line.then_some(Cow::Owned(text))
            }
        }
    }

    fn write(&self, plan: Plan) -> Page {
        let Plan { count, shape, .. } = plan;
        let note = self.note(plan);
        let remote = self.remote_note_for(plan);
        let rules = self.wording.rules(shape.format);
        let mut text = String::new();
        if let Some(remote) = remote {
            xml::push_all(&mut text, &[remote, "\n"]);
        }
        let note_line = |is_here: bool| match note.as_deref().filter(|_| is_here) {
            Some(note) => [note, "\n"],
            None => ["", ""],
        };
        let on_top = self.wording.note_on_top;
        xml::push_all(&mut text, &note_line(on_top && !self.note_last));
        text.push_str(rules);
        xml::push_all(&mut text, &note_line(!on_top && !self.note_last));
        xml::push_all(&mut text, &[xml::OPEN, "\n"]);
        for place in 0..count {
            self.push_entry(&mut text, place, shape);
        }
        text.push_str(xml::CLOSE);
        if let Some(note) = note.as_deref().filter(|_| self.note_last) {
            xml::push_all(&mut text, &["\n", note]);
        }
        Page { text, count, format: shape.format, note, description_limit: shape.limit }
    }
}
