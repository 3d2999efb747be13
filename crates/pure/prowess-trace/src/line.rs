//! Lines of a session, in and out of text.
//!
//! Reading never stops at a line it does not understand: it is kept with the reason, because it may come from a newer
//! program, from a crash in the middle of a line, or from somebody's editor.

use std::collections::BTreeMap;

use prowess_types::{TRACE_FORMAT, TraceEvent, TraceLine};
use serde::Serialize;
use serde_json::Value;

use crate::shape;

/// A longer line is not parsed; whoever writes lines cuts them far below this.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;
/// How much of an unread line is kept.
const MAX_RAW_CHARS: usize = 2_000;

/// A session as its file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// What was understood, in the order of the file.
    pub lines: Vec<TraceLine>,
    /// What was not.
    pub unread: Vec<UnreadLine>,
    /// Fields that mean nothing here, as `type.field`, and how often they occur.
    pub unknown_fields: BTreeMap<String, usize>,
}

/// A line that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Unread")]
pub struct UnreadLine {
    /// Its number in the file, from 1.
    pub line: usize,
    /// The reason.
    #[schemars(with = "String")]
    #[serde(serialize_with = "as_text")]
    pub reason: UnreadReason,
    /// What it says, cut.
    pub raw: String,
}

/// The reason a line was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnreadReason {
    /// It is not JSON: a torn line, or not ours.
    #[error("not JSON: {0}")]
    NotJson(String),
    /// Its bytes are no text.
    #[error("not valid UTF-8")]
    NotText,
    /// It is too long.
    #[error("{0} bytes, more than {MAX_LINE_BYTES}")]
    TooLong(usize),
    /// A type of event this version does not know.
    #[error("unknown type `{0}`")]
    UnknownType(String),
    /// A known type with a field missing or of another shape.
    #[error("not a line of a session: {0}")]
    Malformed(String),
}

/// The reason a session cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceReadError {
    /// A newer program wrote it.
    #[error("the session has format {found}; this version reads up to {TRACE_FORMAT}")]
    NewerFormat {
        /// What the file says.
        found: u32,
    },
}

/// Reads a session.
///
/// ```
/// let text = b"{\"at\":1,\"type\":\"thought\",\"text\":\"hm\"}\n{\"at\":2,\"type\":\"dream\"}\n{\"at\":3,\"ty";
/// let session = prowess_trace::read(text)?;
/// assert_eq!((session.lines.len(), session.unread.len()), (1, 2));
/// # Ok::<(), prowess_trace::TraceReadError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<Session, TraceReadError> {
    let mut session = Session::default();
    for (index, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let bytes = bytes.trim_ascii();
        if bytes.is_empty() {
            continue;
        }
        match read_line(bytes) {
            Ok((line, unknown)) => {
                if let TraceEvent::Session { format: found, .. } = line.event
                    && found > TRACE_FORMAT
                {
                    return Err(TraceReadError::NewerFormat { found });
                }
                for field in unknown {
                    *session.unknown_fields.entry(field).or_default() += 1;
                }
                session.lines.push(line);
            }
            Err(reason) => session.unread.push(unread(index + 1, reason, bytes)),
        }
    }
    Ok(session)
}

/// One line as text, without the line break.
///
/// ```
/// use prowess_types::{TraceEvent, TraceLine};
/// let line = TraceLine { at: 7, run: "r1".into(), event: TraceEvent::Answer { text: "two\nlines".into() } };
/// assert_eq!(prowess_trace::write(&line), r#"{"at":7,"run":"r1","type":"answer","text":"two\nlines"}"#);
/// ```
pub fn write(line: &TraceLine) -> String {
    serde_json::to_string(line).unwrap_or_else(|error| {
        // Only a value that JSON cannot hold gets here; that something happened is still recorded.
        let text = error.to_string();
        serde_json::json!({ "at": line.at, "run": line.run, "type": "notice", "kind": "unwritable", "text": text })
            .to_string()
    })
}

/// Describes a line that was not understood. It may hold anything, so secrets are masked.
pub(crate) fn unread(line: usize, reason: UnreadReason, bytes: &[u8]) -> UnreadLine {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_RAW_CHARS * 4)]);
    let raw = shape::mask_text(&start).0.chars().take(MAX_RAW_CHARS).collect();
    UnreadLine { line, reason, raw }
}

/// One line, and its fields that mean nothing here.
fn read_line(bytes: &[u8]) -> Result<(TraceLine, Vec<String>), UnreadReason> {
    if bytes.len() > MAX_LINE_BYTES {
        return Err(UnreadReason::TooLong(bytes.len()));
    }
    let text = str::from_utf8(bytes).map_err(|_| UnreadReason::NotText)?;
    let value: Value =
        serde_json::from_str(text).map_err(|error| UnreadReason::NotJson(error.to_string()))?;
    let kind = value.get("type").and_then(Value::as_str).map(str::to_owned);
    let names: Vec<String> =
        value.as_object().map(|members| members.keys().cloned().collect()).unwrap_or_default();
    let line = serde_json::from_value::<TraceLine>(value);
    let line = line.map_err(|error| match &kind {
        Some(kind) if error.to_string().starts_with(&format!("unknown variant `{kind}`")) => {
            UnreadReason::UnknownType(kind.clone())
        }
        _ => UnreadReason::Malformed(error.to_string()),
    })?;
    let known = serde_json::to_value(&line).unwrap_or_default();
    let kind = kind.unwrap_or_default();
    let is_unknown = |name: &String| known.get(name).is_none() && !OPTIONAL.contains(&name.as_str());
    let unknown = names.iter().filter(|name| is_unknown(name)).map(|name| format!("{kind}.{name}")).collect();
    Ok((line, unknown))
}

fn as_text<S: serde::Serializer>(reason: &UnreadReason, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(reason)
}

/// Fields that are left out when they say nothing, so their absence from a rewritten line does not make them unknown.
const OPTIONAL: [&str; 16] = [
    "run",
    "importedFrom",
    "snapshot",
    "catalogue",
    "parent",
    "contentHash",
    "context",
    "message",
    "step",
    "omittedBytes",
    "exitCode",
    "ms",
    "details",
    "answer",
    "stopped",
    "note",
];

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
