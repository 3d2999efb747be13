//! Makes an answer out of the bytes of a response, whatever shape they have.
//!
//! A stream is what was asked for, but some servers and proxies still answer with one JSON document; the first
//! byte tells, which is more reliable than the header.

use serde_json::Value;

use crate::draft::Draft;
use crate::fault::{Again, Fault};
use crate::sse::{Decoder, Event, TooLong};
use crate::{ModelError, anthropic, open_ai};
use prowess_types::ModelApi;

/// The ratio of a stream's size to its text: a token of a few bytes comes in an envelope of some hundred.
const ENVELOPES: u64 = 64;
/// Maximum length of the quote from an answer that is not a stream.
const SHOWN: usize = 200;

pub(crate) struct Reader {
    api: ModelApi,
    limit: u64,
    received: u64,
    events: u64,
    beginning: Vec<u8>,
    format: Format,
}

enum Format {
    Unknown,
    Whole(Vec<u8>),
    Stream(Decoder),
}

impl Reader {
    /// A reader of answers up to this many bytes.
    pub(crate) fn new(api: ModelApi, limit: u64) -> Self {
        Self { api, limit, received: 0, events: 0, beginning: Vec::new(), format: Format::Unknown }
    }

    /// Takes the next bytes.
    pub(crate) fn push(&mut self, mut bytes: &[u8], draft: &mut Draft<'_>) -> Result<(), Fault> {
        self.received = self.received.saturating_add(bytes.len() as u64);
        if self.received > self.limit.saturating_mul(ENVELOPES) {
            return Err(self.too_long());
        }
        if matches!(self.format, Format::Unknown) {
            bytes = bytes.trim_ascii_start();
            let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
            self.format = match bytes.first() {
                None => return Ok(()),
                Some(b'{') => Format::Whole(Vec::new()),
                Some(_) => Format::Stream(Decoder::new(limit)),
            };
        }
        let room = SHOWN.saturating_sub(self.beginning.len());
        self.beginning.extend(bytes.iter().take(room));
        let events = match &mut self.format {
            Format::Unknown => Vec::new(),
            Format::Whole(whole) => {
                whole.extend_from_slice(bytes);
                if whole.len() as u64 > self.limit {
                    return Err(self.too_long());
                }
                Vec::new()
            }
            Format::Stream(decoder) => decoder.push(bytes).map_err(|TooLong| self.too_long())?,
        };
        for event in &events {
            self.take(event, draft)?;
        }
        Ok(())
    }

    /// The response ended as it should; this checks the answer, too.
    pub(crate) fn end(mut self, draft: &mut Draft<'_>) -> Result<(), Fault> {
        match std::mem::replace(&mut self.format, Format::Unknown) {
            Format::Unknown => return Err(broke_off("nothing came", draft)),
            Format::Whole(whole) => {
                let value: Value = serde_json::from_slice(&whole)
                    .map_err(|error| Fault::malformed(format!("{error} in `{}`", self.beginning())))?;
                match self.api {
                    ModelApi::OpenAi => open_ai::absorb(&value, draft)?,
                    ModelApi::Anthropic => anthropic::absorb(&value, draft)?,
                }
                if !draft.may_end() && !draft.has_begun() {
                    return Err(Fault::malformed(format!("it holds no message: `{}`", self.beginning())));
                }
                draft.complete();
            }
            Format::Stream(decoder) => {
                // Half an event is not a malformed answer but one that broke off.
                let whole = |event: &Event| {
                    serde_json::from_str::<Value>(&event.data).is_ok() || event.data == "[DONE]"
                };
                if let Some(event) = decoder.finish().filter(whole) {
                    self.take(&event, draft)?;
                }
                if self.events == 0 {
                    return Err(Fault::malformed(format!(
                        "it is not an event stream: `{}`",
                        self.beginning()
                    )));
                }
            }
        }
        if draft.may_end() { Ok(()) } else { Err(broke_off("it ended before it was finished", draft)) }
    }

    fn take(&mut self, event: &Event, draft: &mut Draft<'_>) -> Result<(), Fault> {
        if draft.is_complete() {
            return Ok(());
        }
        self.events += 1;
        let had_begun = draft.has_begun();
        let taken = match self.api {
            ModelApi::OpenAi => open_ai::event(event, draft),
            ModelApi::Anthropic => anthropic::event(event, draft),
        };
        taken.map_err(|fault| if had_begun { fault.after_words() } else { fault })?;
        if draft.weight() as u64 > self.limit {
            return Err(self.too_long());
        }
        Ok(())
    }

    fn too_long(&self) -> Fault {
        Fault::never(ModelError::TooLong(self.limit))
    }

    fn beginning(&self) -> String {
        String::from_utf8_lossy(&self.beginning).into_owned()
    }
}

/// The answer broke off. It is retried, unless it called a tool already: a model that is asked twice may
/// decide differently, and what it decided was shown.
pub(crate) fn broke_off(why: &str, draft: &Draft<'_>) -> Fault {
    let again = if draft.has_whole_call() { Again::Never } else { Again::Once };
    Fault { error: ModelError::Interrupted(why.to_owned()), again }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
pub(crate) mod tests;
