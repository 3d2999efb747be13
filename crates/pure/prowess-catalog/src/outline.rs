//! The map of a text that is too long to be given whole: its sections, their sizes, and its beginning.

use std::ops::RangeInclusive;

use prowess_text::{collapse_blanks, shorten_utf16, utf16_len};

/// More sections make a map unreadable; deeper headings are given up first.
const MAX_SECTIONS: usize = 40;
/// The longest title that is shown, in UTF-16 units.
const MAX_TITLE: usize = 80;

/// A part of a text, from one heading to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The depth of its heading, from 1; 0 for what stands before the first heading.
    pub level: usize,
    /// The words of its heading; empty for what stands before the first heading.
    pub title: String,
    /// Its lines in the file, counted from 1.
    pub lines: RangeInclusive<usize>,
    /// Its length in UTF-16 units.
    pub chars: usize,
}

/// The sections of a Markdown text whose first line has the number `first_line`. Lines in code blocks are not headings.
///
/// ```
/// # use prowess_catalog::outline;
/// let sections = outline("Intro\n# One\ntext\n```sh\n# a comment\n```\n## Two\n", 5);
/// let shown: Vec<_> = sections.iter().map(|section| (section.title.as_str(), section.lines.clone())).collect();
/// assert_eq!(shown, [("", 5..=5), ("One", 6..=10), ("Two", 11..=11)]);
/// ```
pub fn outline(text: &str, first_line: usize) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    for (place, line) in text.split_inclusive('\n').enumerate() {
        let number = first_line + place;
        let heading = heading(line).filter(|_| fence.is_none());
        fence = fence_after(fence, line);
        let chars = utf16_len(line);
        match (heading, sections.last_mut()) {
            (None, Some(section)) => {
                section.lines = *section.lines.start()..=number;
                section.chars += chars;
            }
            (heading, _) => {
                let (level, title) = heading.unwrap_or((0, ""));
                let title = shorten_utf16(&collapse_blanks(title), MAX_TITLE);
                sections.push(Section { level, title, lines: number..=number, chars });
            }
        }
    }
    within(sections)
}

/// Joins the deepest sections with those before them until few enough are left.
fn within(mut sections: Vec<Section>) -> Vec<Section> {
    while sections.len() > MAX_SECTIONS {
        let Some(deepest) = sections.iter().skip(1).map(|section| section.level).max() else { break };
        let is_last_resort = sections.iter().skip(1).all(|section| section.level == deepest);
        let mut joined: Vec<Section> = Vec::new();
        for section in sections {
            match joined.last_mut() {
                Some(before) if section.level == deepest && !(is_last_resort && before.chars >= 4_000) => {
                    before.lines = *before.lines.start()..=*section.lines.end();
                    before.chars += section.chars;
                }
                _ => joined.push(section),
            }
        }
        sections = joined;
        if is_last_resort {
            break;
        }
    }
    sections
}

/// The depth and the words of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let line = line.trim();
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = &line[level..];
    let is_heading =
        indent < 4 && (1..=6).contains(&level) && (title.is_empty() || title.starts_with([' ', '\t']));
    is_heading.then(|| (level, title.trim().trim_end_matches('#').trim_end()))
}

/// The code block that is open after a line: its mark and the length of that.
fn fence_after(open: Option<(char, usize)>, line: &str) -> Option<(char, usize)> {
    let line = line.trim();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'));
    let length = mark.map_or(0, |mark| line.chars().take_while(|char| *char == mark).count());
    match (open, mark) {
        (None, Some(mark)) if length >= 3 => Some((mark, length)),
        (Some((mark, least)), Some(closing))
            if closing == mark && length >= least && line.len() == length =>
        {
            None
        }
        (open, _) => open,
    }
}

/// A beginning of a text that has at most `room` UTF-16 units: whole sections where one fits, else whole lines. Gives
/// the number of its lines and their bytes.
pub fn beginning<'a>(text: &'a str, sections: &[Section], room: usize) -> (usize, &'a str) {
    let first = sections.first().map_or(1, |section| *section.lines.start());
    let (mut lines, mut bytes, mut chars) = (0, 0, 0);
    let mut whole = (0, 0);
    let ends: Vec<usize> = sections.iter().map(|section| *section.lines.end()).collect();
    for line in text.split_inclusive('\n') {
        chars += utf16_len(line);
        if chars > room {
            break;
        }
        lines += 1;
        bytes += line.len();
        if ends.contains(&(first + lines - 1)) {
            whole = (lines, bytes);
        }
    }
    let (lines, bytes) = if whole.0 > 0 { whole } else { (lines, bytes) };
    (lines, &text[..bytes])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_what_looks_like_them() {
        let table = [
            ("# One\n", Some((1, "One"))),
            ("### Three ###\n", Some((3, "Three"))),
            ("#hashtag\n", None),
            ("####### seven\n", None),
            ("    # code\n", None),
            ("#\n", Some((1, ""))),
        ];
        for (line, expected) in table {
            assert_eq!(heading(line), expected, "{line}");
        }
    }

    #[test]
    fn every_line_belongs_to_one_section() {
        let parts = (0..300).map(|number| format!("{} Part {number}\ntext\n", "#".repeat(number % 4 + 1)));
        let text = parts.collect::<Vec<_>>().concat();
        let sections = outline(&text, 10);
        assert!(sections.len() <= 2 * MAX_SECTIONS, "{}", sections.len());
        assert_eq!(*sections[0].lines.start(), 10);
        assert!(sections.windows(2).all(|pair| pair[0].lines.end() + 1 == *pair[1].lines.start()));
        assert_eq!(*sections.last().expect("one").lines.end(), 609);
        assert_eq!(sections.iter().map(|section| section.chars).sum::<usize>(), utf16_len(&text));
    }

    #[test]
    fn a_beginning_ends_with_a_section_or_with_a_line() {
        let text = "# A\naaaa\n# B\nbbbb\n# C\ncccc\n";
        let sections = outline(text, 1);
        assert_eq!(beginning(text, &sections, 20), (4, "# A\naaaa\n# B\nbbbb\n"));
        assert_eq!(beginning(text, &sections, 5), (1, "# A\n"));
        assert_eq!(beginning(text, &sections, 1), (0, ""));
        assert_eq!(beginning("one long line", &outline("one long line", 1), 5), (0, ""));
    }
}
