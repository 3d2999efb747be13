//! A better description for a draft, phrased by the configured model.
//!
//! The model sees the draft and nothing of the session: the draft names no person.

use std::collections::BTreeSet;
use std::time::Duration;

use prowess_agent::RunError;
use prowess_forge::DraftOptions;
use prowess_run::model::{Message, Request};
use serde::Serialize;

use super::queue::StoredDraft;
use super::record::{DraftRecord, DraftStatus};
use super::{Forge, ForgeError};

/// The longest description that is taken, in characters.
const MAX_CHARS: usize = 400;
/// The time that a model has while a draft is made.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Runs whose words are kept out, the last ones.
const SESSIONS: usize = 5;
/// The event of a description that a model phrased.
const PHRASED: &str = "a model phrased the description";

const TASK: &str = "You write the description of a skill for an AI agent. Say in one or two sentences, in plain English, what the \
                    skill does and when to use it, in the words a user would use. At most 300 characters. Invent nothing \
                    that is not in the text. Answer with the description alone, without quotes.";

/// A description that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Improved {
    /// The draft.
    pub name: String,
    /// What it said before.
    pub before: String,
    /// What it says now.
    pub after: String,
}

impl Forge<'_> {
    /// Lets a model phrase the description of a draft. What was tested before must be tested again.
    pub async fn improve(
        &self,
        agent: Option<&str>,
        name: &str,
        model: Option<&str>,
        now: u64,
    ) -> Result<Improved, ForgeError> {
        let stored = self.show(name)?;
        let after = self.phrased(agent, model, &stored).await?.ok_or(ForgeError::NoDescription)?;
        self.redescribe(&stored.record.name, &after, now)
    }

    /// Lets the configured model phrase the description of a new draft, if there is one. None if there is no model, it gives
    /// nothing that can be used, or the draft is found less well with its words.
    pub async fn phrase(
        &self,
        agent: Option<&str>,
        name: &str,
        now: u64,
    ) -> Result<Option<Improved>, ForgeError> {
        let stored = self.show(name)?;
        let is_new = stored.record.status == DraftStatus::Waiting || stored.record.proposed;
        let is_phrased = stored.record.history.iter().any(|event| event.what == PHRASED);
        if !is_new || is_phrased {
            return Ok(None);
        }
        let asked = tokio::time::timeout(TIMEOUT, self.phrased(agent, None, &stored)).await;
        let Ok(Ok(Some(after))) = asked else { return Ok(None) };
        let Some(found) = stored.record.sessions.last().and_then(|source| self.episode_of(source)) else {
            return Ok(None);
        };
        let before =
            prowess_forge::redescribed(stored.skill_md(), "").map(|(before, _)| before).unwrap_or_default();
        let options = DraftOptions {
            filter: &prowess_cortex::signals,
            layout: stored.record.layout,
            now,
            name: Some(&stored.record.name),
            words: &stored.record.words,
            others: &[],
            description: None,
            wording: None,
            session_file: None,
        };
        let wording = prowess_forge::wording(&found.task);
        if !self.is_about(&found.task, &after).unwrap_or(false) {
            return Ok(None);
        }
        let best = self.best_of(&found, &options, &[after.clone(), before], wording.as_ref()).ok().flatten();
        match best {
            Some((best, _)) if best == after => self.redescribe(&stored.record.name, &after, now).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the words of a model for a draft, if they can be used. The model sees the draft and nothing of the session.
    async fn phrased(
        &self,
        agent: Option<&str>,
        model: Option<&str>,
        stored: &StoredDraft,
    ) -> Result<Option<String>, ForgeError> {
        let agent = self.context.config().agent(agent).map_err(RunError::from)?;
        let model = prowess_agent::chat_model(self.context, &agent, model)?;
        let messages = [Message::User(stored.skill_md().to_owned())];
        let request = Request { system: TASK, messages: &messages, tools: &[] };
        let reply = model.chat.reply(request, &mut |_| {}).await.map_err(RunError::from)?;
        let said = one_line(&reply.text);
        Ok(Some(said).filter(|said| is_usable(said, stored.skill_md(), &self.private_words(&stored.record))))
    }

    /// The words of the sessions of a draft that are theirs alone.
    fn private_words(&self, record: &DraftRecord) -> BTreeSet<String> {
        let mut private = BTreeSet::new();
        for found in record.sessions.iter().rev().take(SESSIONS).filter_map(|source| self.episode_of(source))
        {
            private.extend(words(&found.task));
            for step in &found.steps {
                private.extend(words(&step.input.to_string()));
            }
        }
        private
    }

    fn redescribe(&self, name: &str, after: &str, now: u64) -> Result<Improved, ForgeError> {
        let _lock = self.lock()?;
        let stored = self.show(name)?;
        let (before, text) =
            prowess_forge::redescribed(stored.skill_md(), after).ok_or(ForgeError::NoDescription)?;
        let (mut record, mut files): (DraftRecord, _) = (stored.record, stored.files);
        files.insert("SKILL.md".to_owned(), text);
        record.happened(now, PHRASED);
        self.store(&record, &files)?;
        Ok(Improved { name: record.name, before, after: after.to_owned() })
    }
}

/// Returns true if a text may describe a skill: it is short, has no secret, and no word of the session that the draft does
/// not have.
fn is_usable(said: &str, draft: &str, private: &BTreeSet<String>) -> bool {
    let known: BTreeSet<String> = words(draft).collect();
    let is_private = |word: &String| {
        !known.contains(word)
            && (word.contains(|letter: char| letter.is_numeric())
                || (private.contains(word) && !prowess_forge::is_general_word(word)))
    };
    !said.is_empty()
        && said.chars().count() <= MAX_CHARS
        && !said.contains("://")
        && !said.contains('@')
        && !said.contains(char::is_control)
        && prowess_trace::secret_spans(said).is_empty()
        && !words(said).any(|word| is_private(&word))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// A text without quotes around it and lines in it.
fn one_line(text: &str) -> String {
    let text: Vec<&str> = text.split_whitespace().collect();
    text.join(" ").trim_matches(['"', '\'', '`']).trim().to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_of_the_session_are_not_taken_from_a_model() {
        let private = ["lovelace", "invoice", "berlin"].map(str::to_owned).into();
        let draft = "Sorts a spreadsheet in 3 steps.";
        for (said, is_usable) in [
            ("Sorts an invoice table. Use when asked to sort figures.", true),
            ("Sorts the invoices of Lovelace.", false),
            ("Sorts tables in 3 steps.", true),
            ("Sorts tables in 4 steps.", false),
            ("See https://example.org", false),
            ("", false),
        ] {
            assert_eq!(super::is_usable(said, draft, &private), is_usable, "{said}");
        }
        assert!(!super::is_usable(&"long ".repeat(100), draft, &private));
    }

    #[test]
    fn what_models_put_around_a_text_is_taken_off() {
        assert_eq!(
            super::one_line(" \"Counts the commits\n of a repository.\" \n"),
            "Counts the commits of a repository."
        );
    }
}
