//! Skills that a message calls by name, and their texts with the arguments filled in.

use prowess_catalog::{CommandNaming, MessageInvocation, NamedSkill};
use prowess_config::CommandInjection;
use prowess_context::Context;
use prowess_skill::{CommandBlock, TemplateContext};

use crate::files::SkillFileError;
use crate::inventory::{Inventory, SkillEntry};

/// A skill that is called.
#[derive(Clone, Copy, Debug, Default)]
pub struct SkillCall<'a> {
    /// Its name.
    pub skill: &'a str,
    /// The text after the name.
    pub args: &'a str,
    /// The session, if there is one.
    pub session_id: Option<&'a str>,
}

/// Runs a command from the text of a skill: returns its output, or the reason there is none. The caller has to use
/// a sandbox.
pub type RunCommand<'r> = dyn FnMut(&str) -> Result<String, String> + 'r;

/// The text of a called skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpandedSkill {
    /// The text below the frontmatter, with everything filled in.
    pub text: String,
    /// Commands that the author wants to be run. Those that did not run are shown in the text with the reason.
    pub commands: Vec<CommandBlock>,
    /// True if the commands were run.
    pub ran: bool,
}

/// The reason a called skill has no text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvokeError {
    /// There is no such skill, or this agent may not use it.
    #[error("no skill `{0}` that can be used here")]
    Unusable(String),
    /// Its file cannot be read, or is not the one that was checked.
    #[error(transparent)]
    File(#[from] SkillFileError),
}

impl prowess_types::Classify for InvokeError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Unusable(_) => Is(ErrorKind::NotFound),
            Self::File(_) => Is(ErrorKind::Files),
        }
    }
}

/// A called skill whose commands have not run yet.
pub struct OpenCall {
    expanded: prowess_skill::Expanded,
    /// True if the user's policy allows its commands to run.
    may_run: bool,
}

impl OpenCall {
    /// The commands that the author wants to be run, if the user's policy lets them.
    pub fn commands_to_run(&self) -> Vec<String> {
        let commands = self.expanded.commands.iter().filter(|_| self.may_run);
        commands.map(|block| block.command.clone()).collect()
    }

    /// The text, with the output of its commands where they may run and `run` is given.
    pub fn expand(self, run: Option<&mut RunCommand<'_>>) -> ExpandedSkill {
        let commands = self.expanded.commands.clone();
        match run.filter(|_| self.may_run) {
            Some(run) => ExpandedSkill { text: self.expanded.with_outputs(run), commands, ran: true },
            None => ExpandedSkill { text: self.expanded.text, commands, ran: false },
        }
    }
}

impl Inventory {
    /// Returns the skills that a message calls by name: one command, skills it refers to, or nothing.
    pub fn invocation(&self, message: &str) -> MessageInvocation {
        let usable: Vec<(&SkillEntry, String)> = self
            .entries
            .iter()
            .filter(|entry| entry.is_usable())
            .map(|entry| (entry, self.model_location(entry)))
            .collect();
        let skills: Vec<NamedSkill<'_>> = usable
            .iter()
            .map(|(entry, location)| NamedSkill {
                name: &entry.skill.name,
                location,
                user_invocable: entry.skill.invocation.user_invocable,
                model_visible: entry.is_model_visible(),
            })
            .collect();
        let naming = CommandNaming {
            spelling: self.profile.command_spelling,
            reserved: self.settings.reserved_commands,
        };
        prowess_catalog::parse_invocation(message, &self.commands(), &skills, naming)
    }
}

/// The text of a called skill, with its arguments and places filled in.
///
/// Commands in it run only if the user's config sets `skills.commands.inject` to `sandboxed` and `run` is given;
/// otherwise the text shows them with a note.
pub fn expand_invocation(
    context: &Context,
    inventory: &Inventory,
    call: &SkillCall<'_>,
    run: Option<&mut RunCommand<'_>>,
) -> Result<ExpandedSkill, InvokeError> {
    Ok(open_call(context, inventory, call)?.expand(run))
}

/// A called skill with its arguments and places filled in, before any of its commands ran.
pub fn open_call(
    context: &Context,
    inventory: &Inventory,
    call: &SkillCall<'_>,
) -> Result<OpenCall, InvokeError> {
    let entry = inventory.entries.iter().find(|entry| entry.skill.name == call.skill);
    let entry = entry
        .filter(|entry| entry.is_usable())
        .ok_or_else(|| InvokeError::Unusable(call.skill.to_owned()))?;
    let body = inventory.body_of(entry)?;
    let folder = inventory.model_folder(entry);
    let template = TemplateContext {
        arguments: call.args,
        argument_names: &entry.skill.extensions.arguments,
        skill_dir: &folder,
        session_id: call.session_id,
    };
    Ok(OpenCall { expanded: prowess_skill::expand(&body, &template), may_run: may_inject(context) })
}

/// Returns true if commands in the texts of skills may run. Only the user's own config can allow it.
pub(crate) fn may_inject(context: &Context) -> bool {
    context.config().command_injection() == CommandInjection::Sandboxed
}
