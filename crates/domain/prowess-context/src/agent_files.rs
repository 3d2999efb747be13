//! The files in a workspace that tell an agent who it is and how to work.

use std::path::{Path, PathBuf};

use prowess_fs::EscapeError;
use serde::Serialize;

use crate::context::{Context, ContextError};

/// The files that may be read and written this way.
pub const AGENT_FILES: [&str; 8] = [
    "AGENTS.md",
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "TOOLS.md",
    "HEARTBEAT.md",
    "MEMORY.md",
    "BOOTSTRAP.md",
];
/// A larger file is neither read nor written.
const MAX_BYTES: u64 = 1 << 20;

/// One of these files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentFile {
    /// Its name.
    pub name: String,
    /// Where it is, or would be.
    pub path: String,
    /// Whether it is not there.
    pub missing: bool,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// When it was last changed, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at_ms: Option<u64>,
    /// What it says; only where one file was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// The reason a file is not read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentFileError {
    /// It is not one of these files. The words are OpenClaw's.
    #[error("unsupported file \"{0}\"")]
    Unsupported(String),
    /// It leads out of the workspace.
    #[error(transparent)]
    Escape(#[from] EscapeError),
    /// It is not text.
    #[error("`{}` is not text", .0.display())]
    NotText(PathBuf),
    /// It is too large to write.
    #[error("`{0}` would have more than {MAX_BYTES} bytes")]
    TooLarge(String),
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] prowess_fs::FileReadError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] prowess_fs::WriteError),
    /// The engine cannot answer.
    #[error(transparent)]
    Context(#[from] ContextError),
}

impl prowess_types::Classify for AgentFileError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Context(error) => Of(error),
            Self::Unsupported(_) | Self::NotText(_) | Self::TooLarge(_) => Is(ErrorKind::InvalidValue),
            Self::Escape(EscapeError::Missing { .. }) => Is(ErrorKind::NotFound),
            Self::Escape(_) => Is(ErrorKind::Refused),
            Self::Read(_) | Self::Write(_) => Is(ErrorKind::Files),
        }
    }
}

impl Context {
    /// All of these files of an agent, without what they say.
    pub fn agent_files(&self, agent: Option<&str>) -> Result<Vec<AgentFile>, AgentFileError> {
        let workspace = self.workspace(agent)?;
        AGENT_FILES.iter().map(|name| describe(&workspace, name)).collect()
    }

    /// One file of an agent with what it says.
    pub fn agent_file(&self, agent: Option<&str>, name: &str) -> Result<AgentFile, AgentFileError> {
        let name = checked(name)?;
        let mut file = describe(&self.workspace(agent)?, name)?;
        if !file.missing {
            let path = PathBuf::from(&file.path);
            let bytes = prowess_fs::read_file(&path, MAX_BYTES)?;
            file.content = Some(String::from_utf8(bytes).map_err(|_| AgentFileError::NotText(path))?);
        }
        Ok(file)
    }

    /// Writes one file of an agent, and makes its workspace if it is not there.
    pub fn write_agent_file(
        &self,
        agent: Option<&str>,
        name: &str,
        content: &str,
    ) -> Result<AgentFile, AgentFileError> {
        let name = checked(name)?;
        if content.len() as u64 > MAX_BYTES {
            return Err(AgentFileError::TooLarge(name.to_owned()));
        }
        let workspace = self.workspace(agent)?;
        prowess_fs::create_folder(&workspace)?;
        let before = describe(&workspace, name)?;
        prowess_fs::write_atomic(Path::new(&before.path), content.as_bytes(), None)?;
        self.agent_file(agent, name)
    }
}

fn checked(name: &str) -> Result<&'static str, AgentFileError> {
    let known = AGENT_FILES.iter().find(|known| **known == name);
    known.copied().ok_or_else(|| AgentFileError::Unsupported(name.to_owned()))
}

/// A file as it is now. One that leads out of the workspace is an error, also when it leads nowhere.
fn describe(workspace: &Path, name: &str) -> Result<AgentFile, AgentFileError> {
    let path = workspace.join(name);
    let stamp = match prowess_fs::resolve_inside(workspace, Path::new(name)) {
        Ok(inside) => prowess_fs::stamp(&inside).ok().flatten(),
        Err(EscapeError::Missing { .. }) if !prowess_fs::is_taken(&path) => None,
        Err(EscapeError::Missing { path }) => {
            return Err(EscapeError::Outside { path, root: workspace.to_owned() }.into());
        }
        Err(error) => return Err(error.into()),
    };
    let modified = |stamp: prowess_fs::Stamp| {
        let secs = u64::try_from(stamp.modified_secs).ok()?;
        Some(secs * 1000 + u64::from(stamp.modified_nanos / 1_000_000))
    };
    Ok(AgentFile {
        name: name.to_owned(),
        path: path.display().to_string(),
        missing: stamp.is_none(),
        size: stamp.map(|stamp| stamp.size),
        updated_at_ms: stamp.and_then(modified),
        content: None,
    })
}
