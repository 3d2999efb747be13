//! An encoder of your own: selection calls it in the place of the built-in ones.
//!
//! `cargo run --package prowess --example custom_encoder -- "draft the release notes"`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]
#![expect(clippy::disallowed_methods, reason = "a program is where environment and clock are read")]

use std::error::Error;
use std::sync::Arc;

use prowess::{EncodeError, Encoder, Engine, EngineOptions, Env, MatchRequest, Models};

/// Texts are alike if they have many runs of three letters in common. A real one would ask a neural network.
struct Trigrams;

const DIMENSIONS: usize = 512;

impl Encoder for Trigrams {
    /// Vectors are cached by it: change it when the arithmetic changes.
    fn id(&self) -> &'static str {
        "trigrams-1"
    }

    fn name(&self) -> &'static str {
        "trigrams"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn encode(&self, text: &str) -> Result<Vec<f32>, EncodeError> {
        let letters: Vec<u32> = format!("  {} ", text.to_lowercase()).chars().map(u32::from).collect();
        let mut vector = vec![0.0_f32; DIMENSIONS];
        for run in letters.windows(3) {
            let hash = run.iter().fold(7_u32, |hash, letter| hash.wrapping_mul(31).wrapping_add(*letter));
            vector[hash as usize % DIMENSIONS] += 1.0;
        }
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        Ok(vector.into_iter().map(|value| value / length).collect())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let message = std::env::args().nth(1).unwrap_or("draft the release notes".into());
    let env = Env::new(std::env::vars(), std::env::current_dir()?);
    let models = Models::default().with_encoder(Arc::new(Trigrams));
    let engine = Engine::open(EngineOptions { env, models, ..EngineOptions::default() })?;

    let selector = engine.view(None)?.selector()?;
    selector.prepare_for(&message, |_| {})?;
    let answer = selector.find(&MatchRequest::new(&message))?;
    for result in &answer.results {
        for voice in &result.signals.voices {
            println!("{}: {} {:.2}", result.name, voice.encoder, voice.cosine.unwrap_or_default());
        }
    }
    Ok(())
}
