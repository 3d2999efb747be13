//! What a program says: the beginning and the end are kept, the middle is counted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use prowess_types::IgnorePoison as _;

/// Text that may have been cut in the middle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The text, with a line that says so where something was left out.
    pub text: String,
    /// The number of bytes that were left out.
    pub omitted_bytes: u64,
}

impl Captured {
    /// Cuts a text that is already there.
    pub fn of(text: &str, max_bytes: usize) -> Self {
        let output = Output::new(max_bytes);
        output.push(text.as_bytes());
        output.take_all()
    }
}

/// A bounded place for the output of a program, shared by those who fill it and those who look at it.
#[derive(Clone, Debug)]
pub struct Output(Arc<Mutex<Capture>>);

impl Output {
    /// A place for at most so many bytes.
    pub fn new(max_bytes: usize) -> Self {
        let half = max_bytes / 2;
        Self(Arc::new(Mutex::new(Capture {
            max_head: max_bytes - half,
            max_tail: half,
            ..Capture::default()
        })))
    }

    /// Adds bytes.
    pub fn push(&self, bytes: &[u8]) {
        self.lock().push(bytes);
    }

    /// Everything since the last time, when no more will come.
    pub fn take_all(&self) -> Captured {
        self.lock().take()
    }

    /// Everything since the last time, while more may come: a character that is not complete yet waits.
    pub fn take_so_far(&self) -> Captured {
        let mut capture = self.lock();
        let unfinished = capture.pop_unfinished();
        let captured = capture.take();
        capture.push(&unfinished);
        captured
    }

    fn lock(&self) -> MutexGuard<'_, Capture> {
        self.0.lock().ignore_poison()
    }
}

#[derive(Debug, Default)]
struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    max_head: usize,
    max_tail: usize,
    omitted: u64,
}

impl Capture {
    fn push(&mut self, bytes: &[u8]) {
        let room = self.max_head - self.head.len();
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        // Of a large piece only the end can stay, so nothing before it is copied.
        let (skipped, last) = rest.split_at(rest.len().saturating_sub(self.max_tail));
        let overflow = (self.tail.len() + last.len()).saturating_sub(self.max_tail);
        self.tail.drain(..overflow);
        self.tail.extend(last);
        self.omitted += (skipped.len() + overflow) as u64;
    }

    fn take(&mut self) -> Captured {
        let mut head = std::mem::take(&mut self.head);
        let mut tail: Vec<u8> = std::mem::take(&mut self.tail).into();
        let mut omitted_bytes = std::mem::take(&mut self.omitted);
        if omitted_bytes == 0 {
            head.append(&mut tail);
            return Captured { text: into_text(head), omitted_bytes };
        }
        let before = head.len() + tail.len();
        head.truncate(complete_length(&head));
        let broken = tail.iter().take(3).take_while(|byte| *byte & 0xc0 == 0x80).count();
        tail.drain(..broken);
        omitted_bytes += (before - head.len() - tail.len()) as u64;
        let (head, tail) = (into_text(head), into_text(tail));
        Captured { text: format!("{head}\n[… {omitted_bytes} bytes left out …]\n{tail}"), omitted_bytes }
    }

    /// Removes the beginning of a character from the end.
    fn pop_unfinished(&mut self) -> Vec<u8> {
        if self.tail.is_empty() {
            let complete = complete_length(&self.head);
            self.head.split_off(complete)
        } else {
            let tail = self.tail.make_contiguous();
            let from = tail.len().saturating_sub(3);
            let complete = from + complete_length_of_end(&tail[from..]);
            self.tail.split_off(complete).into()
        }
    }
}

/// How many of the bytes there are without the beginning of a character at their end.
fn complete_length(bytes: &[u8]) -> usize {
    let from = bytes.len().saturating_sub(3);
    from + complete_length_of_end(&bytes[from..])
}

/// The same for the last three bytes, which may begin within a character.
fn complete_length_of_end(end: &[u8]) -> usize {
    let Some(lead) = end.iter().rposition(|byte| byte & 0xc0 != 0x80) else { return end.len() };
    match str::from_utf8(&end[lead..]) {
        Err(error) if error.error_len().is_none() => lead,
        _ => end.len(),
    }
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
#[path = "capture_tests.rs"]
mod tests;
