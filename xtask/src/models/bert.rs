//! A network of the BERT family on its way into a pack.

use anyhow::{Result, bail, ensure};
use prowess_embed::{Header, PackWriter};
use serde_json::json;

use super::nibbles::Nibbles;
use super::quantised::Quantised;
use super::tokens::Tokens;

/// Texts are cut here; both models were measured with it.
pub(super) const MAX_TOKENS: usize = 128;
/// Columns of a matrix that share a scale. With one scale a row the tuned weights stay below a mean cosine
/// of .9995.
pub(super) const GROUP: usize = 64;
/// Numbers that share a scale in a word table of 4 bits; the inference knows no other.
const WORD_GROUP: usize = 16;
/// Numbers that share a scale in a matrix of 4 bits.
const LAYER_GROUP: usize = 16;

/// The shape that both models have.
pub(super) const LAYERS: usize = 6;
pub(super) const HEADS: usize = 12;
pub(super) const WIDTH: usize = 384;
pub(super) const INNER: usize = 1536;
pub(super) const EPSILON: f64 = 1e-12;

/// Weight and bias of a normalisation.
pub(super) struct Norm {
    pub(super) weight: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// A matrix and what is added to its products.
pub(super) struct Linear {
    pub(super) weight: Quantised,
    pub(super) bias: Vec<f32>,
}

pub(super) struct Layer {
    /// Queries, keys and values.
    pub(super) attention: Linear,
    pub(super) attention_output: Linear,
    pub(super) attention_norm: Norm,
    pub(super) inner: Linear,
    pub(super) output: Linear,
    pub(super) output_norm: Norm,
}

pub(super) struct Network {
    /// One row a token.
    pub(super) words: Vec<f32>,
    /// One row a position, from that of the first token on.
    pub(super) positions: Vec<f32>,
    /// Added at every position.
    pub(super) segment: Vec<f32>,
    pub(super) embedding_norm: Norm,
    pub(super) layers: Vec<Layer>,
    /// `mean` or `first`.
    pub(super) pooling: &'static str,
}

/// The pack of a network; the header's settings and dimensions are filled in here.
pub(super) fn pack(header: Header, network: &Network, tokens: &Tokens, bits: Bits) -> Result<Vec<u8>> {
    let settings = json!({
        "vocabulary": network.words.len() / WIDTH,
        "layers": network.layers.len(),
        "heads": HEADS,
        "width": WIDTH,
        "inner": INNER,
        "group": GROUP,
        "word_group": WIDTH,
        "epsilon": EPSILON,
        "pooling": network.pooling,
        "tokenizer": tokens.settings(),
    });
    let tokenizer = tokens.name().to_owned();
    let mut writer =
        PackWriter::new(Header { dimensions: WIDTH, max_tokens: MAX_TOKENS, tokenizer, settings, ..header });
    tokens.write(&mut writer)?;
    match bits.words {
        Width::Int8 => Quantised::round(&network.words, WIDTH, WIDTH)?.write_rows(&mut writer, "words")?,
        Width::Int4 => {
            Nibbles::round(&network.words, WIDTH, WORD_GROUP)?.write(&mut writer, "words", "words.scales")?;
        }
    }
    ensure!(network.positions.len() >= MAX_TOKENS * WIDTH, "too few positions");
    let positions = network.positions.chunks_exact(WIDTH).take(MAX_TOKENS);
    let positions: Vec<f32> = positions
        .flat_map(|row| row.iter().zip(&network.segment).map(|(position, segment)| position + segment))
        .collect();
    writer.tensor("positions", &[MAX_TOKENS, WIDTH], &positions)?;
    norm(&mut writer, "embedding.norm", &network.embedding_norm)?;
    layers(&mut writer, &network.layers, bits.layers)?;
    Ok(writer.finish()?)
}

/// Bits of the numbers of a table or a matrix in a pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Width {
    #[default]
    Int8,
    Int4,
}

impl Width {
    /// Reads `int8` or `int4`.
    pub(super) fn parse(name: &str) -> Result<Self> {
        match name {
            "int8" => Ok(Self::Int8),
            "int4" => Ok(Self::Int4),
            _ => bail!("models: `{name}` is neither int8 nor int4"),
        }
    }
}

/// The number formats of a network in its pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    pub(super) words: Width,
    pub(super) layers: Width,
}

/// Writes layers.
pub(super) fn layers(writer: &mut PackWriter, layers: &[Layer], bits: Width) -> Result<()> {
    for (index, layer) in layers.iter().enumerate() {
        let name = |part: &str| format!("layers.{index}.{part}");
        linear(writer, &name("attention"), &layer.attention, bits)?;
        linear(writer, &name("attention.output"), &layer.attention_output, bits)?;
        norm(writer, &name("attention.norm"), &layer.attention_norm)?;
        linear(writer, &name("inner"), &layer.inner, bits)?;
        linear(writer, &name("output"), &layer.output, bits)?;
        norm(writer, &name("output.norm"), &layer.output_norm)?;
    }
    Ok(())
}

/// Writes a matrix and its bias.
pub(super) fn linear(writer: &mut PackWriter, name: &str, linear: &Linear, bits: Width) -> Result<()> {
    match bits {
        Width::Int8 => linear.weight.write_tiles(writer, name)?,
        Width::Int4 => {
            let numbers = linear.weight.dequantised();
            let nibbles = Nibbles::round(&numbers, linear.weight.columns, LAYER_GROUP)?;
            nibbles.write(writer, &format!("{name}.weight"), &format!("{name}.scales"))?;
        }
    }
    writer.tensor(&format!("{name}.bias"), &[linear.bias.len()], &linear.bias)?;
    Ok(())
}

fn norm(writer: &mut PackWriter, name: &str, norm: &Norm) -> Result<()> {
    writer.tensor(&format!("{name}.weight"), &[norm.weight.len()], &norm.weight)?;
    writer.tensor(&format!("{name}.bias"), &[norm.bias.len()], &norm.bias)?;
    Ok(())
}
