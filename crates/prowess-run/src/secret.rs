//! Secrets: got from where they are, kept out of texts.

use std::borrow::Cow;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use prowess_types::Secret;

/// A value shorter than this is not looked for: it would black out ordinary text.
const SHORTEST: usize = 6;
/// What is written instead.
const MASK: &str = "[redacted]";

/// Replaces known secrets in texts.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    values: Option<Arc<AhoCorasick>>,
}

impl Redactor {
    /// A redactor of these values, as they are and in the forms they are often seen in.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let values: Vec<&str> = secrets
            .into_iter()
            .map(|secret| secret.expose().trim())
            .filter(|text| text.len() >= SHORTEST)
            .collect();
        if values.is_empty() {
            return Self::default();
        }
        let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(values);
        Self { values: finder.ok().map(Arc::new) }
    }

    /// The text without the secrets.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.values {
            Some(finder) if finder.is_match(text) => {
                let mut clean = String::with_capacity(text.len());
                finder.replace_all_with(text, &mut clean, |_, _, clean| {
                    clean.push_str(MASK);
                    true
                });
                Cow::Owned(clean)
            }
            _ => Cow::Borrowed(text),
        }
    }
}
