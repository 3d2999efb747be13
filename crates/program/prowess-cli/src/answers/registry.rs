//! Answers about registries: asked, and served.

use prowess_acquire::{PublishPlan, RegistrySkill};
use prowess_registry::protocol::{PublishAnswer, SearchHit, SkillDetail, User, VersionDetail, VersionList};
use schemars::JsonSchema;
use serde::Serialize;

/// Skills that others published.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SearchAnswer<'a> {
    /// The registry that was asked.
    pub(crate) registry: &'a str,
    /// The requested name.
    pub(crate) query: &'a str,
    /// The best first.
    pub(crate) results: Vec<FoundSkill<'a>>,
}

/// A skill that was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FoundSkill<'a> {
    /// The answer of the registry.
    #[serde(flatten)]
    pub(crate) hit: &'a SearchHit,
    /// What is installed of it.
    pub(crate) installed: Option<&'a RegistrySkill>,
}

/// A skill of a registry.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InspectAnswer<'a> {
    /// The answer of the registry.
    #[serde(flatten)]
    pub(crate) detail: &'a SkillDetail,
    /// The version that was asked for, or the latest with `--files`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<&'a VersionDetail>,
    /// Its versions, with `--versions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) versions: Option<&'a VersionList>,
}

/// A file of a skill.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FileAnswer<'a> {
    /// Its place below the skill's folder.
    pub(crate) path: &'a str,
    /// Its content.
    pub(crate) text: &'a str,
}

/// Somebody is logged in.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LoginAnswer<'a> {
    /// The place.
    pub(crate) registry: &'a str,
    /// The account.
    pub(crate) user: &'a User,
    /// The file that keeps the login.
    pub(crate) file: String,
}

/// Somebody is logged out.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LogoutAnswer<'a> {
    /// The place.
    pub(crate) registry: &'a str,
    /// True if there was a login.
    pub(crate) forgotten: bool,
}

/// Who is logged in.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WhoamiAnswer<'a> {
    /// The place.
    pub(crate) registry: &'a str,
    /// The account.
    pub(crate) user: &'a User,
}

/// The outcome of a publication.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PublishResult<'a> {
    /// `published`, `unchanged` or `dry-run`.
    pub(crate) status: &'a str,
    /// The plan.
    pub(crate) plan: &'a PublishPlan,
    /// What the registry answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<&'a PublishAnswer>,
}

/// Something is done.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DoneFlag {
    /// Always `true`.
    pub(crate) ok: bool,
}

/// The tokens of a registry.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TokensAnswer<'a> {
    /// Without the secrets, which nobody keeps.
    pub(crate) tokens: Vec<TokenRow<'a>>,
}

/// A token, without its secret.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenRow<'a> {
    /// Its id.
    pub(crate) id: &'a str,
    /// Whose it is.
    pub(crate) handle: &'a str,
    /// Its purpose.
    pub(crate) label: Option<&'a str>,
    /// When it was made, in milliseconds since 1970.
    pub(crate) created_at: i64,
    /// When it was used last.
    pub(crate) used_at: Option<i64>,
    /// When it was revoked.
    pub(crate) revoked_at: Option<i64>,
}

/// A new token. It is told this once.
#[derive(Serialize, JsonSchema)]
pub(crate) struct NewTokenAnswer<'a> {
    /// What is kept of it.
    #[serde(flatten)]
    pub(crate) row: TokenRow<'a>,
    /// The secret.
    pub(crate) token: &'a str,
}
