//! Random values for secrets: tokens, nonces, keys and seeds.
//!
//! All of them come from the operating system's generator. Identifiers that are not secrets use ULIDs instead.

use prowess_types::ContentHash;

/// The operating system's generator of random numbers failed.
#[derive(Debug, thiserror::Error)]
#[error("the operating system provides no random numbers")]
pub struct RandomError(#[from] getrandom::Error);

/// Returns random bytes, for keys, seeds and nonces.
pub fn random_bytes<const N: usize>() -> Result<[u8; N], RandomError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// Returns a token of 256 random bits, in 64 lower-case hexadecimal digits.
///
/// ```
/// let token = prowess_net::random_token()?;
/// assert_eq!(token.len(), 64);
/// # Ok::<(), prowess_net::RandomError>(())
/// ```
pub fn random_token() -> Result<String, RandomError> {
    Ok(ContentHash(random_bytes()?).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_lower_case_and_different() {
        let tokens: Vec<String> = (0..64).map(|_| random_token().unwrap()).collect();
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        assert!(tokens.iter().all(|token| token.len() == 64 && token.bytes().all(is_digit)), "{tokens:?}");
        let different: std::collections::BTreeSet<&String> = tokens.iter().collect();
        assert_eq!(different.len(), tokens.len());
    }

    #[test]
    fn every_byte_is_random() {
        let keys: Vec<[u8; 32]> = (0..64).map(|_| random_bytes().unwrap()).collect();
        for place in 0..32 {
            assert!(keys.iter().any(|key| key[place] != keys[0][place]), "byte {place} is always the same");
        }
    }
}
