//! A socket with frames on it.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadHalf, WriteHalf};

use crate::wire::{Close, Incoming, Wire};

/// The time limit for sending the last messages.
const FAREWELL: Duration = Duration::from_secs(3);
/// After the last words so much more is read and thrown away: an unread rest would make the system reset the
/// connection, and the last words with it.
const MAX_IGNORED: usize = 64 << 20;
const CHUNK: usize = 8192;

/// A socket with frames on it.
pub(super) struct Socket<S> {
    pub(super) reader: ReadHalf<S>,
    pub(super) writer: WriteHalf<S>,
    pub(super) wire: Wire,
    pub(super) buffer: Box<[u8]>,
}

impl<S: AsyncRead + AsyncWrite> Socket<S> {
    pub(super) fn new(io: S, max_message: usize) -> Self {
        let (reader, writer) = tokio::io::split(io);
        Self { reader, writer, wire: Wire::new(max_message), buffer: vec![0; CHUNK].into() }
    }

    /// The next text, where nothing else happens meanwhile; none if the client went away.
    pub(super) async fn next_text(&mut self) -> Result<Option<String>, Close> {
        loop {
            self.flush().await;
            match self.wire.next()? {
                Some(Incoming::Text(text)) => return Ok(Some(text.as_str().to_owned())),
                Some(Incoming::Control) => {}
                Some(Incoming::Closed) => {
                    self.flush().await;
                    return Ok(None);
                }
                None => match self.reader.read(&mut self.buffer).await {
                    Ok(0) | Err(_) => return Ok(None),
                    Ok(count) => self.wire.receive(self.buffer.get(..count).unwrap_or_default()),
                },
            }
        }
    }

    /// Sends what waits to be sent.
    pub(super) async fn flush(&mut self) {
        while !self.wire.outgoing().is_empty() {
            match self.writer.write(self.wire.outgoing()).await {
                Ok(0) | Err(_) => {
                    let all = self.wire.outgoing().len();
                    self.wire.sent(all);
                }
                Ok(count) => self.wire.sent(count),
            }
        }
    }

    /// Ends the connection so that the client learns why.
    pub(super) async fn close(mut self, close: Option<&Close>) {
        if let Some(close) = close {
            self.wire.close(close);
        }
        let farewell = async {
            self.flush().await;
            let _ = self.writer.shutdown().await;
            let mut ignored = 0;
            while ignored < MAX_IGNORED {
                match self.reader.read(&mut self.buffer).await {
                    Ok(0) | Err(_) => break,
                    Ok(count) => ignored += count,
                }
            }
        };
        let _ = tokio::time::timeout(FAREWELL, farewell).await;
    }
}
