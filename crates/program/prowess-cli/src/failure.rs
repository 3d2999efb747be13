//! How a command ends: exit codes, and errors that propose the next step.

mod help;
mod report;
mod table;

use std::error::Error;
use std::io;
use std::process::ExitCode;

use prowess_types::{Classify, ErrorKind, wrapped_errors};

use crate::output::{self, BAD, BOLD, paint};

pub(crate) use report::{ErrorAnswer, ErrorDetail};
pub(crate) use table::{exit, help as general_help, meaning};

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

/// The reason a command did not work.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: ErrorKind,
    message: String,
    cause: Option<String>,
    help: Option<String>,
    skill: Option<String>,
    /// The reader has seen enough; that is not a failure.
    is_reader_gone: bool,
}

impl Failure {
    /// A failure of a kind.
    pub(crate) fn new(kind: ErrorKind, message: String) -> Self {
        Self { kind, message, cause: None, help: None, skill: None, is_reader_gone: false }
    }

    /// An error of the engine; what caused it is told apart.
    pub(crate) fn of(kind: ErrorKind, error: &dyn Error) -> Self {
        let message = error.to_string();
        let Some(cause) = error.source().map(prowess_text::describe_error) else {
            return Self::new(kind, message);
        };
        // Some errors name their cause themselves.
        let what = message.strip_suffix(&cause).and_then(|rest| rest.strip_suffix(": ")).unwrap_or(&message);
        Self { cause: Some(cause), ..Self::new(kind, what.to_owned()) }
    }

    /// An error of the engine, by its kind, with the next step that is known for it.
    pub(crate) fn about_error(error: &dyn Classify) -> Self {
        let innermost: &(dyn Error + 'static) = wrapped_errors(error).last().unwrap_or(error);
        // The program that reads the output has ended.
        let is_reader_gone = innermost
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        Self { help: help::of(error), is_reader_gone, ..Self::of(error.kind(), innermost) }
    }

    /// What was asked for is not there.
    pub(crate) fn not_found(message: String) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    /// The command line is wrong.
    pub(crate) fn usage(message: String) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// The user stopped it.
    pub(crate) fn interrupted(message: &str) -> Self {
        Self::new(ErrorKind::Interrupted, message.to_owned())
    }

    /// Files or settings are at fault.
    pub(crate) fn environment(error: &dyn Error) -> Self {
        Self::of(ErrorKind::Environment, error)
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
        ExitCode::from(exit(self.kind))
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
        let head = paint(BAD.bold(), format!("error[{}]", self.kind.code()));
        let mut text = format!("{head}: {}\n", prowess_text::printable(&self.message));
        if let Some(cause) = &self.cause {
            text += &format!("{}: {}\n", paint(BOLD, "cause"), prowess_text::printable(cause));
        }
        text += &format!("{}: {}\n", paint(BOLD, "help"), self.help());
        output::err(&text);
    }

    fn help(&self) -> &str {
        self.help.as_deref().unwrap_or(general_help(self.kind))
    }

    /// For programs.
    pub(crate) fn detail(&self) -> ErrorDetail {
        ErrorDetail {
            kind: "cli_error",
            code: self.kind,
            message: self.message.clone(),
            cause: self.cause.clone().unwrap_or_else(|| meaning(self.kind).to_owned()),
            help: self.help().to_owned(),
            exit: exit(self.kind),
        }
    }

    /// How a command ends for which this is one of several results.
    pub(crate) fn outcome(&self) -> Outcome {
        if exit(self.kind) == 3 { Outcome::Environment } else { Outcome::Findings }
    }
}

impl<E: Classify> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::about_error(&error)
    }
}

impl Failure {
    /// A command line that cannot be parsed.
    pub(crate) fn of_command_line(error: &clap::Error) -> Self {
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
