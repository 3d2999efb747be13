//! The pack of the English encoder, from weights that were just trained.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use prowess_embed::Pack;

use super::bert::{Bits, Width};
use super::minilm;

/// The files of one encoder pack.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    weights: PathBuf,
    vocabulary: PathBuf,
    out: PathBuf,
    bits: Bits,
}

impl Plan {
    /// Reads `--weights FILE --vocabulary FILE --out PACK [--words int4] [--layers int4]`.
    pub(super) fn parse(arguments: &[&str]) -> Result<Self> {
        let (mut weights, mut vocabulary, mut out, mut bits) = (None, None, None, Bits::default());
        let mut rest = arguments;
        while let [name, value, after @ ..] = rest {
            rest = after;
            match *name {
                "--weights" => weights = Some(PathBuf::from(value)),
                "--vocabulary" => vocabulary = Some(PathBuf::from(value)),
                "--out" => out = Some(PathBuf::from(value)),
                "--words" => bits.words = Width::parse(value)?,
                "--layers" => bits.layers = Width::parse(value)?,
                _ => bail!("models encoder: `{name}` is unknown"),
            }
        }
        if let [name] = rest {
            bail!("models encoder: `{name}` needs a value");
        }
        Ok(Self {
            weights: weights.context("models encoder: --weights FILE is missing")?,
            vocabulary: vocabulary
                .context("models encoder: --vocabulary FILE, a tokenizer.json, is missing")?,
            out: out.context("models encoder: --out PACK is missing")?,
            bits,
        })
    }
}

/// Writes the pack, and loads it once to see that it works.
pub(super) fn convert(plan: &Plan) -> Result<()> {
    let shown = plan.vocabulary.display();
    let tokenizer = fs::read(&plan.vocabulary).with_context(|| format!("cannot read `{shown}`"))?;
    minilm::convert(&plan.weights, &tokenizer, &plan.out, plan.bits)?;
    prowess_embed::load(Pack::open(&plan.out)?)?;
    println!("written  {}", plan.out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_read_from_the_arguments() {
        let plan = Plan::parse(&["--weights", "w", "--vocabulary", "v", "--out", "o", "--words", "int4"]);
        let bits = Bits { words: Width::Int4, layers: Width::Int8 };
        let expected = Plan { weights: "w".into(), vocabulary: "v".into(), out: "o".into(), bits };
        assert_eq!(plan.unwrap(), expected);
        assert!(Plan::parse(&["--weights", "w", "--out", "o"]).is_err());
        assert!(Plan::parse(&["--weights", "w", "--vocabulary", "v", "--out"]).is_err());
    }
}
