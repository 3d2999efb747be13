//! Known secrets out of texts.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, RwLock};

use aho_corasick::{AhoCorasick, MatchKind};
use prowess_types::{IgnorePoison as _, Secret};

use crate::forms::forms;

/// The text in place of a secret.
pub(crate) const MASK: &str = "[redacted]";

/// Replaces known secrets in texts, as they are and in the forms they are often seen in: in JSON, in an address, in
/// base64. A clone is the same redactor.
///
/// ```
/// use prowess_secret::Redactor;
/// use prowess_types::Secret;
///
/// let redactor = Redactor::new([&Secret::new("hunter2-hunter2")]);
/// assert_eq!(redactor.redact("key=hunter2-hunter2;"), "key=[redacted];");
/// assert_eq!(redactor.redact("Basic aHVudGVyMi1odW50ZXIy"), "Basic [redacted]");
/// ```
#[derive(Clone, Default)]
pub struct Redactor {
    known: Arc<RwLock<Option<Arc<Known>>>>,
}

struct Known {
    finder: AhoCorasick,
    /// Everything that is looked for, sorted.
    patterns: Vec<String>,
    longest: usize,
}

impl Redactor {
    /// A redactor of these values. Values of less than six characters are not looked for.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let redactor = Self::default();
        redactor.learn(secrets);
        redactor
    }

    /// Replaces these values too from now on, in every clone.
    pub fn learn<'a>(&self, secrets: impl IntoIterator<Item = &'a Secret>) {
        let new: Vec<String> = secrets.into_iter().flat_map(|secret| forms(secret.expose())).collect();
        let mut known = self.known.write().ignore_poison();
        let mut patterns = known.as_ref().map(|known| known.patterns.clone()).unwrap_or_default();
        let before = patterns.len();
        patterns.extend(new);
        patterns.sort();
        patterns.dedup();
        if patterns.len() == before {
            return;
        }
        let longest = patterns.iter().map(String::len).max().unwrap_or_default();
        // Every occurrence counts, also where two overlap.
        let finder = AhoCorasick::builder().match_kind(MatchKind::Standard).build(&patterns);
        if let Ok(finder) = finder {
            *known = Some(Arc::new(Known { finder, patterns, longest }));
        }
    }

    fn known(&self) -> Option<Arc<Known>> {
        self.known.read().ignore_poison().clone()
    }

    /// The text without the secrets.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let spans = self.spans(text);
        if spans.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(masked(text, &spans)) }
    }

    /// The places of secrets, in order; spans that overlap are one.
    pub(crate) fn spans(&self, text: &str) -> Vec<Range<usize>> {
        let Some(known) = self.known() else { return Vec::new() };
        let mut found: Vec<Range<usize>> =
            known.finder.find_overlapping_iter(text).map(|found| found.range()).collect();
        found.sort_by_key(|span| span.start);
        join(found)
    }

    /// Returns the start of the longest end of a text that may turn out to be the beginning of a secret.
    pub(crate) fn held_back(&self, text: &str) -> usize {
        let Some(known) = self.known() else { return text.len() };
        let earliest = text.len().saturating_sub(known.longest.saturating_sub(1));
        let may_begin = |start: &usize| {
            let Some(end) = text.get(*start..) else { return false };
            let place = known.patterns.partition_point(|pattern| pattern.as_str() < end);
            known
                .patterns
                .get(place)
                .is_some_and(|pattern| pattern.starts_with(end) && pattern.len() > end.len())
                || known.patterns.get(place + 1).is_some_and(|pattern| pattern.starts_with(end))
        };
        (earliest..text.len()).find(may_begin).unwrap_or(text.len())
    }
}

/// Spans in order, those that overlap joined.
pub(crate) fn join(spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}

fn masked(text: &str, spans: &[Range<usize>]) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut end = 0;
    for span in spans {
        clean += &text[end..span.start];
        clean += MASK;
        end = span.end;
    }
    clean + &text[end..]
}

/// The patterns are secret, so they are only counted.
impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let patterns = self.known().map_or(0, |known| known.patterns.len());
        f.debug_struct("Redactor").field("patterns", &patterns).finish()
    }
}
