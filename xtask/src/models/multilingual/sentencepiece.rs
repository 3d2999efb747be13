//! Reading a sentencepiece model: as much of its protocol buffer as a unigram tokenizer needs.

use anyhow::{Context as _, Result, ensure};

/// One entry of the vocabulary.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) text: String,
    /// Logarithm of its probability.
    pub(super) score: f32,
}

/// The vocabulary and the rules by which texts are normalised.
pub(super) struct Model {
    pub(super) pieces: Vec<Piece>,
    /// A double array in the layout of darts-clone.
    pub(super) rules: Vec<u32>,
    pub(super) replacements: Vec<u8>,
}

impl Model {
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let (mut pieces, mut rules, mut replacements) = (Vec::new(), Vec::new(), Vec::new());
        for (number, value) in fields(bytes)? {
            match number {
                1 => pieces.push(piece(value)?),
                3 => {
                    let compiled = fields(value)?.into_iter().find(|(number, _)| *number == 2);
                    let (_, compiled) = compiled.context("the model has no rules of normalisation")?;
                    let (size, rest) = compiled.split_first_chunk::<4>().context("the rules are cut off")?;
                    let size = usize::try_from(u32::from_le_bytes(*size))?;
                    let (units, texts) = rest.split_at_checked(size).context("the rules are cut off")?;
                    rules = units.as_chunks().0.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
                    replacements = texts.to_vec();
                }
                _ => {}
            }
        }
        ensure!(!pieces.is_empty() && !rules.is_empty(), "the model has no pieces or no rules");
        Ok(Self { pieces, rules, replacements })
    }
}

fn piece(bytes: &[u8]) -> Result<Piece> {
    let mut piece = Piece { text: String::new(), score: 0.0 };
    for (number, value) in fields(bytes)? {
        match number {
            1 => std::str::from_utf8(value)?.clone_into(&mut piece.text),
            2 => piece.score = f32::from_le_bytes(value.try_into().context("a score has 4 bytes")?),
            _ => {}
        }
    }
    Ok(piece)
}

/// The fields of a message by number; those that are small integers are left out, none of them matters here.
fn fields(mut bytes: &[u8]) -> Result<Vec<(u64, &[u8])>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes)?;
        let length = match tag & 7 {
            0 => {
                varint(&mut bytes)?;
                continue;
            }
            1 => 8,
            2 => usize::try_from(varint(&mut bytes)?)?,
            5 => 4,
            kind => anyhow::bail!("a field of unknown kind {kind}"),
        };
        let (value, rest) = bytes.split_at_checked(length).context("the model is cut off")?;
        fields.push((tag >> 3, value));
        bytes = rest;
    }
    Ok(fields)
}

fn varint(bytes: &mut &[u8]) -> Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().context("the model is cut off")?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    anyhow::bail!("a number of more than 64 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_pieces_and_rules() {
        let piece = [0x0a, 2, b'h', b'i', 0x15, 0, 0, 0x80, 0xbf, 0x18, 1];
        let compiled = [4, 0, 0, 0, 7, 0, 0, 0, b'x', 0];
        let mut model = vec![0x0a, 11];
        model.extend(piece);
        model.extend([0x1a, 12, 0x12, 10]);
        model.extend(compiled);
        let model = Model::read(&model).unwrap();
        assert_eq!(model.pieces, [Piece { text: "hi".to_owned(), score: -1.0 }]);
        assert_eq!((model.rules, model.replacements), (vec![7], b"x\0".to_vec()));
    }

    #[test]
    fn refuses_what_is_cut_off() {
        assert!(Model::read(&[0x0a, 11, 0x0a]).is_err());
        assert!(Model::read(&[0x80]).is_err());
        assert!(Model::read(&[]).is_err());
    }
}
