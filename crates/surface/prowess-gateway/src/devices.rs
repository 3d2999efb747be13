//! The devices that are known, and those that ask to be: one file, `gateway/devices.json` in the home.
//!
//! Tokens are not in it, only their hashes. A device's token follows from the gateway's token and from what the file
//! says, so the same one can be given again to a device that lost it, until it is rotated or revoked. Every change
//! reads the file first and replaces it whole under its lock; fields that a later version wrote stay.

mod book;

use std::convert::Infallible;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use prowess_fs::{read_file, update_file};
use prowess_text::describe_error;
use prowess_types::Secret;

pub(crate) use book::{
    Applicant, Book, Device, Grant, PairedBy, PairingRequest, Standing, is_device_token, role_name,
};

use crate::access::Role;
use crate::connect_params::Client;
use crate::refusal::Refusal;

/// The time to wait for another process that writes the file.
const PATIENCE: Duration = Duration::from_secs(10);
/// Far more than a thousand devices.
const MAX_BYTES: u64 = 16 << 20;

/// The file of the devices.
#[derive(Debug)]
pub(crate) struct Devices {
    file: PathBuf,
}

impl Devices {
    /// The devices that are kept in a home.
    pub(crate) fn new(home: &Path) -> Self {
        Self { file: home.join("gateway").join("devices.json") }
    }

    /// What the file says now. It is read for every connection, so what was revoked is revoked.
    pub(crate) fn read(&self) -> Result<Book, Refusal> {
        match read_file(&self.file, MAX_BYTES) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| self.damaged(&error)),
            Err(error) if error.is_missing() => Ok(Book::default()),
            Err(error) => Err(failed(&error)),
        }
    }

    /// Changes what the file says.
    pub(crate) fn change<T>(
        &self,
        change: impl FnOnce(&mut Book) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let mut answer = None;
        let folder = self.file.parent().unwrap_or(Path::new("."));
        prowess_fs::create_folder(folder).map_err(|error| failed(&error))?;
        let updated = update_file(&self.file, PATIENCE, |old| -> Result<_, Infallible> {
            let edited = self.edit(old.as_deref(), change);
            let (text, outcome) = match edited {
                Ok((text, changed)) => (Some(text), Ok(changed)),
                Err(refusal) => (None, Err(refusal)),
            };
            answer = Some(outcome);
            Ok(text)
        });
        updated.map_err(|error| failed(&error))?;
        answer.unwrap_or_else(|| Err(Refusal::unavailable("the list of devices was not changed")))
    }

    fn edit<T>(
        &self,
        old: Option<&str>,
        change: impl FnOnce(&mut Book) -> Result<T, Refusal>,
    ) -> Result<(String, T), Refusal> {
        let mut book: Book = match old {
            Some(text) => serde_json::from_str(text).map_err(|error| self.damaged(&error))?,
            None => Book::default(),
        };
        let changed = change(&mut book)?;
        let text = serde_json::to_string_pretty(&book).map_err(|error| failed(&error))?;
        Ok((text + "\n", changed))
    }

    /// Knows a device from now on, with what it wants, and gives it its token.
    pub(crate) fn pair(
        &self,
        applicant: &Applicant,
        client: &Client,
        by: PairedBy,
        key: &[u8; 32],
        now_ms: u64,
    ) -> Result<(Secret, u64), Refusal> {
        self.change(|book| {
            book.pair(applicant, client, by, now_ms);
            book.issue(&applicant.device, applicant.role, key, now_ms)
        })
    }

    /// Gives a known device its token.
    pub(crate) fn issue(
        &self,
        applicant: &Applicant,
        key: &[u8; 32],
        now_ms: u64,
    ) -> Result<(Secret, u64), Refusal> {
        self.change(|book| book.issue(&applicant.device, applicant.role, key, now_ms))
    }

    /// Notes that a device wants to be known.
    pub(crate) fn request(
        &self,
        applicant: &Applicant,
        client: &Client,
        peer: Option<IpAddr>,
        now_ms: u64,
    ) -> Result<PairingRequest, Refusal> {
        self.change(|book| Ok(book.request(applicant, client, peer, now_ms)))
    }

    /// A new token for a device in a role; the old one is worth nothing from now on.
    pub(crate) fn rotate(
        &self,
        device: &str,
        role: Role,
        key: &[u8; 32],
        now_ms: u64,
    ) -> Result<(Secret, u64), Refusal> {
        self.change(|book| {
            book.drop_token(device, role, now_ms)?;
            book.issue(device, role, key, now_ms)
        })
    }

    fn damaged(&self, error: &serde_json::Error) -> Refusal {
        let file = self.file.display();
        Refusal::unavailable(format!(
            "`{file}` is damaged ({error}); move it away to begin anew, then devices pair again"
        ))
    }
}

fn failed(error: &dyn std::error::Error) -> Refusal {
    Refusal::unavailable(describe_error(error))
}

#[cfg(test)]
#[path = "devices_tests.rs"]
mod tests;
