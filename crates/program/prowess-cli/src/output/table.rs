//! Tables that fit the terminal: one line per row, one column gives way.

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use super::{DIM, paint};

/// Blanks between columns.
const GAP: usize = 2;
/// The column that gives way never gets narrower than this.
const NARROWEST: usize = 16;

/// Text in one style. Styles are applied after widths are known, so they never count.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn styled(style: Style, text: impl Into<String>) -> Self {
        Self { text: text.into(), style }
    }

    pub(crate) fn painted(&self) -> String {
        paint(self.style, &self.text)
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::styled(Style::new(), text)
    }
}

/// A table that is built row by row.
pub(crate) struct Table {
    rows: Vec<Vec<Cell>>,
    /// The column that is cut where the terminal is too narrow.
    flexible: usize,
}

impl Table {
    pub(crate) fn new(headers: &[&str], flexible: usize) -> Self {
        let headers = headers.iter().map(|header| Cell::styled(DIM, *header)).collect();
        Self { rows: vec![headers], flexible }
    }

    pub(crate) fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.rows.push(cells.into());
    }

    pub(crate) fn text(&self) -> String {
        let widths = self.widths(columns());
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (index, cell) in row.iter().enumerate() {
                let shown = cut(&cell.text, widths[index]);
                let padding = widths[index].saturating_sub(shown.width());
                line += &if cell.style.is_plain() { shown } else { paint(cell.style, shown) };
                if index + 1 < row.len() {
                    line += &" ".repeat(padding + GAP);
                }
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    fn widths(&self, available: usize) -> Vec<usize> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let natural = |index: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(index));
            cells.map(|cell| first_line(&cell.text).width()).max().unwrap_or_default()
        };
        let mut widths: Vec<usize> = (0..count).map(natural).collect();
        let total = widths.iter().sum::<usize>() + GAP * count.saturating_sub(1);
        if total > available && self.flexible < count {
            let width = &mut widths[self.flexible];
            *width = width.saturating_sub(total - available).max(NARROWEST.min(*width));
        }
        widths
    }
}

/// Columns of the terminal; generous where there is none.
fn columns() -> usize {
    terminal_size::terminal_size().map_or(120, |(terminal_size::Width(columns), _)| usize::from(columns))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The start of a text, at most `width` columns wide.
fn cut(text: &str, width: usize) -> String {
    let line = first_line(text);
    if line.width() <= width {
        return line.to_owned();
    }
    let mut shown = String::new();
    for next in line.chars() {
        shown.push(next);
        if shown.width() + 1 > width {
            shown.pop();
            break;
        }
    }
    shown.trim_end().to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_column_gives_way() {
        let mut table = Table::new(&["Name", "Text"], 1);
        table.row(["a".into(), "word ".repeat(60).into()]);
        table.row(["技能".into(), "short".into()]);
        let widths = table.widths(40);
        assert_eq!(widths, [4, 34]);
        assert_eq!(cut("a long text", 6), "a lon…");
        assert_eq!(cut("技能技能", 5), "技能…");
    }
}
