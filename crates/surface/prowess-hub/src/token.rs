//! Tokens: made of 256 random bits, kept as a hash, compared without telling how far they agree.

use std::path::Path;

use prowess_context::Clock;
use prowess_registry::check_handle;
use prowess_store::registry::{People, SqliteRegistry, TokenRecord};
use prowess_types::Secret;
use sha2::{Digest as _, Sha256};

use crate::HubError;
use crate::hub::{DATABASE, make_folder, millis};

/// The prefix of every token.
const PREFIX: &str = "clh_";
/// Letters of a hash that a token is called by.
const ID_LETTERS: usize = 16;
/// Handles that are pages of the registry.
const RESERVED: [&str; 3] = ["api", "device", "skills"];

/// The tokens of a registry, for its operator. Works beside a hub that serves the same folder.
#[derive(Debug)]
pub struct TokenDesk {
    store: SqliteRegistry,
    clock: Clock,
}

impl TokenDesk {
    /// Opens the tokens in a folder, which is made if there is none.
    pub fn open(folder: &Path, clock: Clock) -> Result<Self, HubError> {
        make_folder(folder)?;
        Ok(Self { store: SqliteRegistry::open(&folder.join(DATABASE))?, clock })
    }

    /// Makes a token for a publisher. This is the only time that it is seen.
    pub fn create(&self, handle: &str, label: Option<&str>) -> Result<(TokenRecord, Secret), HubError> {
        check_free_handle(handle)?;
        create(&self.store, handle, label, millis(&self.clock))
    }

    /// All tokens, the oldest first.
    pub fn list(&self) -> Result<Vec<TokenRecord>, HubError> {
        Ok(self.store.tokens()?)
    }

    /// Takes a token back; whether there was one to take back.
    pub fn revoke(&self, id: &str) -> Result<bool, HubError> {
        Ok(self.store.revoke_token(id, millis(&self.clock))?)
    }

    /// Lets a client in that shows its user this code; whether one waits.
    pub fn approve(&self, user_code: &str, handle: &str) -> Result<bool, HubError> {
        check_free_handle(handle)?;
        let code = user_code.trim().to_ascii_uppercase();
        Ok(self.store.approve_device(&code, handle, millis(&self.clock))?)
    }
}

fn check_free_handle(handle: &str) -> Result<(), HubError> {
    check_handle(handle)?;
    if RESERVED.contains(&handle) {
        return Err(HubError::ReservedHandle(handle.to_owned()));
    }
    Ok(())
}

/// Makes and keeps a token.
pub(crate) fn create(
    store: &dyn People,
    handle: &str,
    label: Option<&str>,
    now: i64,
) -> Result<(TokenRecord, Secret), HubError> {
    let token = format!("{PREFIX}{}", prowess_net::random_token()?);
    let record = TokenRecord {
        id: id_of(&token),
        hash: hash(&token),
        handle: handle.to_owned(),
        label: label.map(ToOwned::to_owned),
        created_at: now,
        used_at: None,
        revoked_at: None,
    };
    store.add_token(&record)?;
    Ok((record, Secret::new(token)))
}

/// Whose token it is, if it is one and still good.
pub(crate) fn identify(store: &dyn People, token: &str) -> Result<Option<TokenRecord>, HubError> {
    if !token.starts_with(PREFIX) {
        return Ok(None);
    }
    let known = store.token(&id_of(token))?;
    Ok(known.filter(|known| known.revoked_at.is_none() && is_same(&known.hash, &hash(token))))
}

/// The SHA-256 of a secret, in hexadecimal: what is kept of tickets and codes.
pub(crate) fn hash_text(secret: &str) -> String {
    prowess_fs::sha256_hex(secret.as_bytes())
}

fn id_of(token: &str) -> String {
    hash_text(token).chars().take(ID_LETTERS).collect()
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Looks at every byte, whatever the first ones say.
fn is_same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.iter().zip(other).fold(0, |different, (one, other)| different | (one ^ other)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_until_it_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let desk = TokenDesk::open(folder.path(), Clock::new(|| 5)).unwrap();
        let (record, token) = desk.create("ada", Some("laptop")).unwrap();
        let whose = |token: &str| identify(&desk.store, token).unwrap().map(|record| record.handle);
        assert_eq!(whose(token.expose()), Some("ada".to_owned()));
        assert_eq!(whose("clh_0"), None);
        assert_eq!(whose(""), None);
        assert!(desk.revoke(&record.id).unwrap());
        assert_eq!(whose(token.expose()), None);
    }

    #[test]
    fn tokens_are_long_random_and_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let desk = TokenDesk::open(folder.path(), Clock::new(|| 5)).unwrap();
        let (_, one) = desk.create("ada", None).unwrap();
        let (_, other) = desk.create("ada", None).unwrap();
        assert_ne!(one, other);
        assert_eq!(one.expose().len(), PREFIX.len() + 64);
        drop(desk);
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            let token = one.expose().trim_start_matches(PREFIX).as_bytes();
            assert!(!bytes.windows(token.len()).any(|part| part == token));
        }
    }

    #[test]
    fn handles_must_be_possible() {
        let folder = tempfile::tempdir().unwrap();
        let desk = TokenDesk::open(folder.path(), Clock::new(|| 5)).unwrap();
        assert!(matches!(desk.create("Ada", None), Err(HubError::Name(_))));
        assert!(matches!(desk.create("api", None), Err(HubError::ReservedHandle(_))));
        assert!(!desk.approve("ABCD-EFGH", "ada").unwrap());
    }
}
