//! The second reading of the best skills.

use std::fmt;
use std::sync::OnceLock;

use prowess_embed::{Reader, Tokens};
use prowess_select::{SecondReader, SelectDocument};

/// The skills in the tokens of the reader, each cut when it is first read.
pub(super) struct Pages(Vec<OnceLock<Tokens>>);

impl Pages {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).map(|_| OnceLock::new()).collect())
    }
}

/// A reader with the skills of an index before it.
pub(super) struct Reading<'a> {
    reader: Reader,
    documents: &'a [SelectDocument],
    pages: &'a Pages,
}

impl<'a> Reading<'a> {
    pub(super) fn new(reader: Reader, documents: &'a [SelectDocument], pages: &'a Pages) -> Self {
        Self { reader, documents, pages }
    }

    /// Cuts all skills into tokens, so that the first message does not wait for it.
    pub(super) fn cut_all(&self, is_over: &dyn Fn() -> bool) {
        for row in 0..self.documents.len() {
            if is_over() {
                return;
            }
            self.page(row);
        }
    }

    fn page(&self, row: usize) -> Option<&'a Tokens> {
        let (page, document) = (self.pages.0.get(row)?, self.documents.get(row)?);
        Some(page.get_or_init(|| self.reader.tokens(&document.full_text())))
    }
}

impl SecondReader for Reading<'_> {
    /// A reader that fails is a reader that has nothing to say: the first look decides.
    fn read(&self, text: &str, rows: &[usize]) -> Option<Vec<f32>> {
        let pages: Option<Vec<&Tokens>> = rows.iter().map(|&row| self.page(row)).collect();
        self.reader.read_tokens(text, &pages?).ok()
    }
}

impl fmt::Debug for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("reader", &self.reader).finish_non_exhaustive()
    }
}
