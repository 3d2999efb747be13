//! The effects of one command: a table of programs, and a rule for the rest.

use std::collections::BTreeSet;

use crate::shell::{CallInput, CallProgram, CallRedirection, CallWord, CommandCall, RedirectionKind, stem};
use crate::tags::EffectTags;

mod arguments;
mod files;
mod network;
mod packages;
mod readers;
mod services;
mod verbs;
mod versions;

pub(crate) use arguments::ProgramArguments;
pub(crate) use network::is_sending_method;
pub(crate) use services::is_reading_query;

/// Words of a shell that do nothing outside of it.
const BUILTINS: &[&str] = &[
    ":",
    "[",
    "[[",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "cd",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "declare",
    "dirs",
    "disown",
    "echo",
    "emulate",
    "enable",
    "eval",
    "exit",
    "export",
    "false",
    "fg",
    "getopts",
    "hash",
    "help",
    "history",
    "jobs",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "print",
    "printf",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "setopt",
    "shift",
    "shopt",
    "sleep",
    "suspend",
    "test",
    "time",
    "times",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "unsetopt",
    "usleep",
    "wait",
    "autoload",
    "zmodload",
    "exec",
    "then",
    "do",
    "done",
    "fi",
    "else",
    "esac",
];

/// Programs that hand out passwords.
const SECRET_STORES: &[&str] = &["bw", "gopass", "lpass", "op", "pass", "security", "vault"];

/// The programs of a skill, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownPrograms {
    /// Programs that the skill declares.
    pub(crate) declared: BTreeSet<String>,
    /// The text may be something else than code: programs that are not known count only with options.
    pub(crate) is_loose: bool,
}

impl KnownPrograms {
    /// Returns true for a program with an entry in the tables, or one that the skill declares.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.declared.contains(name) || is_known(&stem(name).to_ascii_lowercase())
    }
}

/// Returns true for a program of the tables.
pub(crate) fn is_known(name: &str) -> bool {
    crate::shell::is_shell(name)
        || files::PROGRAMS.contains(&name)
        || network::PROGRAMS.contains(&name)
        || packages::is_manager(name)
        || readers::READERS.contains(&name)
        || services::PROGRAMS.contains(&name)
        || verbs::TOOLS.contains(&name)
        || versions::PROGRAMS.contains(&name)
        || matches!(
            name,
            "sudo"
                | "doas"
                | "xargs"
                | "python"
                | "python3"
                | "node"
                | "deno"
                | "bun"
                | "perl"
                | "ruby"
                | "php"
                | "make"
                | "eval"
                | "nohup"
                | "env"
                | "pwsh"
                | "osascript"
                | "ffmpeg"
                | "su"
                | "source"
        )
}

/// Adds the effects of a command.
pub(crate) fn judge(
    call: &CommandCall,
    functions: &BTreeSet<String>,
    known: &KnownPrograms,
    tags: &mut EffectTags,
) {
    for redirection in &call.redirections {
        judge_redirection(redirection, tags);
    }
    let program = match &call.program {
        CallProgram::Absent => return,
        CallProgram::Dynamic => return tags.unreadable(),
        CallProgram::Named(program) => program.as_str(),
    };
    let name = stem(program).to_ascii_lowercase();
    let arguments = ProgramArguments::new(&call.words);
    if matches!(name.as_str(), "source" | ".") {
        return tags.shell("source");
    }
    let is_plain = call.context.wrappers.is_empty();
    if BUILTINS.contains(&name.as_str()) || (is_plain && functions.contains(program) && !is_known(&name)) {
        return;
    }
    if !is_program_name(program) {
        return if known.is_loose {
        } else {
            tags.unreadable();
        };
    }
    if arguments.asks_for_help() && known.knows(program) {
        return tags.read(&name);
    }
    let is_read_from_input = matches!(call.input, CallInput::Piped | CallInput::Text(_));
    let is_judged = readers::judge(&name, &arguments, tags)
        || files::judge(&name, &arguments, tags)
        || network::judge(&name, &arguments, tags)
        || versions::judge(&name, &arguments, tags)
        || packages::judge(&name, &arguments, tags)
        || services::judge(&name, &arguments, is_read_from_input, tags);
    if is_judged {
        return;
    }
    let shown = if program.contains('/') && !is_known(&name) { program } else { name.as_str() };
    if !verbs::TOOLS.contains(&name.as_str()) && !known.declared.contains(program) {
        let is_command = !known.is_loose || is_known(&name) || looks_like_command(program, &arguments);
        if is_command {
            if !is_known(&name) {
                verbs::judge_change(&name, &arguments, tags);
            }
            tags.shell(shown);
        }
        return;
    }
    let is_tool = verbs::TOOLS.contains(&name.as_str());
    if verbs::is_reading(&arguments, is_tool) {
        verbs::judge_output(&arguments, tags);
        if SECRET_STORES.contains(&name.as_str()) {
            tags.read(&format!("secret:{name}"));
        }
        if tags_write(&arguments) { tags.shell(shown) } else { tags.read(shown) }
    } else {
        verbs::judge_change(&name, &arguments, tags);
        verbs::judge_output(&arguments, tags);
        tags.shell(shown);
    }
    arguments.hosts().for_each(|host| tags.network(host));
}

fn tags_write(arguments: &ProgramArguments<'_>) -> bool {
    let mut only = EffectTags::default();
    verbs::judge_output(arguments, &mut only);
    only.blocks()
}

/// Returns true for a name that a program can have.
fn is_program_name(program: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || "._+-/~@{}$\\:".contains(char);
    program.len() <= 200
        && program.chars().all(is_part)
        && program.chars().any(char::is_alphanumeric)
        && !program.starts_with('-')
        && !program.ends_with(':')
}

/// Returns true for words that can only be a command: a program in lower case, and an option or a path of its own.
fn looks_like_command(program: &str, arguments: &ProgramArguments<'_>) -> bool {
    let is_lower = program.starts_with(|char: char| char.is_ascii_lowercase() || "./~".contains(char))
        && !program.contains(char::is_uppercase);
    let is_script = program.starts_with("./") || program.starts_with("~/") || program.starts_with('/');
    is_lower && (arguments.has_options() || (is_script && program.len() > 2))
}

fn judge_redirection(redirection: &CallRedirection, tags: &mut EffectTags) {
    if redirection.kind == RedirectionKind::Read {
        if let Some(rest) = redirection.target.text.strip_prefix("/dev/tcp/") {
            tags.network(rest.split('/').next().unwrap_or_default());
        }
        return;
    }
    judge_target(&redirection.target, tags);
}

/// Adds a file that is written, unless it is a stream.
pub(crate) fn judge_target(target: &CallWord, tags: &mut EffectTags) {
    let text = target.text.as_str();
    if let Some(rest) = text.strip_prefix("/dev/tcp/").or_else(|| text.strip_prefix("/dev/udp/")) {
        let host = rest.split('/').next().unwrap_or_default();
        tags.network(host);
        return tags.write(host);
    }
    let is_no_file = matches!(text, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "NUL" | "-")
        || text.starts_with("/dev/fd/")
        || text.starts_with(">(")
        || text.starts_with("<(");
    if !is_no_file {
        tags.write(text);
    }
}
