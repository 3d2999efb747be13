//! Where a program may write, and what it may not read, held by the Linux kernel (Landlock).
//!
//! Landlock knows only permissions, and a permission for a folder holds for everything below it. So "everything but
//! this folder" is said as "every neighbour of it, and every neighbour of each folder above it", for reading and for
//! writing. Three consequences: a file that is created later beside a hidden folder cannot be read by a program that
//! already runs; in a writable folder that contains a hidden one, no file can be created directly; the names in a
//! hidden folder can be listed, but nothing in it can be opened.

use std::path::PathBuf;

use prowess_config::SandboxMode;

use crate::ProtectedPlaces;
use crate::protected::ExtraLinks;

/// The bounds of a program. It may read and execute everything that is not hidden.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Whether they are held.
    pub mode: SandboxMode,
    /// Folders and files that may be changed, beside the usual devices.
    pub writable: Vec<PathBuf>,
    /// What can be neither read nor changed, also where it lies in a folder that may be changed.
    pub protected: ProtectedPlaces,
}

impl Sandbox {
    pub(super) fn is_on(&self) -> bool {
        self.mode != SandboxMode::Off
    }

    /// Returns true if this system can confine programs.
    pub fn is_supported() -> bool {
        let probe = || confine_this_thread(&Self { mode: SandboxMode::Require, ..Self::default() }).is_ok();
        std::thread::spawn(probe).join().unwrap_or(false)
    }
}

/// The reason a program that must be confined cannot be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// This system has nothing to do it with.
    #[error(
        "programs must be confined, but {reason}; set the sandbox to `auto` or `off` to run them without"
    )]
    Unsupported {
        /// The reason.
        reason: String,
    },
    /// A secret file has a second name, which the kernel's rules do not cover.
    #[error(
        "`{}` has {} names (hard links), so the sandbox cannot keep it from commands; remove the other names: \
         `find / -xdev -samefile '{}'` lists them",
        .0.path.display(), .0.links, .0.path.display()
    )]
    ExtraLinks(ExtraLinks),
}

/// The outcome of confining a program.
#[derive(Debug)]
pub(super) enum Confinement {
    NotAsked,
    Enforced,
    Impossible(String),
}

/// Binds the calling thread, and what it starts from now on, for good.
pub(super) fn confine_this_thread(sandbox: &Sandbox) -> Result<Confinement, SandboxError> {
    match (rules::hold(sandbox), sandbox.mode) {
        (Ok(()), _) => match sandbox.protected.extra_links() {
            Some(links) => Err(SandboxError::ExtraLinks(links)),
            None => Ok(Confinement::Enforced),
        },
        (Err(reason), SandboxMode::Require) => Err(SandboxError::Unsupported { reason }),
        (Err(reason), SandboxMode::Auto | SandboxMode::Off) => Ok(Confinement::Impossible(reason)),
    }
}

#[cfg(target_os = "linux")]
mod rules {
    use std::path::{Path, PathBuf};

    use landlock::{
        ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
        RulesetCreatedAttr as _, RulesetError, RulesetStatus, path_beneath_rules,
    };

    use super::Sandbox;

    /// The newest set of rights that all programs can live with: later ones restrict calls on devices and sockets.
    const RIGHTS: ABI = ABI::V3;
    /// What ordinary programs write to although it is no file.
    const DEVICES: [&str; 9] = [
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/tty",
        "/dev/ptmx",
        "/dev/pts",
        "/dev/shm",
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
        let map = sandbox.protected.map();
        let devices = DEVICES.map(PathBuf::from);
        let writable = sandbox.writable.iter().chain(&devices).flat_map(|path| map.reachable(path));
        let status = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)?
            .create()?
            .add_rules(path_beneath_rules(["/"], AccessFs::ReadDir))?
            .add_rules(path_beneath_rules(map.reachable(Path::new("/")), read))?
            .add_rules(path_beneath_rules(writable, all))?
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
