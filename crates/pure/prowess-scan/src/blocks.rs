//! Cuts a text into blocks: the pieces within which words belong together.
//!
//! A block is a paragraph, a list item, a table row, a fenced block, a comment, or a stanza of a script. Blocks
//! under one heading form a section. Both are bounded in size, so that whatever is done per block stays linear.

use std::ops::Range;

use crate::file::TextKind;
use crate::lines::line_ends;

/// No block is longer than this many bytes.
const BLOCK_LIMIT: usize = 4096;
/// No section is longer than this many bytes.
const SECTION_LIMIT: usize = 6144;
/// A stanza of a script ends after this many lines.
const STANZA_LINES: usize = 40;
/// A section of a script holds this many lines.
const SCRIPT_SECTION_LINES: usize = 120;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Paragraph, list item, heading or table row.
    Prose,
    /// Fenced or indented code in Markdown.
    Code,
    /// A comment: there for the agent, not shown to the person.
    Hidden,
    /// Frontmatter.
    Front,
    /// Part of a program.
    Script,
    /// Part of a data file.
    Data,
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const ANY: Self = Self(0b11_1111);
    /// What is meant to be read: everything but programs and fenced code.
    pub(crate) const READ: Self = Self::of(&[Kind::Prose, Kind::Hidden, Kind::Front, Kind::Data]);
    /// What is meant to be run.
    pub(crate) const RUN: Self = Self::of(&[Kind::Code, Kind::Script]);
    /// What people read too.
    pub(crate) const PROSE: Self = Self::of(&[Kind::Prose, Kind::Hidden]);
    pub(crate) const HIDDEN: Self = Self::of(&[Kind::Hidden]);
    pub(crate) const SCRIPT: Self = Self::of(&[Kind::Script]);
    pub(crate) const CODE: Self = Self::of(&[Kind::Code]);
    pub(crate) const FRONT: Self = Self::of(&[Kind::Front]);
    pub(crate) const DATA: Self = Self::of(&[Kind::Data]);

    pub(crate) const fn of(kinds: &[Kind]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < kinds.len() {
            bits |= 1 << kinds[at] as u8;
            at += 1;
        }
        Self(bits)
    }

    pub(crate) const fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) range: Range<usize>,
    pub(crate) kind: Kind,
    pub(crate) section: u32,
}

/// All blocks of a text, in order; together with blank lines and fences they cover it.
pub(crate) fn blocks(text: &str, kind: TextKind) -> Vec<Block> {
    let mut cutter = Cutter {
        text,
        blocks: Vec::new(),
        section: 0,
        section_start: 0,
        open: None,
        has_comments: text.contains("<!--"),
    };
    match kind {
        TextKind::Markdown => cutter.markdown(),
        TextKind::Script => cutter.stanzas(Kind::Script),
        TextKind::Data => cutter.stanzas(Kind::Data),
    }
    cutter.blocks
}

/// What a line of Markdown continues.
enum Inside {
    Text,
    Front,
    /// A fence, of which mark and how many.
    Fence(u8, usize),
    Comment,
}

struct Cutter<'t> {
    text: &'t str,
    blocks: Vec<Block>,
    section: u32,
    section_start: usize,
    open: Option<(usize, Kind)>,
    has_comments: bool,
}

/// Lines with their ends, as ranges.
fn line_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let rest = (!text.ends_with('\n') && !text.is_empty()).then_some(text.len());
    line_ends(text).chain(rest).map(move |end| std::mem::replace(&mut start, end)..end)
}

impl Cutter<'_> {
    fn close(&mut self, end: usize) {
        if let Some((start, kind)) = self.open.take() {
            self.push(start..end, kind);
        }
    }

    fn push(&mut self, range: Range<usize>, kind: Kind) {
        let mut start = range.start;
        while start < range.end {
            let mut end = range.end.min(start + BLOCK_LIMIT);
            while !self.text.is_char_boundary(end) {
                end -= 1;
            }
            if end - self.section_start > SECTION_LIMIT && kind != Kind::Script {
                self.next_section(start);
            }
            self.blocks.push(Block { range: start..end, kind, section: self.section });
            start = end;
        }
    }

    fn next_section(&mut self, start: usize) {
        self.section += 1;
        self.section_start = start;
    }

    fn stanzas(&mut self, kind: Kind) {
        let mut lines = 0;
        for (count, range) in line_ranges(self.text).enumerate() {
            if count % SCRIPT_SECTION_LINES == SCRIPT_SECTION_LINES - 1 {
                self.close(range.start);
                self.next_section(range.start);
            }
            if self.text[range.clone()].trim_ascii().is_empty() || lines >= STANZA_LINES {
                self.close(range.start);
                lines = 0;
            }
            if !self.text[range.clone()].trim_ascii().is_empty() {
                self.open.get_or_insert((range.start, kind));
                lines += 1;
            }
        }
        self.close(self.text.len());
    }

    fn markdown(&mut self) {
        let mut inside = Inside::Text;
        for (count, range) in line_ranges(self.text).enumerate() {
            let bare = self.text[range.clone()].trim_ascii();
            inside = match inside {
                Inside::Text if count == 0 && bare.trim_start_matches('\u{feff}') == "---" => {
                    self.open = Some((range.start, Kind::Front));
                    Inside::Front
                }
                Inside::Text => self.text_line(range, bare),
                Inside::Front => self.front_line(range, bare),
                Inside::Fence(mark, width) => self.fence_line(range, bare, mark, width),
                Inside::Comment => self.comment_line(range),
            };
        }
        self.close(self.text.len());
    }

    fn front_line(&mut self, range: Range<usize>, bare: &str) -> Inside {
        if bare.starts_with('#') {
            self.close(range.start);
            self.push(range, Kind::Hidden);
            return Inside::Front;
        }
        if starts_value(bare) {
            self.close(range.start);
        }
        self.open.get_or_insert((range.start, Kind::Front));
        if bare != "---" {
            return Inside::Front;
        }
        self.close(range.end);
        Inside::Text
    }

    fn fence_line(&mut self, range: Range<usize>, bare: &str, mark: u8, width: usize) -> Inside {
        self.open.get_or_insert((range.start, Kind::Code));
        if bare.len() < width || !bare.bytes().all(|byte| byte == mark) {
            return Inside::Fence(mark, width);
        }
        self.close(range.end);
        Inside::Text
    }

    fn comment_line(&mut self, range: Range<usize>) -> Inside {
        let Some(end) = self.text[range.clone()].find("-->").map(|found| range.start + found + 3) else {
            return Inside::Comment;
        };
        self.close(end);
        self.open = Some((end, Kind::Prose));
        Inside::Text
    }

    fn text_line(&mut self, range: Range<usize>, bare: &str) -> Inside {
        match bare.as_bytes().first() {
            None => {
                self.close(range.start);
                return Inside::Text;
            }
            Some(b'`' | b'~') => {
                if let Some((mark, width)) = fence_of(bare) {
                    self.close(range.start);
                    self.open = Some((range.start, Kind::Code));
                    return Inside::Fence(mark, width);
                }
            }
            Some(b'#') if is_heading(bare) => {
                self.close(range.start);
                self.next_section(range.start);
                self.push(range, Kind::Prose);
                return Inside::Text;
            }
            Some(b'[') if is_link_comment(bare) => {
                self.close(range.start);
                self.push(range, Kind::Hidden);
                return Inside::Text;
            }
            Some(b'-' | b'*' | b'+' | b'|' | b'0'..=b'9') if starts_item(bare) => self.close(range.start),
            Some(_) => {}
        }
        if self.prose_line(range) { Inside::Comment } else { Inside::Text }
    }

    /// Prose with comments inside; says whether a comment is still open at its end.
    fn prose_line(&mut self, range: Range<usize>) -> bool {
        let mut at = range.start;
        if !self.has_comments {
            self.open.get_or_insert((at, Kind::Prose));
            return false;
        }
        while let Some(start) = self.text[at..range.end].find("<!--").map(|found| at + found) {
            if start > at {
                self.open.get_or_insert((at, Kind::Prose));
            }
            self.close(start);
            let Some(end) = self.text[start..range.end].find("-->").map(|found| start + found + 3) else {
                self.open = Some((start, Kind::Hidden));
                return true;
            };
            self.push(start..end, Kind::Hidden);
            at = end;
        }
        if at < range.end && !self.text[at..range.end].trim().is_empty() {
            self.open.get_or_insert((at, Kind::Prose));
        }
        false
    }
}

fn fence_of(bare: &str) -> Option<(u8, usize)> {
    let mark = *bare.as_bytes().first()?;
    let width = bare.bytes().take_while(|byte| *byte == mark).count();
    let inline = mark == b'`' && bare[width..].contains('`');
    (width >= 3 && !inline).then_some((mark, width))
}

fn is_heading(bare: &str) -> bool {
    let hashes = bare.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&hashes) && bare.as_bytes().get(hashes).is_none_or(|byte| *byte == b' ')
}

/// `[//]: # (text)`, the comment that no renderer shows.
fn is_link_comment(bare: &str) -> bool {
    bare.split_once("]:").is_some_and(|(_, rest)| {
        let rest = rest.trim_start();
        rest.starts_with("# ") || rest.starts_with("<> ") || rest.starts_with("#(") || rest.starts_with("<>(")
    })
}

/// A key or an item of frontmatter: what follows belongs together, and not to what was before.
fn starts_value(bare: &str) -> bool {
    let key =
        bare.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-. \"'".contains(byte)).count();
    bare.starts_with("- ") || (key > 0 && bare.as_bytes().get(key) == Some(&b':'))
}

fn starts_item(bare: &str) -> bool {
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    bare.starts_with("- ")
        || bare.starts_with("* ")
        || bare.starts_with("+ ")
        || bare.starts_with('|')
        || (digits > 0 && matches!(bare.as_bytes().get(digits), Some(b'.' | b')')))
}
