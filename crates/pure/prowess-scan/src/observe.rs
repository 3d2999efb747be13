//! One pass over a text finds where signals may be; each is looked at only when a rule asks for it.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::blocks::{Block, Kind, Kinds, blocks};
use crate::file::TextKind;
use crate::lexicon::lexicon;
use crate::lines::Lines;
use crate::rules::words;
use crate::signal::{Signal, compile};

/// Bytes that are searched with patterns per text, in multiples of its length. An honest text needs far less.
const EFFORT: usize = 64;
/// What every text may use.
const LEAST_EFFORT: usize = 1 << 20;
/// Matches of one signal in one block that are looked at to find one that is meant.
const MATCHES_PER_BLOCK: usize = 32;
/// Text before and after a match in which it may be warned against.
const BEFORE: usize = 200;
const AFTER: usize = 140;

/// A signal at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sighting {
    pub(crate) block: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// It is meant, not warned against in its own sentence.
    pub(crate) is_meant: bool,
}

/// Hashes small numbers that nobody outside can choose.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// What may be seen in one text.
#[derive(Default)]
pub(crate) struct Observed<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) blocks: Vec<Block>,
    /// Blocks in which a cue occurs, by signal, in order.
    candidates: Vec<usize>,
    /// The index of the first candidate of each signal; empty if there are none at all.
    starts: Vec<usize>,
    /// Hidden blocks are few, and looked at for everything.
    open: Vec<usize>,
    seen: RefCell<HashMap<u64, Option<Sighting>, BuildHasherDefault<Mixer>>>,
    effort: Cell<usize>,
    lines: OnceCell<Lines>,
}

impl<'t> Observed<'t> {
    /// Observes a text.
    pub(crate) fn new(text: Cow<'t, str>, kind: TextKind) -> Self {
        let (blocks, found) = survey(&text, kind);
        let mut observed = Self { text, blocks, ..Self::default() };
        observed.index(&found);
        observed.open = observed.hidden();
        observed
    }

    /// Keeps what was found, which comes in the order of signals.
    fn index(&mut self, found: &[(Signal, usize)]) {
        self.candidates = found.iter().map(|(_, block)| *block).collect();
        self.starts = Vec::with_capacity(found.last().map_or(0, |(last, _)| usize::from(last.0) + 2));
        for (at, (signal, _)) in found.iter().enumerate() {
            while self.starts.len() <= usize::from(signal.0) {
                self.starts.push(at);
            }
        }
        self.starts.push(found.len());
    }

    /// The blocks in which a signal may be.
    pub(crate) fn candidates(&self, signal: Signal) -> &[usize] {
        let signal = usize::from(signal.0);
        match (self.starts.get(signal), self.starts.get(signal + 1)) {
            (Some(start), Some(end)) => &self.candidates[*start..*end],
            _ => &[],
        }
    }

    /// Returns true if a signal may be in a range of blocks, as far as cues tell.
    pub(crate) fn may_be_within(&self, signal: Signal, range: &Range<usize>) -> bool {
        let reaches = |blocks: &[usize]| {
            let next = blocks.partition_point(|block| *block < range.start);
            blocks.get(next).is_some_and(|block| *block < range.end)
        };
        !lexicon().is_anchor(signal) || reaches(self.candidates(signal)) || reaches(&self.open)
    }

    /// Returns true if a cue of a signal occurs anywhere.
    pub(crate) fn hints_at(&self, signal: Signal) -> bool {
        !self.candidates(signal).is_empty()
    }

    /// Returns true if there is nothing to look at.
    pub(crate) fn is_empty(&self) -> bool {
        self.candidates.is_empty() && self.open.is_empty()
    }

    /// Returns the offsets at which its lines start.
    pub(crate) fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::new(&self.text))
    }

    /// The text of a block.
    pub(crate) fn slice(&self, block: usize) -> &str {
        &self.text[self.blocks[block].range.clone()]
    }

    /// Bytes that were looked at, each as often as it was.
    pub(crate) fn examined(&self) -> usize {
        self.text.len() + self.effort.get()
    }

    /// Returns true if patterns were tried for longer than any honest text needs.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.effort.get() > LEAST_EFFORT.max(self.text.len().saturating_mul(EFFORT))
    }

    /// Whether a signal is in a block, and where.
    pub(crate) fn sight(&self, signal: Signal, block: usize) -> Option<Sighting> {
        if self.blocks[block].kind != Kind::Hidden && lexicon().is_anchor(signal) {
            self.candidates(signal).binary_search(&block).ok()?;
        }
        let key = (block as u64) << 8 | u64::from(signal.0);
        if let Some(known) = self.seen.borrow().get(&key) {
            return *known;
        }
        let sighting = if self.is_exhausted() { None } else { self.look(signal, block) };
        self.seen.borrow_mut().insert(key, sighting);
        sighting
    }

    /// A signal in the blocks of some kinds within a range.
    pub(crate) fn sight_within(
        &self,
        signal: Signal,
        range: &Range<usize>,
        kinds: Kinds,
    ) -> impl Iterator<Item = Sighting> {
        let is_anchor = lexicon().is_anchor(signal);
        let range = range.clone();
        let blocks: Box<dyn Iterator<Item = usize>> = if is_anchor {
            let open = self.open.iter().copied();
            Box::new(
                self.candidates(signal)
                    .iter()
                    .copied()
                    .chain(open)
                    .filter(move |block| range.contains(block)),
            )
        } else {
            Box::new(range)
        };
        blocks
            .filter(move |block| kinds.contains(self.blocks[*block].kind))
            .filter_map(move |block| self.sight(signal, block))
    }

    fn look(&self, signal: Signal, block: usize) -> Option<Sighting> {
        let lexicon = lexicon();
        let Block { range, kind, .. } = &self.blocks[block];
        let slice = &self.text[range.clone()];
        self.effort.set(self.effort.get() + slice.len());
        let mut from = 0;
        let mut first = None;
        for _ in 0..MATCHES_PER_BLOCK {
            let Some((start, end)) = lexicon.find(signal, slice, from) else { break };
            self.effort.set(self.effort.get() + BEFORE + AFTER);
            let is_meant = !is_mention(slice, start, end, *kind);
            let sighting = Sighting { block, start: range.start + start, end: range.start + end, is_meant };
            if is_meant {
                return Some(sighting);
            }
            first.get_or_insert(sighting);
            from = end.max(start + 1);
            while !slice.is_char_boundary(from) {
                from += 1;
            }
            if from >= slice.len() {
                break;
            }
        }
        first
    }

    /// The blocks of the section around a block.
    pub(crate) fn section(&self, block: usize) -> Range<usize> {
        let section = self.blocks[block].section;
        let start = self.blocks.partition_point(|block| block.section < section);
        let end = self.blocks.partition_point(|block| block.section <= section);
        start..end
    }

    /// Returns true if what a block holds is shown as something to avoid: under a heading or lead-in that speaks of
    /// attacks.
    pub(crate) fn is_defended(&self, block: usize) -> bool {
        if self.blocks[block].kind == Kind::Hidden || self.blocks[block].kind == Kind::Script {
            return false;
        }
        (self.section(block).start..block).any(|lead| {
            let slice = self.slice(lead).trim();
            let leads = slice.starts_with('#') || slice.ends_with(':') || slice.ends_with(":**");
            leads && self.blocks[lead].kind == Kind::Prose && self.sight(words::DEFENCE, lead).is_some()
        })
    }

    /// Returns true if something stands there as an example: quoted, listed, in a table or in a fenced block.
    pub(crate) fn is_shown(&self, sighting: &Sighting) -> bool {
        let block = &self.blocks[sighting.block];
        let slice = self.slice(sighting.block).trim_start();
        let before = self.text[..sighting.start].chars().next_back();
        match block.kind {
            Kind::Code => true,
            Kind::Hidden | Kind::Script => false,
            Kind::Prose | Kind::Front | Kind::Data => {
                slice.starts_with(['-', '*', '+', '|', '>', '#'])
                    || slice.starts_with(|char: char| char.is_ascii_digit())
                    || before.is_some_and(|char| "\"'`“‘(*".contains(char))
            }
        }
    }

    /// Returns true if the user is asked in the same section.
    pub(crate) fn asks_first(&self, block: usize) -> bool {
        let section = self.section(block);
        self.sight_within(words::CONSENT, &section, Kinds::ANY)
            .any(|sighting| self.sight(words::NO_CONFIRM, sighting.block).is_none())
    }

    /// Returns true if it starts programs, fetches, or makes code: what an encoded text must not do.
    pub(crate) fn runs_something(&self) -> bool {
        let commands = [words::FETCH, words::SPAWN, words::DYNAMIC_CODE, words::SHELL_PROGRAM];
        commands
            .iter()
            .any(|signal| self.sight_within(*signal, &(0..self.blocks.len()), Kinds::ANY).next().is_some())
    }

    /// Treats the text as something that was hidden, not as a program.
    pub(crate) fn hide(&mut self) {
        for block in &mut self.blocks {
            block.kind = Kind::Hidden;
        }
        self.open = self.hidden();
    }

    /// The blocks that only the agent reads.
    pub(crate) fn hidden(&self) -> Vec<usize> {
        (0..self.blocks.len()).filter(|block| self.blocks[*block].kind == Kind::Hidden).collect()
    }
}

/// Cuts a text into blocks, and finds the cues in them.
fn survey(text: &str, kind: TextKind) -> (Vec<Block>, Vec<(Signal, usize)>) {
    let mut blocks_here: Vec<Block> = Vec::new();
    let mut candidates: Vec<(Signal, usize)> = Vec::new();
    // Data without any cue need not be cut.
    if kind != TextKind::Data {
        blocks_here = blocks(text, kind);
    }
    let mut near = 0;
    lexicon().cues.each(text, |start, end, signals| {
        if blocks_here.is_empty() {
            blocks_here = blocks(text, kind);
        }
        // Places come almost in order, so the block is the last one, or close to it.
        while near > 0 && blocks_here[near - 1].range.end >= end {
            near -= 1;
        }
        while blocks_here.get(near).is_some_and(|block| block.range.end < end) {
            near += 1;
        }
        if blocks_here.get(near).is_some_and(|block| block.range.start <= start) {
            candidates.extend(signals.iter().map(|signal| (*signal, near)));
        }
    });
    candidates.sort_unstable();
    candidates.dedup();
    (blocks_here, candidates)
}

static WARNS_BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| compile(words::WARNS_BEFORE).ok());
static WARNS_OTHERS: LazyLock<Option<Regex>> = LazyLock::new(|| compile(words::WARNS_OTHERS).ok());
static WARNS_AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| compile(words::WARNS_AFTER).ok());
static WARNS_NEXT: LazyLock<Option<Regex>> = LazyLock::new(|| compile(words::WARNS_NEXT).ok());
static URGES: LazyLock<Option<Regex>> = LazyLock::new(|| compile(words::URGES).ok());

/// Returns true if a match is warned against in its own sentence, or stands in a comment that does.
fn is_mention(block: &str, start: usize, end: usize, kind: Kind) -> bool {
    let (before, after) = match kind {
        Kind::Prose | Kind::Front | Kind::Data => {
            (sentence_until(block, start, end), sentence_after(block, end))
        }
        Kind::Code => (comment_before(block, start), ""),
        // Who hides text, or writes a program, means it.
        Kind::Hidden | Kind::Script => return false,
    };
    let says =
        |pattern: &Option<Regex>, text: &str| pattern.as_ref().is_some_and(|regex| regex.is_match(text));
    (says(&WARNS_BEFORE, before) && !says(&URGES, before))
        || says(&WARNS_OTHERS, before)
        || says(&WARNS_AFTER, after)
        || (kind != Kind::Code && says(&WARNS_NEXT, following(block, end)))
}

/// The sentence up to the first word of a match: `never send` needs both.
fn sentence_until(block: &str, start: usize, end: usize) -> &str {
    let floor = floor_boundary(block, start.saturating_sub(BEFORE));
    let word = block[start..end].find(|char: char| !char.is_alphanumeric()).unwrap_or(0);
    let before = &block[floor..start + word];
    let cut = [". ", "! ", "? ", ".\n", ";", "\n\n"]
        .iter()
        .filter_map(|end| before.rfind(end).map(|at| at + end.len()))
        .max()
        .unwrap_or(0);
    &before[cut..]
}

fn sentence_after(block: &str, end: usize) -> &str {
    let after = following(block, end);
    let cut = [". ", "! ", "? ", ".\n"].iter().filter_map(|end| after.find(end)).min().unwrap_or(after.len());
    &after[..cut]
}

/// What follows a match, as far as it can still be about it.
fn following(block: &str, end: usize) -> &str {
    &block[end..floor_boundary(block, block.len().min(end + AFTER))]
}

/// In code, only a comment on the line itself speaks.
fn comment_before(block: &str, start: usize) -> &str {
    let line = block[..start].rfind('\n').map_or(0, |at| at + 1);
    let before = &block[line..start];
    let is_comment = before.trim_start().starts_with(['#', '/', ';']) || before.contains(['❌', '✗']);
    if is_comment { before } else { "" }
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
