//! Help for sessions, selection, the cortex and the forge.

use prowess_acquire::BaselineFileError;
use prowess_context::ChooseError;
use prowess_learn::cortex::CortexError;
use prowess_learn::forge::ForgeError;
use prowess_match::PoolError;
use prowess_sessions::SessionError;
use prowess_sessions::replay::ReplayError;

#[expect(clippy::unnecessary_wraps, reason = "a row of the table")]
pub(super) fn baseline(_: &BaselineFileError) -> Option<String> {
    Some("`--accept REASON` writes a new baseline with the current findings".to_owned())
}

pub(super) fn cortex(error: &CortexError) -> Option<String> {
    match error {
        CortexError::Unknown(_) => Some("`prowess cortex show` lists what was learned".to_owned()),
        _ => None,
    }
}

pub(super) fn encoder(error: &ChooseError) -> Option<String> {
    match error {
        ChooseError::PackFile { .. } | ChooseError::Pack(_) => {
            Some("`skills.match.encoder` may name another pack, or `builtin`".to_owned())
        }
        _ => None,
    }
}

pub(super) fn forge(error: &ForgeError) -> Option<String> {
    Some(match error {
        ForgeError::NoDescription => "try again, or write it yourself: a draft may be edited".to_owned(),
        ForgeError::Unknown(_) | ForgeError::Ambiguous { .. } => {
            "`prowess forge list` shows the drafts".to_owned()
        }
        ForgeError::NotSuccessful { session, .. } => {
            format!("if it did, say so: `prowess sessions rate {session} good`")
        }
        ForgeError::NotTested(name) => format!("`prowess forge test {name}` tests it"),
        ForgeError::TestFailed { name, .. } => format!(
            "edit the draft (`prowess forge show {name}`) or let a model phrase it (`prowess forge improve {name}`), then run \
             `prowess forge test {name}`"
        ),
        ForgeError::NoConsent(name) => {
            format!("confirm with `prowess forge promote {name} --yes`, or set `forge.policy: \"tested\"`")
        }
        ForgeError::Changed(_) | ForgeError::Taken(_) => "move it away first, or keep it".to_owned(),
        ForgeError::SwitchedOff => "`prowess config get forge` shows the settings of the forge".to_owned(),
        ForgeError::QueueFull(_) => {
            "reject drafts with `prowess forge reject NAME`; `prowess forge list` shows all".to_owned()
        }
        ForgeError::NotWorth(_) | ForgeError::NearDuplicate(_) | ForgeError::TooLong { .. } => {
            "`prowess forge --help` says which runs become drafts".to_owned()
        }
        ForgeError::NotPromoted(_) | ForgeError::NotRetired(_) => {
            "`prowess forge list` shows the state of every draft".to_owned()
        }
        _ => return None,
    })
}

pub(super) fn pool(error: &PoolError) -> Option<String> {
    match error {
        PoolError::Choose(_) => None,
        _ => Some("`prowess eval --help` describes the format".to_owned()),
    }
}

pub(super) fn replay(error: &ReplayError) -> Option<String> {
    match error {
        ReplayError::Read(_) | ReplayError::NoLogs { .. } => {
            Some("name the log, or the folder that the logs are in".to_owned())
        }
        _ => None,
    }
}

pub(super) fn session(error: &SessionError) -> Option<String> {
    Some(match error {
        SessionError::Unknown(_) | SessionError::NoRun(_) => {
            "`prowess sessions list` shows every session".to_owned()
        }
        SessionError::UnknownRun { session, .. } => {
            format!("`prowess sessions show {session}` shows its runs")
        }
        SessionError::NoPrompt { session, .. } | SessionError::PromptDropped { session, .. } => {
            format!("`prowess sessions show {session}` shows what was recorded of its runs")
        }
        SessionError::NothingToCompare { session, .. } => {
            format!("name a run with `--diff RUN`; `prowess sessions show {session}` shows its runs")
        }
        SessionError::Ambiguous { .. } => "give more of the id".to_owned(),
        SessionError::Id(_) => "`prowess sessions list` shows the ids".to_owned(),
        _ => return None,
    })
}
