//! From byte offsets to lines and columns.

/// Where each line of a text starts.
pub(crate) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1));
        Self { starts }
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

    /// Where a line starts.
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
