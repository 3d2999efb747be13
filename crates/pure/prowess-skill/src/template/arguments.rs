//! Arguments: split as a shell would, looked up by position or name.

/// The arguments of one call.
pub(super) struct Arguments<'a> {
    /// As they were typed.
    raw: &'a str,
    values: Vec<String>,
    names: &'a [String],
}

impl<'a> Arguments<'a> {
    pub(super) fn new(raw: &'a str, names: &'a [String]) -> Self {
        let raw = raw.trim();
        Self { raw, values: split(raw), names }
    }

    /// The placeholder that a text after a dollar sign starts with: its length, and what it stands for. Without an
    /// argument at a position it stands for nothing; a name without one stands for an empty text.
    pub(super) fn named_at(&self, text: &str) -> Option<(usize, Option<&str>)> {
        const ALL: &str = "ARGUMENTS";
        if let Some(rest) = text.strip_prefix(ALL) {
            if let Some((length, index)) = bracketed(rest) {
                return Some((ALL.len() + length, self.value(index)));
            }
            if !starts_word(rest) {
                return Some((ALL.len(), Some(self.raw)));
            }
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let value = text[..digits].parse().ok().and_then(|index| self.value(index));
            return (!starts_word(&text[digits..])).then_some((digits, value));
        }
        let is_here = |name: &&String| {
            text.strip_prefix(name.as_str()).is_some_and(|rest| !starts_word(rest) && !name.is_empty())
        };
        // Of `$file` and `$file-name` the longer one is meant.
        let name = self.names.iter().filter(is_here).max_by_key(|name| name.len())?;
        let index = self.names.iter().position(|known| known == name)?;
        Some((name.len(), Some(self.value(index).unwrap_or_default())))
    }

    fn value(&self, index: usize) -> Option<&str> {
        self.values.get(index).map(String::as_str)
    }
}

/// `[12]` at the start of a text: its length and the number.
fn bracketed(text: &str) -> Option<(usize, usize)> {
    let (digits, _) = text.strip_prefix('[')?.split_once(']')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number too large for any position is still one.
    is_number.then(|| (digits.len() + 2, digits.parse().unwrap_or(usize::MAX)))
}

/// Returns true if the name before a text would go on in it.
fn starts_word(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
}

/// Splits at blanks, except inside quotes. A backslash takes the sign after it as it is, but not inside single
/// quotes; a quote that is never closed reaches to the end.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().push(letters.next().unwrap_or(letter)),
            ('"' | '\'', None) => {
                quote = Some(letter);
                // Quotes around nothing are an argument, too.
                word.get_or_insert_default();
            }
            (blank, None) if blank.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_keep_words_together() {
        let table: [(&str, &[&str]); 9] = [
            ("", &[]),
            (" a  b\tc\n", &["a", "b", "c"]),
            ("\"hello world\" x", &["hello world", "x"]),
            ("'a \"b\" c'", &["a \"b\" c"]),
            ("a\\ b \\\"c", &["a b", "\"c"]),
            ("\"a \\\" b\" 'a\\b'", &["a \" b", "a\\b"]),
            ("x'y z'w", &["xy zw"]),
            ("'' \"\"", &["", ""]),
            ("\"never closed \\", &["never closed \\"]),
        ];
        for (text, expected) in table {
            assert_eq!(split(text), expected, "{text:?}");
        }
    }
}
