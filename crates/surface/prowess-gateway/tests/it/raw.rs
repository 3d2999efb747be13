//! Requests written byte by byte, as no well-behaved client would send them.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// An answer in its parts.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    /// A header of the answer, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

/// Sends a request with these header lines, and reads the answer to the end of the connection.
pub(crate) async fn ask(address: SocketAddr, line: &str, headers: &[&str], body: &str) -> Answer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
    for header in headers {
        text += &format!("{header}\r\n");
    }
    if !body.is_empty() {
        text += &format!("Content-Length: {}\r\n", body.len());
    }
    text += &format!("\r\n{body}");
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    tokio::time::timeout(Duration::from_secs(30), stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Answer { status: status.unwrap_or_default(), head: head.to_owned(), body: body.to_owned() }
}

/// The same, from a client that names the gateway rightly and has the token.
pub(crate) async fn ask_known(address: SocketAddr, line: &str, headers: &[&str], body: &str) -> Answer {
    let (host, token) = (host(address), format!("Authorization: Bearer {}", crate::support::TOKEN));
    let headers = [&[host.as_str(), token.as_str()], headers].concat();
    ask(address, line, &headers, body).await
}

/// The header that names the gateway.
pub(crate) fn host(address: SocketAddr) -> String {
    format!("Host: {address}")
}
