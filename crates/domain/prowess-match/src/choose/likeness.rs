//! The similarity of a message to other texts, by meaning alone.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use prowess_context::Context;
use prowess_embed::Encoder;
use prowess_select::detect;
use prowess_types::IgnorePoison as _;

use super::ChooseError;
use super::kept::KeptVectors;

/// Standard deviations above an unrelated text from which two texts count as the same: a full likeness.
const SAME: f32 = 7.0;

/// The vectors of a fixed list of texts, by encoder.
#[derive(Default)]
pub struct TextVectors(Mutex<BTreeMap<String, Arc<Vec<Vec<f32>>>>>);

impl TextVectors {
    fn of(
        &self,
        cache: Option<&Path>,
        encoder: &dyn Encoder,
        texts: &[String],
    ) -> Result<Arc<Vec<Vec<f32>>>, ChooseError> {
        let mut by_encoder = self.0.lock().ignore_poison();
        if let Some(known) = by_encoder.get(encoder.id()) {
            return Ok(Arc::clone(known));
        }
        let mut kept = KeptVectors::open(cache, encoder);
        let vectors = Arc::new(kept.of_all(texts, encoder)?);
        kept.flush();
        by_encoder.insert(encoder.id().to_owned(), Arc::clone(&vectors));
        Ok(vectors)
    }
}

/// The likeness of a message with each text, 0 (unrelated) to 1 (the same thing), whatever the languages. Vectors of
/// the message that are known already need not be computed again.
pub fn likeness(
    context: &Context,
    message: &str,
    known: &[(&str, &[f32])],
    texts: &[String],
) -> Result<Vec<f64>, ChooseError> {
    likeness_to(context, message, known, texts, &TextVectors::default())
}

/// The same for texts that are requested often: their vectors are looked up once.
pub fn likeness_to(
    context: &Context,
    message: &str,
    known: &[(&str, &[f32])],
    texts: &[String],
    vectors: &TextVectors,
) -> Result<Vec<f64>, ChooseError> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let encoders = context.encoders()?;
    let is_english = detect(message).is_english;
    let route = encoders.route(is_english);
    let mut likeness = vec![0.0_f32; texts.len()];
    let whole: f32 = route.voices.iter().map(|voice| voice.weight).sum();
    for (name, vector) in encoders.vectors(message, &route.voices, known)? {
        let Some(voice) = route.voices.iter().find(|voice| voice.encoder == name) else { continue };
        let of_texts = vectors.of(context.cache_folder(), &*encoders.get(&name)?, texts)?;
        for (sum, text) in likeness.iter_mut().zip(of_texts.iter()) {
            let value = (cosine(&vector, text) - voice.mean) / voice.deviation;
            *sum += value * voice.weight / whole;
        }
    }
    Ok(likeness.into_iter().map(|value| f64::from((value / SAME).clamp(0.0, 1.0))).collect())
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let length = (dot(one, one) * dot(other, other)).sqrt();
    if length > 0.0 { dot(one, other) / length } else { 0.0 }
}
