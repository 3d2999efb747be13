//! The exact prompt of a run.

use prowess_sessions::{PromptDifference, SessionError, StoredPrompt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find;
use crate::refusal::Refusal;
use crate::state::Call;

/// A run, and the run that its prompt is compared with.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct PromptParams {
    /// The session by its key, its id, the beginning of its id, or `last`.
    session: String,
    /// The run; the last one that the user started if not said.
    run: Option<String>,
    /// True if the prompt is compared with that of the run before.
    #[serde(default)]
    diff: bool,
    /// The run that it is compared with instead.
    with: Option<String>,
}

/// The prompt of a run.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunPrompt {
    /// The prompt as it was sent, redacted.
    prompt: StoredPrompt,
    /// Its difference to another one; null if it was not asked for, or there is no prompt before it.
    difference: Option<PromptDifference>,
}

pub(super) async fn prompt(call: Call, params: PromptParams) -> Result<RunPrompt, Refusal> {
    call.work(move |gateway| {
        let sessions = gateway.live.engine().sessions();
        let id = find(gateway, &params.session)?;
        let prompt = sessions.prompt(&id, params.run.as_deref())?;
        let difference = match (params.diff, &params.with) {
            (false, None) => None,
            (_, with) => match sessions.compare_prompts(&id, Some(&prompt.run), with.as_deref()) {
                // The first turn of a session has nothing before it.
                Err(SessionError::NothingToCompare { .. }) => None,
                difference => Some(difference?),
            },
        };
        Ok(RunPrompt { prompt, difference })
    })
    .await
}
