//! What a program writes, piece by piece and within bounds.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::mpsc::SyncSender;
use std::thread;

/// Pieces that may wait to be looked at; a program that writes faster than that waits too.
pub(crate) const PENDING: usize = 16;

/// The stream that a program wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The standard output.
    Output,
    /// The standard error.
    Errors,
}

/// Something that a program wrote.
pub(crate) type Piece = (Stream, Vec<u8>);

/// Passes on what comes out of a pipe, until it is closed or nobody listens any more.
pub(crate) fn forward(pipe: Option<impl Read + Send + 'static>, stream: Stream, sender: &SyncSender<Piece>) {
    let Some(mut pipe) = pipe else { return };
    let sender = sender.clone();
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(length @ 1..) = pipe.read(&mut buffer) {
            if sender.send((stream, buffer[..length].to_vec())).is_err() {
                break;
            }
        }
    });
}

/// The end of something long.
#[derive(Debug)]
pub(crate) struct Tail {
    bytes: VecDeque<u8>,
    limit: usize,
    omitted: u64,
}

impl Tail {
    pub(crate) fn new(limit: usize) -> Self {
        Self { bytes: VecDeque::new(), limit, omitted: 0 }
    }

    pub(crate) fn push(&mut self, piece: &[u8]) {
        self.bytes.extend(piece);
        let overflow = self.bytes.len().saturating_sub(self.limit);
        self.bytes.drain(..overflow);
        self.omitted += overflow as u64;
    }

    /// The text, with a line that says so if its beginning is missing.
    pub(crate) fn into_text(self) -> String {
        let bytes = Vec::from(self.bytes);
        if self.omitted == 0 {
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        let cut = bytes.iter().take(3).take_while(|byte| *byte & 0xc0 == 0x80).count();
        let omitted = self.omitted + cut as u64;
        format!("[… {omitted} bytes left out …]\n{}", String::from_utf8_lossy(&bytes[cut..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_the_rest_is_counted() {
        let text = |limit: usize, pieces: &[&str]| {
            let mut tail = Tail::new(limit);
            for piece in pieces {
                tail.push(piece.as_bytes());
            }
            tail.into_text()
        };
        assert_eq!(text(5, &["ab", "cde"]), "abcde");
        assert_eq!(text(3, &["ab", "cde"]), "[… 2 bytes left out …]\ncde");
        assert_eq!(text(3, &["abcdefgh"]), "[… 5 bytes left out …]\nfgh");
        // Half a character is left out with the rest.
        assert_eq!(text(3, &["xéab"]), "[… 3 bytes left out …]\nab");
        assert_eq!(text(0, &["ab"]), "[… 2 bytes left out …]\n");
    }
}
