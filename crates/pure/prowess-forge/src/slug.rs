//! Names of files and skills, made of words.

use prowess_text::utf16_prefix;

/// UTF-16 units of a slug.
const LONGEST: usize = 42;
/// What is left of a text without any letter.
const NOTHING: &str = "task";

/// The slug of a lone file: small letters, digits and Chinese characters, a hyphen for everything between.
///
/// It is cut after its ends were trimmed, so that it can end with a hyphen, as OpenPocket's do.
///
/// ```
/// assert_eq!(prowess_forge::mixed_slug("  Open the 设置 app! "), "open-the-设置-app");
/// assert_eq!(prowess_forge::mixed_slug("!!"), "task");
/// ```
pub fn mixed_slug(text: &str) -> String {
    slug(text, |character| matches!(character, 'a'..='z' | '0'..='9' | '\u{4e00}'..='\u{9fa5}'))
}

/// The slug of a folder: the same in ASCII alone.
///
/// ```
/// assert_eq!(prowess_forge::strict_slug("设置 wifi"), "wifi");
/// ```
pub fn strict_slug(text: &str) -> String {
    slug(text, |character| matches!(character, 'a'..='z' | '0'..='9'))
}

fn slug(text: &str, is_kept: impl Fn(char) -> bool) -> String {
    let mut slug = String::new();
    for character in text.to_lowercase().chars() {
        if is_kept(character) {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = utf16_prefix(slug.trim_end_matches('-'), LONGEST);
    if slug.is_empty() { NOTHING.to_owned() } else { slug.to_owned() }
}

/// Returns true if a name begins with `YYYYMMDD-HHMMSS-`.
pub fn has_stamp(name: &str) -> bool {
    name.len() > 16
        && name.bytes().take(16).enumerate().all(|(at, byte)| match at {
            8 | 15 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// A name without the moment it may begin with.
///
/// ```
/// assert_eq!(prowess_forge::without_stamp("20260224-100000-open-app"), "open-app");
/// assert_eq!(prowess_forge::without_stamp("open-app"), "open-app");
/// ```
pub fn without_stamp(name: &str) -> &str {
    if has_stamp(name) { &name[16..] } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_cut_after_it_was_trimmed() {
        let text = format!("{} b", "a".repeat(41));
        assert_eq!(mixed_slug(&text), format!("{}-", "a".repeat(41)));
        assert_eq!(strict_slug("İstanbul ÄÖ x"), "i-stanbul-x");
        assert_eq!(strict_slug("设置"), "task");
        assert_eq!(mixed_slug(&"设".repeat(50)).chars().count(), 42);
    }
}
