//! Everything that is decided before the model is called: one value, made from a view and a request.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use prowess_catalog::Snapshot;
use prowess_inventory::{Inventory, MessageMatch};
use prowess_run::model::Message;
use prowess_run::tools::ConfiguredTool;
use prowess_run::{RunSkill, SkillSearch};
use prowess_sessions::{RunId, SessionId};
use prowess_types::{ActivatedBy, Backend, BackendKind, ContentHash, PromptedSkill, Skill};

use super::backend::Model;
use super::said::{DirectCall, Said};

/// The plan of a run.
pub(crate) struct RunPlan {
    pub(super) session: SessionId,
    pub(super) run: RunId,
    /// The agent's skills, with the places of their copies if a sandbox has any.
    pub(super) inventory: Arc<Inventory>,
    /// The skills that may be used in the run.
    pub(super) skills: Vec<PlannedSkill>,
    /// The frozen catalogue.
    pub(super) snapshot: Arc<Snapshot>,
    /// The resolved message.
    pub(super) said: Said,
    /// The skills that fit the message, if the selector could be used.
    pub(super) chosen: Option<MessageMatch>,
    /// The rendered skills, as the model sees them.
    pub(super) rendered: RenderedPrompt,
    /// The conversation before, as the model saw it.
    pub(super) past: Vec<Message>,
    /// The session in which another program goes on.
    pub(super) resume: Option<String>,
    /// The skills that another program is handed as files; all that may be used, for a model.
    pub(super) handed: Option<HashSet<String>>,
    /// The skills that are in use from the beginning: they were called, or their text is before the model.
    pub(super) in_use: Vec<(PathBuf, ActivatedBy)>,
    pub(super) answering: Answering,
    pub(super) tools: Vec<ConfiguredTool>,
    /// The search for skills that the model uses.
    pub(super) search: Arc<dyn SkillSearch>,
    pub(super) notices: Vec<PlanNotice>,
}

/// The prompt of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct RenderedPrompt {
    /// The system prompt; empty if the answerer gets none from here.
    pub(super) system: String,
    /// The block in front of the user's message.
    pub(super) context: Option<String>,
    /// Every skill whose name or text is in the request.
    pub(super) prompted: Vec<PromptedSkill>,
    /// The reason there are no skills in the request, if there are none.
    pub(super) empty: Option<String>,
}

impl RenderedPrompt {
    /// A message with the block in front of it.
    pub(super) fn with(&self, message: &str) -> String {
        in_front_of(self.context.as_deref(), message)
    }
}

/// A message with a block in front of it, as it is sent and as it stands in later turns.
pub(super) fn in_front_of(context: Option<&str>, message: &str) -> String {
    match context {
        Some(context) => format!("{context}\n\n{message}"),
        None => message.to_owned(),
    }
}

/// The model or program that answers, ready to.
pub(super) enum Answering {
    Model(Model),
    Harness(&'static prowess_run::harness::HarnessCommand),
    Tool(DirectCall),
}

/// A skill that may be used in a run.
#[derive(Clone)]
pub(super) struct PlannedSkill {
    pub(super) skill: Arc<Skill>,
    /// The file that the model sees, which is the skill's identity within the run.
    pub(super) file: PathBuf,
    pub(super) folder: PathBuf,
    /// The text that was checked, if it is no longer the file on disk.
    pub(super) kept_text: Option<Arc<[u8]>>,
}

/// Something that the user should know, found before the run began.
#[derive(Debug)]
pub(super) struct PlanNotice {
    pub(super) kind: NoticeKind,
    pub(super) text: String,
}

/// The subject of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoticeKind {
    Sandbox,
    Selection,
    Snapshot,
    Environment,
    Prompt,
}

impl NoticeKind {
    /// The word in the trace.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Selection => "selection",
            Self::Snapshot => "snapshot",
            Self::Environment => "environment",
            Self::Prompt => "prompt",
        }
    }
}

impl PlannedSkill {
    /// As the tools of a run see it.
    pub(super) fn for_tools(&self) -> RunSkill {
        RunSkill {
            name: self.skill.name.clone(),
            file: self.file.clone(),
            folder: self.folder.clone(),
            content_hash: self.content_hash().to_string(),
            text: self.kept_text.clone(),
        }
    }

    fn content_hash(&self) -> ContentHash {
        self.skill.content_hash
    }
}

impl Answering {
    pub(super) fn backend(&self) -> Backend {
        match self {
            Self::Model(model) => model.backend.clone(),
            Self::Harness(harness) => {
                Backend { kind: BackendKind::Harness, name: harness.id.clone(), model: None }
            }
            Self::Tool(call) => Backend { kind: BackendKind::Dispatch, name: call.tool.clone(), model: None },
        }
    }
}
