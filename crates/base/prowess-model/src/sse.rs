//! Server-sent events: bytes in, events out, wherever the bytes are cut.
//!
//! Invariant: what comes out depends on the bytes alone, never on how they were chunked, and no more than the limit
//! is held.

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its type; empty if it has none.
    pub(crate) name: String,
    /// Its lines of data, joined.
    pub(crate) data: String,
}

/// An event is longer than the limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Takes a stream apart.
pub(crate) struct Decoder {
    limit: usize,
    /// Bytes of the line that has not ended; decoded when it has, for a character may be cut too.
    line: Vec<u8>,
    name: String,
    data: Option<String>,
    after_carriage_return: bool,
    first_line: bool,
}

impl Decoder {
    /// A decoder that holds at most this many bytes of an event.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            name: String::new(),
            data: None,
            after_carriage_return: false,
            first_line: true,
        }
    }

    /// The events that these bytes complete.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut events = Vec::new();
        while let Some(first) = bytes.first() {
            // The second half of a line's end.
            if std::mem::take(&mut self.after_carriage_return) && *first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.extend_line(&bytes[..end.unwrap_or(bytes.len())])?;
            let Some(end) = end else { break };
            self.after_carriage_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            events.extend(self.end_line());
        }
        Ok(events)
    }

    /// The event that was under way when the stream ended: some servers forget the last empty line.
    pub(crate) fn finish(mut self) -> Option<Event> {
        self.end_line().or_else(|| self.take_event())
    }

    fn extend_line(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
        if held + bytes.len() > self.limit {
            return Err(TooLong);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let mut line = &*line;
        if std::mem::take(&mut self.first_line) {
            line = line.trim_start_matches('\u{feff}');
        }
        if line.is_empty() {
            return self.take_event();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => self.add_data(value),
            // Not in the standard: so llama.cpp says that something went wrong.
            "error" => {
                field.clone_into(&mut self.name);
                self.add_data(value);
            }
            _ => {}
        }
        None
    }

    fn add_data(&mut self, value: &str) {
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }

    fn take_event(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        self.data.take().map(|data| Event { name, data })
    }
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod tests;
