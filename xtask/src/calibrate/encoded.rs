//! Vectors of many texts, kept between runs: encoding all pools takes minutes.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use prowess_embed::Encoder;
use sha2::{Digest as _, Sha256};

use crate::process;

/// Encodes the texts, or reads what an earlier run made of the same texts with the same encoder.
pub(super) fn encode_all(encoder: &dyn Encoder, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
    let path = cache_path(encoder, texts);
    if let Ok(bytes) = std::fs::read(&path)
        && bytes.len() == texts.len() * encoder.dimensions() * size_of::<f32>()
    {
        return Ok(from_bytes(&bytes, encoder.dimensions()));
    }
    let vectors = encoder.encode_all(texts)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    let bytes: Vec<u8> = vectors.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    std::fs::write(&path, bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(vectors)
}

fn from_bytes(bytes: &[u8], dimensions: usize) -> Vec<Vec<f32>> {
    let (numbers, _) = bytes.as_chunks();
    let numbers: Vec<f32> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
    numbers.chunks_exact(dimensions).map(<[f32]>::to_vec).collect()
}

fn cache_path(encoder: &dyn Encoder, texts: &[&str]) -> PathBuf {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.len().to_le_bytes());
        hash.update(text);
    }
    let digest = hash.finalize();
    let digest = u64::from_be_bytes(std::array::from_fn(|at| digest[at]));
    let folder = process::program().unwrap_or(Path::new(""));
    let target = folder.ancestors().nth(2).unwrap_or(Path::new("target"));
    target.join("calibrate").join(format!("{}-{digest:016x}.f32", encoder.id()))
}
