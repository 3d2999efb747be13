//! Publishing a folder: first everything that would happen, then the deed.
//!
//! A plan asks the registry two questions and sends it nothing. What is published is exactly what the plan lists.

use prowess_inventory::examine_bundle;
use prowess_registry::protocol::{DECLARED_LICENSE, PLATFORM_LICENSE, PublishAnswer, PublishRequest};
use prowess_registry::{
    Fetched, Publication, RegistryError, SkillId, SourceError, SourceReference, check_version, fingerprint,
    next_version, published_files, slug_from_folder, title_from_folder,
};
use prowess_scan::{Report, ScanFinding};
use prowess_skill::ParseOptions;
use prowess_types::{Bundle, Diagnostic, Severity, Skill, SpecLevel};
use serde::Serialize;

use super::Supply;
use super::declared::{DeclaredVersion, declared_license, declared_version, license_file};

/// Files that make a folder a plugin.
const PLUGIN_FILES: [&str; 4] = [
    "openclaw.plugin.json",
    "prowess.plugin.json",
    ".claude-plugin/plugin.json",
    ".codex-plugin/plugin.json",
];
/// The rule that finds keys and passwords.
const SECRET_RULE: &str = "structure/literal-secret";
/// The tag of a version that nothing else is said about.
const LATEST: &str = "latest";

/// Options of a publication; the rest follows from the folder and the registry.
#[derive(Clone, Debug, Default)]
pub struct PublishOptions {
    /// The slug; else the folder's name.
    pub slug: Option<String>,
    /// The name for people; else from the folder's.
    pub name: Option<String>,
    /// Under whose handle; else the caller's.
    pub owner: Option<String>,
    /// The version; else the one that the frontmatter states, else the next one.
    pub version: Option<String>,
    /// The changes of the version.
    pub changelog: Option<String>,
    /// Names of the version; else `latest`.
    pub tags: Vec<String>,
    /// Its topics.
    pub topics: Vec<String>,
    /// The categories in the registry.
    pub categories: Vec<String>,
}

/// What the registry has of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum PublishState {
    /// Nothing.
    New,
    /// Another version.
    Update {
        /// The newest one.
        latest: String,
    },
    /// The same files.
    Unchanged {
        /// The version that has them.
        version: String,
    },
}

/// A file of a publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PublicationFile {
    /// Its path.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// In hexadecimal.
    pub sha256: String,
}

/// Something in the folder that is not published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct NotPublished {
    /// Its path.
    pub path: String,
    /// Why.
    pub reason: &'static str,
}

/// Everything that a publication would do.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishPlan {
    /// The registry.
    pub registry: String,
    /// What it has of the skill.
    #[serde(flatten)]
    pub state: PublishState,
    /// What it is told.
    pub request: PublishRequest,
    /// The field of the frontmatter that states the version, if it comes from there.
    pub version_field: Option<&'static str>,
    /// The licence that the frontmatter declares. None is none: the registry adds nothing.
    pub license: Option<String>,
    /// The file with the text of the licence.
    pub license_file: Option<String>,
    /// The licence that the terms of the registry put every skill under, whatever the skill declares.
    pub license_terms: Option<String>,
    /// What it gets.
    pub files: Vec<PublicationFile>,
    /// What stays here.
    pub left_out: Vec<NotPublished>,
    /// What identifies the files.
    pub fingerprint: String,
    /// How portable the skill is.
    pub level: SpecLevel,
    /// What is wrong with its `SKILL.md`.
    pub diagnostics: Vec<Diagnostic>,
    /// What the scanner found.
    pub scan: Report,
    /// Keys and passwords that stand in the files.
    pub secrets: Vec<ScanFinding>,
    #[serde(skip)]
    bundle: Bundle,
}

impl PublishPlan {
    /// The size of all files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }
}

/// The reason a folder cannot be published.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PublishError {
    /// The folder cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The registry does not take it, or does not answer.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// It is a plugin.
    #[error("`{folder}` is a plugin, not a skill: it has a `{manifest}`")]
    Plugin {
        /// The folder.
        folder: String,
        /// The manifest that makes it one.
        manifest: &'static str,
    },
    /// The frontmatter states a version that is none.
    #[error("`{field}` in `SKILL.md` is `{}`, which is not a version such as `1.2.3`", text.escape_debug())]
    DeclaredVersion {
        /// The field.
        field: &'static str,
        /// Its value.
        text: String,
    },
    /// The registry has the version already, with other files.
    #[error("version {version} of `{slug}` already exists with other files")]
    VersionExists {
        /// The skill.
        slug: String,
        /// The version.
        version: String,
        /// A version that is free.
        next: String,
        /// The field of the frontmatter that states the version, if it comes from there.
        field: Option<&'static str>,
    },
    /// No engine would load it.
    #[error("`{folder}` is not a valid skill: {problem}")]
    Invalid {
        /// The folder.
        folder: String,
        /// The first thing that is wrong.
        problem: String,
    },
}

impl prowess_types::Classify for PublishError {
    fn class(&self) -> prowess_types::ErrorClass<'_> {
        use prowess_types::ErrorClass::{Is, Of};
        use prowess_types::ErrorKind;
        match self {
            Self::Registry(error) => Of(error),
            Self::Source(SourceError::GitMetadata { .. }) | Self::Invalid { .. } => Is(ErrorKind::Refused),
            Self::Source(_) | Self::DeclaredVersion { .. } | Self::Plugin { .. } => Is(ErrorKind::Usage),
            Self::VersionExists { .. } => Is(ErrorKind::AlreadyThere),
        }
    }
}

impl Supply {
    /// Plans the publication of a folder. Nothing is sent but questions.
    pub fn plan_publication(
        &self,
        folder: &str,
        options: &PublishOptions,
        parse: &ParseOptions,
    ) -> Result<PublishPlan, PublishError> {
        let fetched = self.fetch(&SourceReference::Folder(folder.to_owned()), &mut |_, _| {})?;
        let is_there = |path: &&str| fetched.bundle.files.iter().any(|file| file.path == **path);
        if let Some(manifest) = PLUGIN_FILES.into_iter().find(is_there) {
            return Err(PublishError::Plugin { folder: fetched.resolved.place, manifest });
        }
        let bundle = published_files(&fetched.bundle);
        let (skill, scan) = examine_bundle(&bundle, &fetched.resolved.name, parse);
        let problem = |skill: &Skill| {
            skill
                .diagnostics
                .iter()
                .find(|one| one.severity == Severity::Error)
                .map(|one| one.message.clone())
        };
        if let Some(skill) = skill.as_ref().filter(|skill| skill.level == SpecLevel::Rejected) {
            let problem = problem(skill).unwrap_or_else(|| "it cannot be loaded".to_owned());
            return Err(PublishError::Invalid { folder: fetched.resolved.place, problem });
        }
        let declared = skill.as_ref().filter(|_| options.version.is_none());
        let declared = declared.map(declared_version).transpose()?.flatten();
        let mut request = request(&fetched.resolved.name, options, declared.as_ref());
        // Everything that can be checked here is checked before the first request.
        Publication { request: request.clone(), bundle: &bundle }.check()?;
        let fingerprint = fingerprint(&bundle);
        let field = declared.map(|declared| declared.field);
        let is_stated = options.version.is_some() || field.is_some();
        let (state, license_terms) = self.ask(&mut request, is_stated, &fingerprint)?;
        if let PublishState::Update { latest } = &state
            && is_stated
            && self.has_version(&request, latest)?
        {
            let next = next_version(Some(latest));
            let PublishRequest { slug, version, .. } = request;
            return Err(PublishError::VersionExists { slug, version, next, field });
        }
        let file = |file: &prowess_types::BundleFile| PublicationFile {
            path: file.path.clone(),
            size: file.bytes.len() as u64,
            sha256: prowess_fs::sha256_hex(&file.bytes),
        };
        Ok(PublishPlan {
            registry: self.registry().base().to_owned(),
            state,
            request,
            version_field: field,
            license: skill.as_ref().and_then(declared_license),
            license_file: license_file(&bundle),
            license_terms,
            files: bundle.files.iter().map(file).collect(),
            left_out: left_out(&fetched, &bundle),
            fingerprint,
            level: skill.as_ref().map(|skill| skill.level).unwrap_or_default(),
            diagnostics: skill.map(|skill| skill.diagnostics.to_vec()).unwrap_or_default(),
            secrets: scan.findings.iter().filter(|finding| finding.rule == SECRET_RULE).cloned().collect(),
            scan,
            bundle,
        })
    }

    /// Publishes what was planned; `progress` hears of each file that is there.
    pub fn publish(
        &self,
        plan: &PublishPlan,
        progress: &mut dyn FnMut(&str),
    ) -> Result<PublishAnswer, RegistryError> {
        let publication = Publication { request: plan.request.clone(), bundle: &plan.bundle };
        self.registry().publish(&publication, progress)
    }

    /// Asks the registry for the publisher, the published versions, and the licence that its terms demand.
    fn ask(
        &self,
        request: &mut PublishRequest,
        is_stated: bool,
        fingerprint: &str,
    ) -> Result<(PublishState, Option<String>), RegistryError> {
        let registry = self.registry();
        let mut terms = None;
        if self.is_logged_in() {
            let answer = registry.whoami()?;
            let keeps_declared = answer.skill_license.as_deref() == Some(DECLARED_LICENSE);
            terms = (!keeps_declared).then(|| PLATFORM_LICENSE.to_owned());
            request.owner_handle = request.owner_handle.take().or(answer.user.handle);
        }
        let skill = SkillId { slug: &request.slug, owner: request.owner_handle.as_deref() };
        let known = match registry.resolve(skill, fingerprint) {
            Ok(known) => known,
            Err(RegistryError::NotFound { .. }) => return Ok((PublishState::New, terms)),
            Err(error) => return Err(error),
        };
        if let Some(same) = known.matching {
            request.version.clone_from(&same.version);
            return Ok((PublishState::Unchanged { version: same.version }, terms));
        }
        let Some(latest) = known.latest_version else { return Ok((PublishState::New, terms)) };
        if !is_stated {
            request.version = next_version(Some(&latest.version));
        }
        Ok((PublishState::Update { latest: latest.version }, terms))
    }

    /// Returns true if the registry has the version of a request. A later one than the latest is not asked about; the
    /// registry refuses it when it is published.
    fn has_version(&self, request: &PublishRequest, latest: &str) -> Result<bool, RegistryError> {
        if request.version == latest {
            return Ok(true);
        }
        let is_later = match (check_version(&request.version), check_version(latest)) {
            (Ok(wanted), Ok(latest)) => wanted > latest,
            _ => true,
        };
        if is_later {
            return Ok(false);
        }
        let skill = SkillId { slug: &request.slug, owner: request.owner_handle.as_deref() };
        match self.registry().version(skill, &request.version) {
            Ok(answer) => Ok(answer.version.is_some()),
            Err(RegistryError::NotFound { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

fn request(folder: &str, options: &PublishOptions, declared: Option<&DeclaredVersion>) -> PublishRequest {
    let list = |list: &[String]| (!list.is_empty()).then(|| list.to_vec());
    PublishRequest {
        slug: options.slug.clone().unwrap_or_else(|| slug_from_folder(folder)),
        display_name: options.name.clone().unwrap_or_else(|| title_from_folder(folder)),
        owner_handle: options.owner.as_deref().map(|owner| owner.trim_start_matches('@').to_owned()),
        version: options
            .version
            .clone()
            .or_else(|| declared.map(|declared| declared.version.clone()))
            .unwrap_or_else(|| next_version(None)),
        changelog: options.changelog.clone().unwrap_or_default(),
        accept_license_terms: Some(true),
        tags: list(&options.tags).or_else(|| Some(vec![LATEST.to_owned()])),
        categories: list(&options.categories),
        topics: list(&options.topics),
        ..PublishRequest::default()
    }
}

/// Everything in the folder that is not published, with the reason.
fn left_out(fetched: &Fetched, published: &Bundle) -> Vec<NotPublished> {
    let is_published = |path: &str| published.files.iter().any(|file| file.path == path);
    let reason = |path: &str| {
        if path.split('/').any(|part| part.starts_with('.')) {
            "it is hidden"
        } else if path == "skill-card.md" {
            "the registry makes it"
        } else {
            "an ignore file names it"
        }
    };
    let filtered = fetched.bundle.files.iter().map(|file| &file.path).filter(|path| !is_published(path));
    let filtered = filtered.map(|path| NotPublished { path: path.clone(), reason: reason(path) });
    let unread =
        fetched.left_out.iter().map(|left| NotPublished { path: left.path.clone(), reason: left.reason });
    let mut all: Vec<NotPublished> = filtered.chain(unread).collect();
    all.sort_by(|one, other| one.path.cmp(&other.path));
    all
}
