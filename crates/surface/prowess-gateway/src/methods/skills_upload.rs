//! `skills.upload.*`: an archive in pieces, for `skills.install` with `source: "upload"`.

use prowess_types::ErrorKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{Access, Scope};
use crate::refusal::Refusal;
use crate::state::{Call, Gateway, Method, method};
use crate::uploads::{MAX_CHUNK, Progress, base64};

const ADMIN: Access = Access::Operator(Scope::Admin);

pub(super) fn methods() -> Vec<Method> {
    vec![
        method("skills.upload.begin", ADMIN, "Begins to send an archive of a skill", begin),
        method("skills.upload.chunk", ADMIN, "Sends the next piece of an archive, at most 4 MiB", chunk),
        method("skills.upload.commit", ADMIN, "Ends an upload, which must be whole", commit),
    ]
}

/// An archive that will come.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct BeginParams {
    /// Always `skill-archive`.
    #[serde(rename = "kind")]
    _kind: Kind,
    /// The folder that the skill will get.
    slug: String,
    /// The size of the archive, at most 32 MiB.
    size_bytes: u64,
    /// Its SHA-256.
    sha256: Option<String>,
    /// Known to other gateways; `skills.install` decides what gives way.
    #[serde(rename = "force")]
    _force: Option<bool>,
    /// Known to other gateways; every call begins an upload of its own.
    #[serde(rename = "idempotencyKey")]
    _idempotency_key: Option<String>,
}

/// The sent data.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// A skill as ZIP or tar.
    SkillArchive,
}

/// A piece of an archive.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ChunkParams {
    /// The upload.
    upload_id: String,
    /// The number of bytes that came before.
    offset: u64,
    /// The bytes, as base64.
    data_base64: String,
}

/// An archive that has come.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct CommitParams {
    /// The upload.
    upload_id: String,
    /// Its SHA-256.
    sha256: Option<String>,
}

/// The progress of an upload.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UploadAnswer {
    /// The upload.
    upload_id: String,
    /// The number of bytes that have come.
    received_bytes: u64,
    /// When it is forgotten, in milliseconds since 1970.
    expires_at: u64,
    /// The SHA-256 of what has come, once it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

impl UploadAnswer {
    fn new(progress: Progress, sha256: Option<String>) -> Self {
        let Progress { id, received, expires_ms } = progress;
        Self { upload_id: id, received_bytes: received, expires_at: expires_ms, sha256 }
    }
}

async fn begin(call: Call, params: BeginParams) -> Result<UploadAnswer, Refusal> {
    let gateway = &call.gateway;
    check_allowed(gateway)?;
    let now = gateway.options.clock.now_ms();
    let begun = gateway.desk.uploads.begin(params.slug, params.size_bytes, params.sha256, now)?;
    Ok(UploadAnswer::new(begun, None))
}

async fn chunk(call: Call, params: ChunkParams) -> Result<UploadAnswer, Refusal> {
    let gateway = &call.gateway;
    check_allowed(gateway)?;
    let piece = base64(&params.data_base64).ok_or_else(|| Refusal::invalid("`dataBase64` is not base64"))?;
    if piece.len() > MAX_CHUNK {
        return Err(Refusal::invalid(format!("a piece has at most {MAX_CHUNK} bytes, not {}", piece.len())));
    }
    let now = gateway.options.clock.now_ms();
    let progress = gateway.desk.uploads.add(&params.upload_id, params.offset, &piece, now)?;
    Ok(UploadAnswer::new(progress, None))
}

async fn commit(call: Call, params: CommitParams) -> Result<UploadAnswer, Refusal> {
    call.work(move |gateway| {
        check_allowed(gateway)?;
        let now = gateway.options.clock.now_ms();
        let (progress, hash) =
            gateway.desk.uploads.commit(&params.upload_id, params.sha256.as_deref(), now)?;
        Ok(UploadAnswer::new(progress, Some(hash)))
    })
    .await
}

/// Uploads are off unless the config says otherwise.
pub(super) fn check_allowed(gateway: &Gateway) -> Result<(), Refusal> {
    if gateway.live.engine().config().install().allow_uploaded_archives {
        return Ok(());
    }
    Err(Refusal::new(
        ErrorKind::Refused,
        "uploaded archives are off; set `skills.install.allowUploadedArchives` to allow them",
    ))
}
