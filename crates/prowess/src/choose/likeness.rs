//! How much a message resembles other texts, by meaning alone.

use prowess_select::detect;

use super::ChooseError;
use super::kept::KeptVectors;
use crate::engine::Engine;

/// Standard deviations above an unrelated text from which two texts count as the same: a full likeness.
const SAME: f32 = 7.0;

impl Engine {
    /// The likeness of a message with each text, 0 (unrelated) to 1 (the same thing), whatever the languages. Vectors of
    /// the message that are known already need not be computed again.
    pub(crate) fn likeness(
        &self,
        message: &str,
        known: &[(&str, &[f32])],
        texts: &[String],
    ) -> Result<Vec<f64>, ChooseError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let encoders = self.encoders()?;
        let is_english = detect(message).is_english;
        let route = encoders.route(is_english);
        let mut likeness = vec![0.0_f32; texts.len()];
        let whole: f32 = route.voices.iter().map(|voice| voice.weight).sum();
        for (name, vector) in encoders.vectors(message, &route.voices, known)? {
            let Some(voice) = route.voices.iter().find(|voice| voice.encoder == name) else { continue };
            let encoder = encoders.get(&name)?;
            let mut kept = KeptVectors::open(self.cache_folder(), &*encoder);
            for (sum, text) in likeness.iter_mut().zip(texts) {
                let value = (cosine(&vector, &kept.of(text, &*encoder)?) - voice.mean) / voice.deviation;
                *sum += value * voice.weight / whole;
            }
            kept.flush();
        }
        Ok(likeness.into_iter().map(|value| f64::from((value / SAME).clamp(0.0, 1.0))).collect())
    }
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let length = (dot(one, one) * dot(other, other)).sqrt();
    if length > 0.0 { dot(one, other) / length } else { 0.0 }
}
