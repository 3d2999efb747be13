//! The answer that has three shapes: how to get a skill the registry does not host.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

/// `GET /api/v1/skills/{slug}/install`: how to get a skill that has no hosted version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallAnswer {
    /// The skill.
    pub slug: String,
    /// The way to get it.
    pub plan: InstallResolution,
}

/// What a registry says about getting a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallResolution {
    /// Download an archive.
    Archive {
        /// The version it holds.
        version: String,
        /// Its address.
        download_url: String,
    },
    /// Take a folder of a repository at a commit.
    GitHub {
        /// `owner/name`.
        repo: String,
        /// The folder.
        path: String,
        /// The commit the registry looked at.
        commit: String,
        /// [`content_hash`](crate::content_hash) of the folder.
        content_hash: String,
        /// A page for people.
        source_url: String,
    },
    /// Nothing: it is blocked, pending or gone.
    Refused {
        /// A code.
        reason: String,
        /// A sentence.
        message: String,
        /// 403, 409, 410 or 423.
        status: u16,
    },
}

impl Serialize for InstallAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let slug = &self.slug;
        let value = match &self.plan {
            InstallResolution::Archive { version, download_url } => json!({
                "ok": true, "slug": slug, "installKind": "archive",
                "archive": { "version": version, "downloadUrl": download_url },
            }),
            InstallResolution::GitHub { repo, path, commit, content_hash, source_url } => json!({
                "ok": true, "slug": slug, "installKind": "github",
                "github": {
                    "repo": repo, "path": path, "commit": commit,
                    "contentHash": content_hash, "sourceUrl": source_url,
                },
            }),
            InstallResolution::Refused { reason, message, status } => json!({
                "ok": false, "slug": slug, "reason": reason, "message": message, "status": status,
            }),
        };
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for InstallAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Raw {
            ok: bool,
            slug: Option<String>,
            install_kind: Option<String>,
            archive: Option<Archive>,
            github: Option<GitHub>,
            reason: Option<String>,
            message: Option<String>,
            status: Option<u16>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Archive {
            version: String,
            download_url: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct GitHub {
            repo: String,
            path: String,
            commit: String,
            content_hash: String,
            source_url: String,
        }
        let missing = D::Error::missing_field;
        let raw = Raw::deserialize(deserializer)?;
        let plan = if !raw.ok {
            InstallResolution::Refused {
                reason: raw.reason.ok_or_else(|| missing("reason"))?,
                message: raw.message.unwrap_or_default(),
                status: raw.status.ok_or_else(|| missing("status"))?,
            }
        } else if raw.install_kind.as_deref() == Some("github") {
            let GitHub { repo, path, commit, content_hash, source_url } =
                raw.github.ok_or_else(|| missing("github"))?;
            InstallResolution::GitHub { repo, path, commit, content_hash, source_url }
        } else {
            let Archive { version, download_url } = raw.archive.ok_or_else(|| missing("archive"))?;
            InstallResolution::Archive { version, download_url }
        };
        Ok(Self { slug: raw.slug.unwrap_or_default(), plan })
    }
}
