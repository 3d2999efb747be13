//! From byte offsets to lines and columns.

/// Where each line of a text ends, its line feed included, eight bytes at a time: lines are short, so a search
/// that starts anew for each would mostly start.
pub(crate) fn line_ends(text: &str) -> impl Iterator<Item = usize> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let tail = words.len() * 8;
    let within = words.iter().enumerate().flat_map(move |(at, word)| {
        // The high bit of each byte that is a line feed, and of no other.
        let differs = u64::from_le_bytes(*word) ^ 0x0a0a_0a0a_0a0a_0a0a;
        let mut ends = !(((differs & !HIGH) + !HIGH) | differs) & HIGH;
        core::iter::from_fn(move || {
            let place = (ends != 0).then(|| at * 8 + ends.trailing_zeros() as usize / 8 + 1);
            ends &= ends.wrapping_sub(1);
            place
        })
    });
    let after = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(move |(at, _)| tail + at + 1);
    within.chain(after)
}

/// The offsets at which the lines of a text start.
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        Self { starts: [0].into_iter().chain(line_ends(text)).collect() }
    }

    /// Line (from 0) of an offset.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The bytes of a line, without its end.
    pub(crate) fn text<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let start = self.starts.get(line).copied().unwrap_or(text.len());
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// Returns the offset at which a line starts.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(0)
    }

    /// Line and column of an offset, both from 1, columns in characters.
    pub(crate) fn position(&self, text: &str, offset: usize) -> (u32, u32) {
        let line = self.line_of(offset);
        let column = text.get(self.start(line)..offset).map_or(0, |before| before.chars().count());
        (number(line + 1), number(column + 1))
    }
}

/// Saturating, because places are for people.
pub(crate) fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
