//! Putting a skill into a registry.

use prowess_net::HttpMethod;
use prowess_types::{Bundle, BundleFile};

use super::{RegistryClient, RegistryError, TRANSFER_TIME, parse};
use crate::address::join;
use crate::names::{
    MAX_BUNDLE_BYTES, MAX_FILE_BYTES, check_bundle, check_handle, check_new_slug, check_path, check_version,
};
use crate::protocol::{
    PublishAnswer, PublishFile, PublishRequest, UploadAnswer, UploadTicket, UploadTicketRequest,
};
use prowess_fs::sha256_hex;

/// What is published. The files of `request` are filled in from the bundle.
#[derive(Clone, Debug)]
pub struct Publication<'a> {
    /// Name, version and what else is said about it.
    pub request: PublishRequest,
    /// The files; [`published_files`](crate::published_files) says which a folder has.
    pub bundle: &'a Bundle,
}

impl Publication<'_> {
    /// Whether a registry would take it, as far as can be known here.
    pub fn check(&self) -> Result<(), RegistryError> {
        let slug = &self.request.slug;
        check_new_slug(slug)?;
        check_version(&self.request.version)?;
        self.request.owner_handle.as_deref().map(check_handle).transpose()?;
        check_bundle(self.bundle)?;
        let mut total = 0;
        for file in &self.bundle.files {
            check_path(&file.path)?;
            let size = file.bytes.len() as u64;
            if size > MAX_FILE_BYTES {
                return Err(RegistryError::TooLarge { path: file.path.clone(), size, max: MAX_FILE_BYTES });
            }
            total += size;
        }
        if total > MAX_BUNDLE_BYTES {
            return Err(RegistryError::TooLarge { path: slug.clone(), size: total, max: MAX_BUNDLE_BYTES });
        }
        let is_skill = |file: &BundleFile| {
            ["skill.md", "skills.md"].iter().any(|name| file.path.eq_ignore_ascii_case(name))
        };
        if self.bundle.files.iter().any(is_skill) {
            Ok(())
        } else {
            Err(RegistryError::NoSkill { slug: slug.clone() })
        }
    }
}

impl RegistryClient<'_> {
    /// Uploads the files one by one, then publishes them; `progress` hears of each file that is there.
    ///
    /// A registry without upload tickets gets everything in one multipart request.
    pub fn publish(
        &self,
        publication: &Publication<'_>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<PublishAnswer, RegistryError> {
        publication.check()?;
        let mut files = Vec::with_capacity(publication.bundle.files.len());
        for file in &publication.bundle.files {
            match self.upload(file) {
                Ok(uploaded) => files.push(uploaded),
                Err(RegistryError::NotFound { .. } | RegistryError::Status { status: 405 | 501, .. })
                    if files.is_empty() =>
                {
                    return self.publish_at_once(publication, progress);
                }
                Err(error) => return Err(error),
            }
            progress(&file.path);
        }
        let url = self.address("skills", &[]);
        let question = PublishRequest { files, ..publication.request.clone() };
        let request = self.with_json(HttpMethod::Post, &url, &question)?.timeout(TRANSFER_TIME);
        parse(&url, &self.answer(&url, request)?)
    }

    fn upload(&self, file: &BundleFile) -> Result<PublishFile, RegistryError> {
        let (size, sha256) = (file.bytes.len() as u64, sha256_hex(&file.bytes));
        let content_type = Some(media_type(&file.path).to_owned());
        let question = UploadTicketRequest {
            path: file.path.clone(),
            size,
            sha256: sha256.clone(),
            content_type: content_type.clone(),
        };
        let url = self.address("skills/-/upload-url", &[]);
        let request = self.with_json(HttpMethod::Post, &url, &question)?.idempotent();
        let ticket: UploadTicket = parse(&url, &self.answer(&url, request)?)?;
        // A place that is not a web address leads nowhere; the client says so.
        let place = join(&url, &ticket.upload_url).unwrap_or(ticket.upload_url);
        let request = self.request(HttpMethod::Post, &place).timeout(TRANSFER_TIME);
        let request = request.body(file.bytes.clone(), media_type(&file.path));
        let answer: UploadAnswer = parse(&place, &self.answer(&place, request)?)?;
        let (path, upload_ticket) = (file.path.clone(), Some(ticket.upload_ticket));
        Ok(PublishFile { path, size, storage_id: answer.storage_id, sha256, content_type, upload_ticket })
    }

    fn publish_at_once(
        &self,
        publication: &Publication<'_>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<PublishAnswer, RegistryError> {
        let url = self.address("skills", &[]);
        let payload = serde_json::to_vec(&publication.request)
            .map_err(|source| RegistryError::Answer { url: url.clone(), source })?;
        let (kind, body) = multipart(&payload, publication.bundle);
        let request = self.request(HttpMethod::Post, &url).timeout(TRANSFER_TIME).body(body, &kind);
        let answer = parse(&url, &self.answer(&url, request)?)?;
        publication.bundle.files.iter().for_each(|file| progress(&file.path));
        Ok(answer)
    }
}

/// One part `payload` and one part `files` for each file. The boundary is made from the content, so that it is
/// not in it.
fn multipart(payload: &[u8], bundle: &Bundle) -> (String, Vec<u8>) {
    let all: String = bundle.files.iter().map(|file| sha256_hex(&file.bytes)).collect();
    let boundary = format!("prowess-{}", sha256_hex(format!("{}{all}", sha256_hex(payload)).as_bytes()));
    let mut body = Vec::new();
    let mut part = |headers: &str, bytes: &[u8]| {
        body.extend_from_slice(format!("--{boundary}\r\n{headers}\r\n\r\n").as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    };
    part("Content-Disposition: form-data; name=\"payload\"", payload);
    for file in &bundle.files {
        let name = file.path.replace('"', "%22");
        let kind = media_type(&file.path);
        part(
            &format!(
                "Content-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\nContent-Type: {kind}"
            ),
            &file.bytes,
        );
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body)
}

/// The media type a file's ending suggests.
fn media_type(path: &str) -> &'static str {
    let ending =
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending);
    match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" => "text/markdown",
        "txt" | "toml" | "py" | "rs" | "go" | "rb" | "ts" | "sql" => "text/plain",
        "json" => "application/json",
        "yaml" | "yml" => "application/yaml",
        "js" | "mjs" | "cjs" => "text/javascript",
        "sh" | "bash" => "application/x-sh",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}
