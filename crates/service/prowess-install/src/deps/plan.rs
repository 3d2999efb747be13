//! What exactly would happen: every command with its variables, every download with its place.

use std::fmt;
use std::path::{Path, PathBuf};

use prowess_text::posix_word;
use prowess_types::{DownloadRecipe, InstallKind, InstallRecipe, InstallSpec, NodeManager};
use serde::Serialize;

use super::host::{InstallHost, Privilege};
use super::result::InstallResult;
use super::tools::{ToolsError, target_folder, tools_folder};
use super::values;

const BREW: &str = "https://brew.sh";
const GO: &str = "https://go.dev/doc/install";
const UV: &str = "https://docs.astral.sh/uv/getting-started/installation/";

/// An install that can be done. Whoever agrees to it agrees to its steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct InstallPlan {
    pub(super) kind: InstallKind,
    /// What the last command installs; none for downloads.
    #[serde(skip)]
    pub(super) package: Option<String>,
    pub(super) steps: Vec<InstallStep>,
}

impl InstallPlan {
    /// The kind of installer.
    pub fn kind(&self) -> InstallKind {
        self.kind
    }

    /// What would be done, in this order.
    pub fn steps(&self) -> &[InstallStep] {
        &self.steps
    }
}

/// One thing that would be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(rename = "Step")]
pub enum InstallStep {
    /// A command is run.
    Command(CommandStep),
    /// A file is got from the web.
    Download(DownloadStep),
}

/// A command, as it is run: without a shell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CommandStep {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Variables that are set for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<(String, String)>,
    #[serde(skip)]
    pub(super) duty: Duty,
}

/// What a command is for, which decides what its failure means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Duty {
    /// It does what was asked for.
    Install,
    /// Something has to be true or installed first; else this is the answer.
    First(&'static str),
    /// It may help.
    Refresh,
    /// Its output names the Go that would be installed, which must be recent enough.
    GoCandidate,
}

/// A download and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DownloadStep {
    /// The address.
    pub url: String,
    /// The folder it goes to.
    #[serde(serialize_with = "prowess_types::path_text::serialize")]
    pub into: PathBuf,
    /// What its SHA-256 must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// True if it is unpacked.
    pub extract: bool,
    #[serde(skip)]
    pub(super) root: PathBuf,
    #[serde(skip)]
    pub(super) recipe: DownloadRecipe,
}

/// The reason something cannot be installed here.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// The manager is missing, or the value does not fit.
    #[error("{0}")]
    Unfit(String),
    /// The download would go somewhere else.
    #[error(transparent)]
    Place(#[from] ToolsError),
}

impl From<&Obstacle> for InstallResult {
    fn from(obstacle: &Obstacle) -> Self {
        match obstacle {
            Obstacle::Unfit(message) => Self::refused(message.as_str()),
            Obstacle::Place(error) => Self::failed(error.to_string()),
        }
    }
}

/// What would be done for an option of the skill with this key. Nothing is done, and nobody is asked.
pub fn prepare(spec: &InstallSpec, key: &str, host: &InstallHost) -> Result<InstallPlan, Obstacle> {
    let package = match &spec.recipe {
        InstallRecipe::Package(package) => package.trim(),
        InstallRecipe::Download(recipe) => {
            let step = download(recipe, key, host)?;
            return Ok(InstallPlan {
                kind: spec.kind,
                package: None,
                steps: vec![InstallStep::Download(step)],
            });
        }
    };
    values::check(spec.kind, package).map_err(Obstacle::Unfit)?;
    let commands = match spec.kind {
        InstallKind::Brew => vec![brew(package, host)?],
        InstallKind::Node => vec![node(package, host)?],
        InstallKind::Go => go(package, host)?,
        InstallKind::Uv => uv(package, host)?,
        InstallKind::Apt => apt(package, host)?,
        InstallKind::Cargo => {
            vec![managed(host, &["cargo", "install", "--locked", package], "https://rustup.rs")?]
        }
        InstallKind::Pipx => {
            let page = "https://pipx.pypa.io/stable/installation/";
            vec![managed(host, &["pipx", "install", package], page)?]
        }
        // A download is not a package.
        InstallKind::Download => return Err(Obstacle::Unfit("missing download url".to_owned())),
    };
    let steps = commands.into_iter().map(InstallStep::Command).collect();
    Ok(InstallPlan { kind: spec.kind, package: Some(package.to_owned()), steps })
}

fn command<S: AsRef<str>>(argv: &[S], duty: Duty) -> CommandStep {
    let argv = argv.iter().map(|part| part.as_ref().to_owned()).collect();
    CommandStep { argv, env: Vec::new(), duty }
}

/// The command of a manager that must be there.
fn managed(host: &InstallHost, argv: &[&str], page: &str) -> Result<CommandStep, Obstacle> {
    let manager = argv.first().copied().unwrap_or_default();
    if !host.has(manager) {
        return Err(Obstacle::Unfit(format!("{manager} not installed — install manually: {page}")));
    }
    Ok(command(argv, Duty::Install))
}

fn brew(formula: &str, host: &InstallHost) -> Result<CommandStep, Obstacle> {
    if host.has("brew") {
        return Ok(command(&["brew", "install", formula], Duty::Install));
    }
    let mut hint = format!("Homebrew is not installed. Install it from {BREW}");
    if host.platform == "linux" {
        hint += &format!(
            " or install \"{formula}\" manually using your system package manager (e.g. apt, dnf, pacman)."
        );
    }
    Err(Obstacle::Unfit(format!("brew not installed — {hint}")))
}

/// The scripts of a package are not run: installing something must not mean running it.
fn node(package: &str, host: &InstallHost) -> Result<CommandStep, Obstacle> {
    let (argv, page): (&[&str], &str) = match host.node_manager {
        NodeManager::Npm => {
            (&["npm", "install", "-g", "--ignore-scripts", package], "https://nodejs.org/en/download")
        }
        NodeManager::Pnpm => {
            (&["pnpm", "add", "-g", "--ignore-scripts", package], "https://pnpm.io/installation")
        }
        NodeManager::Yarn => (
            &["yarn", "global", "add", "--ignore-scripts", package],
            "https://classic.yarnpkg.com/docs/install",
        ),
        NodeManager::Bun => {
            (&["bun", "add", "-g", "--ignore-scripts", package], "https://bun.com/docs/installation")
        }
    };
    let mut step = managed(host, argv, page)?;
    if host.node_manager == NodeManager::Npm {
        let prefix = host.npm_prefix().display().to_string();
        step.env =
            ["NPM_CONFIG_PREFIX", "npm_config_prefix"].map(|name| (name.to_owned(), prefix.clone())).into();
    }
    Ok(step)
}

fn uv(package: &str, host: &InstallHost) -> Result<Vec<CommandStep>, Obstacle> {
    let mut steps = Vec::new();
    if !host.has("uv") {
        if !host.has("brew") {
            return Err(Obstacle::Unfit(format!("uv not installed — install manually: {UV}")));
        }
        steps.push(command(&["brew", "install", "uv"], Duty::First("Failed to install uv (brew)")));
    }
    steps.push(command(&["uv", "tool", "install", package], Duty::Install));
    Ok(steps)
}

fn go(module: &str, host: &InstallHost) -> Result<Vec<CommandStep>, Obstacle> {
    let usual = host.home.join(".local").join("bin");
    let (mut steps, bin) = if host.has("go") {
        (Vec::new(), usual)
    } else if let Some(brew) = host.find("brew") {
        let first = command(&["brew", "install", "go"], Duty::First("Failed to install go (brew)"));
        (vec![first], brew.parent().map_or(usual, Path::to_owned))
    } else if host.has("apt-get") {
        (go_from_apt(host)?, usual)
    } else {
        return Err(Obstacle::Unfit(format!("go not installed — install manually: {GO}")));
    };
    let mut install = command(&["go", "install", module], Duty::Install);
    install.env.push(("GOBIN".to_owned(), bin.display().to_string()));
    steps.push(install);
    Ok(steps)
}

fn go_from_apt(host: &InstallHost) -> Result<Vec<CommandStep>, Obstacle> {
    let mut steps = Vec::new();
    let prefix: &[&str] = match host.privilege {
        Privilege::Administrator => &[],
        Privilege::User if host.has("sudo") => {
            let unusable = "go not installed — apt-get is available but sudo is not usable (missing or requires a \
                            password). Install manually: https://go.dev/doc/install";
            steps.push(command(&["sudo", "-n", "true"], Duty::First(unusable)));
            &["sudo", "-n"]
        }
        Privilege::User => {
            return Err(Obstacle::Unfit(format!(
                "go not installed — apt-get is available but sudo is not installed. Install manually: {GO}"
            )));
        }
    };
    let with_prefix = |rest: &[&'static str], duty| command(&[prefix, rest].concat(), duty);
    let failed =
        "go not installed — automatic install via apt failed. Install manually: https://go.dev/doc/install";
    steps.push(with_prefix(&["apt-get", "update", "-qq"], Duty::Refresh));
    let mut candidate = command(&["apt-cache", "policy", "golang-go"], Duty::GoCandidate);
    candidate.env.push(("LC_ALL".to_owned(), "C".to_owned()));
    steps.push(candidate);
    steps.push(with_prefix(&["apt-get", "install", "-y", "golang-go"], Duty::First(failed)));
    Ok(steps)
}

fn apt(package: &str, host: &InstallHost) -> Result<Vec<CommandStep>, Obstacle> {
    if !host.has("apt-get") {
        let message = "apt-get not installed — this system does not use apt; choose another installer";
        return Err(Obstacle::Unfit(message.to_owned()));
    }
    let install = ["apt-get", "install", "-y", package];
    let mut step = match host.privilege {
        Privilege::Administrator => command(&install, Duty::Install),
        Privilege::User if host.has("sudo") => {
            command(&[&["sudo", "-n"][..], &install].concat(), Duty::Install)
        }
        Privilege::User => {
            let message = format!(
                "sudo not installed — apt needs an administrator; run as one: apt-get install -y {package}"
            );
            return Err(Obstacle::Unfit(message));
        }
    };
    step.env.push(("DEBIAN_FRONTEND".to_owned(), "noninteractive".to_owned()));
    Ok(vec![step])
}

fn download(recipe: &DownloadRecipe, key: &str, host: &InstallHost) -> Result<DownloadStep, Obstacle> {
    let root = tools_folder(&host.tools, key);
    let into = target_folder(&root, recipe.target_dir.as_deref(), &host.home)?;
    Ok(DownloadStep {
        url: recipe.url.clone(),
        into,
        sha256: recipe.sha256.clone(),
        extract: super::download::is_unpacked(recipe),
        root,
        recipe: recipe.clone(),
    })
}

impl fmt::Display for InstallStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(step) => step.fmt(f),
            Self::Download(step) => step.fmt(f),
        }
    }
}

/// As one would type it.
impl fmt::Display for CommandStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables = self.env.iter().map(|(name, value)| format!("{name}={}", posix_word(value)));
        let words: Vec<String> = variables.chain(self.argv.iter().map(|word| posix_word(word))).collect();
        f.write_str(&words.join(" "))
    }
}

impl fmt::Display for DownloadStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.extract { "download and extract" } else { "download" };
        write!(f, "{what} {} to {}", self.url, self.into.display())?;
        match &self.sha256 {
            Some(digest) => write!(f, " (sha256 {digest})"),
            None => f.write_str(" (no sha256 is declared)"),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
#[path = "plan_tests.rs"]
mod tests;
