//! WebSocket frames, apart from any socket: bytes go in, messages come out, and the other way round.
//!
//! Because nothing here waits, one task can read, write and answer at the same time, and it is always known how many
//! bytes wait to be sent. The limit on the size of a message can change while the connection lives.

use std::io::{self, Read, Write};

use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::frame::{CloseFrame, FrameHeader};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig, WebSocketContext};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

/// The longest reason that fits into a close frame.
const MAX_REASON: usize = 123;
/// Enough for most requests in one go, and little enough to have a thousand of them.
const READ_BUFFER: usize = 4096;

/// How a connection is ended by us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Close {
    pub(crate) code: u16,
    pub(crate) reason: String,
    /// What this is counted as, if the client takes more than its share.
    pub(crate) eviction: Option<&'static str>,
}

impl Close {
    /// The frame was against the rules of WebSockets.
    pub(crate) const PROTOCOL: u16 = 1002;
    /// Only text is understood.
    pub(crate) const UNSUPPORTED: u16 = 1003;
    /// The text was not UTF-8.
    pub(crate) const NOT_TEXT: u16 = 1007;
    /// The client may not, or behaves badly.
    pub(crate) const POLICY: u16 = 1008;
    /// The message was too long.
    pub(crate) const TOO_LONG: u16 = 1009;
    /// The gateway is at fault.
    pub(crate) const INTERNAL: u16 = 1011;
    /// The gateway ends; clients come back by themselves.
    pub(crate) const RESTART: u16 = 1012;

    pub(crate) fn new(code: u16, reason: impl Into<String>) -> Self {
        let mut reason = reason.into();
        reason.truncate(reason.floor_char_boundary(MAX_REASON));
        Self { code, reason, eviction: None }
    }

    pub(crate) fn policy(reason: impl Into<String>) -> Self {
        Self::new(Self::POLICY, reason)
    }

    /// A client that takes more than its share, and what that is counted as.
    pub(crate) fn evict(counted_as: &'static str, reason: impl Into<String>) -> Self {
        Self { eviction: Some(counted_as), ..Self::policy(reason) }
    }
}

/// What a client sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    Text(Utf8Bytes),
    /// A ping, which was answered, or a pong.
    Control,
    /// It is over: the client closed.
    Closed,
}

/// One side of a WebSocket, the gateway's.
pub(crate) struct Wire {
    context: WebSocketContext,
    pipe: Pipe,
    counts: Counts,
}

/// Messages since they were last asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) received: u64,
    pub(crate) sent: u64,
}

impl Wire {
    /// After the upgrade: messages of at most `max_message` bytes are accepted.
    pub(crate) fn new(max_message: usize) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_message_size(Some(max_message))
            .max_frame_size(Some(max_message));
        let context = WebSocketContext::new(Role::Server, Some(config));
        Self { context, pipe: Pipe::default(), counts: Counts::default() }
    }

    /// Sets the maximum length of messages.
    pub(crate) fn allow(&mut self, max_message: usize) {
        self.context.set_config(|config| {
            config.max_message_size = Some(max_message);
            config.max_frame_size = Some(max_message);
        });
    }

    /// Takes bytes that came.
    pub(crate) fn receive(&mut self, bytes: &[u8]) {
        self.pipe.put(bytes);
    }

    /// The next message, none if more bytes are needed, or how the connection must be ended.
    pub(crate) fn next(&mut self) -> Result<Option<Incoming>, Close> {
        match self.context.read(&mut self.pipe) {
            Ok(Message::Text(text)) => {
                self.counts.received += 1;
                Ok(Some(Incoming::Text(text)))
            }
            Ok(Message::Ping(_) | Message::Pong(_)) => Ok(Some(Incoming::Control)),
            Ok(Message::Close(_)) => {
                // Queues the answer to it.
                let _ = self.context.flush(&mut self.pipe);
                Ok(Some(Incoming::Closed))
            }
            Ok(Message::Binary(_) | Message::Frame(_)) => {
                Err(Close::new(Close::UNSUPPORTED, "only text frames are understood"))
            }
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(Error::ConnectionClosed | Error::AlreadyClosed) => Ok(Some(Incoming::Closed)),
            Err(Error::Capacity(_)) => Err(Close::new(Close::TOO_LONG, "the message is too long")),
            Err(Error::Utf8(_)) => Err(Close::new(Close::NOT_TEXT, "the text is not valid UTF-8")),
            Err(error) => Err(Close::new(Close::PROTOCOL, error.to_string())),
        }
    }

    /// Queues a text.
    pub(crate) fn send(&mut self, text: String) {
        self.counts.sent += 1;
        // Answers to pings come first.
        let _ = self.context.flush(&mut self.pipe);
        // Its frame is written here: the context would keep a buffer as large as the longest text for as long as it lives.
        if self.context.can_write() {
            self.pipe.put_text(text.as_bytes());
        }
    }

    /// Returns the numbers of texts that came and were queued since the last call.
    pub(crate) fn take_counts(&mut self) -> Counts {
        std::mem::take(&mut self.counts)
    }

    /// Queues a ping.
    pub(crate) fn ping(&mut self) {
        self.write(Message::Ping(Vec::new().into()));
    }

    /// Queues the end.
    pub(crate) fn close(&mut self, close: &Close) {
        let frame = CloseFrame { code: CloseCode::from(close.code), reason: close.reason.as_str().into() };
        self.write(Message::Close(Some(frame)));
    }

    fn write(&mut self, message: Message) {
        // Into memory, so this fails only after a close; then there is no receiver.
        let _ = self.context.write(&mut self.pipe, message);
        let _ = self.context.flush(&mut self.pipe);
    }

    /// Bytes that wait to be sent.
    pub(crate) fn outgoing(&self) -> &[u8] {
        self.pipe.outgoing()
    }

    /// Removes bytes that were sent.
    pub(crate) fn sent(&mut self, count: usize) {
        self.pipe.sent(count);
    }
}

/// Bytes on their way in and out.
#[derive(Default)]
struct Pipe {
    incoming: Vec<u8>,
    taken: usize,
    outgoing: Vec<u8>,
    gone: usize,
}

impl Pipe {
    fn put(&mut self, bytes: &[u8]) {
        self.incoming.drain(..self.taken);
        self.taken = 0;
        self.incoming.extend_from_slice(bytes);
    }

    /// Puts a text on its way, in one frame without a mask.
    fn put_text(&mut self, text: &[u8]) {
        let header = FrameHeader { opcode: OpCode::Data(Data::Text), ..FrameHeader::default() };
        let length = text.len() as u64;
        if self.outgoing.is_empty() {
            // No more than needed: a thousand long answers may wait at once.
            self.outgoing.reserve_exact(header.len(length) + text.len());
        }
        // Into memory, so this cannot fail.
        let _ = header.format(length, &mut self.outgoing);
        self.outgoing.extend_from_slice(text);
    }

    fn outgoing(&self) -> &[u8] {
        self.outgoing.get(self.gone..).unwrap_or_default()
    }

    fn sent(&mut self, count: usize) {
        self.gone += count;
        if self.gone >= self.outgoing.len() {
            // A long answer must not hold its memory for as long as the client stays.
            self.outgoing = Vec::new();
            self.gone = 0;
        }
    }
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let waiting = self.incoming.get(self.taken..).unwrap_or_default();
        if waiting.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let count = waiting.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(waiting) {
            *to = *from;
        }
        self.taken += count;
        Ok(count)
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.outgoing.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
