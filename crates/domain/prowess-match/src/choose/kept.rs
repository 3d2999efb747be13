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

    /// Vectors of a few texts, in their order; those that are not in the cache are encoded together.
    pub(super) fn of_all(
        &mut self,
        texts: &[String],
        encoder: &dyn Encoder,
    ) -> Result<Vec<Vec<f32>>, ChooseError> {
        let mut vectors: Vec<Option<Vec<f32>>> = texts.iter().map(|text| self.get(text)).collect();
        let is_missing = |place: &usize| vectors[*place].is_none();
        let missing: Vec<usize> = (0..texts.len()).filter(is_missing).collect();
        if missing.is_empty() {
            return Ok(vectors.into_iter().flatten().collect());
        }
        let unknown: Vec<&str> = missing.iter().map(|&place| texts[place].as_str()).collect();
        for (place, vector) in missing.into_iter().zip(encoder.encode_all(&unknown)?) {
            self.keep(&texts[place], vector.clone());
            vectors[place] = Some(vector);
        }
        Ok(vectors.into_iter().flatten().collect())
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
