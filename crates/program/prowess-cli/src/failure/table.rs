//! The exit code, the meaning and the help of each kind of error.

use prowess_types::ErrorKind;

/// The exit code of the program.
pub(crate) const fn exit(kind: ErrorKind) -> u8 {
    row(kind).0
}

/// The cause, where the error names none.
pub(crate) const fn meaning(kind: ErrorKind) -> &'static str {
    row(kind).1
}

/// The next step, where the error type has no better one.
pub(crate) const fn help(kind: ErrorKind) -> &'static str {
    row(kind).2
}

/// Exit code, meaning and help.
const fn row(kind: ErrorKind) -> (u8, &'static str, &'static str) {
    match kind {
        ErrorKind::NotFound => (
            1,
            "the name, id or number does not exist",
            "check the spelling; `prowess list --all` lists every skill",
        ),
        ErrorKind::Ambiguous => (1, "the name is ambiguous", "give more of the name or id"),
        ErrorKind::AlreadyThere => (
            1,
            "the target already exists",
            "choose another name, or move the existing one away; nothing was changed",
        ),
        ErrorKind::NotAgreed => (
            1,
            "the change was not confirmed",
            "review the plan with `--dry-run`, then confirm with `--yes`; nothing was changed",
        ),
        ErrorKind::Refused => (
            1,
            "a rule of the engine or of the other side forbids it",
            "`prowess why NAME` and `prowess scan PATH` show what decides about a skill",
        ),
        ErrorKind::NotReady => {
            (1, "a required step is missing", "do the step that the message names, then retry")
        }
        ErrorKind::Conflict => {
            (1, "local edits conflict with the new version", "`prowess diff NAME` shows both sides")
        }
        ErrorKind::NotLoggedIn => {
            (1, "not logged in to the registry", "`prowess registry login`, or set `PROWESS_REGISTRY_TOKEN`")
        }
        ErrorKind::Usage => (2, "the command line is invalid", "`--help` after the command shows its usage"),
        ErrorKind::UnknownAgent => {
            (2, "the config has no such agent", "agents are listed under `agents` in the config file")
        }
        ErrorKind::NoModel => (
            2,
            "no model is named for a turn",
            "name one with `--model provider/model`, or set `agents.defaults.model`",
        ),
        ErrorKind::InvalidValue => (
            2,
            "a value is invalid",
            "`--help` after the command shows the expected values; nothing was changed",
        ),
        ErrorKind::Files => (
            3,
            "a file or folder cannot be read or written",
            "check the path and its permissions; `prowess doctor` finds such problems",
        ),
        ErrorKind::Config => {
            (3, "the config file cannot be used", "`prowess config path` prints the path of the file")
        }
        ErrorKind::NoHome => {
            (3, "the places of the engine cannot be found", "set `HOME`, or name a folder with `--home`")
        }
        ErrorKind::Damaged => (
            3,
            "a file of the engine is damaged",
            "restore it from a backup, or move it away; `prowess doctor` names such files",
        ),
        ErrorKind::Encoder => (
            3,
            "messages cannot be turned into vectors",
            "`prowess config get skills.match` shows the configured encoder",
        ),
        ErrorKind::Network => {
            (3, "a server cannot be reached", "check the address and the network connection, then retry")
        }
        ErrorKind::Registry => (
            3,
            "the registry did not answer as it should",
            "try again later, or name another registry with `--registry`",
        ),
        ErrorKind::Credentials => (
            3,
            "a token or key is missing, wrong or not accepted",
            "`prowess secret list` shows keys of skills, `prowess registry whoami` tests a login",
        ),
        ErrorKind::Address => (
            3,
            "the address cannot be listened on",
            "name another address or port; `--help` shows the options",
        ),
        ErrorKind::Busy => (
            3,
            "another process uses this home",
            "wait until it has finished, or choose another home with `--home`",
        ),
        ErrorKind::Environment => {
            (3, "a problem in the environment", "`prowess doctor` finds common problems")
        }
        ErrorKind::Interrupted => {
            (130, "the command was interrupted", "run it again; steps that had not started changed nothing")
        }
        ErrorKind::Stale => (
            1,
            "the data changed since it was read",
            "read it again, then repeat the change; nothing was changed",
        ),
        ErrorKind::UnknownMethod => {
            (1, "the method does not exist", "both sides may have different versions; update the older one")
        }
        ErrorKind::NeedsConfirmation => (
            1,
            "the change waits for confirmation by a person",
            "`prowess gateway confirm` lists and confirms pending changes",
        ),
        ErrorKind::Forbidden => {
            (1, "the caller lacks the permission", "ask for it where the caller was approved")
        }
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
