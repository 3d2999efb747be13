//! Where a program may write, and what it may not read, held by the Linux kernel (Landlock).
//!
//! Landlock knows only permissions, so "everything but this folder" is said as "every neighbour of it, and every
//! neighbour of each folder above it". Two consequences: what is created later beside a hidden folder cannot be read
//! by a program that runs already, and the names in a hidden folder can be listed, though nothing in it be opened.

use std::path::{Path, PathBuf};

/// Whether programs are confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SandboxMode {
    /// No.
    Off,
    /// Where the kernel can; where it cannot, the user is told.
    #[default]
    Auto,
    /// Yes; where the kernel cannot, nothing is started.
    Require,
}

impl SandboxMode {
    /// `off`, `auto` or `require`.
    ///
    /// ```
    /// use prowess_run::process::SandboxMode;
    /// assert_eq!(SandboxMode::parse("require"), Some(SandboxMode::Require));
    /// assert_eq!(SandboxMode::parse("maybe"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "off" => Some(Self::Off),
            "auto" => Some(Self::Auto),
            "require" => Some(Self::Require),
            _ => None,
        }
    }
}

/// The bounds of a program. It may read and execute everything that is not hidden.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Whether they are held.
    pub mode: SandboxMode,
    /// Folders and files that may be changed, beside the usual devices.
    pub writable: Vec<PathBuf>,
    /// Folders and files that may not be read: where the engine keeps its secrets.
    pub hidden: Vec<PathBuf>,
    /// What may be read although it lies in a hidden folder.
    pub readable: Vec<PathBuf>,
}

impl Sandbox {
    pub(super) fn is_on(&self) -> bool {
        self.mode != SandboxMode::Off
    }

    /// Whether this system can confine programs.
    pub fn is_supported() -> bool {
        let probe = || confine_this_thread(&Self { mode: SandboxMode::Require, ..Self::default() }).is_ok();
        std::thread::spawn(probe).join().unwrap_or(false)
    }
}

/// Why a program that must be confined cannot be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// This system has nothing to do it with.
    #[error(
        "programs must be confined, but {reason}; set the sandbox to `auto` or `off` to run them without"
    )]
    Unsupported {
        /// What is missing.
        reason: String,
    },
}

/// What became of a wish to be confined.
#[derive(Debug)]
pub(super) enum Confinement {
    NotAsked,
    Enforced,
    Impossible(String),
}

/// Binds the calling thread, and what it starts from now on, for good.
pub(super) fn confine_this_thread(sandbox: &Sandbox) -> Result<Confinement, SandboxError> {
    match (rules::hold(sandbox), sandbox.mode) {
        (Ok(()), _) => Ok(Confinement::Enforced),
        (Err(reason), SandboxMode::Require) => Err(SandboxError::Unsupported { reason }),
        (Err(reason), SandboxMode::Auto | SandboxMode::Off) => Ok(Confinement::Impossible(reason)),
    }
}

/// Everything below the root of the file system but the hidden places, in as few paths as possible. Links are left
/// out: the kernel judges where a path leads, not how it is spelled.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no rules to put it into"))]
fn everything_but(hidden: &[PathBuf]) -> Vec<PathBuf> {
    let hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| prowess_fs::real(path)).collect();
    let mut paths = Vec::new();
    let mut waiting = vec![PathBuf::from("/")];
    while let Some(path) = waiting.pop() {
        if hidden.contains(&path) {
            continue;
        }
        if hidden.iter().any(|hidden| hidden.starts_with(&path)) {
            waiting.extend(children(&path));
        } else {
            paths.push(path);
        }
    }
    paths
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()))
        .map(|entry| entry.path())
        .collect()
}

#[cfg(target_os = "linux")]
mod rules {
    use landlock::{
        ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
        RulesetCreatedAttr as _, RulesetError, RulesetStatus, path_beneath_rules,
    };

    use super::{Sandbox, everything_but};

    /// The newest set of rights that all programs can live with: later ones restrict calls on devices and sockets.
    const RIGHTS: ABI = ABI::V3;
    /// What ordinary programs write to although it is no file.
    const DEVICES: [&str; 8] = [
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/tty",
        "/dev/ptmx",
        "/dev/pts",
    ];

    pub(super) fn hold(sandbox: &Sandbox) -> Result<(), String> {
        match restrict(sandbox) {
            Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced) => Ok(()),
            Ok(RulesetStatus::NotEnforced) => Err("this kernel has no Landlock".to_owned()),
            Err(error) => Err(format!("the kernel refused its rules: {error}")),
        }
    }

    fn restrict(sandbox: &Sandbox) -> Result<RulesetStatus, RulesetError> {
        let read = AccessFs::from_read(RIGHTS);
        let all = AccessFs::from_all(RIGHTS);
        let status = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)?
            .create()?
            .add_rules(path_beneath_rules(["/"], AccessFs::ReadDir))?
            .add_rules(path_beneath_rules(everything_but(&sandbox.hidden), read))?
            .add_rules(path_beneath_rules(&sandbox.readable, read))?
            .add_rules(path_beneath_rules(&sandbox.writable, all))?
            .add_rules(path_beneath_rules(DEVICES, all))?
            .add_rules(path_beneath_rules(["/dev/shm"], all))?
            .restrict_self()?;
        Ok(status.ruleset)
    }
}

#[cfg(not(target_os = "linux"))]
mod rules {
    pub(super) fn hold(_sandbox: &super::Sandbox) -> Result<(), String> {
        Err("only Linux can do that".to_owned())
    }
}
