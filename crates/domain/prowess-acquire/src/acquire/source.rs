//! From what a user writes to a reference, to files, to the lock, and from the lock back to a reference.

use std::path::{Path, PathBuf};

use prowess_install::{LockEntry, Provenance};
use prowess_registry::{
    Fetched, GitReference, GitRepository, LeftOut, RegistryReference, SourceReference, check_version,
};
use prowess_scan::{HostKind, classify_host};

use super::{Acquire, AcquireError, InstallScope};
use crate::supply::{Supply, SupplyOptions};

/// Hears how many bytes have come, and of how many if that is known.
pub(super) type Progress<'a> = &'a mut dyn FnMut(u64, Option<u64>);

/// Files that installers keep in a skill's folder: one that comes with them would forge where it is from.
const TOOL_FOLDERS: [&str; 4] = [".clawhub/", ".clawdhub/", ".prowess/", ".openclaw/"];

/// The state of a locked skill that is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which<'a> {
    /// Just the one in the lock.
    Locked,
    /// The newest one.
    Newest,
    /// A version, a tag, or of a repository a branch or commit.
    Named(&'a str),
}

/// A fetched skill, and its registry if it came from one.
pub(super) struct Got {
    pub(super) fetched: Fetched,
    pub(super) registry: Option<String>,
}

/// A reference, and what may be asked for it.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) reference: SourceReference,
    /// The registry, where it is not the usual one.
    pub(super) registry: Option<String>,
    /// True if the user wrote it, so that it may be an address inside the own network.
    pub(super) is_typed: bool,
}

/// Leaves out what only an installer may put into a skill.
pub(super) fn without_tool_files(fetched: &mut Fetched) {
    let is_tool = |path: &str| TOOL_FOLDERS.iter().any(|folder| path.starts_with(folder));
    let (out, files) = std::mem::take(&mut fetched.bundle.files)
        .into_iter()
        .partition::<Vec<_>, _>(|file| is_tool(&file.path));
    fetched.bundle.files = files;
    let reason = "only an installer writes it";
    fetched.left_out.extend(out.into_iter().map(|file| LeftOut { path: file.path, reason }));
}

impl Acquire<'_> {
    /// Reads what a user named, with a version that was named apart.
    pub fn reference(&self, text: &str, version: Option<&str>) -> Result<SourceReference, AcquireError> {
        let mut reference = SourceReference::parse(text)?;
        let is_shorthand = !text.contains([':', '@', '#']);
        if matches!(&reference, SourceReference::Git(_)) && is_shorthand {
            let here = self.context.env().cwd().join(text);
            if prowess_fs::is_folder(&here).unwrap_or(false) {
                return Err(AcquireError::Ambiguous { text: text.to_owned() });
            }
        }
        if let Some(version) = version {
            set_version(&mut reference, version)?;
        }
        Ok(reference)
    }

    /// Gets a skill, without what only an installer may put into it.
    pub(super) fn fetch(&self, wanted: &Wanted, progress: Progress<'_>) -> Result<Got, AcquireError> {
        let is_registry = matches!(wanted.reference, SourceReference::Registry(_));
        let (fetched, registry) = self.with_supply(wanted, |supply| {
            let registry = is_registry.then(|| supply.registry().base().to_owned());
            (supply.fetch(&wanted.reference, progress), registry)
        })?;
        let mut fetched = fetched?;
        without_tool_files(&mut fetched);
        Ok(Got { fetched, registry })
    }

    /// Calls `ask` with the access to a source. Only an address that the user wrote may lead into the own network.
    pub(super) fn with_supply<T>(
        &self,
        wanted: &Wanted,
        ask: impl FnOnce(&Supply) -> T,
    ) -> Result<T, AcquireError> {
        let written = if wanted.is_typed { address_of(&wanted.reference) } else { None };
        let open = |registry: Option<String>, written: Option<String>| {
            let registry = self.options.registry.clone().or(registry);
            let cancel = self.options.cancel.clone();
            let written = written.into_iter().collect();
            Supply::open(
                self.context,
                &SupplyOptions { registry, written, cancel, ..SupplyOptions::default() },
            )
        };
        let usual = if let Some(usual) = self.supply.get() {
            usual
        } else {
            let opened = open(None, None)?;
            self.supply.get_or_init(|| opened)
        };
        let base = usual.registry().base().to_owned();
        let other = wanted.registry.clone().filter(|registry| *registry != base);
        let other = other.filter(|_| self.options.registry.is_none());
        if other.is_none() && written.is_none() {
            return Ok(ask(usual));
        }
        if let Some(address) = other.as_deref().filter(|_| self.target.scope == InstallScope::Workspace) {
            check_public(address)?;
        }
        Ok(ask(&open(other, written)?))
    }

    /// Returns the reference that fetches a locked skill.
    pub(super) fn locked_source(
        &self,
        folder: &str,
        entry: &LockEntry,
        which: Which<'_>,
    ) -> Result<Wanted, AcquireError> {
        let from = &entry.provenance;
        let no_source =
            || AcquireError::NoSource { folder: folder.to_owned(), source_text: from.source.clone() };
        let mut reference = SourceReference::parse(&from.source).map_err(|_| no_source())?;
        match &mut reference {
            SourceReference::Registry(wanted) => {
                wanted.owner = wanted.owner.take().or_else(|| from.owner.clone());
                wanted.version = match which {
                    Which::Locked => from.version.clone(),
                    // A full version that was asked for once does not hold a skill back; a pin does.
                    Which::Newest => from.requested.clone().filter(|tag| check_version(tag).is_err()),
                    Which::Named(version) => Some(version.to_owned()),
                };
            }
            SourceReference::Git(wanted) => {
                wanted.revision = match which {
                    Which::Locked => from.commit.clone(),
                    Which::Newest => from.requested.clone(),
                    Which::Named(revision) => Some(revision.to_owned()),
                };
            }
            SourceReference::Folder(path) | SourceReference::Archive(path) => {
                *path = self.target.root.join(&path).display().to_string();
            }
            _ => {}
        }
        if let Which::Named(_) = which
            && !matches!(reference, SourceReference::Registry(_) | SourceReference::Git(_))
        {
            return Err(AcquireError::Version { reference: from.source.clone() });
        }
        // A lock for all workspaces is the user's own; that of a workspace may have come with a repository.
        let is_typed = self.target.scope == InstallScope::Global;
        Ok(Wanted { reference, registry: from.registry.clone(), is_typed })
    }

    /// Returns the origin of a skill for the lock.
    pub(super) fn provenance(&self, name: &str, got: &Got) -> Provenance {
        let resolved = &got.fetched.resolved;
        let (source, requested) = match &resolved.reference {
            SourceReference::Registry(RegistryReference { owner, slug, version }) => {
                let plain = RegistryReference { owner: owner.clone(), slug: slug.clone(), version: None };
                (plain.to_string(), version.clone())
            }
            SourceReference::Git(GitReference { repository, revision, .. }) => {
                (repository_text(repository, resolved.path.as_ref()), revision.clone())
            }
            SourceReference::SkillsSh { owner, repo, .. } => {
                let repository = GitRepository::GitHub { owner: owner.clone(), name: repo.clone() };
                (repository_text(&repository, resolved.path.as_ref()), None)
            }
            SourceReference::Folder(_) | SourceReference::Archive(_) => {
                (self.local_text(&resolved.place), None)
            }
            other => (other.to_string(), None),
        };
        Provenance {
            name: name.to_owned(),
            source,
            requested,
            version: resolved.version.clone(),
            commit: resolved.commit.clone(),
            registry: got.registry.clone(),
            owner: resolved.owner.clone(),
            ..Provenance::default()
        }
    }

    /// A path for the lock: relative to the workspace if it lies in it, so that the lock holds for every clone.
    fn local_text(&self, place: &str) -> String {
        let place = Path::new(place);
        let root = prowess_fs::real(&self.target.root).unwrap_or_else(|| self.target.root.clone());
        match place.strip_prefix(&root) {
            Ok(inside) if self.target.scope == InstallScope::Workspace => format!("./{}", inside.display()),
            _ => PathBuf::from(place).display().to_string(),
        }
    }
}

fn set_version(reference: &mut SourceReference, version: &str) -> Result<(), AcquireError> {
    let refused = AcquireError::Version { reference: reference.to_string() };
    let slot = match reference {
        SourceReference::Registry(wanted) => &mut wanted.version,
        SourceReference::Git(wanted) => &mut wanted.revision,
        _ => return Err(refused),
    };
    if slot.as_deref().is_some_and(|named| named != version) {
        return Err(refused);
    }
    *slot = Some(version.to_owned());
    // The parts that were set must give the same as if the reference had been written in one.
    *reference = SourceReference::parse(&reference.to_string())?;
    Ok(())
}

fn repository_text(repository: &GitRepository, path: Option<&String>) -> String {
    let reference = GitReference { repository: repository.clone(), path: path.cloned(), revision: None };
    SourceReference::Git(reference).to_string()
}

/// Returns the address in a reference, as a user writes it.
fn address_of(reference: &SourceReference) -> Option<String> {
    match reference {
        SourceReference::Download { url, .. } | SourceReference::Site { url, .. } => Some(url.clone()),
        SourceReference::Git(GitReference { repository: GitRepository::Url(_), .. }) => {
            Some(reference.to_string())
        }
        _ => None,
    }
}

/// Refuses an address that leads into the own network.
fn check_public(address: &str) -> Result<(), AcquireError> {
    let host = prowess_net::host_of(address).unwrap_or_default();
    match classify_host(&host) {
        HostKind::Private | HostKind::Disguised => Err(AcquireError::Private { address: address.to_owned() }),
        _ => Ok(()),
    }
}
