//! The difference between the prompts of two runs, line by line.

use std::time::Duration;

use serde::Serialize;
use similar::TextDiff;

use super::{SessionError, SessionId, Sessions};

const CONTEXT_LINES: usize = 3;
/// A difference that takes longer to find is shown less finely.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// The difference between the prompts of two runs of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptDifference {
    /// The session.
    pub session: SessionId,
    /// The run.
    pub run: String,
    /// The run it is compared with.
    pub before: String,
    /// The parts of the prompt, each with its difference.
    pub parts: Vec<PromptPartDifference>,
}

/// The difference in one part of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptPartDifference {
    /// The part.
    pub part: PromptPart,
    /// Whether it is equal, byte for byte.
    pub same: bool,
    /// The lines that differ, in the unified format; empty if it is equal.
    pub text: String,
}

/// A part of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PromptPart {
    /// The system prompt.
    System,
    /// The block that travels with the message.
    Context,
    /// The user's message.
    Message,
}

impl PromptPart {
    /// The word for it in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Context => "context",
            Self::Message => "message",
        }
    }
}

impl Sessions {
    /// Compares the prompt of a run with another one's; without one, with the run before it that recorded a prompt.
    ///
    /// # Errors
    /// If there is no such run, or one of the prompts is not stored.
    pub fn compare_prompts(
        &self,
        id: &SessionId,
        run: Option<&str>,
        with: Option<&str>,
    ) -> Result<PromptDifference, SessionError> {
        let stored = self.show(id)?;
        let run = stored.run(run)?.run.clone();
        let before = if let Some(with) = with {
            stored.run(Some(with))?.run.clone()
        } else {
            let runs = Self::runs_with_prompt(&stored);
            let own = runs.iter().position(|with| *with == run).unwrap_or_default();
            let before = runs[..own].last().map(|run| (*run).to_owned());
            // A run without a prompt is the clearer complaint.
            self.prompt_in(&stored, Some(&run))?;
            before.ok_or_else(|| SessionError::NothingToCompare { session: id.clone(), run: run.clone() })?
        };
        let (old, new) = (self.prompt_in(&stored, Some(&before))?, self.prompt_in(&stored, Some(&run))?);
        let parts = vec![
            difference(PromptPart::System, &old.system, &new.system),
            difference(
                PromptPart::Context,
                old.context.as_deref().unwrap_or_default(),
                new.context.as_deref().unwrap_or_default(),
            ),
            difference(PromptPart::Message, &old.message, &new.message),
        ];
        Ok(PromptDifference { session: id.clone(), run, before, parts })
    }
}

fn difference(part: PromptPart, old: &str, new: &str) -> PromptPartDifference {
    if old == new {
        return PromptPartDifference { part, same: true, text: String::new() };
    }
    let diff = TextDiff::configure().timeout(TIME_LIMIT).diff_lines(old, new);
    let mut unified = diff.unified_diff();
    unified.context_radius(CONTEXT_LINES);
    PromptPartDifference { part, same: false, text: unified.to_string() }
}
