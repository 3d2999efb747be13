//! A better description for a draft, phrased by the configured model.
//!
//! The model sees the draft and nothing of the session: the draft names no person.

use prowess_agent::RunError;
use prowess_run::model::{Message, Request};
use serde::Serialize;

use super::record::DraftRecord;
use super::{Forge, ForgeError};

/// The longest description that is taken, in characters.
const MAX_CHARS: usize = 400;

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
        let agent = self.context.config().agent(agent).map_err(RunError::from)?;
        let model = prowess_agent::chat_model(self.context, &agent, model)?;
        let messages = [Message::User(stored.skill_md().to_owned())];
        let request = Request { system: TASK, messages: &messages, tools: &[] };
        let reply = model.chat.reply(request, &mut |_| {}).await.map_err(RunError::from)?;
        let after = one_line(&reply.text);
        if after.is_empty() || after.chars().count() > MAX_CHARS {
            return Err(ForgeError::NoDescription);
        }

        let _lock = self.lock()?;
        let stored = self.show(&stored.record.name)?;
        let (before, text) =
            prowess_forge::redescribed(stored.skill_md(), &after).ok_or(ForgeError::NoDescription)?;
        let (mut record, mut files): (DraftRecord, _) = (stored.record, stored.files);
        files.insert("SKILL.md".to_owned(), text);
        record.happened(now, "a model phrased the description");
        self.store(&record, &files)?;
        Ok(Improved { name: record.name, before, after })
    }
}

/// A text without quotes around it and lines in it.
fn one_line(text: &str) -> String {
    let text: Vec<&str> = text.split_whitespace().collect();
    text.join(" ").trim_matches(['"', '\'', '`']).trim().to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_models_put_around_a_text_is_taken_off() {
        assert_eq!(
            super::one_line(" \"Counts the commits\n of a repository.\" \n"),
            "Counts the commits of a repository."
        );
    }
}
