//! What a registry answers to changes, in the words that clients insist on.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::wire::{Millis, yes};

/// The answer to `POST …/rename`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenameAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// The slug it has now.
    pub slug: String,
    /// The slug that leads to it.
    pub previous_slug: String,
}

/// The answer to `POST …/merge`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MergeAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// The skill that is gone.
    pub source_slug: String,
    /// The skill that stays.
    pub target_slug: String,
}

/// The answer to `POST …/tags/{tag}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// The slug.
    pub slug: String,
    /// The tag.
    pub tag: String,
    /// The version it names.
    pub version: String,
}

/// The answer to `POST …/report`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// True if the report is recorded.
    pub reported: bool,
    /// True if it was already recorded.
    pub already_reported: bool,
    /// The report's id.
    pub report_id: String,
    /// The skill's id.
    pub skill_id: String,
    /// The number of publishers that have reported it.
    pub report_count: u64,
}

/// The answer to `POST …/transfer` and to its acceptance, refusal or cancellation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransferAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// The skill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_slug: Option<String>,
    /// The offer's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transfer_id: Option<String>,
    /// Who shall have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_user_handle: Option<String>,
    /// Until when it can be accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Millis>,
}

/// `GET /api/v1/transfers/incoming` and `…/outgoing`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferList {
    /// The oldest first.
    pub transfers: Vec<Transfer>,
}

/// An offer of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transfer {
    /// Its id.
    #[serde(rename = "_id")]
    pub id: String,
    /// The skill.
    pub skill: TransferredSkill,
    /// Who offers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_user: Option<TransferParty>,
    /// Who shall have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_user: Option<TransferParty>,
    /// A word to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Since when.
    pub requested_at: Millis,
    /// Until when.
    pub expires_at: Millis,
}

/// The skill of a [`Transfer`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransferredSkill {
    /// Its id.
    #[serde(rename = "_id")]
    pub id: String,
    /// The slug.
    pub slug: String,
    /// The name for people.
    pub display_name: String,
}

/// Who gives or gets a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransferParty {
    /// An id.
    #[serde(rename = "_id")]
    pub id: String,
    /// The name in `@owner/slug`.
    pub handle: Option<String>,
    /// The name for people.
    pub display_name: Option<String>,
}

/// `POST /api/v1/skills/-/scan`, and `GET …/-/scan/{id}` afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScanAnswer {
    /// Always `true`.
    #[serde(deserialize_with = "yes")]
    pub ok: bool,
    /// What to ask again with.
    pub scan_id: String,
    /// `queued`, `running`, `succeeded` or `failed`.
    pub status: String,
    /// `published` or `upload`.
    pub source_kind: String,
    /// True if the verdict of the version follows it.
    pub update: bool,
    /// What was scanned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<Value>,
    /// The findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Value>,
    /// When it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Millis>,
    /// When it last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Millis>,
    /// When it was finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Millis>,
}

/// The answer to `POST /api/cli/device/token` once somebody has agreed, as in RFC 8628. It has no `Debug`: it is a
/// secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceToken {
    /// The token.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: String,
    /// What it is good for.
    pub scope: String,
}
