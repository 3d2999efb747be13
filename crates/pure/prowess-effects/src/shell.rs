//! Shell scripts as a list of commands, wherever in the script they are.

use std::collections::BTreeSet;

use crate::CodeLanguage;

mod fold;
mod nested;
mod redirect;
mod session;
mod variables;
mod walk;

pub(crate) use fold::decode_ansi;
pub(crate) use nested::{is_shell, stem};
pub(crate) use session::commands_of_session;
pub(crate) use variables::is_environment_name;

/// Scripts inside scripts: `bash -c "sh -c '…'"`.
const MAX_DEPTH: usize = 8;
/// Bytes of the scripts inside one script that are read.
const MAX_NESTED: usize = 1 << 20;
/// Commands of one script that are kept.
const MAX_CALLS: usize = 20_000;

/// The commands of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellScript {
    /// Every command, in the order of the text; a wrapped command follows its wrapper.
    pub calls: Vec<CommandCall>,
    /// Variables that the script reads and never sets.
    pub variables: BTreeSet<String>,
    /// Functions that the script defines.
    pub functions: BTreeSet<String>,
    /// Code in other languages that a command runs: `python3 -c '…'`.
    pub embedded: Vec<(CodeLanguage, String)>,
    /// True if a part could not be read.
    pub is_partial: bool,
}

/// A command with its words, as far as they are known before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandCall {
    /// The program.
    pub program: CallProgram,
    /// The words after the program.
    pub words: Vec<CallWord>,
    /// The redirections that belong to the command.
    pub redirections: Vec<CallRedirection>,
    /// The input that the command gets.
    pub input: CallInput,
    /// The place of the command in the script.
    pub context: CallContext,
}

/// The program of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallProgram {
    /// A name or a path.
    Named(String),
    /// A program that is only known when the script runs.
    Dynamic,
    /// Only redirections: `> file`.
    Absent,
}

/// A word after quotes and variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallWord {
    /// Its text; what is not known is kept as it is written.
    pub text: String,
    /// True if the text is all of it, whatever the environment.
    pub is_constant: bool,
}

/// The input of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CallInput {
    /// The input of the script.
    #[default]
    Inherited,
    /// The output of another command.
    Piped,
    /// A text of the script itself.
    Text(CallWord),
}

/// A redirection of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRedirection {
    /// The direction.
    pub kind: RedirectionKind,
    /// The file.
    pub target: CallWord,
}

/// The direction of a redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectionKind {
    /// From a file.
    Read,
    /// To a file, replaced.
    Write,
    /// To the end of a file.
    Append,
}

/// The place of a command in its script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallContext {
    /// Inside a loop.
    pub is_looped: bool,
    /// Inside a condition, or a branch of one.
    pub is_conditional: bool,
    /// Inside the body of a function.
    pub in_function: bool,
    /// Inside a substitution.
    pub in_substitution: bool,
    /// The place in a pipe.
    pub pipe: PipePlace,
    /// Programs that start it: `sudo`, `xargs`, `ssh`, outermost first.
    pub wrappers: Vec<String>,
    /// The line in its script, counted from 1.
    pub line: usize,
}

/// The place of a command in a pipe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PipePlace {
    /// In no pipe.
    #[default]
    Alone,
    /// The first command.
    First,
    /// A later command.
    Later,
}

impl CallWord {
    pub(crate) fn constant(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_constant: true }
    }

    pub(crate) fn dynamic(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_constant: false }
    }
}

/// Reads a script into its commands.
///
/// ```
/// use prowess_effects::{CallProgram, read_shell};
/// let script = read_shell("for f in *.txt; do rm \"$f\"; done");
/// assert_eq!(script.calls[0].program, CallProgram::Named("rm".to_owned()));
/// assert!(script.calls[0].context.is_looped);
/// ```
pub fn read_shell(text: &str) -> ShellScript {
    let mut script = ShellScript::default();
    let mut nesting = Nesting { depth: 0, bytes: MAX_NESTED };
    read_into(text, &CallContext::default(), &mut nesting, &mut script);
    script
}

/// The limits that all scripts inside a script share.
#[derive(Clone, Debug)]
struct Nesting {
    depth: usize,
    bytes: usize,
}

/// Reads a text and adds its commands.
fn read_into(text: &str, outer: &CallContext, nesting: &mut Nesting, script: &mut ShellScript) {
    if nesting.depth > MAX_DEPTH || nesting.bytes < text.len() || script.calls.len() > MAX_CALLS {
        script.is_partial = true;
        return;
    }
    nesting.bytes -= text.len();
    nesting.depth += 1;
    walk::read(text, outer, nesting, script);
    nesting.depth -= 1;
}
