//! Accounts, and the login of a client that has no token yet (RFC 8628).
//!
//! There is no page to log in at: the operator lets a client in on the machine of the registry. The token is made
//! when the client comes to fetch it, so that nothing but its hash is ever kept.

use prowess_net::{RandomError, random_token};
use prowess_registry::protocol::{DECLARED_LICENSE, DeviceCode, DeviceToken, User, WhoamiAnswer};
use prowess_store::registry::{DeviceLogin, DeviceState};

use crate::hub::Hub;
use crate::refusal::Refusal;
use crate::token;

/// The lifetime of a code, in seconds.
const CODE_TIME: u64 = 15 * 60;
/// The polling interval of a client, in seconds.
const INTERVAL: u64 = 5;
/// Clients that wait at once.
const MAX_WAITING: usize = 200;
/// Letters of a user code: none that is mistaken for another, and no vowel that makes words.
const LETTERS: &[u8] = b"BCDFGHJKLMNPQRSTVWXZ";
/// The maximum length of a client's name.
const MAX_LABEL: usize = 100;

/// The answer to a client that polls for its token.
pub(crate) enum DeviceAnswer {
    /// The token.
    Token(DeviceToken),
    /// An error of RFC 8628.
    Error(&'static str),
}

pub(crate) fn whoami(handle: &str) -> WhoamiAnswer {
    let user = User { handle: Some(handle.to_owned()), ..User::default() };
    WhoamiAnswer { user, skill_license: Some(DECLARED_LICENSE.to_owned()) }
}

impl Hub {
    pub(crate) fn device_code(&self, label: Option<&str>, base: &str) -> Result<DeviceCode, Refusal> {
        let code = random_token()?;
        let user_code = user_code()?;
        let now = self.now();
        let login = DeviceLogin {
            code: token::hash_text(&code),
            user_code: user_code.clone(),
            label: label.map(|label| label.chars().take(MAX_LABEL).collect()),
            expires_at: now.saturating_add(i64::try_from(CODE_TIME * 1000).unwrap_or(i64::MAX)),
        };
        if !self.store.add_device(&login, MAX_WAITING, now)? {
            let status = axum::http::StatusCode::SERVICE_UNAVAILABLE;
            return Err(Refusal::new(status, "Too many logins are waiting; try again later"));
        }
        Ok(DeviceCode {
            device_code: code,
            verification_uri: format!("{base}/device"),
            verification_uri_complete: None,
            user_code,
            expires_in: CODE_TIME,
            interval: Some(INTERVAL),
        })
    }

    pub(crate) fn device_token(&self, code: &str) -> Result<DeviceAnswer, Refusal> {
        let now = self.now();
        Ok(match self.store.take_device(&token::hash_text(code), now)? {
            DeviceState::Unknown => DeviceAnswer::Error("expired_token"),
            DeviceState::Waiting => DeviceAnswer::Error("authorization_pending"),
            DeviceState::Approved(handle) => {
                let (_, token) = token::create(&*self.store, &handle, Some("device login"), now)?;
                DeviceAnswer::Token(DeviceToken {
                    access_token: token.expose().to_owned(),
                    token_type: "Bearer".to_owned(),
                    scope: "read write".to_owned(),
                })
            }
        })
    }
}

/// Two groups of four letters: some 34 bits, for a quarter of an hour.
fn user_code() -> Result<String, RandomError> {
    let random = random_token()?;
    let letter = |place: usize| {
        let byte = random.get(4 * place..4 * place + 4).and_then(|part| u16::from_str_radix(part, 16).ok());
        char::from(LETTERS[usize::from(byte.unwrap_or_default()) % LETTERS.len()])
    };
    let half = |from: usize| (from..from + 4).map(letter).collect::<String>();
    Ok(format!("{}-{}", half(0), half(4)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_codes_can_be_read_aloud() {
        let code = user_code().unwrap();
        assert_eq!(code.len(), 9);
        assert!(code.bytes().all(|byte| byte == b'-' || LETTERS.contains(&byte)), "{code}");
        assert_ne!(code, user_code().unwrap());
    }
}
