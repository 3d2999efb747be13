//! Archives that come in pieces: begun, sent, checked, installed or forgotten.

use std::collections::BTreeMap;
use std::sync::Mutex;

use data_encoding::BASE64_NOPAD;
use prowess_fs::sha256_hex;
use prowess_types::{ErrorKind, IgnorePoison as _};
use ulid::Ulid;

use crate::refusal::Refusal;

/// The lifetime of an upload.
const LIFE_MS: u64 = 60 * 60 * 1000;
/// Bytes of one piece.
pub(crate) const MAX_CHUNK: usize = 4 << 20;
/// Bytes of one archive.
pub(crate) const MAX_ARCHIVE: u64 = 32 << 20;
/// Uploads that may be kept at once.
const MAX_UPLOADS: usize = 4;

/// The archives that clients are sending.
#[derive(Debug, Default)]
pub(crate) struct Uploads(Mutex<BTreeMap<String, Upload>>);

#[derive(Clone, Debug)]
struct Upload {
    slug: String,
    size: u64,
    bytes: Vec<u8>,
    sha256: Option<String>,
    is_whole: bool,
    expires_ms: u64,
}

/// The progress of an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) id: String,
    pub(crate) received: u64,
    pub(crate) expires_ms: u64,
}

impl Uploads {
    /// Begins an upload.
    pub(crate) fn begin(
        &self,
        slug: String,
        size: u64,
        sha256: Option<String>,
        now: u64,
    ) -> Result<Progress, Refusal> {
        if size == 0 || size > MAX_ARCHIVE {
            return Err(Refusal::invalid(format!("an archive has 1 to {MAX_ARCHIVE} bytes, not {size}")));
        }
        let mut uploads = self.0.lock().ignore_poison();
        uploads.retain(|_, upload| upload.expires_ms > now);
        if uploads.len() >= MAX_UPLOADS {
            return Err(Refusal::new(
                ErrorKind::Busy,
                format!("{MAX_UPLOADS} uploads wait already; install one of them"),
            ));
        }
        let id = Ulid::generate().to_string();
        let expires_ms = now.saturating_add(LIFE_MS);
        let upload = Upload { slug, size, bytes: Vec::new(), sha256, is_whole: false, expires_ms };
        uploads.insert(id.clone(), upload);
        Ok(Progress { id, received: 0, expires_ms })
    }

    /// Adds a piece, which must follow the one before.
    pub(crate) fn add(&self, id: &str, offset: u64, piece: &[u8], now: u64) -> Result<Progress, Refusal> {
        self.change(id, now, |upload| {
            let received = upload.bytes.len() as u64;
            if upload.is_whole {
                return Err(Refusal::invalid(format!("upload `{id}` is complete already")));
            }
            if offset != received {
                return Err(Refusal::invalid(format!(
                    "the next piece begins at {received}, not at {offset}"
                )));
            }
            if received + piece.len() as u64 > upload.size {
                return Err(Refusal::invalid(format!(
                    "the archive would have more than {} bytes",
                    upload.size
                )));
            }
            upload.bytes.extend_from_slice(piece);
            Ok(())
        })
    }

    /// Ends an upload: it must be whole, and be what its hash says.
    pub(crate) fn commit(
        &self,
        id: &str,
        sha256: Option<&str>,
        now: u64,
    ) -> Result<(Progress, String), Refusal> {
        let mut found = String::new();
        let progress = self.change(id, now, |upload| {
            let received = upload.bytes.len() as u64;
            if received != upload.size {
                return Err(Refusal::invalid(format!("{received} of {} bytes have come", upload.size)));
            }
            found = sha256_hex(&upload.bytes);
            let wanted = sha256.or(upload.sha256.as_deref());
            if wanted.is_some_and(|wanted| !wanted.eq_ignore_ascii_case(&found)) {
                return Err(Refusal::invalid(format!(
                    "the archive's SHA-256 is {found}, not what was announced"
                )));
            }
            upload.is_whole = true;
            Ok(())
        })?;
        Ok((progress, found))
    }

    /// Returns a whole upload for its install. It stays until it is forgotten.
    pub(crate) fn whole(
        &self,
        id: &str,
        slug: &str,
        sha256: Option<&str>,
        now: u64,
    ) -> Result<Vec<u8>, Refusal> {
        let mut bytes = Vec::new();
        self.change(id, now, |upload| {
            if !upload.is_whole {
                return Err(Refusal::invalid(format!("upload `{id}` is not committed")));
            }
            if upload.slug != slug {
                return Err(Refusal::invalid(format!(
                    "upload `{id}` is for `{}`, not for `{slug}`",
                    upload.slug
                )));
            }
            if sha256.is_some_and(|wanted| !wanted.eq_ignore_ascii_case(&sha256_hex(&upload.bytes))) {
                return Err(Refusal::invalid(format!("upload `{id}` has another SHA-256")));
            }
            bytes.clone_from(&upload.bytes);
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Drops an upload.
    pub(crate) fn forget(&self, id: &str) {
        self.0.lock().ignore_poison().remove(id);
    }

    fn change(
        &self,
        id: &str,
        now: u64,
        change: impl FnOnce(&mut Upload) -> Result<(), Refusal>,
    ) -> Result<Progress, Refusal> {
        let mut uploads = self.0.lock().ignore_poison();
        uploads.retain(|_, upload| upload.expires_ms > now);
        let upload = uploads
            .get_mut(id)
            .ok_or_else(|| Refusal::not_found(format!("unknown or expired upload `{id}`")))?;
        change(upload)?;
        let received = upload.bytes.len() as u64;
        Ok(Progress { id: id.to_owned(), received, expires_ms: upload.expires_ms })
    }
}

/// The bytes of a base64 text, with or without padding; none if it is something else.
pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
    let letters = text.trim_end_matches('=');
    if text.len() - letters.len() > 2 {
        return None;
    }
    BASE64_NOPAD.decode(letters.replace('-', "+").replace('_', "/").as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_with_and_without_padding() {
        for (text, bytes) in
            [("", &b""[..]), ("Zg==", b"f"), ("Zm8=", b"fo"), ("Zm9v", b"foo"), ("Zm8", b"fo")]
        {
            assert_eq!(base64(text).as_deref(), Some(bytes), "{text}");
        }
        assert_eq!(base64("+/-_"), Some(vec![0xfb, 0xff, 0xbf]));
        for text in ["Z", "Zm9v!", "Zm9vY", "Zg===", "é"] {
            assert_eq!(base64(text), None, "{text}");
        }
    }

    #[test]
    fn an_upload_is_whole_in_order_and_of_its_hash() {
        let uploads = Uploads::default();
        let begun = uploads.begin("tidy".to_owned(), 3, None, 0).unwrap();
        let message = |result: Result<Progress, Refusal>| result.unwrap_err().message;
        assert_eq!(message(uploads.add(&begun.id, 1, b"x", 1)), "the next piece begins at 0, not at 1");
        assert_eq!(uploads.add(&begun.id, 0, b"ab", 1).unwrap().received, 2);
        assert_eq!(message(uploads.add(&begun.id, 2, b"cd", 1)), "the archive would have more than 3 bytes");
        assert_eq!(uploads.commit(&begun.id, None, 1).unwrap_err().message, "2 of 3 bytes have come");
        uploads.add(&begun.id, 2, b"c", 1).unwrap();
        assert!(uploads.whole(&begun.id, "tidy", None, 1).is_err());
        assert!(uploads.commit(&begun.id, Some("00"), 1).is_err());
        let (_, hash) = uploads.commit(&begun.id, None, 1).unwrap();
        assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(uploads.whole(&begun.id, "tidy", Some(&hash), 1).unwrap(), b"abc");
        assert!(uploads.whole(&begun.id, "other", None, 1).is_err());
        assert!(uploads.whole(&begun.id, "tidy", None, LIFE_MS + 1).is_err(), "it is kept for an hour");
    }

    #[test]
    fn there_is_room_for_a_few() {
        let uploads = Uploads::default();
        assert!(uploads.begin("a".to_owned(), MAX_ARCHIVE + 1, None, 0).is_err());
        for _ in 0..MAX_UPLOADS {
            uploads.begin("a".to_owned(), 1, None, 0).unwrap();
        }
        assert!(uploads.begin("a".to_owned(), 1, None, 0).is_err());
        assert!(uploads.begin("a".to_owned(), 1, None, LIFE_MS).is_ok(), "the old ones are gone");
    }
}
