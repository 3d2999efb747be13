//! The `<available_skills>` element and its entries.

use prowess_text::XmlEscaping;

/// Opens the element.
pub(super) const OPEN: &str = "<available_skills>";
/// Closes the element.
pub(super) const CLOSE: &str = "</available_skills>";

/// One skill as it is shown.
pub(super) struct Shown<'a> {
    pub(super) name: &'a str,
    pub(super) description: Option<&'a str>,
    pub(super) location: &'a str,
    pub(super) location_note: Option<&'a str>,
}

/// Appends one `<skill>` of the indented element, line break included.
pub(super) fn push_skill(out: &mut String, skill: &Shown<'_>, escaping: XmlEscaping) {
    out.push_str("  <skill>\n");
    let mut line = |tag: &str, text: &str| {
        push_all(out, &["    <", tag, ">"]);
        escaping.push(out, text);
        push_all(out, &["</", tag, ">\n"]);
    };
    line("name", skill.name);
    if let Some(description) = skill.description {
        line("description", description);
    }
    line("location", skill.location);
    if let Some(note) = skill.location_note {
        line("location_note", note);
    }
    out.push_str("  </skill>\n");
}

/// Appends several pieces.
pub(super) fn push_all(out: &mut String, pieces: &[&str]) {
    for piece in pieces {
        out.push_str(piece);
    }
}
