//! Messages as lines, one JSON value each, over a pair of pipes.
//!
//! Whatever is not a message is answered with an error, as JSON-RPC has it: what is not JSON with `-32700`, what is no
//! request with `-32600`. A line that is too long is not kept in memory.

use std::io;
use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, RequestId, ServerJsonRpcMessage};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

/// A longer line is refused.
const MAX_LINE: usize = 16 * 1024 * 1024;

/// A client at the other end of two pipes.
pub(crate) struct Lines<R, W> {
    read: BufReader<R>,
    write: Arc<Mutex<Option<W>>>,
    /// The line that is being read. It is kept here because a read may be given up in its middle.
    line: Vec<u8>,
    /// True if the line was too long already.
    is_dropped: bool,
    /// True if the client has begun: before its first request all other input is ignored.
    has_begun: bool,
}

impl<R: AsyncRead + Unpin, W> Lines<R, W> {
    pub(crate) fn new(read: R, write: W) -> Self {
        let (read, write) = (BufReader::new(read), Arc::new(Mutex::new(Some(write))));
        Self { read, write, line: Vec::new(), is_dropped: false, has_begun: false }
    }

    /// The next line, without its end; none at the end of all. Nothing is lost if it is not waited for.
    async fn next_line(&mut self) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
        loop {
            let available = self.read.fill_buf().await?;
            if available.is_empty() {
                return Ok(None);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            if self.line.len() + part.len() > MAX_LINE {
                self.is_dropped = true;
                self.line = Vec::new();
            } else if !self.is_dropped {
                self.line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.read.consume(used);
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Ok(Some(if std::mem::take(&mut self.is_dropped) { Err(TooLong) } else { Ok(line) }));
            }
        }
    }
}

struct TooLong;

/// The content of a line.
enum Said {
    Message(Box<ClientJsonRpcMessage>),
    Nothing,
    /// It is answered with an error.
    Nonsense(ErrorData, Option<RequestId>),
}

fn read(line: &[u8]) -> Said {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Said::Nothing;
    }
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("invalid JSON: {error}");
            return Said::Nonsense(ErrorData::new(ErrorCode::PARSE_ERROR, message, None), None);
        }
    };
    let id = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
    let is_request = id.is_some() || value.get("method").is_none();
    match serde_json::from_value(value) {
        Ok(message) => Said::Message(Box::new(message)),
        Err(_) if is_request => {
            let message = "not a JSON-RPC 2.0 message of this protocol";
            Said::Nonsense(ErrorData::invalid_request(message, None), id)
        }
        // A notification is never answered.
        Err(_) => Said::Nothing,
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let write = Arc::clone(&self.write);
        async move {
            let mut text = serde_json::to_vec(&message)?;
            text.push(b'\n');
            let mut write = write.lock().await;
            let write = write.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            write.write_all(&text).await?;
            write.flush().await
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // A client that cannot be read from is gone.
            let line = self.next_line().await.ok()??;
            let said = match line {
                Ok(line) => read(&line),
                Err(TooLong) => {
                    Said::Nonsense(ErrorData::invalid_request("the message is too long", None), None)
                }
            };
            match said {
                Said::Message(message) => {
                    self.has_begun |= matches!(*message, ClientJsonRpcMessage::Request(_));
                    if self.has_begun {
                        return Some(*message);
                    }
                }
                Said::Nothing => {}
                Said::Nonsense(error, id) => self.send(ServerJsonRpcMessage::error(error, id)).await.ok()?,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.write.lock().await.take();
        Ok(())
    }
}
