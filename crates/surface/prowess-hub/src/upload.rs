//! Files on their way to a publication: a ticket each, good once and for an hour.

use prowess_net::random_token;
use prowess_registry::protocol::{UploadAnswer, UploadTicket, UploadTicketRequest};
use prowess_registry::{MAX_BUNDLE_BYTES, MAX_FILE_BYTES, check_path};
use prowess_store::registry::{Expected, UploadRecord};

use crate::hub::Hub;
use crate::refusal::Refusal;
use crate::token;

/// The lifetime of a ticket, in milliseconds.
const TICKET_TIME: i64 = 60 * 60 * 1000;
/// The limit of pending uploads per publisher.
const MAX_WAITING_BYTES: u64 = 4 * MAX_BUNDLE_BYTES;
/// The minimum size that a file counts, so that the number of tickets is bounded too.
const LEAST_BYTES: u64 = 4096;

impl Hub {
    /// Makes a place for a file. Older clients do not say what they will bring.
    pub(crate) fn ticket(
        &self,
        handle: &str,
        request: Option<UploadTicketRequest>,
        base: &str,
    ) -> Result<UploadTicket, Refusal> {
        let expected = request.map(checked).transpose()?;
        let reserve = expected.as_ref().map_or(MAX_FILE_BYTES, |expected| expected.size.max(LEAST_BYTES));
        let (ticket, now) = (random_token()?, self.now());
        let record = UploadRecord {
            ticket: token::hash_text(&ticket),
            storage: random_token()?,
            handle: handle.to_owned(),
            expected,
            expires_at: now.saturating_add(TICKET_TIME),
            stored: None,
        };
        if !self.store.add_upload(&record, reserve, MAX_WAITING_BYTES, now)? {
            return Err(Refusal::too_large(
                "Too much is uploaded and not published yet; publish it or wait an hour",
            ));
        }
        let upload_url = format!("{base}/api/v1/skills/-/upload/{ticket}");
        Ok(UploadTicket { upload_url, upload_ticket: ticket })
    }

    /// Takes the bytes of a ticket.
    pub(crate) fn upload(&self, handle: &str, ticket: &str, bytes: &[u8]) -> Result<UploadAnswer, Refusal> {
        let unknown = || Refusal::not_found("This upload ticket is unknown, used or too old");
        let hash = token::hash_text(ticket);
        let record = self.store.upload(&hash)?.ok_or_else(unknown)?;
        if record.handle != handle || record.expires_at <= self.now() || record.stored.is_some() {
            return Err(unknown());
        }
        let size = bytes.len() as u64;
        check_size("the file", size)?;
        if let Some(expected) = &record.expected {
            if expected.size != size {
                return Err(Refusal::bad(format!("{} bytes were announced, {size} came", expected.size)));
            }
            if expected.sha256 != prowess_fs::sha256_hex(bytes) {
                return Err(Refusal::bad("The bytes do not have the announced SHA-256"));
            }
        }
        let _together = self.writing();
        let sha256 = self.blobs.put(bytes)?;
        if !self.store.fill_upload(&hash, &sha256, size)? {
            return Err(unknown());
        }
        Ok(UploadAnswer { storage_id: record.storage })
    }
}

fn checked(request: UploadTicketRequest) -> Result<Expected, Refusal> {
    check_path(&request.path).map_err(|error| Refusal::bad(error.to_string()))?;
    check_size(&request.path, request.size)?;
    let sha256 = request.sha256.to_ascii_lowercase();
    if sha256.len() != 64 || !sha256.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Refusal::bad("`sha256` is not a SHA-256 in hexadecimal"));
    }
    Ok(Expected { path: request.path, size: request.size, sha256 })
}

/// Fails if a file is too large.
pub(crate) fn check_size(path: &str, size: u64) -> Result<(), Refusal> {
    if size > MAX_FILE_BYTES {
        let max = MAX_FILE_BYTES / 1024 / 1024;
        return Err(Refusal::too_large(format!("`{path}` has {size} bytes; a file may have {max} MB")));
    }
    Ok(())
}
