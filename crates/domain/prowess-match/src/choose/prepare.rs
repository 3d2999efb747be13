//! Getting a selector ready: the vectors of its skills, then the second reader, then the other languages.
//!
//! The skills are encoded in parts, outside of any lock, on all cores. Readers of the index wait at most for the vectors
//! of one part to be put in their place.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use prowess_embed::Encoder;
use prowess_inventory::Progress;
use prowess_select::detect;
use prowess_types::IgnorePoison as _;

use super::ChooseError;
use super::kept::KeptVectors;
use super::reading::Reading;
use super::selector::{Selector, Shared};

/// Texts that are encoded between two looks at the progress. The cores meet after each part, so it is large enough that
/// the last text of a part is a small share of it.
const PART: usize = 32;

/// Vectors from the cache that are put in their place under one lock.
const AT_ONCE: usize = 256;

impl Selector {
    /// Encodes what is missing to answer for messages in the language of this one, and tells how far it is. Of several
    /// callers at once, one does the work and the others wait for it.
    pub fn prepare_for(&self, message: &str, progress: impl FnMut(Progress)) -> Result<(), ChooseError> {
        self.shared.prepare(detect(message).is_english, progress, &|| false)
    }

    /// Like [`prepare_for`](Self::prepare_for), for a caller who cannot wait: no new part is begun once time is over.
    /// Rows that are still missing then are judged by their words.
    pub fn prepare_until(&self, message: &str, is_over: impl Fn() -> bool) -> Result<(), ChooseError> {
        self.shared.prepare(detect(message).is_english, |_| {}, &is_over)
    }

    /// Prepares for messages in English, part by part, until it is cancelled: vectors first, then the second reader.
    pub(crate) fn prepare_english(&self, is_over: &dyn Fn() -> bool) -> Result<(), ChooseError> {
        self.shared.prepare(true, |_| {}, is_over)?;
        self.shared.open_reader(is_over)
    }

    /// Prepares for messages in all other languages, until it is cancelled.
    pub(crate) fn prepare_other_languages(&self, is_over: &dyn Fn() -> bool) -> Result<(), ChooseError> {
        self.shared.prepare(false, |_| {}, is_over)
    }

    /// Prepares for all messages while the caller goes on, those in English first. Ends early when the selector is
    /// dropped. If an earlier preparation failed, it is tried again.
    pub fn prepare_in_background(&self) {
        let mut worker = self.worker.lock().ignore_poison();
        if worker.as_ref().is_some_and(|worker| !worker.is_finished()) || self.shared.is_ready() {
            return;
        }
        let shared = Arc::clone(&self.shared);
        // A failure here happens again, visibly, for the first message.
        *worker = Some(thread::spawn(move || drop(shared.prepare_all())));
    }

    /// Returns the progress of the encoding for messages in English.
    pub fn progress(&self) -> Progress {
        self.shared.progress(true)
    }
}

impl Shared {
    /// Everything that any message may need.
    fn prepare_all(&self) -> Result<(), ChooseError> {
        self.prepare(true, |_| {}, &|| false)?;
        self.open_reader(&|| false)?;
        self.prepare(false, |_| {}, &|| false)
    }

    /// Returns true if every row has the vectors for messages in any language.
    fn is_ready(&self) -> bool {
        [true, false].into_iter().all(|is_english| {
            let route = self.encoders.route(is_english);
            self.voices(route, is_english).all(|name| self.is_complete(name))
        })
    }

    /// The progress for messages in English or in another language.
    pub(super) fn progress(&self, is_english: bool) -> Progress {
        let total = self.rows.len();
        let index = self.read();
        let route = self.encoders.route(is_english);
        let missing = self.voices(route, is_english).map(|name| index.rows_without(name).len()).max();
        Progress { done: total - missing.unwrap_or(0), total }
    }

    pub(super) fn prepare(
        &self,
        is_english: bool,
        mut progress: impl FnMut(Progress),
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), ChooseError> {
        let route = self.encoders.route(is_english);
        for name in self.voices(route, is_english) {
            if !self.is_complete(name) {
                let _preparing = self.preparing.lock().ignore_poison();
                self.encode(&*self.encoders.get(name)?, &mut progress, is_over)?;
            }
        }
        Ok(())
    }

    /// Loads the second reader, if there is one, and cuts the skills into its tokens.
    fn open_reader(&self, is_over: &dyn Fn() -> bool) -> Result<(), ChooseError> {
        let is_over = || self.stop.load(Ordering::Relaxed) || is_over();
        if is_over() {
            return Ok(());
        }
        if let Some(reader) = self.encoders.second(self.encoders.route(true))? {
            Reading::new(reader, &self.documents, &self.pages).cut_all(&is_over);
        }
        Ok(())
    }

    /// Returns true if every row has its vector of an encoder.
    fn is_complete(&self, encoder: &str) -> bool {
        let index = self.read();
        let has_nulls = index.has_nulls(encoder) || self.encoders.calibration().null_sentences().is_empty();
        has_nulls && index.rows_without(encoder).is_empty()
    }

    /// Gives every row its vector of one encoder.
    fn encode(
        &self,
        encoder: &dyn Encoder,
        progress: &mut impl FnMut(Progress),
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), ChooseError> {
        let name = encoder.name();
        let total = self.rows.len();
        // Another thread may have done it while this one waited.
        if self.is_complete(name) {
            return Ok(());
        }
        let mut cache = KeptVectors::open(self.cache.as_deref(), encoder);
        let nulls = self.encoders.calibration().null_sentences();
        // First, because they separate small talk from requests.
        let nulls = cache.of_all(nulls, encoder)?;
        self.write().set_nulls(name, &nulls)?;
        let unknown = self.take_known(name, &cache)?;
        let mut done = total - unknown.len();
        for part in unknown.chunks(PART) {
            progress(Progress { done, total });
            if self.stop.load(Ordering::Relaxed) || is_over() {
                break;
            }
            let texts: Vec<&str> = part.iter().map(|(_, passage)| passage.as_str()).collect();
            let vectors = encoder.encode_all(&texts)?;
            let mut index = self.write();
            for ((row, _), vector) in part.iter().zip(&vectors) {
                index.set_vector(name, *row, vector)?;
            }
            drop(index);
            for ((_, passage), vector) in part.iter().zip(vectors) {
                cache.keep(passage, vector);
            }
            done += part.len();
        }
        cache.flush();
        progress(Progress { done, total });
        Ok(())
    }

    /// Gives rows the vectors that are in the cache. Returns the other rows with their texts, the longest first: texts of
    /// one part are about as long as each other, so no core waits for the last one.
    fn take_known(&self, name: &str, cache: &KeptVectors) -> Result<Vec<(usize, String)>, ChooseError> {
        let missing = self.read().rows_without(name);
        let mut unknown = Vec::new();
        for rows in missing.chunks(AT_ONCE) {
            let mut known = Vec::new();
            for &row in rows {
                let passage = self.documents[row].passage();
                match cache.get(&passage) {
                    Some(vector) => known.push((row, vector)),
                    None => unknown.push((row, passage)),
                }
            }
            let mut index = self.write();
            for (row, vector) in known {
                index.set_vector(name, row, &vector)?;
            }
        }
        unknown.sort_by_key(|(_, passage)| std::cmp::Reverse(passage.len()));
        Ok(unknown)
    }
}
