//! What a message calls by name: `/name args`, `/skill name args`, `$name`.
//!
//! A slash command is the whole message; references may stand anywhere in it. Names are only looked up here:
//! nothing is read, expanded or run.
//!
//! Invariant: reading a message never fails. A message that calls nothing is [`MessageInvocation::Plain`].

use prowess_text::{shorten_utf16, utf16_len};
use prowess_types::CommandSpelling;

use crate::command_name::{CommandNaming, NameMatch, key};
use crate::commands::{CommandSpec, sanitised};

/// References of one message that count; more would be a list, not a request.
const MAX_REFERENCES: usize = 8;
/// The longest line of the instruction for references.
const MAX_LINE: usize = 512;
/// The longest instruction for references.
const MAX_PREFIX: usize = 1_000;
/// How many names are proposed for one that is unknown.
const MAX_SUGGESTIONS: usize = 3;
/// Longer words are no misspelt names.
const MAX_SUGGESTED_FOR: usize = 64;

/// A skill that a message may name.
#[derive(Clone, Copy, Debug)]
pub struct NamedSkill<'a> {
    /// Its name.
    pub name: &'a str,
    /// The place of its file, as a model is told.
    pub location: &'a str,
    /// True if a person may call it.
    pub user_invocable: bool,
    /// True if the model finds it in its list.
    pub model_visible: bool,
}

/// What a message calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageInvocation {
    /// One skill, with everything after its name.
    Command {
        /// The command.
        spec: CommandSpec,
        /// The rest of the message as it was typed, without the blanks around it.
        args: String,
    },
    /// Skills that the message refers to with `$name`, in their order.
    References(Vec<SkillReference>),
    /// A skill that people may not call.
    Refused {
        /// The skill.
        skill: String,
        /// The reason it may not be called.
        reason: String,
    },
    /// A command that nobody has.
    Unknown {
        /// What was typed, without the slash.
        name: String,
        /// Commands that it could be a misspelling of, the closest first.
        suggestions: Vec<String>,
    },
    /// A name that several skills have in another spelling.
    Ambiguous {
        /// The name as it was typed, with its sign.
        name: String,
        /// The exact names, each with the sign.
        choices: Vec<String>,
    },
    /// Nothing by name.
    Plain,
}

/// A skill that a message refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillReference {
    /// The skill's name.
    pub skill: String,
    /// Where its file is, if the model does not find it in its list.
    pub location: Option<String>,
}

/// Reads a message against the commands and skills of an agent.
///
/// `/name` is the command's name in any case. With [`Folded`](prowess_types::CommandSpelling::Folded) spelling it may also
/// be the skill's own name, and `_`, `-` and case are one: `/my-skill` reaches `my_skill`, a built-in command keeps its
/// name, and an exact name wins. `/skill name` and `$name` take either name in every profile. A slash that starts a path
/// starts no command. `$HOME` has no lower-case letter, so it is a variable; `\$name` is text.
///
/// ```
/// use prowess_catalog::{CommandNaming, MessageInvocation, NamedSkill, parse_invocation};
/// use prowess_types::CommandSpelling;
/// let skills = [NamedSkill { name: "weather", location: "", user_invocable: true, model_visible: true }];
/// let naming = CommandNaming { spelling: CommandSpelling::Folded, reserved: &[] };
/// let called = parse_invocation("ask $weather, not \\$weather", &[], &skills, naming);
/// let MessageInvocation::References(found) = called else { panic!("a reference") };
/// assert_eq!(found[0].skill, "weather");
/// ```
pub fn parse_invocation(
    message: &str,
    commands: &[CommandSpec],
    skills: &[NamedSkill<'_>],
    naming: CommandNaming<'_>,
) -> MessageInvocation {
    let names = CallableNames { commands, skills, naming };
    let message = message.trim();
    match message.strip_prefix('/').map(first_word) {
        Some((name, rest)) if name.eq_ignore_ascii_case("skill") => {
            let (name, args) = first_word(rest);
            names.by_any_name(name, args)
        }
        Some((name, args)) if is_command_word(name) => names.by_command_name(name, args),
        _ => names.references(message),
    }
}

/// The instruction that precedes a message with references, with an empty line at its end; empty without any.
///
/// Each line has at most 512 characters and the whole at most 1,000; skills that do not fit are counted.
pub fn reference_prefix(references: &[SkillReference]) -> String {
    let Some(last) = references.len().checked_sub(1) else {
        return String::new();
    };
    let mut prefix =
        "The message below refers to these skills with `$name`. Read each one's SKILL.md before answering:\n"
            .to_owned();
    // Room for the line that counts what is left out, and for the empty line.
    let reserve = 24;
    for (place, reference) in references.iter().enumerate() {
        let line = reference_line(reference);
        let kept_free = if place == last { 1 } else { reserve };
        if utf16_len(&prefix) + utf16_len(&line) + kept_free > MAX_PREFIX {
            prefix += &format!("- and {} more\n", references.len() - place);
            break;
        }
        prefix += &line;
    }
    prefix.push('\n');
    prefix
}

/// One skill on one line. Half a path would lead nowhere, so one that does not fit is left out.
fn reference_line(reference: &SkillReference) -> String {
    let one_line = |text: &str| text.replace(char::is_control, " ");
    let name = one_line(&reference.skill);
    let full = reference.location.as_deref().map(|location| format!("- {name}: {}\n", one_line(location)));
    match full {
        Some(line) if utf16_len(&line) <= MAX_LINE => line,
        _ => format!("- {}\n", shorten_utf16(&name, MAX_LINE - 3)),
    }
}

/// The names that a message may call, and the rules for comparing them.
#[derive(Clone, Copy)]
struct CallableNames<'a> {
    commands: &'a [CommandSpec],
    skills: &'a [NamedSkill<'a>],
    naming: CommandNaming<'a>,
}

impl<'a> CallableNames<'a> {
    fn by_command_name(self, name: &str, args: &str) -> MessageInvocation {
        let is_hidden = |skill: &NamedSkill<'_>| match self.naming.spelling {
            CommandSpelling::Exact => sanitised(skill.name) == name.to_lowercase(),
            CommandSpelling::Folded => {
                key(skill.name) == key(name) || sanitised(skill.name) == name.to_lowercase()
            }
        };
        self.command(self.naming.slash(name, self.commands), "/", name, args, is_hidden)
    }

    fn by_any_name(self, name: &str, args: &str) -> MessageInvocation {
        let is_hidden = |skill: &NamedSkill<'_>| key(skill.name) == key(name);
        self.command(self.naming.any(name, self.commands), "/skill ", name, args, is_hidden)
    }

    fn command(
        self,
        found: NameMatch<'_, CommandSpec>,
        sign: &str,
        name: &str,
        args: &str,
        is_hidden: impl Fn(&NamedSkill<'_>) -> bool,
    ) -> MessageInvocation {
        match found {
            NameMatch::Found(spec) => {
                MessageInvocation::Command { spec: spec.clone(), args: args.to_owned() }
            }
            NameMatch::Several(specs) => {
                MessageInvocation::ambiguous(sign, name, specs.iter().map(|spec| spec.name.as_str()))
            }
            NameMatch::Missing => {
                let hidden = self.skills.iter().find(|skill| !skill.user_invocable && is_hidden(skill));
                hidden.map_or_else(|| unknown(name, self.commands), refused)
            }
        }
    }

    fn references(self, message: &str) -> MessageInvocation {
        let mut found: Vec<SkillReference> = Vec::new();
        for name in mentions(message) {
            let skill = match self.skill(name) {
                NameMatch::Found(skill) => skill,
                NameMatch::Missing => continue,
                NameMatch::Several(skills) => {
                    return MessageInvocation::ambiguous("$", name, skills.iter().map(|skill| skill.name));
                }
            };
            if found.iter().all(|known| known.skill != skill.name) {
                let location = (!skill.model_visible).then(|| skill.location.to_owned());
                found.push(SkillReference { skill: skill.name.to_owned(), location });
            }
            if found.len() == MAX_REFERENCES {
                break;
            }
        }
        if found.is_empty() { MessageInvocation::Plain } else { MessageInvocation::References(found) }
    }

    /// The skill that a reference means. Punctuation that ends a sentence may belong to the name or not.
    fn skill(self, mention: &str) -> NameMatch<'a, NamedSkill<'a>> {
        match self.skill_of(mention) {
            NameMatch::Missing => self.skill_of(mention.trim_end_matches([':', '-'])),
            found => found,
        }
    }

    fn skill_of(self, name: &str) -> NameMatch<'a, NamedSkill<'a>> {
        let callable: Vec<&NamedSkill<'a>> =
            self.skills.iter().filter(|skill| skill.user_invocable).collect();
        match self.naming.item(name, &callable, |skill| skill.name) {
            NameMatch::Missing => {}
            found => return found,
        }
        let of = |spec: &CommandSpec| callable.iter().copied().find(|skill| skill.name == spec.skill_name);
        match self.naming.any(name, self.commands) {
            NameMatch::Found(spec) => of(spec).map_or(NameMatch::Missing, NameMatch::Found),
            NameMatch::Several(specs) => NameMatch::Several(specs.into_iter().filter_map(of).collect()),
            NameMatch::Missing => NameMatch::Missing,
        }
    }
}

impl MessageInvocation {
    fn ambiguous<'n>(sign: &str, name: &str, choices: impl Iterator<Item = &'n str>) -> Self {
        Self::Ambiguous {
            name: format!("{sign}{name}"),
            choices: choices.map(|choice| format!("{sign}{choice}")).collect(),
        }
    }
}

fn refused(skill: &NamedSkill<'_>) -> MessageInvocation {
    MessageInvocation::Refused {
        skill: skill.name.to_owned(),
        reason: format!("`{}` is for the model only (`user-invocable: false`)", skill.name),
    }
}

fn unknown(name: &str, commands: &[CommandSpec]) -> MessageInvocation {
    MessageInvocation::Unknown { name: name.to_owned(), suggestions: suggestions(name, commands) }
}

/// Every word after a dollar sign that can be a skill's name.
fn mentions(message: &str) -> impl Iterator<Item = &str> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':');
    message.match_indices('$').filter_map(move |(place, _)| {
        let backslashes = message[..place].bytes().rev().take_while(|byte| *byte == b'\\').count();
        let rest = &message[place + 1..];
        let name = &rest[..rest.bytes().take_while(is_name).count()];
        let is_escaped = backslashes % 2 == 1;
        (!is_escaped && name.bytes().any(|byte| byte.is_ascii_lowercase())).then_some(name)
    })
}

/// Everything up to the first blank, and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

/// Returns true if a word after a slash can be meant as a command: `/usr/bin`, `/*` and `//` cannot.
fn is_command_word(word: &str) -> bool {
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ':' | '.');
    word.starts_with(char::is_alphanumeric) && word.chars().all(is_inside)
}

/// Commands that are written almost like a word.
fn suggestions(word: &str, commands: &[CommandSpec]) -> Vec<String> {
    let word = key(word);
    let letters = word.chars().count();
    if word.is_empty() || letters > MAX_SUGGESTED_FOR {
        return Vec::new();
    }
    let close_enough = letters.div_ceil(3);
    let mut close: Vec<(usize, &str)> = commands
        .iter()
        .map(|spec| (strsim::levenshtein(&word, &key(&spec.name)), spec.name.as_str()))
        .filter(|(distance, _)| *distance <= close_enough)
        .collect();
    close.sort_unstable();
    close.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
#[path = "invocation_tests.rs"]
mod tests;
