//! Reader packs, from the weights of a reader and the pack of the encoder that it was trained with.
//!
//! The weights are a safetensors file in f16 or f32 with these tensors, `N` counting layers from 0 on:
//!
//! ```text
//! embeddings.token_type_embeddings.weight               2 × 384   message, document
//! embeddings.position_embeddings.weight              512 × 384   optional, see below
//! encoder.layer.N.attention.self.{query,key,value}.{weight,bias}
//! encoder.layer.N.attention.output.{dense,LayerNorm}.{weight,bias}
//! encoder.layer.N.intermediate.dense.{weight,bias}
//! encoder.layer.N.output.{dense,LayerNorm}.{weight,bias}
//! head.inner.weight  H × 768   head.inner.bias  H   the first row and the mean of all rows, in this order; then tanh
//! head.outer.weight  O × H     head.outer.bias  O   the first output is the logit
//! ```
//!
//! `models/train/reader.py` writes these names; older weights call the head `head.w1`, `head.b1`, `head.w2`, `head.b2`.
//!
//! Words, the normalisation of the embeddings and the tokenizer are those of the encoder and are not stored again.
//! Positions are: an encoder pack has only those of its own texts, and a segment is added to them. They come from
//! the weights, or from the file of `--positions`, which is that of the encoder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use prowess_embed::{F16, Header, Pack, PackWriter, Reader};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::bert::{self, EPSILON, GROUP, HEADS, INNER, Linear, WIDTH, Width};
use super::minilm::{self, POSITIONS};
use super::quantised::Quantised;
use super::safetensors::Tensors;
use super::source;

const POSITION_TABLE: &str = "embeddings.position_embeddings.weight";

/// Older and present names of the head.
const HEAD: [(&str, &str); 4] = [
    ("head.w1", "head.inner.weight"),
    ("head.b1", "head.inner.bias"),
    ("head.w2", "head.outer.weight"),
    ("head.b2", "head.outer.bias"),
];

/// What to make, from what.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    weights: PathBuf,
    positions: Option<PathBuf>,
    base: PathBuf,
    out: PathBuf,
    name: String,
    layers: Width,
    message_tokens: usize,
    document_tokens: usize,
}

impl Plan {
    /// Reads `--weights FILE --base PACK --out PACK [--positions FILE] [--name NAME] [--layers int4]
    /// [--message-tokens N] [--document-tokens N]`.
    pub(super) fn parse(arguments: &[&str]) -> Result<Self> {
        let (mut weights, mut base, mut out) = (None, None, None);
        let mut plan = Self {
            weights: PathBuf::new(),
            positions: None,
            base: PathBuf::new(),
            out: PathBuf::new(),
            name: "prowess-reader".to_owned(),
            layers: Width::Int8,
            message_tokens: 64,
            document_tokens: 80,
        };
        let mut rest = arguments;
        while let [name, value, after @ ..] = rest {
            rest = after;
            match *name {
                "--weights" => weights = Some(PathBuf::from(value)),
                "--base" => base = Some(PathBuf::from(value)),
                "--out" => out = Some(PathBuf::from(value)),
                "--positions" => plan.positions = Some(PathBuf::from(value)),
                "--name" => (*value).clone_into(&mut plan.name),
                "--layers" => plan.layers = Width::parse(value)?,
                "--message-tokens" => plan.message_tokens = value.parse()?,
                "--document-tokens" => plan.document_tokens = value.parse()?,
                _ => bail!("models reader: `{name}` is unknown"),
            }
        }
        if let [name] = rest {
            bail!("models reader: `{name}` needs a value");
        }
        plan.weights = weights.context("models reader: --weights FILE is missing")?;
        plan.base = base.context("models reader: --base PACK is missing")?;
        plan.out = out.context("models reader: --out PACK is missing")?;
        Ok(plan)
    }
}

/// Writes the pack, and reads it once to see that it works.
pub(super) fn convert(plan: &Plan) -> Result<()> {
    let base = Pack::open(&plan.base)?;
    let bytes = read(&plan.weights)?;
    let mut tensors = Tensors::read(&bytes)?;
    let positions = match &plan.positions {
        Some(path) => Tensors::read(&read(path)?)?.take(POSITION_TABLE, POSITIONS * WIDTH)?,
        None => tensors.take(POSITION_TABLE, POSITIONS * WIDTH).context(
            "the weights have no positions; name the file of the encoder's weights with --positions",
        )?,
    };
    let digest = data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes));
    let pack = pack(plan, tensors, &positions, &base, &digest)?;
    Reader::load(&Pack::from_bytes(pack.clone())?, &base)?;
    source::write(&plan.out, &pack)?;
    println!("written  {} ({} bytes)", plan.out.display(), pack.len());
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))
}

fn pack(plan: &Plan, mut tensors: Tensors, positions: &[f32], base: &Pack, digest: &str) -> Result<Vec<u8>> {
    let count = minilm::layer_count(&tensors);
    ensure!(count > 0, "the weights have no layers");
    let layers = (0..count).map(|index| minilm::layer(&mut tensors, index)).collect::<Result<Vec<_>>>()?;
    let segments = tensors.take("embeddings.token_type_embeddings.weight", 2 * WIDTH)?;
    for (older, name) in HEAD {
        tensors.rename(older, name);
    }
    let bias = tensors.take_any("head.inner.bias")?;
    let hidden = bias.len();
    let weight = tensors.take("head.inner.weight", hidden * 2 * WIDTH)?;
    let weight = Quantised::round(&weight, 2 * WIDTH, GROUP)?;
    let output_bias = tensors.take_any("head.outer.bias")?;
    let outputs = output_bias.len();
    let output = tensors.take("head.outer.weight", outputs * hidden)?;
    if let Some(name) = tensors.names().next() {
        bail!("tensor `{name}` has no place in a reader");
    }

    let max_tokens = plan.message_tokens + plan.document_tokens + 3;
    let mut writer = PackWriter::new(Header {
        name: plan.name.clone(),
        kind: "reader".to_owned(),
        dimensions: outputs,
        max_tokens,
        tokenizer: base.header().tokenizer.clone(),
        licence: "Apache-2.0".to_owned(),
        source: format!("weights with SHA-256 {digest}, on top of {}", base.header().name),
        settings: json!({
            "base": Reader::base_digest(base)?,
            "message_tokens": plan.message_tokens,
            "document_tokens": plan.document_tokens,
            "layers": count,
            "heads": HEADS,
            "width": WIDTH,
            "inner": INNER,
            "group": GROUP,
            "epsilon": EPSILON,
            "hidden": hidden,
            "outputs": outputs,
        }),
        ..Header::default()
    });
    let positions = positions.get(..max_tokens * WIDTH).context("there are too few positions")?;
    let positions: Vec<F16> = positions.iter().copied().map(F16::from_f32).collect();
    writer.tensor("positions", &[max_tokens, WIDTH], &positions)?;
    writer.tensor("segments", &[2, WIDTH], &segments)?;
    bert::layers(&mut writer, &layers, plan.layers)?;
    bert::linear(&mut writer, "head.inner", &Linear { weight, bias }, Width::Int8)?;
    writer.tensor("head.output.weight", &[outputs, hidden], &output)?;
    writer.tensor("head.output.bias", &[outputs], &output_bias)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_read_from_the_arguments() {
        let plan = Plan::parse(&["--weights", "w", "--base", "b", "--out", "o", "--layers", "int4"]).unwrap();
        assert_eq!((plan.layers, plan.message_tokens, plan.document_tokens), (Width::Int4, 64, 80));
        assert_eq!(plan.weights, Path::new("w"));
        assert!(Plan::parse(&["--weights", "w", "--base", "b"]).is_err());
        assert!(Plan::parse(&["--weights", "w", "--base", "b", "--out"]).is_err());
        assert!(Plan::parse(&["--weights", "w", "--base", "b", "--out", "o", "--bits", "4"]).is_err());
    }
}
