//! The bare element that `skills-ref to-prompt` prints: every tag and every value on its own line.

use prowess_text::{XmlEscaping, utf16_len};
use prowess_types::{Budget, OfferMode};

use super::xml;
use super::{Page, PromptEntry};

pub(super) fn render(entries: &[&PromptEntry], budget: Budget) -> Page {
    let mut text = format!("{}\n", xml::OPEN);
    let Some(mut room) = budget.max_chars.checked_sub(text.len() + xml::CLOSE.len()) else {
        return Page::default();
    };
    let mut count = 0;
    for entry in entries.iter().take(budget.max_skills) {
        let skill = skill(entry);
        let Some(left) = room.checked_sub(utf16_len(&skill)) else {
            break;
        };
        room = left;
        text.push_str(&skill);
        count += 1;
    }
    text.push_str(xml::CLOSE);
    Page { text, count, ..Page::default() }
}

fn skill(entry: &PromptEntry) -> String {
    let mut out = String::from("<skill>\n");
    let mut tag = |name: &str, value: &str| {
        xml::push_all(&mut out, &["<", name, ">\n"]);
        XmlEscaping::Html.push(&mut out, value);
        xml::push_all(&mut out, &["\n</", name, ">\n"]);
    };
    tag("name", &entry.name);
    if entry.mode != OfferMode::NameOnly {
        tag("description", &entry.description);
    }
    tag("location", &entry.location);
    out.push_str("</skill>\n");
    out
}
