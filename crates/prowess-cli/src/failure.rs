//! How a command ends: exit codes, and errors that propose the next step.

use std::error::Error;
use std::process::ExitCode;

use prowess::{
    BaselineFileError, ChooseError, EditError, EngineError, PoolError, SandboxError, TrustError, UpdateError,
};

use crate::output::{self, BAD, BOLD, paint};

/// How a command that worked ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Nothing to report.
    Fine,
    /// It worked and found something wrong.
    Findings,
    /// It worked, but the environment is at fault in a part of the answer.
    Environment,
    /// The user stopped it.
    Stopped,
}

impl Outcome {
    /// The worse of two.
    pub(crate) fn and(self, other: Self) -> Self {
        self.max(other)
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Fine => Self::SUCCESS,
            Outcome::Findings => Self::from(1),
            Outcome::Environment => Self::from(3),
            Outcome::Stopped => Self::from(130),
        }
    }
}

/// Why a command did not work.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    hint: Option<String>,
    code: u8,
}

impl Failure {
    /// What was asked for is not there.
    pub(crate) fn not_found(message: String) -> Self {
        Self { message, hint: None, code: 1 }
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: String) -> Self {
        Self { message, hint: None, code: 2 }
    }

    /// The user stopped it.
    pub(crate) fn interrupted(message: &str) -> Self {
        Self { message: message.to_owned(), hint: None, code: 130 }
    }

    /// Files or settings are at fault.
    pub(crate) fn environment(error: &dyn Error) -> Self {
        Self { message: prowess::describe_error(error), hint: None, code: 3 }
    }

    /// What is wrong, without the hint.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Adds what to do next.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Prints it, as JSON where an answer in JSON was wanted.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        if self.code == 0 {
            return ExitCode::SUCCESS;
        }
        if json {
            let _ = output::json(&serde_json::json!({ "ok": false, "error": self.value() }));
        }
        self.tell();
        ExitCode::from(self.code)
    }

    /// Prints it, as one of several things that were asked for.
    pub(crate) fn tell(&self) {
        let mut text = format!("{}: {}\n", paint(BAD.bold(), "error"), prowess::printable(&self.message));
        if let Some(hint) = &self.hint {
            text += &format!("{}: {hint}\n", paint(BOLD, "hint"));
        }
        output::err(&text);
    }

    /// For programs.
    pub(crate) fn value(&self) -> serde_json::Value {
        serde_json::json!({ "type": "cli_error", "message": self.message, "hint": self.hint })
    }

    /// How a command ends for which this is one of several results.
    pub(crate) fn outcome(&self) -> Outcome {
        if self.code == 3 { Outcome::Environment } else { Outcome::Findings }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            // The reader has seen enough; that is no failure.
            return Self { message: String::new(), hint: None, code: 0 };
        }
        Self::environment(&error)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        let failure = Self::environment(&error);
        match &error {
            EngineError::Agent(_) => {
                Self { code: 2, ..failure }.hint("agents are listed under `agents` in the config file")
            }
            EngineError::Places(_) => failure.hint("set `HOME`, or name a folder with `--home`"),
            // The file is fine; the wish is not.
            EngineError::ChangeConfig(UpdateError::Edit(refusal))
                if !matches!(refusal, EditError::Unreadable(_)) =>
            {
                Self::usage(prowess::describe_error(refusal))
                    .hint("`prowess config keys` lists every key with its type")
            }
            EngineError::ReadConfig(_) | EngineError::ChangeConfig(_) => {
                failure.hint("`prowess config path` tells which file is meant")
            }
            _ => failure,
        }
    }
}

impl From<ChooseError> for Failure {
    fn from(error: ChooseError) -> Self {
        let failure = Self::environment(&error);
        match &error {
            ChooseError::PackFile { .. } | ChooseError::Pack(_) => {
                failure.hint("`skills.match.encoder` may name another pack, or `builtin`")
            }
            ChooseError::Encode(_) | ChooseError::Endpoint(_) | ChooseError::EndpointKey { .. } => {
                failure.hint("`prowess config get skills.match` shows what is asked for vectors")
            }
            _ => failure,
        }
    }
}

impl From<PoolError> for Failure {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Choose(error) => error.into(),
            error => Self::usage(prowess::describe_error(&error))
                .hint("the format is described in docs/selection.md"),
        }
    }
}

impl From<BaselineFileError> for Failure {
    fn from(error: BaselineFileError) -> Self {
        Self::environment(&error).hint("`--accept REASON` writes a baseline with what is found now")
    }
}

impl From<TrustError> for Failure {
    fn from(error: TrustError) -> Self {
        match &error {
            TrustError::Ci | TrustError::Unknowable { .. } => Self::not_found(error.to_string()),
            _ => Self::environment(&error),
        }
    }
}

impl From<SandboxError> for Failure {
    fn from(error: SandboxError) -> Self {
        match error {
            SandboxError::Engine(error) => error.into(),
            error => Self::environment(&error),
        }
    }
}
