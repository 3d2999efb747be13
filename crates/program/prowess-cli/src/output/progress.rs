//! How far long work is, in one line that goes away again. Only on a terminal.

use std::io::{IsTerminal as _, Write as _};

use super::{DIM, paint};

/// A line on standard error that is written over and over.
pub(crate) struct ProgressLine {
    is_shown: bool,
    last: String,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self { is_shown: std::io::stderr().is_terminal(), last: String::new() }
    }

    /// Shows a step, unless it looks like the one before.
    pub(crate) fn step(&mut self, what: &str, done: usize, total: usize) {
        let percent = (done * 100).checked_div(total).unwrap_or(100);
        let line = format!("{what}: {percent} % of {total}");
        if self.is_shown && done < total && line != self.last {
            let _ = write!(anstream::stderr(), "\r\x1b[K{}", paint(DIM, &line));
            self.last = line;
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if !self.last.is_empty() {
            clear_line();
        }
    }
}

/// Takes away what stands in the last line of a terminal.
pub(crate) fn clear_line() {
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}
