//! `prowess run` and `prowess chat`

use clap::Args;
use prowess_sessions::SessionId;

use super::Message;
use crate::failure::Failure;

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Task for the agent; `-` reads it from standard input
    pub(crate) message: Message,
    #[command(flatten)]
    pub(crate) options: RunOptions,
}

#[derive(Debug, Args)]
pub(crate) struct ChatArgs {
    #[command(flatten)]
    pub(crate) options: RunOptions,
}

#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Go on with this session, or begin one of this name; `last` is the one written last
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The model that answers [default: agents.defaults.model]
    #[arg(
        long,
        value_name = "PROVIDER/MODEL",
        conflicts_with = "with",
        env = "PROWESS_MODEL",
        hide_env_values = true
    )]
    pub(crate) model: Option<String>,
    /// Let another agent program answer, such as claude-code, codex or opencode
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) with: Option<String>,
    /// Approve all tool calls without asking
    #[arg(long)]
    pub(crate) yes: bool,
    /// Allow the workspace although it is, or contains, the home folder; remembered for that folder
    #[arg(long)]
    pub(crate) allow_workspace: bool,
    /// Print the answer and nothing else
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl RunOptions {
    /// The session that is meant.
    pub(crate) fn session(&self, engine: &prowess::Engine) -> Result<Option<SessionId>, Failure> {
        let Some(text) = &self.session else { return Ok(None) };
        if text == "last" {
            return Ok(Some(engine.sessions().find(text)?));
        }
        text.parse()
            .map(Some)
            .map_err(|error: prowess_sessions::InvalidSessionId| Failure::usage(error.to_string()))
    }
}
