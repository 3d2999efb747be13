//! Skills that a message calls by name, and their texts with the arguments filled in.

use prowess_catalog::{Invocation, NamedSkill};
use prowess_skill::{CommandBlock, TemplateContext};
use prowess_types::ContentHash;
use sha2::{Digest as _, Sha256};

use crate::engine::Engine;
use crate::inventory::{Entry, Inventory};

/// As large as a skill's text may be, whatever the limits for loading say.
const MAX_TEXT_BYTES: u64 = 16 * 1024 * 1024;
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
    /// Its file cannot be read.
    #[error("cannot read the skill `{skill}`")]
    Read {
        /// The skill.
        skill: String,
        /// Why.
        #[source]
        source: prowess_fs::ReadError,
    },
    /// Its file is not the one that was checked.
    #[error("the skill `{0}` changed after it was checked; ask again")]
    Changed(String),
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
        let name = || call.skill.to_owned();
        let entry = inventory.entries.iter().find(|entry| entry.skill.name == call.skill);
        let entry = entry.filter(|entry| entry.is_usable()).ok_or_else(|| InvokeError::Unusable(name()))?;
        let bytes = prowess_fs::read_file(&entry.origin.real_file, MAX_TEXT_BYTES)
            .map_err(|source| InvokeError::Read { skill: name(), source })?;
        // What was gated, scanned and trusted is these bytes and no others.
        if ContentHash(Sha256::digest(&bytes).into()) != entry.skill.content_hash {
            return Err(InvokeError::Changed(name()));
        }
        let text = prowess_skill::decode(&bytes, inventory.settings.dialect).text;
        let folder = inventory.model_folder(entry);
        let context = TemplateContext {
            arguments: call.args,
            argument_names: &entry.skill.extensions.arguments,
            skill_dir: &folder,
            session_id: call.session_id,
        };
        let expanded =
            prowess_skill::expand(text.get(entry.skill.body_start..).unwrap_or_default(), &context);
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
