//! The settings that prompts of an inventory are made with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prowess_config::Select;
use prowess_types::{Dialect, PromptMode, PromptRules};
use serde::{Deserialize, Serialize};

/// The settings of prompts of an inventory.
#[derive(Clone, Debug)]
pub struct CatalogSettings {
    /// Wording and budget.
    pub rules: PromptRules,
    pub(crate) mode: PromptMode,
    /// The rule by which the skills for a message are chosen in a run.
    pub select: Select,
    /// Home directories that are written as `~`.
    pub(crate) homes: Vec<String>,
    /// Folders below them that `~` does not reach.
    pub(crate) beyond_tilde: Vec<PathBuf>,
    /// The command that notes name.
    pub(crate) audit_command: String,
    /// The dialect in which the texts of skills are decoded.
    pub dialect: Dialect,
    /// Names that slash commands may not take.
    pub(crate) reserved_commands: &'static [&'static str],
    /// The places of skills that were copied for the model.
    pub located: Locations,
}

/// Where the model finds skills that were copied for it: the copy of each skill's file, by the file itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Locations {
    pub(crate) files: BTreeMap<String, String>,
}

impl Locations {
    /// Returns the copy of a skill's file, as the model sees its path.
    pub fn of(&self, file: &Path) -> Option<&str> {
        self.files.get(file.to_string_lossy().as_ref()).map(String::as_str)
    }

    /// Returns true if nothing was copied.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}
