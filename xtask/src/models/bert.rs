//! A network of the BERT family on its way into a pack.

use anyhow::{Result, ensure};
use prowess_embed::{Header, PackWriter};
use serde_json::json;

use super::quantised::Quantised;
use super::tokens::Tokens;

/// Texts are cut here; both models were measured with it.
pub(super) const MAX_TOKENS: usize = 128;
/// Columns of a matrix that share a scale. With one scale a row the tuned weights stay below a mean cosine
/// of .9995.
pub(super) const GROUP: usize = 64;

/// The shape that both models have.
pub(super) const LAYERS: usize = 6;
pub(super) const HEADS: usize = 12;
pub(super) const WIDTH: usize = 384;
pub(super) const INNER: usize = 1536;
const EPSILON: f64 = 1e-12;

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
pub(super) fn pack(header: Header, network: &Network, tokens: &Tokens) -> Result<Vec<u8>> {
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
    Quantised::round(&network.words, WIDTH, WIDTH)?.write_rows(&mut writer, "words")?;
    ensure!(network.positions.len() >= MAX_TOKENS * WIDTH, "too few positions");
    let positions = network.positions.chunks_exact(WIDTH).take(MAX_TOKENS);
    let positions: Vec<f32> = positions
        .flat_map(|row| row.iter().zip(&network.segment).map(|(position, segment)| position + segment))
        .collect();
    writer.tensor("positions", &[MAX_TOKENS, WIDTH], &positions)?;
    norm(&mut writer, "embedding.norm", &network.embedding_norm)?;
    for (index, layer) in network.layers.iter().enumerate() {
        let name = |part: &str| format!("layers.{index}.{part}");
        linear(&mut writer, &name("attention"), &layer.attention)?;
        linear(&mut writer, &name("attention.output"), &layer.attention_output)?;
        norm(&mut writer, &name("attention.norm"), &layer.attention_norm)?;
        linear(&mut writer, &name("inner"), &layer.inner)?;
        linear(&mut writer, &name("output"), &layer.output)?;
        norm(&mut writer, &name("output.norm"), &layer.output_norm)?;
    }
    Ok(writer.finish()?)
}

fn linear(writer: &mut PackWriter, name: &str, linear: &Linear) -> Result<()> {
    linear.weight.write_tiles(writer, name)?;
    writer.tensor(&format!("{name}.bias"), &[linear.bias.len()], &linear.bias)?;
    Ok(())
}

fn norm(writer: &mut PackWriter, name: &str, norm: &Norm) -> Result<()> {
    writer.tensor(&format!("{name}.weight"), &[norm.weight.len()], &norm.weight)?;
    writer.tensor(&format!("{name}.bias"), &[norm.bias.len()], &norm.bias)?;
    Ok(())
}
