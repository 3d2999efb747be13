//! Changing things: uploads, publication, stars, deletion, names, telemetry, login by device.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::wire::{Millis, yes};

/// `POST /api/v1/skills/-/upload-url`: asks for a place to put one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadTicketRequest {
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

/// Where to put one file, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadTicket {
    /// Where to send the bytes.
    pub upload_url: String,
    /// What to name in the publication.
    pub upload_ticket: String,
}

/// The answer to an upload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadAnswer {
    /// What the stored bytes are called.
    pub storage_id: String,
}

/// `POST /api/v1/skills`. In a multipart publication the files travel in parts of their own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishRequest {
    /// The slug.
    pub slug: String,
    /// The name for people.
    pub display_name: String,
    /// Under whose name; the caller's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_handle: Option<String>,
    /// A full semantic version.
    pub version: String,
    /// The changes.
    pub changelog: String,
    /// True if the licence of the registry is agreed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accept_license_terms: Option<bool>,
    /// Names of this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// The files; none in a multipart publication.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PublishFile>,
    /// The place where the registry shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub categories: Option<Vec<String>>,
    /// Its subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topics: Option<Vec<String>>,
    /// The source of the files, in the client's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Value>,
    /// Its source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork_of: Option<ForkOf>,
}

/// The skill another one was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ForkOf {
    /// Its slug.
    pub slug: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// An uploaded file of a publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishFile {
    /// Relative, with `/`.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// What the upload answered.
    pub storage_id: String,
    /// In hexadecimal.
    pub sha256: String,
    /// The media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The ticket the bytes were sent with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upload_ticket: Option<String>,
}

/// Whether others see a new version yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PublicationStatus {
    /// Not before it is scanned.
    Pending,
    /// Yes.
    Published,
}

/// The answer to a publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// The skill's id.
    pub skill_id: String,
    /// The version's id.
    pub version_id: String,
    /// Whether others see it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publication_status: Option<PublicationStatus>,
    /// The slug it got.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// The version it got.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The id of the attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt_id: Option<String>,
}

/// `POST /api/v1/stars/{slug}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StarAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// True if it has the star now.
    pub starred: bool,
    /// True if it had it before.
    pub already_starred: bool,
}

/// `DELETE /api/v1/stars/{slug}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnstarAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// True if it is without the star now.
    pub unstarred: bool,
    /// True if it was before.
    pub already_unstarred: bool,
}

/// `DELETE /api/v1/skills/{slug}`, `POST …/undelete`, `DELETE …/versions/{version}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteRequest {
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The answer of everything that only has to say that it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DoneAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// Until when nobody else can take the slug of a deleted skill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug_reserved_until: Option<Millis>,
}

/// `POST …/rename`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenameRequest {
    /// The new slug.
    pub new_slug: String,
}

/// `POST …/merge`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MergeRequest {
    /// The skill that stays.
    pub target_slug: String,
}

/// `POST …/tags/{tag}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagRequest {
    /// The version the tag names from now on.
    pub version: String,
}

/// `POST …/transfer`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransferRequest {
    /// Who shall own it.
    pub to_user_handle: String,
    /// A word to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// `POST …/report`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportRequest {
    /// The problem with it.
    pub reason: String,
    /// With which version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// `POST /api/cli/telemetry/install`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InstallTelemetry {
    /// Always `install`.
    pub event: String,
    /// The skill.
    pub slug: String,
    /// Its owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_handle: Option<String>,
    /// The version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// `POST /api/cli/device/code`: what the token shall be for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceCodeRequest {
    /// What may be done with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The site where the user confirms the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_url: Option<String>,
    /// What the user sees in the list of tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// The answer of `POST /api/cli/device/code`, as in RFC 8628.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceCode {
    /// What the client asks for its token with.
    pub device_code: String,
    /// What the user types.
    pub user_code: String,
    /// The page on which the user types it.
    pub verification_uri: String,
    /// The same with the code filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification_uri_complete: Option<String>,
    /// In seconds.
    pub expires_in: u64,
    /// Seconds between two questions; five when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<u64>,
}

/// `POST /api/cli/device/token`, as in RFC 8628.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceTokenRequest {
    /// The code the client got.
    pub device_code: String,
    /// Always `urn:ietf:params:oauth:grant-type:device_code`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant_type: Option<String>,
}
