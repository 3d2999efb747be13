//! The hub: what all questions and changes share.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock, RwLockReadGuard};
use std::time::Duration;

use prowess::Engine;
use prowess_context::Clock;
use prowess_fs::{Lock, LockError};
use prowess_net::serve::Forbearance;
use prowess_registry::protocol::{AMBIGUOUS_CODE, AmbiguousSlug, SkillMatch};
use prowess_store::registry::{RegistryStore, SkillRecord, SqliteRegistry, VersionRecord};
use prowess_types::IgnorePoison as _;

use crate::HubError;
use crate::blobs::Blobs;
use crate::limits::RateLimits;
use crate::refusal::Refusal;
use crate::search::SearchIndex;

/// The tables, within the folder.
pub(crate) const DATABASE: &str = "registry.db";
/// The contents, within the folder.
const BLOBS: &str = "blobs";
/// The storage limit of one publisher.
const QUOTA: u64 = 2 * 1024 * 1024 * 1024;

/// Hears what an operator should know. Never a secret, never what a client sent.
#[derive(Clone)]
pub struct OperatorNote(Arc<dyn Fn(&str) + Send + Sync>);

impl OperatorNote {
    /// Passes it on.
    pub fn new(note: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(note))
    }

    pub(crate) fn say(&self, text: &str) {
        (self.0)(text);
    }
}

impl Default for OperatorNote {
    fn default() -> Self {
        Self::new(|_| {})
    }
}

impl fmt::Debug for OperatorNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Note")
    }
}

/// The options of a hub.
#[derive(Clone, Debug)]
pub struct HubOptions {
    /// The folder of all data.
    pub folder: PathBuf,
    /// Tells the time.
    pub clock: Clock,
    /// The public URL, if clients connect to another address.
    pub public_url: Option<String>,
    /// The skills of the index at the root, as owner and slug.
    pub featured: Vec<(String, String)>,
    /// The storage limit of one publisher, in bytes.
    pub quota: u64,
    /// Understands what is searched for; without it, words are compared.
    pub engine: Option<Engine>,
    /// The connection limits for slow or silent clients.
    pub forbearance: Forbearance,
    /// Hears what an operator should know.
    pub note: OperatorNote,
}

impl HubOptions {
    /// A hub that keeps everything in a folder, with everything else as usual.
    pub fn new(folder: impl Into<PathBuf>, clock: Clock) -> Self {
        Self {
            folder: folder.into(),
            clock,
            public_url: None,
            featured: Vec::new(),
            quota: QUOTA,
            engine: None,
            forbearance: Forbearance::default(),
            note: OperatorNote::default(),
        }
    }
}

/// A registry of skills. No other hub works in its folder while it lives.
pub struct Hub {
    pub(crate) store: Box<dyn RegistryStore>,
    pub(crate) blobs: Blobs,
    pub(crate) search: SearchIndex,
    pub(crate) limits: RateLimits,
    pub(crate) options: HubOptions,
    /// Contents and the rows that need them are written together; sweeping waits.
    sweeping: RwLock<()>,
    _lock: Lock,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("folder", &self.options.folder).finish_non_exhaustive()
    }
}

impl Hub {
    /// Opens the registry in a folder, which is made if there is none.
    pub fn open(mut options: HubOptions) -> Result<Self, HubError> {
        if let Some(url) = &mut options.public_url {
            *url = checked_url(url)?;
        }
        make_folder(&options.folder)?;
        let lock =
            Lock::acquire(&options.folder.join("hub"), Duration::ZERO).map_err(|error| match error {
                LockError::Busy { pid, .. } => HubError::Taken { folder: options.folder.clone(), pid },
                error => HubError::Lock(error),
            })?;
        let store = Box::new(SqliteRegistry::open(&options.folder.join(DATABASE))?);
        let hub = Self {
            store,
            blobs: Blobs::new(options.folder.join(BLOBS)),
            search: SearchIndex::new(options.engine.clone()),
            limits: RateLimits::default(),
            options,
            sweeping: RwLock::new(()),
            _lock: lock,
        };
        hub.sweep()?;
        hub.block_repositories()?;
        Ok(hub)
    }

    pub(crate) fn now(&self) -> i64 {
        millis(&self.options.clock)
    }

    /// Held while contents and the rows that need them are written.
    pub(crate) fn writing(&self) -> RwLockReadGuard<'_, ()> {
        self.sweeping.read().ignore_poison()
    }

    /// Drops abandoned uploads and unreferenced contents.
    pub(crate) fn sweep(&self) -> Result<usize, HubError> {
        let _alone = self.sweeping.write().ignore_poison();
        self.store.drop_expired_uploads(self.now())?;
        self.blobs.sweep(|sha256| Ok(self.store.is_needed(sha256)?))
    }

    /// Returns the one existing skill of a slug.
    pub(crate) fn find(&self, wanted: &Wanted, base: &str) -> Result<SkillRecord, Refusal> {
        self.find_any(wanted, base)?.ok_or_else(Refusal::no_skill).and_then(|skill| match skill.deleted_at {
            None => Ok(skill),
            Some(_) => Err(Refusal::no_skill()),
        })
    }

    /// The same, deleted ones included where nothing else goes by the slug.
    pub(crate) fn find_any(&self, wanted: &Wanted, base: &str) -> Result<Option<SkillRecord>, Refusal> {
        let found = self.store.find_skills(&wanted.slug, wanted.owner.as_deref())?;
        let (mut there, mut gone): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|skill| skill.deleted_at.is_none());
        match there.len() {
            0 => Ok(gone.pop()),
            1 => Ok(there.pop()),
            _ => Err(ambiguous(&wanted.slug, &there, base)),
        }
    }

    /// A skill that a publisher may change, deleted or not.
    pub(crate) fn find_own(&self, wanted: &Wanted, handle: &str) -> Result<SkillRecord, Refusal> {
        let owner = wanted.owner.as_deref().unwrap_or(handle);
        let mut found = self.store.find_skills(&wanted.slug, Some(owner))?;
        match found.pop() {
            Some(skill) if skill.owner == handle => Ok(skill),
            Some(skill) => Err(Refusal::forbidden(format!("Only @{} can change this skill", skill.owner))),
            None if wanted.owner.is_none() && !self.store.find_skills(&wanted.slug, None)?.is_empty() => {
                Err(Refusal::forbidden(format!("@{handle} has no skill of that name to change")))
            }
            None => Err(Refusal::no_skill()),
        }
    }

    /// The version of a skill that is meant, withdrawn or not.
    pub(crate) fn pick(&self, skill: &SkillRecord, pick: &Pick) -> Result<VersionRecord, Refusal> {
        let number = match pick {
            Pick::Latest => skill.latest(),
            Pick::Number(number) => Some(number.as_str()),
            Pick::Tag(tag) => skill.tags.get(tag).map(String::as_str),
        };
        let number = number.ok_or_else(Refusal::no_version)?;
        self.store.version(&skill.id, number)?.ok_or_else(Refusal::no_version)
    }

    /// The same, but only if it is there.
    pub(crate) fn pick_there(&self, skill: &SkillRecord, pick: &Pick) -> Result<VersionRecord, Refusal> {
        let version = self.pick(skill, pick)?;
        if version.deleted_at.is_none() { Ok(version) } else { Err(Refusal::no_version()) }
    }
}

/// A skill, as clients name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) slug: String,
    pub(crate) owner: Option<String>,
}

impl Wanted {
    pub(crate) fn new(slug: &str, owner: Option<&str>) -> Self {
        let owner = owner.map(normal_handle).filter(|owner| !owner.is_empty());
        Self { slug: slug.trim().to_lowercase(), owner }
    }
}

/// A handle without what people write around it.
pub(crate) fn normal_handle(handle: &str) -> String {
    handle.trim().trim_start_matches('@').to_lowercase()
}

/// A version, as clients name it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pick {
    #[default]
    Latest,
    Number(String),
    Tag(String),
}

impl Pick {
    pub(crate) fn new(version: Option<String>, tag: Option<String>) -> Self {
        match (version, tag) {
            (Some(version), _) => Self::Number(version),
            (None, Some(tag)) => Self::Tag(tag),
            (None, None) => Self::Latest,
        }
    }
}

fn ambiguous(slug: &str, found: &[SkillRecord], base: &str) -> Refusal {
    let matches = found.iter().map(|skill| SkillMatch {
        owner_handle: skill.owner.clone(),
        slug: skill.slug.clone(),
        reference: format!("@{}/{}", skill.owner, skill.slug),
        url: Some(page_of(skill, base)),
    });
    Refusal::Ambiguous(Box::new(AmbiguousSlug {
        code: AMBIGUOUS_CODE.to_owned(),
        message: format!("Several publishers have a skill `{slug}`; say whose you mean"),
        matches: matches.collect(),
    }))
}

/// The page of a skill, which is also what its well-known index is relative to.
pub(crate) fn page_of(skill: &SkillRecord, base: &str) -> String {
    format!("{base}/{}/skills/{}", skill.owner, skill.slug)
}

pub(crate) fn millis(clock: &Clock) -> i64 {
    i64::try_from(clock.now_ms()).unwrap_or(i64::MAX)
}

pub(crate) fn make_folder(folder: &Path) -> Result<(), HubError> {
    prowess_fs::make_folders(folder).map_err(|source| HubError::Folder { path: folder.to_owned(), source })
}

/// An address without a slash at the end.
fn checked_url(url: &str) -> Result<String, HubError> {
    let trimmed = url.trim().trim_end_matches('/');
    let host = host_of(trimmed);
    let is_good = host.is_some_and(|host| !host.is_empty())
        && !trimmed.contains(|letter: char| letter.is_whitespace() || matches!(letter, '?' | '#' | '@'));
    if is_good { Ok(trimmed.to_owned()) } else { Err(HubError::PublicUrl(url.to_owned())) }
}

/// The host of an address, with its port.
pub(crate) fn host_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    rest.split('/').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_hub_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let options = HubOptions::new(folder.path(), Clock::new(|| 5));
        let first = Hub::open(options.clone()).unwrap();
        let refused = Hub::open(options.clone()).unwrap_err();
        assert!(refused.to_string().contains(&format!("process {}", std::process::id())), "{refused}");
        drop(first);
        Hub::open(options).unwrap();
    }

    #[test]
    fn public_addresses() {
        assert_eq!(checked_url("https://skills.example.org/hub/").unwrap(), "https://skills.example.org/hub");
        for bad in ["skills.example.org", "ftp://x", "http://", "http://a@b", "http://a?b"] {
            assert!(checked_url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_as_people_write_them() {
        let wanted = Wanted::new(" Tea ", Some("@Ada"));
        assert_eq!((wanted.slug.as_str(), wanted.owner.as_deref()), ("tea", Some("ada")));
        assert_eq!(Wanted::new("tea", Some("@")).owner, None);
    }
}
