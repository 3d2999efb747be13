//! Ids of agents.

/// The agent that exists when none is configured.
pub(crate) const MAIN: &str = "main";
/// The maximum length of an id.
const MAX_ID_CHARS: usize = 64;

/// An id as it is compared and used in paths: lower-case letters, digits, `_` and `-`.
///
/// ```
/// assert_eq!(prowess_config::normalize_id(" My Agent! "), "my-agent");
/// assert_eq!(prowess_config::normalize_id(""), "main");
/// ```
pub fn normalize_id(id: &str) -> String {
    let lower = id.trim().to_lowercase();
    let is_plain = |character: char| matches!(character, 'a'..='z' | '0'..='9' | '_' | '-');
    if lower.len() <= MAX_ID_CHARS && !lower.starts_with(['_', '-']) && lower.chars().all(is_plain) {
        return if lower.is_empty() { MAIN.into() } else { lower };
    }
    let mut normal = String::with_capacity(lower.len());
    let mut after_plain = true;
    for character in lower.chars() {
        if is_plain(character) {
            normal.push(character);
        } else if after_plain {
            normal.push('-');
        }
        after_plain = is_plain(character);
    }
    let normal: String = normal.trim_matches('-').chars().take(MAX_ID_CHARS).collect();
    if normal.is_empty() { MAIN.into() } else { normal }
}
