//! Skills that a message calls by name, and their texts with the arguments filled in.

use prowess_catalog::{Invocation, NamedSkill};
use prowess_skill::{CommandBlock, TemplateContext};

use crate::engine::Engine;
use crate::files::SkillFileError;
use crate::inventory::{Entry, Inventory};

/// A skill that is called.
#[derive(Clone, Copy, Debug, Default)]
pub struct SkillCall<'a> {
    /// Its name.
    pub skill: &'a str,
    /// What was typed after the name.
    pub args: &'a str,
    /// The session, if there is one.
    pub session_id: Option<&'a str>,
}

/// What runs a command from the text of a skill: its output, or why there is none. It is up to the caller to do so in
/// a sandbox.
pub type RunCommand<'r> = dyn FnMut(&str) -> Result<String, String> + 'r;

/// The text of a called skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpandedSkill {
    /// The text below the frontmatter, with everything filled in.
    pub text: String,
    /// Commands that the author wants to be run. Those that did not run are shown in the text with the reason.
    pub commands: Vec<CommandBlock>,
    /// Whether the commands were run.
    pub ran: bool,
}

/// Why a called skill has no text.
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

impl Inventory {
    /// What a message calls by name: one command, skills it refers to, or nothing.
    pub fn invocation(&self, message: &str) -> Invocation {
        let usable: Vec<(&Entry, String)> = self
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
        prowess_catalog::parse_invocation(message, &self.commands(), &skills)
    }
}

impl Engine {
    /// The text of a called skill, with its arguments and places filled in.
    ///
    /// Commands in it run only if the user's config sets `skills.commands.inject` to `sandboxed` and `run` is given;
    /// otherwise the text shows them with a note.
    pub fn expand_invocation(
        &self,
        inventory: &Inventory,
        call: &SkillCall<'_>,
        run: Option<&mut RunCommand<'_>>,
    ) -> Result<ExpandedSkill, InvokeError> {
        let entry = inventory.entries.iter().find(|entry| entry.skill.name == call.skill);
        let entry = entry
            .filter(|entry| entry.is_usable())
            .ok_or_else(|| InvokeError::Unusable(call.skill.to_owned()))?;
        let body = inventory.body_of(entry)?;
        let folder = inventory.model_folder(entry);
        let context = TemplateContext {
            arguments: call.args,
            argument_names: &entry.skill.extensions.arguments,
            skill_dir: &folder,
            session_id: call.session_id,
        };
        let expanded = prowess_skill::expand(&body, &context);
        let commands = expanded.commands.clone();
        Ok(match run.filter(|_| self.may_inject()) {
            Some(run) => ExpandedSkill { text: expanded.with_outputs(run), commands, ran: true },
            None => ExpandedSkill { text: expanded.text, commands, ran: false },
        })
    }

    /// Whether commands in the texts of skills may run. Only the user's own config can say so.
    pub(crate) fn may_inject(&self) -> bool {
        self.user_setting("skills.commands.inject").as_deref() == Some("sandboxed")
    }
}

/// The example in the document for users.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/commands.md")]
struct Document;
