//! Watching an installer work.

use prowess_install::deps::{InstallEvent, Stream};
use prowess_text::printable;

use crate::output::{self, DIM, ProgressLine, paint};

/// A line that is longer is shown in parts.
const MAX_LINE: usize = 4096;

/// Shows what an installer says, line by line, without what could take over the terminal.
pub(super) struct Watcher {
    is_quiet: bool,
    output: Vec<u8>,
    errors: Vec<u8>,
    progress: ProgressLine,
}

impl Watcher {
    pub(super) fn new(is_quiet: bool) -> Self {
        Self { is_quiet, output: Vec::new(), errors: Vec::new(), progress: ProgressLine::new() }
    }

    pub(super) fn event(&mut self, event: InstallEvent<'_>) {
        if self.is_quiet {
            return;
        }
        match event {
            InstallEvent::Starts(step) => {
                self.rest();
                output::err(&format!("{} {}\n", paint(DIM, "$"), printable(&step.to_string())));
            }
            InstallEvent::Says(stream, piece) => {
                let waiting = match stream {
                    Stream::Output => &mut self.output,
                    Stream::Errors => &mut self.errors,
                };
                waiting.extend_from_slice(piece);
                output::err(&lines(waiting));
            }
            InstallEvent::Received(bytes, Some(total)) => {
                let number = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
                self.progress.step("downloading", number(bytes), number(total));
            }
            _ => {}
        }
    }

    /// Shows lines that never ended.
    fn rest(&mut self) {
        for waiting in [&mut self.output, &mut self.errors] {
            if !waiting.is_empty() {
                waiting.push(b'\n');
                output::err(&lines(waiting));
            }
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.rest();
    }
}

/// Takes the whole lines out of what waits.
fn lines(waiting: &mut Vec<u8>) -> String {
    let end = match waiting.iter().rposition(|byte| *byte == b'\n') {
        Some(last) => last + 1,
        None if waiting.len() > MAX_LINE => waiting.len(),
        None => return String::new(),
    };
    let whole: Vec<u8> = waiting.drain(..end).collect();
    let mut text = String::new();
    for line in String::from_utf8_lossy(&whole).lines() {
        text += &format!("  {}\n", paint(DIM, printable(line)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_when_they_are_whole() {
        let mut waiting = b"one\ntw".to_vec();
        assert_eq!(lines(&mut waiting), format!("  {}\n", paint(DIM, "one")));
        assert_eq!(waiting, b"tw");
        waiting.extend(b"o \x1b]0;title\x07\x1b[2Jtree\n");
        assert_eq!(lines(&mut waiting), format!("  {}\n", paint(DIM, "two tree")));
        waiting.extend(vec![b'x'; MAX_LINE + 1]);
        assert_eq!(lines(&mut waiting).matches('x').count(), MAX_LINE + 1);
        assert!(waiting.is_empty());
    }
}
