//! The exact prompts of a session's runs: `prompts/<sha256>` in the session's own folder.
//!
//! Texts are stored by the hash of their content, so turns that share a system prompt share one file. A file is
//! written once and never changed. Size and number of the files are bounded: the texts that were used longest ago go
//! first. The folder is part of the session's, so it is deleted with it; exports hold hashes only.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use prowess_fs::{EntryKind, Lock};
use prowess_types::{PromptedSkill, TraceEvent};
use serde::Serialize;

use super::{LOCK_TIMEOUT, SessionError, SessionId, Sessions, StoredSession};

/// The folder of the texts, in the session's folder.
const FOLDER: &str = "prompts";
/// A longer text is cut.
const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// The size of all texts of a session together.
pub(super) const MAX_SESSION_BYTES: u64 = 32 * 1024 * 1024;
/// The number of texts of a session.
const MAX_TEXTS: usize = 4_000;
/// The end of a text that was cut.
const CUT: &str = "\n[cut here: the rest is not stored]\n";

/// The bounds of one session's store.
#[derive(Clone, Copy, Debug)]
pub(super) struct PromptBounds {
    pub(super) text_bytes: usize,
    pub(super) session_bytes: u64,
    pub(super) texts: usize,
}

impl Default for PromptBounds {
    fn default() -> Self {
        Self { text_bytes: MAX_TEXT_BYTES, session_bytes: MAX_SESSION_BYTES, texts: MAX_TEXTS }
    }
}

/// The prompt of one run as it was sent, with every secret already redacted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SentPrompt {
    /// The system prompt.
    pub system: String,
    /// The block that travelled with the user's message.
    pub context: Option<String>,
    /// The user's message as it was sent, without the block.
    pub message: String,
}

/// A prompt that was stored: the hashes of its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPrompt {
    /// The SHA-256 of the system prompt, in hexadecimal.
    pub system: String,
    /// The SHA-256 of the context.
    pub context: Option<String>,
    /// The SHA-256 of the message.
    pub message: String,
    /// The characters of system prompt and context together, as they were sent.
    pub chars: usize,
    /// The number of older texts that were dropped for it.
    pub dropped: usize,
}

impl KeptPrompt {
    /// The event that records the prompt in the trace.
    /// `empty` is the reason there are no skills in it.
    pub fn event(&self, listed: usize, skills: Vec<PromptedSkill>, empty: Option<String>) -> TraceEvent {
        TraceEvent::Prompt {
            system: self.system.clone(),
            context: self.context.clone(),
            message: Some(self.message.clone()),
            chars: self.chars,
            listed,
            skills,
            empty,
        }
    }
}

/// The prompt of a run, with the facts that were recorded about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredPrompt {
    /// The session.
    pub session: SessionId,
    /// The run.
    pub run: String,
    /// The system prompt.
    pub system: String,
    /// The SHA-256 of the system prompt.
    pub system_hash: String,
    /// The block that travelled with the user's message.
    pub context: Option<String>,
    /// The SHA-256 of the context.
    pub context_hash: Option<String>,
    /// The user's message as it was sent.
    pub message: String,
    /// The characters of system prompt and context together.
    pub chars: usize,
    /// The number of listed skills.
    pub listed: usize,
    /// Every skill whose name or text was in the request.
    pub skills: Vec<PromptedSkill>,
    /// The reason there are no skills in the request, if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty: Option<String>,
}

/// The recorded facts of one prompt.
struct Recorded<'a> {
    run: &'a str,
    system: &'a str,
    context: Option<&'a str>,
    message: Option<&'a str>,
    chars: usize,
    listed: usize,
    skills: &'a [PromptedSkill],
    empty: Option<&'a str>,
}

impl Sessions {
    /// Stores a prompt. The event that names it goes into the trace afterwards: see [`KeptPrompt::event`].
    ///
    /// # Errors
    /// If the session's folder cannot be written.
    pub fn keep_prompt(&self, id: &SessionId, prompt: &SentPrompt) -> Result<KeptPrompt, SessionError> {
        self.keep_prompt_within(id, prompt, PromptBounds::default())
    }

    pub(super) fn keep_prompt_within(
        &self,
        id: &SessionId,
        prompt: &SentPrompt,
        bounds: PromptBounds,
    ) -> Result<KeptPrompt, SessionError> {
        let folder = self.prompts_of(id);
        prowess_fs::create_folder(&folder)?;
        let failed = |source| SessionError::Replace { id: id.clone(), source: Box::new(source) };
        // Two runs of one session must not drop each other's texts.
        let _lock = Lock::acquire(&folder, LOCK_TIMEOUT).map_err(failed)?;
        let keep = |text: &str| -> Result<String, SessionError> {
            let text = cut(text, bounds.text_bytes);
            let hash = prowess_fs::sha256_hex(text.as_bytes());
            let file = folder.join(&hash);
            if !prowess_fs::is_taken(&file) {
                prowess_fs::write_atomic(&file, text.as_bytes(), Some(0o600))?;
            }
            Ok(hash)
        };
        let system = keep(&prompt.system)?;
        let context = prompt.context.as_deref().map(keep).transpose()?;
        let message = keep(&prompt.message)?;
        let context_chars = prompt.context.as_deref().map_or(0, |context| context.chars().count());
        let chars = prompt.system.chars().count() + context_chars;
        let own = [Some(&system), context.as_ref(), Some(&message)].into_iter().flatten();
        let dropped = self.drop_oldest(id, &own.map(String::as_str).collect(), bounds)?;
        Ok(KeptPrompt { system, context, message, chars, dropped })
    }

    /// The prompt of a run; without one, of the last run that the user started.
    ///
    /// # Errors
    /// If there is no such session or run, the run did not record its prompt, or its texts were dropped.
    pub fn prompt(&self, id: &SessionId, run: Option<&str>) -> Result<StoredPrompt, SessionError> {
        self.prompt_in(&self.show(id)?, run)
    }

    pub(super) fn prompt_in(
        &self,
        stored: &StoredSession,
        run: Option<&str>,
    ) -> Result<StoredPrompt, SessionError> {
        let run = stored.run(run)?.run.as_str();
        let recorded = prompts(stored).filter(|prompt| prompt.run == run).last();
        let of_run = |make: fn(SessionId, String) -> SessionError| make(stored.id.clone(), run.to_owned());
        let recorded =
            recorded.ok_or_else(|| of_run(|session, run| SessionError::NoPrompt { session, run }))?;
        let text = |hash: &str| {
            let text = self.prompt_text(&stored.id, hash)?;
            text.ok_or_else(|| of_run(|session, run| SessionError::PromptDropped { session, run }))
        };
        Ok(StoredPrompt {
            session: stored.id.clone(),
            run: run.to_owned(),
            system: text(recorded.system)?,
            system_hash: recorded.system.to_owned(),
            context: recorded.context.map(text).transpose()?,
            context_hash: recorded.context.map(str::to_owned),
            message: recorded.message.map(text).transpose()?.unwrap_or_default(),
            chars: recorded.chars,
            listed: recorded.listed,
            skills: recorded.skills.to_vec(),
            empty: recorded.empty.map(str::to_owned),
        })
    }

    /// A stored text by its hash; none if it was dropped or never stored.
    ///
    /// # Errors
    /// If the file is there and cannot be read.
    pub fn prompt_text(&self, id: &SessionId, hash: &str) -> Result<Option<String>, SessionError> {
        // The hash comes from a file that may have been edited.
        if !is_hash(hash) {
            return Ok(None);
        }
        let limit = (MAX_TEXT_BYTES + CUT.len()) as u64;
        match prowess_fs::read_file(&self.prompts_of(id).join(hash), limit) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The runs of a session that recorded a prompt, in order.
    pub(super) fn runs_with_prompt(stored: &StoredSession) -> Vec<&str> {
        prompts(stored).map(|prompt| prompt.run).collect()
    }

    /// Gives the texts of a session to another one.
    pub(super) fn move_prompts(&self, from: &SessionId, to: &SessionId) -> Result<(), SessionError> {
        let texts = self.stored_texts(from);
        if texts.is_empty() {
            return Ok(());
        }
        prowess_fs::create_folder(&self.prompts_of(to))?;
        for (hash, _) in texts {
            if let Some(text) = self.prompt_text(from, &hash)? {
                prowess_fs::write_atomic(&self.prompts_of(to).join(&hash), text.as_bytes(), Some(0o600))?;
            }
        }
        Ok(())
    }

    fn prompts_of(&self, id: &SessionId) -> PathBuf {
        self.folder_of(id).join(FOLDER)
    }

    /// The hashes of the stored texts, with their sizes.
    fn stored_texts(&self, id: &SessionId) -> Vec<(String, u64)> {
        // One more than may stay is enough to see that something has to go; a crash leaves few more.
        let listing = prowess_fs::list_all(&self.prompts_of(id), 2 * MAX_TEXTS, 0);
        let text = |entry: prowess_fs::ListedEntry| match entry.kind {
            EntryKind::File { size, .. } if is_hash(&entry.relative) => Some((entry.relative, size)),
            _ => None,
        };
        listing.entries.into_iter().filter_map(text).collect()
    }

    /// Drops the texts that were used longest ago until the rest is within bounds. Texts that no line names yet
    /// belong to runs that are just starting, so they stay.
    fn drop_oldest(
        &self,
        id: &SessionId,
        own: &HashSet<&str>,
        bounds: PromptBounds,
    ) -> Result<usize, SessionError> {
        let texts = self.stored_texts(id);
        let (mut bytes, mut count) = (texts.iter().map(|(_, size)| size).sum::<u64>(), texts.len());
        if bytes <= bounds.session_bytes && count <= bounds.texts {
            return Ok(0);
        }
        let stored = self.show(id)?;
        let mut last_used: HashMap<&str, usize> = HashMap::new();
        for (turn, prompt) in prompts(&stored).enumerate() {
            let hashes = [Some(prompt.system), prompt.context, prompt.message];
            last_used.extend(hashes.into_iter().flatten().map(|hash| (hash, turn)));
        }
        let may_go = texts.iter().filter(|(hash, _)| !own.contains(hash.as_str()));
        let mut oldest: Vec<(usize, &str, u64)> = may_go
            .filter_map(|(hash, size)| Some((*last_used.get(hash.as_str())?, hash.as_str(), *size)))
            .collect();
        oldest.sort_unstable();
        let mut dropped = 0;
        for (_, hash, size) in oldest {
            if bytes <= bounds.session_bytes && count <= bounds.texts {
                break;
            }
            let mirror = prowess_fs::Mirror::open(&self.prompts_of(id))?;
            mirror
                .remove(hash)
                .map_err(|source| SessionError::Replace { id: id.clone(), source: Box::new(source) })?;
            (bytes, count, dropped) = (bytes - size, count - 1, dropped + 1);
        }
        Ok(dropped)
    }
}

/// The recorded prompts of a session, in order.
fn prompts(stored: &StoredSession) -> impl Iterator<Item = Recorded<'_>> {
    stored.session.lines.iter().filter_map(|line| match &line.event {
        TraceEvent::Prompt { system, context, message, chars, listed, skills, empty } => Some(Recorded {
            run: &line.run,
            system,
            context: context.as_deref(),
            message: message.as_deref(),
            chars: *chars,
            listed: *listed,
            skills,
            empty: empty.as_deref(),
        }),
        _ => None,
    })
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The text within its bound, with a last line that tells if it was cut.
fn cut(text: &str, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    format!("{}{CUT}", prowess_text::byte_prefix(text, max_bytes))
}

#[cfg(test)]
#[path = "prompts_tests.rs"]
mod tests;
