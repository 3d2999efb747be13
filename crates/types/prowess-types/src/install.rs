//! How a skill's dependencies can be installed, as its author declared it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of installer.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum InstallKind {
    /// Homebrew formula or cask.
    Brew,
    /// A package of the npm registry.
    Node,
    /// A Go module.
    Go,
    /// A Python tool through uv.
    Uv,
    /// A file or an archive from the web.
    Download,
    /// A Debian package.
    Apt,
    /// A crate with a binary.
    Cargo,
    /// A Python tool through pipx.
    Pipx,
}

impl InstallKind {
    /// The word used in files and answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Brew => "brew",
            Self::Node => "node",
            Self::Go => "go",
            Self::Uv => "uv",
            Self::Download => "download",
            Self::Apt => "apt",
            Self::Cargo => "cargo",
            Self::Pipx => "pipx",
        }
    }
}

/// What to install.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub enum InstallRecipe {
    /// A package, formula, cask, module or crate, named as its manager takes it.
    Package(String),
    /// A file from the web.
    Download(DownloadRecipe),
}

/// A file or an archive from the web.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DownloadRecipe {
    /// Normalised address.
    pub url: String,
    /// Declared archive type.
    pub archive: Option<String>,
    /// True to unpack; by suffix when absent.
    pub extract: Option<bool>,
    /// Leading folders to drop.
    pub strip_components: Option<u32>,
    /// Folder below the skill's tools folder.
    pub target_dir: Option<String>,
    /// Lower-case hex digest.
    pub sha256: Option<String>,
}

/// One declared way to install what a skill needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct InstallSpec {
    /// Declared id, trimmed and not blank.
    pub id: Option<String>,
    /// The kind of installer.
    pub kind: InstallKind,
    /// Declared label, trimmed and not blank.
    pub label: Option<String>,
    /// Binaries it brings.
    pub bins: Vec<String>,
    /// Platforms it is for; empty means all.
    pub os: Vec<String>,
    /// What to install.
    pub recipe: InstallRecipe,
}

/// A declared way that cannot be used, with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RefusedInstall {
    /// Declared id, trimmed and not blank.
    pub id: Option<String>,
    /// The kind, as it is declared.
    pub kind: String,
    /// Its place in the list, from 1.
    pub place: usize,
    /// The reason.
    pub reason: String,
    /// The remedy.
    pub help: String,
}

impl RefusedInstall {
    /// Returns true if a client that saw the declaration would call it by this id.
    pub fn is_called(&self, id: &str) -> bool {
        match &self.id {
            Some(own) => own == id,
            None => format!("{}-{}", self.kind, self.place.saturating_sub(1)) == id,
        }
    }
}

impl fmt::Display for RefusedInstall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) => write!(f, "install option `{id}`")?,
            None if self.kind.is_empty() => write!(f, "install option {}", self.place)?,
            None => write!(f, "install option {} (`{}`)", self.place, self.kind)?,
        }
        write!(f, " is refused: {}", self.reason)
    }
}

/// One way that is offered on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct InstallOption {
    /// Declared id, or kind and place in the list.
    pub id: String,
    /// The kind of installer.
    pub kind: InstallKind,
    /// What a button would say.
    pub label: String,
    /// Binaries it brings.
    pub bins: Vec<String>,
}

/// What installs packages of the npm registry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NodeManager {
    /// `npm`.
    #[default]
    Npm,
    /// `pnpm`.
    Pnpm,
    /// `yarn`.
    Yarn,
    /// `bun`.
    Bun,
}

impl NodeManager {
    /// The program's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pnpm => "pnpm",
            Self::Yarn => "yarn",
            Self::Bun => "bun",
        }
    }
}
