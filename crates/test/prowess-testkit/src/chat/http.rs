//! Just enough HTTP/1.1: requests with a length, answers whole or in chunks.

use std::io::{self, BufRead, Write};

use serde_json::Value;

use super::{Api, Received};
use crate::web::WebRequest;

/// The next request of a connection; none when the client closed it.
pub(super) fn read_request(reader: &mut impl BufRead) -> io::Result<Option<Received>> {
    let Some(WebRequest { method, path, headers, body }) = WebRequest::read(reader)? else { return Ok(None) };
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Some(Received { api: api(&path), method, path, headers, body }))
}

fn api(path: &str) -> Api {
    let path = path.split('?').next().unwrap_or_default();
    if path.ends_with("/chat/completions") {
        Api::OpenAi
    } else if path.ends_with("/messages") {
        Api::Anthropic
    } else {
        Api::Other
    }
}

/// A whole answer, as JSON and with its length unless its headers say otherwise.
pub(super) fn write_whole(
    stream: &mut impl Write,
    status: u16,
    headers: &[(String, String)],
    body: &str,
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\n");
    let length = body.len().to_string();
    for (name, value) in [("content-length", length.as_str()), ("content-type", "application/json")] {
        if !headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    write!(stream, "{head}\r\n{body}")
}

pub(super) fn begin_stream(stream: &mut impl Write) -> io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes())
}

/// An event in two chunks, cut wherever the middle is, so that a reader cannot rely on where a chunk ends.
pub(super) fn write_event(stream: &mut impl Write, event: &str) -> io::Result<()> {
    let (first, second) = event.as_bytes().split_at(event.len() / 2);
    for part in [first, second] {
        write!(stream, "{:x}\r\n", part.len())?;
        stream.write_all(part)?;
        stream.write_all(b"\r\n")?;
    }
    Ok(())
}

pub(super) fn end_stream(stream: &mut impl Write) -> io::Result<()> {
    stream.write_all(b"0\r\n\r\n")
}
