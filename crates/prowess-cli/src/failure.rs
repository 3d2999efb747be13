//! How a command ends: exit codes, and errors that propose the next step.

mod code;
mod report;

use std::error::Error;
use std::process::ExitCode;

use prowess::{
    BaselineFileError, ChooseError, EditError, EngineError, PoolError, SandboxError, TrustError, UpdateError,
};

use crate::output::{self, BAD, BOLD, paint};

pub(crate) use code::Code;
pub(crate) use report::{ErrorAnswer, ErrorDetail};

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
    code: Code,
    message: String,
    cause: Option<String>,
    help: Option<String>,
    skill: Option<String>,
    /// The reader has seen enough; that is no failure.
    is_reader_gone: bool,
}

impl Failure {
    /// A failure of a kind.
    pub(crate) fn new(code: Code, message: String) -> Self {
        Self { code, message, cause: None, help: None, skill: None, is_reader_gone: false }
    }

    /// An error of the engine; what caused it is told apart.
    pub(crate) fn of(code: Code, error: &dyn Error) -> Self {
        let message = error.to_string();
        let Some(cause) = error.source().map(prowess::describe_error) else {
            return Self::new(code, message);
        };
        // Some errors name their cause themselves.
        let what = message.strip_suffix(&cause).and_then(|rest| rest.strip_suffix(": ")).unwrap_or(&message);
        Self { cause: Some(cause), ..Self::new(code, what.to_owned()) }
    }

    /// What was asked for is not there.
    pub(crate) fn not_found(message: String) -> Self {
        Self::new(Code::NotFound, message)
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: String) -> Self {
        Self::new(Code::Usage, message)
    }

    /// The user stopped it.
    pub(crate) fn interrupted(message: &str) -> Self {
        Self::new(Code::Interrupted, message.to_owned())
    }

    /// Files or settings are at fault.
    pub(crate) fn environment(error: &dyn Error) -> Self {
        Self::of(Code::Environment, error)
    }

    /// What is wrong and why, without what to do.
    pub(crate) fn message(&self) -> String {
        match &self.cause {
            Some(cause) => format!("{}: {cause}", self.message),
            None => self.message.clone(),
        }
    }

    /// Adds what to do next.
    pub(crate) fn hint(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Adds the skill that was asked for.
    pub(crate) fn about(self, skill: &str) -> Self {
        Self { skill: Some(skill.to_owned()), ..self }
    }

    /// Prints it, as JSON where an answer in JSON was wanted.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        if self.is_reader_gone {
            return ExitCode::SUCCESS;
        }
        if json {
            self.write();
        }
        self.tell();
        ExitCode::from(self.code.exit())
    }

    /// Prints it as JSON.
    pub(crate) fn write(&self) {
        let _ = output::json(&self.answer());
    }

    /// The whole answer of a command that did not work, for programs.
    pub(crate) fn answer(&self) -> ErrorAnswer {
        ErrorAnswer { ok: false, error: self.detail(), skill: self.skill.clone() }
    }

    /// Prints it, as one of several things that were asked for.
    pub(crate) fn tell(&self) {
        let head = paint(BAD.bold(), format!("error[{}]", self.code.name()));
        let mut text = format!("{head}: {}\n", prowess::printable(&self.message));
        if let Some(cause) = &self.cause {
            text += &format!("{}: {}\n", paint(BOLD, "cause"), prowess::printable(cause));
        }
        text += &format!("{}: {}\n", paint(BOLD, "help"), self.help());
        output::err(&text);
    }

    fn help(&self) -> &str {
        self.help.as_deref().unwrap_or(self.code.help())
    }

    /// For programs.
    pub(crate) fn detail(&self) -> ErrorDetail {
        ErrorDetail {
            kind: "cli_error",
            code: self.code,
            message: self.message.clone(),
            cause: self.cause.clone().unwrap_or_else(|| self.code.meaning().to_owned()),
            help: self.help().to_owned(),
            exit: self.code.exit(),
        }
    }

    /// How a command ends for which this is one of several results.
    pub(crate) fn outcome(&self) -> Outcome {
        if self.code.exit() == 3 { Outcome::Environment } else { Outcome::Findings }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let is_reader_gone = error.kind() == std::io::ErrorKind::BrokenPipe;
        Self { is_reader_gone, ..Self::of(Code::Files, &error) }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match &error {
            EngineError::Agent(_) => Self::of(Code::UnknownAgent, &error),
            EngineError::Places(_) => Self::of(Code::NoHome, &error),
            // The file is fine; the wish is not.
            EngineError::ChangeConfig(UpdateError::Edit(refusal))
                if !matches!(refusal, EditError::Unreadable(_)) =>
            {
                Self::of(Code::InvalidValue, refusal)
                    .hint("`prowess config keys` lists every key with its type")
            }
            EngineError::ReadConfig(_) | EngineError::ChangeConfig(_) => Self::of(Code::Config, &error),
            _ => Self::environment(&error),
        }
    }
}

impl From<ChooseError> for Failure {
    fn from(error: ChooseError) -> Self {
        let failure = Self::of(Code::Encoder, &error);
        match &error {
            ChooseError::PackFile { .. } | ChooseError::Pack(_) => {
                failure.hint("`skills.match.encoder` may name another pack, or `builtin`")
            }
            _ => failure,
        }
    }
}

impl From<PoolError> for Failure {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Choose(error) => error.into(),
            error => {
                Self::of(Code::InvalidValue, &error).hint("the format is described in docs/selection.md")
            }
        }
    }
}

impl From<BaselineFileError> for Failure {
    fn from(error: BaselineFileError) -> Self {
        Self::of(Code::Files, &error).hint("`--accept REASON` writes a baseline with what is found now")
    }
}

impl From<TrustError> for Failure {
    fn from(error: TrustError) -> Self {
        match &error {
            TrustError::Ci | TrustError::Unknowable { .. } => Self::of(Code::Refused, &error)
                .hint("answer on a machine where a person can look at the skill first"),
            _ => Self::of(Code::Damaged, &error),
        }
    }
}

impl From<SandboxError> for Failure {
    fn from(error: SandboxError) -> Self {
        match error {
            SandboxError::Engine(error) => error.into(),
            error => Self::of(Code::Files, &error),
        }
    }
}

/// A command line that is not understood.
impl From<&clap::Error> for Failure {
    fn from(error: &clap::Error) -> Self {
        let text = error.to_string();
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        let tip = lines.find_map(|line| line.strip_prefix("tip: "));
        match first.strip_prefix("error: ") {
            Some(message) => Self { help: tip.map(str::to_owned), ..Self::usage(message.to_owned()) },
            None => Self::usage("a command is needed".to_owned()).hint("`prowess --help` lists the commands"),
        }
    }
}
