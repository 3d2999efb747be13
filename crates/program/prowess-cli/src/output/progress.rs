//! A progress bar for long work, which is removed at its end. Only on a terminal, and only if there is enough left to wait for.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use super::{DIM, paint};

/// Work that is over before this needs no bar.
const SHORT: Duration = Duration::from_millis(300);
/// A bar is not drawn again before this.
const REDRAW: Duration = Duration::from_millis(50);
/// The cells of a bar.
const CELLS: usize = 20;

/// A bar on standard error that is written over and over.
pub(crate) struct ProgressLine {
    is_shown: bool,
    /// The first step, and when it was.
    began: Option<(Instant, usize)>,
    /// The last line, and when it was drawn.
    drawn: Option<(Instant, String)>,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self { is_shown: std::io::stderr().is_terminal(), began: None, drawn: None }
    }

    /// Shows a step, unless it looks like the one before.
    pub(crate) fn step(&mut self, what: &str, done: usize, total: usize) {
        let now = Instant::now();
        let (began, first) = *self.began.get_or_insert((now, done));
        if !self.is_shown || done >= total {
            return;
        }
        let is_due = match &self.drawn {
            Some((drawn, _)) => now - *drawn >= REDRAW,
            None => is_long(now - began, done.saturating_sub(first), total - done),
        };
        let line = bar(what, done, total);
        if is_due && self.drawn.as_ref().is_none_or(|(_, last)| *last != line) {
            let _ = write!(anstream::stderr(), "\r\x1b[K{}", paint(DIM, &line));
            self.drawn = Some((now, line));
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            clear_line();
        }
    }
}

/// Returns true if what is left takes long enough, at the pace so far, to be worth a bar.
fn is_long(elapsed: Duration, did: usize, left: usize) -> bool {
    let pace = if did == 0 { elapsed.as_secs_f64() } else { elapsed.as_secs_f64() / did as f64 };
    pace * left as f64 > SHORT.as_secs_f64()
}

fn bar(what: &str, done: usize, total: usize) -> String {
    let filled = (done * CELLS).checked_div(total).unwrap_or(CELLS).min(CELLS);
    let percent = (done * 100).checked_div(total).unwrap_or(100);
    format!("{what} {}{} {done} of {total} ({percent} %)", "█".repeat(filled), "░".repeat(CELLS - filled))
}

/// Takes away what stands in the last line of a terminal.
pub(crate) fn clear_line() {
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_a_count_and_a_percentage() {
        insta::assert_snapshot!(bar("reading skills", 120, 300), @"reading skills ████████░░░░░░░░░░░░ 120 of 300 (40 %)");
        insta::assert_snapshot!(bar("reading skills", 0, 0), @"reading skills ████████████████████ 0 of 0 (100 %)");
    }

    #[test]
    fn only_work_that_takes_long_gets_a_bar() {
        let ms = Duration::from_millis;
        assert!(!is_long(ms(0), 0, 300), "nothing is known yet");
        assert!(!is_long(ms(20), 32, 268), "0.17 s are left");
        assert!(is_long(ms(160), 32, 268), "1.3 s are left");
        assert!(is_long(ms(400), 0, 1), "the first step alone takes long");
    }
}
