//! The pack of English search words with their vectors.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use prowess_embed::{Header, Pack, PackWriter};

use crate::process::root;

/// The files of a pack of words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    base: PathBuf,
    list: PathBuf,
    out: PathBuf,
}

impl Plan {
    /// Reads `[--base PACK] [--list FILE] [--out PACK]`.
    pub(super) fn parse(arguments: &[&str]) -> Result<Self> {
        let models = root().join("models");
        let mut plan = Self {
            base: models.join("prowess-minilm.pack"),
            list: models.join("words.txt"),
            out: models.join("words.pack"),
        };
        let mut rest = arguments;
        while let [name, after @ ..] = rest {
            let [value, after @ ..] = after else { bail!("models words: `{name}` needs a value") };
            rest = after;
            match *name {
                "--base" => plan.base = value.into(),
                "--list" => plan.list = value.into(),
                "--out" => plan.out = value.into(),
                _ => bail!("models words: `{name}` is unknown"),
            }
        }
        Ok(plan)
    }
}

/// Encodes the words and writes the pack: a byte for each number, in the units of the largest of its word.
pub(super) fn convert(plan: &Plan) -> Result<()> {
    let list =
        fs::read_to_string(&plan.list).with_context(|| format!("cannot read `{}`", plan.list.display()))?;
    let words: Vec<&str> = list.lines().map(str::trim).filter(|word| !word.is_empty()).collect();
    let base = Pack::open(&plan.base)?;
    let header = Header {
        name: "prowess-words".to_owned(),
        kind: "words".to_owned(),
        dimensions: base.header().dimensions,
        licence: base.header().licence.clone(),
        source: format!("the words of `words.txt` with the vectors of {}", base.header().name),
        ..Header::default()
    };
    let encoder = prowess_embed::load(base)?;
    let vectors = encoder.encode_all(&words)?;
    let numbers: Vec<i8> = vectors.iter().flat_map(|vector| bytes(vector)).collect();
    let text = format!("{}\n{}", encoder.id(), words.join("\n"));
    let mut writer = PackWriter::new(header);
    writer.tensor("text", &[text.len()], text.as_bytes())?;
    writer.tensor("vectors", &[words.len(), encoder.dimensions()], &numbers)?;
    fs::write(&plan.out, writer.finish()?)
        .with_context(|| format!("cannot write `{}`", plan.out.display()))?;
    println!("written  {} ({} words)", plan.out.display(), words.len());
    Ok(())
}

fn bytes(vector: &[f32]) -> Vec<i8> {
    let largest = vector.iter().fold(f32::MIN_POSITIVE, |most, value| most.max(value.abs()));
    #[expect(clippy::cast_possible_truncation, reason = "scaled to fit")]
    vector.iter().map(|value| (value / largest * 127.0).round() as i8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_read_from_the_arguments() {
        let plan = Plan::parse(&["--base", "b", "--list", "l", "--out", "o"]).unwrap();
        assert_eq!(plan, Plan { base: "b".into(), list: "l".into(), out: "o".into() });
        assert!(Plan::parse(&["--base"]).is_err() && Plan::parse(&["--other", "x"]).is_err());
    }
}
