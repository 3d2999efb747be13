//! Vectors that are kept across processes: looked up first, computed where they are missing, written in parts.

use std::path::Path;

use prowess_embed::Encoder;

use super::ChooseError;
use super::vectors::{TextKey, VectorCache};

/// Vectors that are written to the cache together.
const SEGMENT: usize = 2048;

/// The cache of one encoder, if there is one, and what is not written to it yet.
pub(super) struct KeptVectors {
    cache: Option<VectorCache>,
    waiting: Vec<(TextKey, Vec<f32>)>,
}

impl KeptVectors {
    pub(super) fn open(folder: Option<&Path>, encoder: &dyn Encoder) -> Self {
        let cache = folder.map(|folder| VectorCache::open(folder, encoder.id(), encoder.dimensions()));
        Self { cache, waiting: Vec::new() }
    }

    pub(super) fn get(&self, text: &str) -> Option<Vec<f32>> {
        self.cache.as_ref()?.get(TextKey::of(text))
    }

    pub(super) fn keep(&mut self, text: &str, vector: Vec<f32>) {
        if self.cache.is_some() {
            self.waiting.push((TextKey::of(text), vector));
        }
        if self.waiting.len() >= SEGMENT {
            self.flush();
        }
    }

    pub(super) fn flush(&mut self) {
        let vectors: Vec<(TextKey, &[f32])> =
            self.waiting.iter().map(|(key, vector)| (*key, vector.as_slice())).collect();
        if let Some(cache) = &mut self.cache {
            cache.add(&vectors);
        }
        self.waiting.clear();
    }

    /// Vectors of a few texts, from the cache where they are there.
    pub(super) fn of_all<'a>(
        &mut self,
        texts: impl Iterator<Item = &'a str>,
        encoder: &dyn Encoder,
    ) -> Result<Vec<Vec<f32>>, ChooseError> {
        texts.map(|text| self.of(text, encoder)).collect()
    }

    pub(super) fn of(&mut self, text: &str, encoder: &dyn Encoder) -> Result<Vec<f32>, ChooseError> {
        if let Some(vector) = self.get(text) {
            return Ok(vector);
        }
        let vector = encoder.encode(text)?;
        self.keep(text, vector.clone());
        Ok(vector)
    }
}
