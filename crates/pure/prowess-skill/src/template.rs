//! The text of a skill that is called: arguments and places filled in, commands found and not run.
//!
//! | in the text | becomes |
//! |---|---|
//! | `$ARGUMENTS` | everything that was typed after the name, as it was typed |
//! | `$ARGUMENTS[n]`, `$n` | one argument, counted from 0; without such an argument it stays as it is |
//! | `$name` | the argument of that name in `arguments:`; empty without one |
//! | `${CLAUDE_SKILL_DIR}`, `${PROWESS_SKILL_DIR}`, `${OPENCLAW_SKILL_DIR}`, `{baseDir}` | the skill's folder |
//! | `${CLAUDE_SESSION_ID}`, `${PROWESS_SESSION_ID}` | the session; without one it stays as it is |
//! | `` !`command` ``, a block fenced with ` ```! ` | the command, with a note that it was not run |
//!
//! Positions count from 0, as Claude Code documents them. A backslash before any of these keeps it as text. If no
//! argument found a place, all of them follow the text as `ARGUMENTS: …`.
//!
//! Invariant: what is filled in is never looked at again, so an argument cannot bring a placeholder or a command
//! into the text. Nothing is run here.

mod arguments;
mod command;

use std::ops::Range;

use arguments::Arguments;

/// What the placeholders of a text stand for.
#[derive(Clone, Copy, Debug, Default)]
pub struct TemplateContext<'a> {
    /// What was typed after the name.
    pub arguments: &'a str,
    /// The names of the arguments, in their order.
    pub argument_names: &'a [String],
    /// The skill's folder.
    pub skill_dir: &'a str,
    /// The session, if there is one.
    pub session_id: Option<&'a str>,
}

/// A text with everything filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// The text. Commands are shown in it, with a note that they were not run.
    pub text: String,
    /// The commands, in their order.
    pub commands: Vec<CommandBlock>,
}

/// A command whose output the author wants in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandBlock {
    /// Its range in the text.
    pub span: Range<usize>,
    /// What would be run.
    pub command: String,
    /// The reason it must not be run even where commands are allowed.
    pub refusal: Option<String>,
}

impl Expanded {
    /// The text with the outputs of its commands. A command that failed or must not run stays, with the reason.
    ///
    /// Outputs are not looked at again.
    pub fn with_outputs(self, mut run: impl FnMut(&str) -> Result<String, String>) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut done = 0;
        for block in self.commands {
            text += &self.text[done..block.span.start];
            done = block.span.end;
            let output = match block.refusal {
                Some(reason) => Err(reason),
                None => run(&block.command),
            };
            match output {
                Ok(output) => text += output.trim_end(),
                Err(reason) => text += &command::shown(&block.command, &format!("not run: {reason}")),
            }
        }
        text + &self.text[done..]
    }
}

/// Fills in the text of a skill.
///
/// ```
/// use prowess_skill::{TemplateContext, expand};
/// let context = TemplateContext { arguments: "\"my page\" de", ..TemplateContext::default() };
/// assert_eq!(expand("Translate $0 to $1 for \\$5.", &context).text, "Translate my page to de for $5.");
/// assert_eq!(expand("Translate.", &context).text, "Translate.\n\nARGUMENTS: \"my page\" de");
/// ```
pub fn expand(body: &str, context: &TemplateContext<'_>) -> Expanded {
    let mut filling = Filling {
        context,
        arguments: Arguments::new(context.arguments, context.argument_names),
        used: false,
    };
    let mut expanded = Expanded::default();
    let mut rest = body;
    while let Some(found) = command::next(rest) {
        expanded.text += &filling.fill(&rest[..found.span.start]).text;
        let filled = filling.fill(found.command);
        let start = expanded.text.len();
        expanded.text += &command::shown(&filled.text, "not run");
        expanded.commands.push(CommandBlock {
            span: start..expanded.text.len(),
            command: filled.text,
            refusal: filled.unsafe_value.map(|value| command::why_unsafe(&value)),
        });
        rest = &rest[found.span.end..];
    }
    expanded.text += &filling.fill(rest).text;
    let arguments = context.arguments.trim();
    if !filling.used && !arguments.is_empty() {
        expanded.text.truncate(expanded.text.trim_end().len().max(last_end(&expanded.commands)));
        expanded.text += &format!("\n\nARGUMENTS: {arguments}");
    }
    expanded
}

fn last_end(commands: &[CommandBlock]) -> usize {
    commands.last().map_or(0, |block| block.span.end)
}

/// Fills in one part of a text after the other.
struct Filling<'a> {
    context: &'a TemplateContext<'a>,
    arguments: Arguments<'a>,
    /// True if an argument found a place.
    used: bool,
}

/// A part that was filled in.
struct Filled {
    text: String,
    /// The first value in it that a shell would not take as plain words.
    unsafe_value: Option<String>,
}

/// What stands at a place of a text.
struct Placeholder {
    /// Its length in bytes.
    length: usize,
    /// What it stands for; none if it stays as it is.
    value: Option<String>,
    is_argument: bool,
}

impl Filling<'_> {
    fn fill(&mut self, part: &str) -> Filled {
        let mut filled = Filled { text: String::with_capacity(part.len()), unsafe_value: None };
        let mut rest = part;
        while let Some(start) = rest.find(['$', '{', '\\']) {
            filled.text += &rest[..start];
            rest = &rest[start..];
            let is_escaped = rest.starts_with('\\');
            let found = self.placeholder(&rest[usize::from(is_escaped)..]);
            let taken = match found {
                Some(found) if is_escaped => {
                    filled.text += &rest[1..=found.length];
                    1 + found.length
                }
                Some(Placeholder { length, value: Some(value), is_argument }) => {
                    self.used |= is_argument && !value.is_empty();
                    filled.text += &value;
                    if !command::is_plain(&value) {
                        filled.unsafe_value.get_or_insert(value);
                    }
                    length
                }
                // The sign itself, and nothing more: what follows it may be a placeholder.
                _ => {
                    filled.text += &rest[..1];
                    1
                }
            };
            rest = &rest[taken..];
        }
        filled.text += rest;
        filled
    }

    /// The placeholder that a text starts with.
    fn placeholder(&self, text: &str) -> Option<Placeholder> {
        self.place_or_session(text).or_else(|| self.argument(text))
    }

    fn place_or_session(&self, text: &str) -> Option<Placeholder> {
        const FOLDERS: [&str; 4] =
            ["{baseDir}", "${CLAUDE_SKILL_DIR}", "${PROWESS_SKILL_DIR}", "${OPENCLAW_SKILL_DIR}"];
        const SESSIONS: [&str; 2] = ["${CLAUDE_SESSION_ID}", "${PROWESS_SESSION_ID}"];
        let starting =
            |names: &[&str]| names.iter().find(|name| text.starts_with(**name)).map(|name| name.len());
        let (length, value) = match (starting(&FOLDERS), starting(&SESSIONS)) {
            (Some(length), _) => (length, Some(self.context.skill_dir)),
            (None, Some(length)) => (length, self.context.session_id),
            (None, None) => return None,
        };
        Some(Placeholder { length, value: value.map(str::to_owned), is_argument: false })
    }

    fn argument(&self, text: &str) -> Option<Placeholder> {
        let name = text.strip_prefix('$')?;
        let (length, value) = self.arguments.named_at(name)?;
        Some(Placeholder { length: 1 + length, value: value.map(str::to_owned), is_argument: true })
    }
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
