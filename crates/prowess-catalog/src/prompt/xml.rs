//! The `<available_skills>` element and the ways to escape what is in it.

/// Opens the element.
pub(super) const OPEN: &str = "<available_skills>";
/// Closes the element.
pub(super) const CLOSE: &str = "</available_skills>";

/// Which characters are escaped, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escaping {
    /// The five of XML.
    Xml,
    /// All but the apostrophe, as OpenPocket does.
    KeepApostrophe,
    /// As Python's `html.escape` does.
    Html,
}

impl Escaping {
    /// Appends `text` so that it cannot end or open a tag.
    pub(super) fn push(self, out: &mut String, text: &str) {
        let mut rest = text;
        while let Some((plain, entity, after)) = self.next_special(rest) {
            push_all(out, &[plain, entity]);
            rest = after;
        }
        out.push_str(rest);
    }

    /// What stands before the first character to escape, its entity, and what stands after it.
    fn next_special(self, text: &str) -> Option<(&str, &'static str, &str)> {
        let special = |byte: u8| match (byte, self) {
            (b'&', _) => Some("&amp;"),
            (b'<', _) => Some("&lt;"),
            (b'>', _) => Some("&gt;"),
            (b'"', _) => Some("&quot;"),
            (b'\'', Self::Xml) => Some("&apos;"),
            (b'\'', Self::Html) => Some("&#x27;"),
            _ => None,
        };
        let found = |(place, byte)| special(byte).map(|entity| (place, entity));
        let (place, entity) = text.bytes().enumerate().find_map(found)?;
        Some((&text[..place], entity, &text[place + 1..]))
    }
}

/// One skill as it is shown.
pub(super) struct Shown<'a> {
    pub(super) name: &'a str,
    pub(super) description: Option<&'a str>,
    pub(super) location: &'a str,
    pub(super) location_note: Option<&'a str>,
}

/// Appends one `<skill>` of the indented element, line break included.
pub(super) fn push_skill(out: &mut String, skill: &Shown<'_>, escaping: Escaping) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_escape() {
        let table = [
            (Escaping::Xml, "a&amp;b&lt;c&gt;&quot;d&quot;&apos;e&apos;&amp;amp;"),
            (Escaping::KeepApostrophe, "a&amp;b&lt;c&gt;&quot;d&quot;'e'&amp;amp;"),
            (Escaping::Html, "a&amp;b&lt;c&gt;&quot;d&quot;&#x27;e&#x27;&amp;amp;"),
        ];
        for (escaping, expected) in table {
            let mut out = String::new();
            escaping.push(&mut out, "a&b<c>\"d\"'e'&amp;");
            assert_eq!(out, expected, "{escaping:?}");
        }
    }
}
