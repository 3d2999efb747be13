//! The conversation before a message, as the model saw it.

use std::collections::HashMap;

use prowess_inventory::GivenSkills;
use prowess_run::model::Message;
use prowess_run::turn::{history_as_sent, trim};
use prowess_sessions::{SessionId, Sessions};
use prowess_types::{PromptedSkill, TraceEvent, TraceLine};

use super::plan::in_front_of;

/// The maximum length of the earlier conversation that a model gets, in characters.
const MAX_HISTORY_CHARS: usize = 400_000;

/// The conversation of a session so far.
#[derive(Default)]
pub(super) struct Past {
    /// The newest exchanges, each message with the block that stood in front of it.
    pub(super) messages: Vec<Message>,
    /// The skills that these messages brought.
    pub(super) given: GivenSkills,
}

/// The message of one run as it was sent.
struct Sent<'a> {
    text: Option<String>,
    skills: &'a [PromptedSkill],
}

impl Past {
    /// Rebuilds the conversation from the trace and the stored prompts. Where a stored text is gone, the bare message
    /// stands in its place.
    pub(super) fn of(sessions: &Sessions, id: &SessionId, lines: &[TraceLine]) -> Self {
        let text = |hash: &str| sessions.prompt_text(id, hash).ok().flatten();
        let mut sent: HashMap<&str, Sent<'_>> = HashMap::new();
        for line in lines {
            if let TraceEvent::Prompt { context, message, skills, .. } = &line.event {
                let message = message.as_deref().and_then(text);
                let text = match context.as_deref() {
                    None => message,
                    Some(context) => text(context)
                        .zip(message)
                        .map(|(context, message)| in_front_of(Some(&context), &message)),
                };
                sent.insert(&line.run, Sent { text, skills });
            }
        }
        let whole = history_as_sent(lines, |run| sent.get(run)?.text.clone());
        let messages = trim(whole, MAX_HISTORY_CHARS);
        let kept = messages.iter().filter(|message| matches!(message, Message::User(_))).count();
        let runs = lines.iter().rev().filter_map(|line| match &line.event {
            TraceEvent::RunStarted { parent: None, .. } => Some(line.run.as_str()),
            _ => None,
        });
        let mut given = GivenSkills::default();
        for sent in runs.take(kept).filter_map(|run| sent.get(run)).filter(|sent| sent.text.is_some()) {
            for skill in sent.skills {
                given.note(skill);
            }
        }
        Self { messages, given }
    }
}
