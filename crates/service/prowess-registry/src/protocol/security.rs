//! What a registry thinks of a skill: moderation, verification, verdicts.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::wire::{Millis, present};

/// The schema of a [`VerifyAnswer`].
pub const VERIFY_SCHEMA: &str = "clawhub.skill.verify.v1";
/// The schema of [`SecurityVerdicts`].
pub const VERDICTS_SCHEMA: &str = "clawhub.skill.security-verdicts.v1";

/// A registry's judgement, as part of a skill's detail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Moderation {
    /// Install only when asked to in so many words.
    pub is_suspicious: bool,
    /// Never install.
    pub is_malware_blocked: bool,
    /// `clean`, `suspicious` or `malicious`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Which rules spoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_codes: Option<Vec<String>>,
    /// When it was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Millis>,
    /// By which engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_version: Option<String>,
    /// In a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// `GET /api/v1/skills/{slug}/moderation`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ModerationAnswer {
    /// The judgement, if there is one.
    #[serde(deserialize_with = "present")]
    pub moderation: Option<ModerationDetail>,
}

/// A judgement with what it rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ModerationDetail {
    /// The judgement.
    #[serde(flatten)]
    pub moderation: Moderation,
    /// What it rests on.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

/// A place in a skill that a rule spoke of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Evidence {
    /// The rule.
    pub code: String,
    /// Its severity.
    pub severity: String,
    /// The file.
    #[serde(default)]
    pub file: String,
    /// The line, from 1.
    #[serde(default)]
    pub line: u64,
    /// A sentence.
    #[serde(default)]
    pub message: String,
    /// The text.
    #[serde(default)]
    pub evidence: String,
}

/// `GET /api/v1/skills/{slug}/verify`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyAnswer {
    /// [`VERIFY_SCHEMA`].
    pub schema: String,
    /// True if nothing speaks against it.
    pub ok: bool,
    /// `pass` or `fail`.
    pub decision: String,
    /// What speaks against it.
    pub reasons: Vec<String>,
    /// The slug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_url: Option<String>,
    /// Who publishes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publisher_handle: Option<String>,
    /// Their name for people.
    #[serde(default)]
    pub publisher_display_name: Option<String>,
    /// Their page.
    #[serde(default)]
    pub publisher_profile_url: Option<String>,
    /// The version that was asked for.
    #[serde(default)]
    pub version: Value,
    /// How it was asked for: `latest`, `version` or `tag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_from: Option<String>,
    /// The tag it was asked for by.
    #[serde(default)]
    pub tag: Option<String>,
    /// When it was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Millis>,
    /// The generated card.
    #[serde(default)]
    pub card: Value,
    /// The files and their fingerprints.
    #[serde(default)]
    pub artifact: Value,
    /// The source of the files.
    #[serde(default)]
    pub provenance: Value,
    /// The verdict and its signals.
    #[serde(default)]
    pub security: Value,
    /// The signature, if there is one.
    #[serde(default)]
    pub signature: Value,
}

/// `POST /api/v1/skills/-/security-verdicts`: at most a hundred questions at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SecurityVerdictsRequest {
    /// 1 to 100 of them.
    pub items: Vec<VerdictQuestion>,
}

/// The version that is asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerdictQuestion {
    /// The slug.
    pub slug: String,
    /// The owner, where the slug alone is not enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner_handle: Option<String>,
    /// The version.
    pub version: String,
}

/// The answer to a [`SecurityVerdictsRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SecurityVerdicts {
    /// [`VERDICTS_SCHEMA`].
    pub schema: String,
    /// One per question.
    pub items: Vec<SecurityVerdict>,
}

/// A compact verdict on one version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecurityVerdict {
    /// True if nothing speaks against it.
    pub ok: bool,
    /// `pass` or `fail`.
    pub decision: String,
    /// What speaks against it.
    pub reasons: Vec<String>,
    /// The request.
    pub requested_slug: String,
    /// The request.
    pub requested_version: String,
    /// The owner that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested_owner_handle: Option<String>,
    /// The slug that was found; `null` tells OpenClaw that there is none.
    #[serde(default)]
    pub slug: Option<String>,
    /// The version that was found.
    #[serde(default)]
    pub version: Option<String>,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Who publishes it.
    #[serde(default)]
    pub publisher_handle: Option<String>,
    /// The page of the skill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_url: Option<String>,
    /// The place where the whole scan is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security_audit_url: Option<String>,
    /// The scan in a few lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overview: Option<String>,
    /// Status and signals.
    #[serde(default)]
    pub security: Value,
}
