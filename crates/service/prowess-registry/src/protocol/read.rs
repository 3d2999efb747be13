//! Answers to questions: list, detail, versions, resolve, whoami.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::wire::{Millis, present};
use super::{AMBIGUOUS_CODE, Moderation};

/// `/.well-known/clawhub.json`: where the interface of a site is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    /// The base of `/api/v1/…`; older documents call it `registry`.
    pub api_base: String,
    /// Where to log in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_base: Option<String>,
    /// The oldest client the site wants to see; nobody enforces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_cli_version: Option<String>,
}

impl<'de> Deserialize<'de> for Discovery {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Raw {
            api_base: Option<String>,
            registry: Option<String>,
            auth_base: Option<String>,
            min_cli_version: Option<String>,
        }
        let Raw { api_base, registry, auth_base, min_cli_version } = Raw::deserialize(deserializer)?;
        let api_base = api_base.or(registry).ok_or_else(|| D::Error::missing_field("apiBase"))?;
        Ok(Self { api_base, auth_base, min_cli_version })
    }
}

/// Who publishes a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// The name in `@owner/slug`.
    #[serde(deserialize_with = "present")]
    pub handle: Option<String>,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The address of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
}

/// `GET /api/v1/skills`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillList {
    /// One page.
    pub items: Vec<SkillListItem>,
    /// What to ask for the next page with.
    #[serde(deserialize_with = "present")]
    pub next_cursor: Option<String>,
}

/// One skill of a [`SkillList`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillListItem {
    /// What every skill says about itself.
    #[serde(flatten)]
    pub skill: SkillSummary,
    /// Its subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topics: Option<Vec<String>>,
    /// The latest version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_version: Option<VersionSummary>,
    /// Its requirements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<SkillMetadata>,
}

/// What every skill says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillSummary {
    /// The slug.
    pub slug: String,
    /// The name for people.
    pub display_name: String,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Names of versions, such as `latest`; [`tag`](Self::tag) reads them.
    pub tags: Value,
    /// Counts, which vary from server to server.
    pub stats: Value,
    /// When it was first published.
    pub created_at: Millis,
    /// When it last changed.
    pub updated_at: Millis,
}

impl SkillSummary {
    /// The version a tag names.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)?.as_str()
    }
}

/// A version, briefly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionSummary {
    /// The number.
    pub version: String,
    /// When it was published.
    pub created_at: Millis,
    /// The changes.
    pub changelog: String,
    /// The licence on the wire: `MIT-0` or nothing, because ClawHub's own client refuses any other value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// The licence that the `SKILL.md` declares, in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_license: Option<String>,
}

/// The only value of [`VersionSummary::license`] that ClawHub's client accepts.
pub const PLATFORM_LICENSE: &str = "MIT-0";

impl VersionSummary {
    /// The licence of the version, as far as the registry states one.
    pub fn stated_license(&self) -> Option<&str> {
        self.declared_license.as_deref().or(self.license.as_deref())
    }
}

/// What a skill needs before it works.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SkillMetadata {
    /// Settings to make.
    #[serde(default)]
    pub setup: Vec<SetupKey>,
    /// Operating systems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os: Option<Vec<String>>,
    /// Nix systems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub systems: Option<Vec<String>>,
}

/// A setting a skill wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SetupKey {
    /// Its name.
    pub key: String,
    /// True if the skill does not work without it.
    pub required: bool,
}

/// `GET /api/v1/skills/{slug}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillDetail {
    /// The skill.
    #[serde(deserialize_with = "present")]
    pub skill: Option<SkillSummary>,
    /// Its latest version; `null` when it is not hosted here.
    #[serde(deserialize_with = "present")]
    pub latest_version: Option<VersionSummary>,
    /// Its requirements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<SkillMetadata>,
    /// Who publishes it.
    #[serde(deserialize_with = "present")]
    pub owner: Option<Owner>,
    /// What the registry thinks of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moderation: Option<Moderation>,
}

/// `GET /api/v1/skills/{slug}/versions`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionList {
    /// One page, the newest first.
    pub items: Vec<VersionListItem>,
    /// What to ask for the next page with.
    #[serde(deserialize_with = "present")]
    pub next_cursor: Option<String>,
}

/// One version of a [`VersionList`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionListItem {
    /// The number.
    pub version: String,
    /// When it was published.
    pub created_at: Millis,
    /// The changes.
    pub changelog: String,
    /// `auto` or `user`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changelog_source: Option<String>,
}

/// `GET /api/v1/skills/{slug}/versions/{version}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VersionAnswer {
    /// The version.
    #[serde(deserialize_with = "present")]
    pub version: Option<VersionDetail>,
    /// Whose version it is.
    #[serde(deserialize_with = "present")]
    pub skill: Option<SkillName>,
}

/// A version with its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VersionDetail {
    /// What every version says about itself.
    #[serde(flatten)]
    pub summary: VersionSummary,
    /// Its files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<VersionFile>>,
    /// What the scan said, in the server's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security: Option<Value>,
}

/// A file of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionFile {
    /// Relative, with `/`.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// In hexadecimal.
    pub sha256: String,
    /// The media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
}

/// A skill, by its names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillName {
    /// The slug.
    pub slug: String,
    /// The name for people.
    pub display_name: String,
}

/// A version, by its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VersionName {
    /// The number.
    pub version: String,
}

/// `GET /api/v1/resolve`: which version has these files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveAnswer {
    /// The version with exactly that fingerprint.
    #[serde(rename = "match", deserialize_with = "present")]
    pub matching: Option<VersionName>,
    /// The latest one.
    #[serde(deserialize_with = "present")]
    pub latest_version: Option<VersionName>,
}

/// The body of a 409: several owners have a skill of that slug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AmbiguousSlug {
    /// Always [`AMBIGUOUS_CODE`].
    pub code: String,
    /// A sentence.
    pub message: String,
    /// The skills to choose from.
    pub matches: Vec<SkillMatch>,
}

impl AmbiguousSlug {
    /// Returns true if the body is really this one.
    pub fn is_genuine(&self) -> bool {
        self.code == AMBIGUOUS_CODE
    }
}

/// One of several skills of the same slug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillMatch {
    /// The owner.
    pub owner_handle: String,
    /// The slug.
    pub slug: String,
    /// What to ask for instead: `@owner/slug`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// `GET /api/v1/whoami`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhoamiAnswer {
    /// Whose token it is.
    pub user: User,
    /// How the registry licenses what the user publishes: [`DECLARED_LICENSE`] keeps the licence that a `SKILL.md`
    /// declares. A registry that does not say it has terms of its own; ClawHub's are [`PLATFORM_LICENSE`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_license: Option<String>,
}

/// The value of [`WhoamiAnswer::skill_license`] for a registry without terms of its own.
pub const DECLARED_LICENSE: &str = "declared";

/// A user of a registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The name in `@owner/slug`.
    #[serde(deserialize_with = "present")]
    pub handle: Option<String>,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The address of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// What the user may do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
}
