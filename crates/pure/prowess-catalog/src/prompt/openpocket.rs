//! OpenPocket's index: entries up to a cap, in a section of five rules.
//!
//! The cap counts the entries only. The first entry is always there, even if it alone is larger, and the
//! list stops at the first entry that does not fit; nothing after it is tried.

use prowess_text::{XmlEscaping, utf16_len};
use prowess_types::{Budget, OfferMode};

use super::xml::{self, Shown};
use super::{Page, PromptEntry};

/// Smaller caps would leave no room for one entry.
const LEAST_CHARS: usize = 200;

/// More phrases than this make a description unreadable.
const MAX_HINTS: usize = 8;

const RULES: &str = "\
## Skills
Before you act, go through the whole index of skills below.
- One skill clearly fits the task: open the file at its location with `read`, then do as it says.
- Several could fit: take the most specific one, and open only that.
- No skill clearly fits: open none of the files.
- Never open more than one skill file in advance.
";

pub(super) fn render(entries: &[&PromptEntry], budget: Budget) -> Page {
    let max_chars = budget.max_chars.max(LEAST_CHARS);
    let mut index = String::new();
    let mut chars = 0;
    let mut count = 0;
    for entry in entries.iter().take(budget.max_skills.max(1)) {
        let text = skill(entry);
        // The joined entries have no line break at the end.
        let with_this = chars + utf16_len(&text);
        if count > 0 && with_this - 1 > max_chars {
            break;
        }
        index.push_str(&text);
        chars = with_this;
        count += 1;
    }
    if count == 0 {
        return Page::default();
    }
    Page { text: format!("{RULES}{}\n{index}{}", xml::OPEN, xml::CLOSE), count, ..Page::default() }
}

fn skill(entry: &PromptEntry) -> String {
    let described = match (entry.mode, hints(entry)) {
        (OfferMode::NameOnly, _) => None,
        (_, hints) if hints.is_empty() => Some(entry.description.clone()),
        (_, hints) => Some(format!("{} Trigger hints: {}", entry.description, hints.join("; "))),
    };
    let mut out = String::new();
    let shown = Shown {
        name: &entry.name,
        description: described.as_deref(),
        location: &entry.location,
        location_note: entry.location_note.as_deref(),
    };
    xml::push_skill(&mut out, &shown, XmlEscaping::KeepApostrophe);
    out
}

fn hints(entry: &PromptEntry) -> Vec<&str> {
    let mut hints = Vec::new();
    for hint in entry.hints.iter().map(|hint| hint.trim()) {
        if !hint.is_empty() && !hints.contains(&hint) {
            hints.push(hint);
        }
    }
    hints.truncate(MAX_HINTS);
    hints
}

#[cfg(test)]
#[path = "openpocket_tests.rs"]
mod tests;
