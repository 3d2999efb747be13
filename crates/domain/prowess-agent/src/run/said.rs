//! The resolved message: the skills it calls by name, with their texts.

use prowess_catalog::{MessageInvocation, reference_prefix, skill_frame};
use prowess_context::Context;
use prowess_inventory::{Inventory, OpenCall, SkillCall, SkillEntry, open_call};
use prowess_types::{ActivatedBy, Dispatch, PromptedAs};

use super::RunError;

/// The resolved message.
pub(super) struct Said {
    /// The text that a model gets instead of the message.
    pub(super) text: SaidText,
    /// The skills that the user called.
    pub(super) called: Vec<Called>,
    /// A tool that gets the message without a model.
    pub(super) dispatch: Option<DirectCall>,
}

/// A skill that the user called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Called {
    /// Its place in the inventory.
    pub(super) place: usize,
    pub(super) by: ActivatedBy,
    /// Its form in the prompt; none if a tool gets the call.
    pub(super) how: Option<PromptedAs>,
}

/// The words for a model.
pub(super) enum SaidText {
    /// As the user wrote them, perhaps with the places of skills before them.
    Plain(String),
    /// The text of a called skill, whose commands may still have to run.
    Skill(CalledSkill),
}

/// A called skill and its text.
pub(super) struct CalledSkill {
    name: String,
    location: String,
    args: String,
    call: OpenCall,
}

/// A slash command that goes straight to a tool.
#[derive(Clone)]
pub(super) struct DirectCall {
    pub(super) tool: String,
    pub(super) args: String,
    pub(super) command: String,
    pub(super) skill: String,
}

impl SaidText {
    /// The commands that the author of a called skill wants to be run first, if the user's policy lets them.
    pub(super) fn commands(&self) -> Vec<String> {
        match self {
            Self::Plain(_) => Vec::new(),
            Self::Skill(skill) => skill.call.commands_to_run(),
        }
    }

    /// The words, without the output of any command.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Plain(text) => text,
            Self::Skill(skill) => skill.framed(|call| call.expand(None).text),
        }
    }

    /// The words, with what the commands wrote.
    pub(super) fn with_outputs(self, mut outputs: impl FnMut(&str) -> Result<String, String>) -> String {
        match self {
            Self::Plain(text) => text,
            Self::Skill(skill) => skill.framed(|call| call.expand(Some(&mut outputs)).text),
        }
    }
}

impl CalledSkill {
    fn framed(self, text: impl FnOnce(OpenCall) -> String) -> String {
        let Self { name, location, args, call } = self;
        let with = if args.is_empty() { String::new() } else { format!(" with: {args}") };
        let block = skill_frame(&name, &location, None, &text(call));
        format!("The user calls the skill `{name}`{with}\n\n{block}")
    }
}

/// Reads what a message calls by name.
pub(super) fn understand(
    context: &Context,
    inventory: &Inventory,
    message: &str,
    session: &str,
) -> Result<Said, RunError> {
    match inventory.invocation(message) {
        MessageInvocation::Plain => {
            Ok(Said { text: SaidText::Plain(message.to_owned()), called: Vec::new(), dispatch: None })
        }
        MessageInvocation::Unknown { name, suggestions } => {
            Err(RunError::UnknownCommand { name, suggestions })
        }
        MessageInvocation::Ambiguous { name, choices } => Err(RunError::AmbiguousName { name, choices }),
        MessageInvocation::Refused { skill, reason } => Err(RunError::Refused { skill, reason }),
        MessageInvocation::References(references) => {
            let called = references.iter().filter_map(|it| usable_place(inventory, &it.skill));
            let (by, how) = (ActivatedBy::Reference, Some(PromptedAs::Pointer));
            Ok(Said {
                called: called.map(|place| Called { place, by, how }).collect(),
                text: SaidText::Plain(reference_prefix(&references) + message),
                dispatch: None,
            })
        }
        MessageInvocation::Command { spec, args } => {
            let name = spec.skill_name;
            let place = usable_place(inventory, &name);
            let called = |how| place.map(|place| Called { place, by: ActivatedBy::Command, how });
            if let Some(Dispatch::Tool { tool_name, .. }) = spec.dispatch {
                let call = DirectCall { tool: tool_name, args, command: spec.name, skill: name };
                let text = SaidText::Plain(message.to_owned());
                return Ok(Said { text, called: called(None).into_iter().collect(), dispatch: Some(call) });
            }
            let call = SkillCall { skill: &name, args: &args, session_id: Some(session) };
            let call = open_call(context, inventory, &call)?;
            let entry = place.map(|place| &inventory.entries[place]);
            let location = entry.map(|entry| inventory.model_location(entry)).unwrap_or_default();
            Ok(Said {
                called: called(Some(PromptedAs::Text)).into_iter().collect(),
                text: SaidText::Skill(CalledSkill { name, location, args, call }),
                dispatch: None,
            })
        }
    }
}

/// The place of a skill that can be used, by the name that a message called.
fn usable_place(inventory: &Inventory, name: &str) -> Option<usize> {
    let is_meant = |entry: &SkillEntry| entry.skill.name == name && entry.is_usable();
    inventory.entries.iter().position(is_meant)
}
