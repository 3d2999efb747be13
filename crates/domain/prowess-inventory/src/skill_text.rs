//! A skill as people read it: its text and its files.

use std::path::Path;

use prowess_context::Context;
use prowess_fs::{EntryKind, EscapeError};
use serde::Serialize;

use crate::inventory::SkillEntry;

/// A larger file is not shown.
const MAX_BYTES: u64 = 1 << 20;

/// A skill's text.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillText {
    /// Its name.
    pub name: String,
    /// The key of its settings.
    pub skill_key: String,
    /// The file that is shown, below the skill's folder.
    pub file: String,
    /// What it says.
    pub text: String,
    /// Where the text after the frontmatter begins, in bytes; only of the skill's own file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_start: Option<usize>,
    /// All files of the skill; git's own do not belong to it.
    pub files: Vec<ListedFile>,
    /// Whether there are more files than are listed.
    pub is_cut: bool,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedFile {
    /// Its place below the skill's folder.
    pub path: String,
    /// Its size in bytes; none if it is not a regular file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Whether it is a link, a pipe or a device, which is not shown.
    pub special: bool,
}

/// The reason a skill's text cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkillTextError {
    /// It leads out of the skill's folder, or there is none.
    #[error(transparent)]
    Escape(#[from] EscapeError),
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] prowess_fs::FileReadError),
    /// It is not text.
    #[error("`{0}` is not text")]
    NotText(String),
}

impl prowess_types::Classify for SkillTextError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::Is;
        use prowess_types::ErrorKind;
        match self {
            Self::Escape(EscapeError::Missing { .. }) => Is(ErrorKind::NotFound),
            Self::Escape(_) => Is(ErrorKind::Refused),
            Self::Read(_) => Is(ErrorKind::Files),
            Self::NotText(_) => Is(ErrorKind::InvalidValue),
        }
    }
}

/// The text of a skill, or of one of its files, and all its files.
pub fn skill_text(
    context: &Context,
    entry: &SkillEntry,
    file: Option<&str>,
) -> Result<SkillText, SkillTextError> {
    let (skill, origin) = (&entry.skill, &entry.origin);
    let own = origin.file.strip_prefix(&origin.base).unwrap_or(&origin.file).to_string_lossy().into_owned();
    let wanted = file.unwrap_or(&own);
    let is_own = wanted == own;
    // The skill's own file was found by the rules for links; any other must lie in its folder.
    let path = if is_own {
        origin.real_file.clone()
    } else {
        prowess_fs::resolve_inside(&origin.base, Path::new(wanted))?
    };
    let bytes = prowess_fs::read_file(&path, MAX_BYTES)?;
    let text = if is_own {
        prowess_skill::decode(&bytes, context.parse_options().dialect).text.into_owned()
    } else {
        String::from_utf8(bytes).map_err(|_| SkillTextError::NotText(wanted.to_owned()))?
    };
    let listing = entry.listing();
    let files = listing.entries.into_iter().map(|listed| {
        let (size, special) = match listed.kind {
            EntryKind::File { size, .. } => (Some(size), false),
            _ => (None, true),
        };
        ListedFile { path: listed.relative, size, special }
    });
    Ok(SkillText {
        name: skill.name.clone(),
        skill_key: skill.key().to_owned(),
        file: wanted.to_owned(),
        body_start: is_own.then_some(skill.body_start).filter(|start| text.is_char_boundary(*start)),
        text,
        files: files.collect(),
        is_cut: listing.is_cut,
    })
}
