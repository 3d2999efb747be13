//! Every code that an error of the command can have.

use schemars::JsonSchema;
use serde::Serialize;

/// What kind of failure it is. Codes are stable: programs may act on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Code {
    /// Nothing has the name, id or number that was given.
    NotFound,
    /// Several things have the name that was given.
    Ambiguous,
    /// Something is there already where something new should be.
    AlreadyThere,
    /// Nobody agreed to a change.
    NotAgreed,
    /// A rule forbids it.
    Refused,
    /// What it needs is not done yet.
    NotReady,
    /// Local edits and something new do not fit together.
    Conflict,
    /// Nobody is logged in to the registry.
    NotLoggedIn,
    /// The command line is wrong.
    Usage,
    /// The config has no such agent.
    UnknownAgent,
    /// No model is named for a turn.
    NoModel,
    /// The value that was given does not fit its place.
    InvalidValue,
    /// A file or folder cannot be read or written.
    Files,
    /// The config file cannot be used.
    Config,
    /// The places of the engine cannot be found.
    NoHome,
    /// A file of the engine is damaged.
    Damaged,
    /// The encoder of selection cannot be used.
    Encoder,
    /// A server cannot be reached.
    Network,
    /// A registry answered that it cannot do it, or in a way that is not understood.
    Registry,
    /// A token or key is missing, wrong or not accepted.
    Credentials,
    /// An address cannot be listened on.
    Address,
    /// Another process of this home is at work.
    Busy,
    /// Something else in the environment is at fault.
    Environment,
    /// The user stopped it.
    Interrupted,
}

impl Code {
    /// Every code.
    pub(crate) const ALL: [Self; 24] = [
        Self::NotFound,
        Self::Ambiguous,
        Self::AlreadyThere,
        Self::NotAgreed,
        Self::Refused,
        Self::NotReady,
        Self::Conflict,
        Self::NotLoggedIn,
        Self::Usage,
        Self::UnknownAgent,
        Self::NoModel,
        Self::InvalidValue,
        Self::Files,
        Self::Config,
        Self::NoHome,
        Self::Damaged,
        Self::Encoder,
        Self::Network,
        Self::Registry,
        Self::Credentials,
        Self::Address,
        Self::Busy,
        Self::Environment,
        Self::Interrupted,
    ];

    /// As it is written.
    pub(crate) const fn name(self) -> &'static str {
        self.row().0
    }

    /// How the program ends.
    pub(crate) const fn exit(self) -> u8 {
        self.row().1
    }

    /// Why it happens, where nothing more is known.
    pub(crate) const fn meaning(self) -> &'static str {
        self.row().2
    }

    /// What to do, where nothing better is known.
    pub(crate) const fn help(self) -> &'static str {
        self.row().3
    }

    /// Name, exit code, meaning and help.
    const fn row(self) -> (&'static str, u8, &'static str, &'static str) {
        match self {
            Self::NotFound => (
                "not-found",
                1,
                "nothing has the name, id or number that was given",
                "the command that lists such things shows what there is, such as `prowess list --all`",
            ),
            Self::Ambiguous => {
                ("ambiguous", 1, "several things have the name that was given", "give more of the name or id")
            }
            Self::AlreadyThere => (
                "already-there",
                1,
                "something is there already",
                "choose another name, or move away what is there; nothing was changed",
            ),
            Self::NotAgreed => (
                "not-agreed",
                1,
                "nobody agreed to the change",
                "look at what would happen, then agree with `--yes`; nothing was changed",
            ),
            Self::Refused => (
                "refused",
                1,
                "a rule of the engine or of the other side forbids it",
                "`prowess why NAME` and `prowess scan PATH` show what decides about a skill",
            ),
            Self::NotReady => (
                "not-ready",
                1,
                "what it needs is not done yet",
                "do first what the message names, then try again",
            ),
            Self::Conflict => (
                "conflict",
                1,
                "local edits and what comes do not fit together",
                "`prowess diff NAME` shows both sides",
            ),
            Self::NotLoggedIn => (
                "not-logged-in",
                1,
                "the registry knows nobody who asks",
                "`prowess registry login`, or set `PROWESS_REGISTRY_TOKEN`",
            ),
            Self::Usage => {
                ("usage", 2, "the command line is wrong", "`--help` after the command shows how it is used")
            }
            Self::UnknownAgent => (
                "unknown-agent",
                2,
                "the config has no such agent",
                "agents are listed under `agents` in the config file",
            ),
            Self::NoModel => (
                "no-model",
                2,
                "no model is named for a turn",
                "name one with `--model provider/model`, or set `agents.defaults.model`",
            ),
            Self::InvalidValue => (
                "invalid-value",
                2,
                "a value does not fit its place",
                "`--help` after the command says what is expected; nothing was changed",
            ),
            Self::Files => (
                "files",
                3,
                "a file or folder cannot be read or written",
                "look at the path and its permissions; `prowess doctor` looks for such problems",
            ),
            Self::Config => (
                "config",
                3,
                "the config file cannot be used",
                "`prowess config path` tells which file is meant",
            ),
            Self::NoHome => (
                "no-home",
                3,
                "the places of the engine cannot be found",
                "set `HOME`, or name a folder with `--home`",
            ),
            Self::Damaged => (
                "damaged",
                3,
                "a file of the engine is damaged",
                "mend it from a backup, or move it away; `prowess doctor` names such files",
            ),
            Self::Encoder => (
                "encoder",
                3,
                "messages cannot be turned into vectors",
                "`prowess config get skills.match` shows what is asked for vectors",
            ),
            Self::Network => (
                "network",
                3,
                "a server cannot be reached",
                "look at the address and the connection, then try again",
            ),
            Self::Registry => (
                "registry",
                3,
                "the registry did not answer as it should",
                "try again later, or name another registry with `--registry`",
            ),
            Self::Credentials => (
                "credentials",
                3,
                "a token or key is missing, wrong or not accepted",
                "`prowess secret list` shows keys of skills, `prowess registry whoami` tests a login",
            ),
            Self::Address => (
                "address",
                3,
                "the address cannot be listened on",
                "name another address or port; `--help` shows the options",
            ),
            Self::Busy => (
                "busy",
                3,
                "another process of this home is at work",
                "wait until it has ended, or name another home with `--home`",
            ),
            Self::Environment => (
                "environment",
                3,
                "something outside of the program is at fault",
                "`prowess doctor` looks for common problems",
            ),
            Self::Interrupted => {
                ("interrupted", 130, "somebody stopped it", "start it again; what was not begun is as it was")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_written_as_they_are_named() {
        for code in Code::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
            assert!(matches!(code.exit(), 1..=3 | 130), "{code:?}");
            assert!(!code.meaning().is_empty() && !code.help().is_empty(), "{code:?}");
        }
    }

    #[test]
    fn all_codes_are_in_the_list() {
        let schema = schemars::schema_for!(Code);
        let known = schema.get("oneOf").and_then(serde_json::Value::as_array).map_or(0, Vec::len);
        assert_eq!(known, Code::ALL.len());
    }
}
