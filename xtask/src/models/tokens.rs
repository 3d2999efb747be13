//! Tokenizers on their way into a pack: from `tokenizer.json` to sorted tables.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use prowess_embed::PackWriter;
use serde::Deserialize;
use serde_json::{Value, json};

/// What is read of a `tokenizer.json`.
#[derive(Deserialize)]
struct File {
    added_tokens: Vec<Added>,
    model: Model,
}

#[derive(Deserialize)]
struct Added {
    id: u32,
    content: String,
    lstrip: bool,
}

#[derive(Deserialize)]
struct Model {
    vocab: BTreeMap<String, u32>,
    #[serde(default)]
    merges: Vec<String>,
}

enum Tables {
    /// Words that begin a word, and those that go on with one.
    WordPiece {
        first: Words,
        next: Words,
    },
    BytePairs(BytePairs),
}

/// Words in the order of their bytes.
type Words = BTreeMap<Vec<u8>, u32>;

struct BytePairs {
    vocabulary: usize,
    /// The token of each byte.
    bytes: Vec<u32>,
    /// Rank and result by left and right token.
    merges: BTreeMap<(u32, u32), (u32, u32)>,
}

/// A tokenizer, ready to be written.
pub(super) struct Tokens {
    settings: Value,
    tables: Tables,
}

impl Tokens {
    /// WordPiece of BERT without case.
    pub(super) fn wordpiece(json: &Value) -> Result<Self> {
        let file = File::deserialize(json)?;
        let mut first = Words::new();
        let mut next = Words::new();
        for (word, id) in &file.model.vocab {
            match word.strip_prefix("##").filter(|rest| !rest.is_empty()) {
                Some(rest) => next.insert(rest.into(), *id),
                None => first.insert(word.as_bytes().into(), *id),
            };
        }
        let settings = settings(&file, ["[CLS]", "[SEP]", "[UNK]"])?;
        Ok(Self { settings, tables: Tables::WordPiece { first, next } })
    }

    /// Byte pairs of RoBERTa.
    pub(super) fn byte_pairs(json: &Value) -> Result<Self> {
        let file = File::deserialize(json)?;
        let id = |token: &str| {
            file.model.vocab.get(token).copied().with_context(|| format!("token `{token}` is missing"))
        };
        let bytes = byte_letters().iter().map(|letter| id(&letter.to_string())).collect::<Result<_>>()?;
        let mut merges = BTreeMap::new();
        for (rank, merge) in (0..).zip(&file.model.merges) {
            let (left, right) =
                merge.split_once(' ').with_context(|| format!("merge `{merge}` is not a pair"))?;
            let merged = id(&format!("{left}{right}"))?;
            let previous = merges.insert((id(left)?, id(right)?), (rank, merged));
            ensure!(previous.is_none(), "merge `{merge}` occurs twice");
        }
        let vocabulary = file.model.vocab.len();
        let settings = settings(&file, ["<s>", "</s>", "<unk>"])?;
        Ok(Self { settings, tables: Tables::BytePairs(BytePairs { vocabulary, bytes, merges }) })
    }

    /// As the header calls it.
    pub(super) fn name(&self) -> &'static str {
        match self.tables {
            Tables::WordPiece { .. } => "wordpiece",
            Tables::BytePairs(_) => "byte-bpe",
        }
    }

    /// What the header says of it.
    pub(super) fn settings(&self) -> &Value {
        &self.settings
    }

    pub(super) fn write(&self, writer: &mut PackWriter) -> Result<()> {
        match &self.tables {
            Tables::WordPiece { first, next } => {
                write_words(writer, "wordpiece.first", first)?;
                write_words(writer, "wordpiece.next", next)
            }
            Tables::BytePairs(pairs) => pairs.write(writer),
        }
    }
}

fn settings(file: &File, [first, last, unknown]: [&str; 3]) -> Result<Value> {
    let id = |token: &str| {
        file.model.vocab.get(token).copied().with_context(|| format!("token `{token}` is missing"))
    };
    let special = file
        .added_tokens
        .iter()
        .map(|token| json!({"text": token.content, "id": token.id, "takes_space_before": token.lstrip}));
    Ok(json!({
        "first": id(first)?,
        "last": id(last)?,
        "unknown": id(unknown)?,
        "special": special.collect::<Vec<_>>(),
    }))
}

fn write_words(writer: &mut PackWriter, name: &str, words: &Words) -> Result<()> {
    let text: Vec<u8> = words.keys().flatten().copied().collect();
    let ids: Vec<u32> = words.values().copied().collect();
    let mut offsets = vec![0];
    for word in words.keys() {
        offsets.push(offsets.last().copied().unwrap_or(0) + u32::try_from(word.len())?);
    }
    writer.tensor(&format!("{name}.text"), &[text.len()], &text)?;
    writer.tensor(&format!("{name}.offsets"), &[offsets.len()], &offsets)?;
    writer.tensor(&format!("{name}.ids"), &[ids.len()], &ids)?;
    Ok(())
}

impl BytePairs {
    fn write(&self, writer: &mut PackWriter) -> Result<()> {
        let count = self.merges.len();
        let rights: Vec<u32> = self.merges.keys().map(|(_, right)| *right).collect();
        let ranks: Vec<u32> = self.merges.values().map(|(rank, _)| *rank).collect();
        let merged: Vec<u32> = self.merges.values().map(|(_, merged)| *merged).collect();
        let mut starts = vec![0_u32; self.vocabulary + 1];
        for (left, _) in self.merges.keys() {
            starts[*left as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        writer.tensor("bpe.bytes", &[self.bytes.len()], &self.bytes)?;
        writer.tensor("bpe.starts", &[starts.len()], &starts)?;
        writer.tensor("bpe.rights", &[count], &rights)?;
        writer.tensor("bpe.ranks", &[count], &ranks)?;
        writer.tensor("bpe.merged", &[count], &merged)?;
        Ok(())
    }
}

/// The letter that stands for each byte in the vocabulary of GPT-2: printable ones for themselves, the others
/// from U+0100 on.
fn byte_letters() -> Vec<char> {
    let mut others = '\u{100}'..;
    (0..=u8::MAX)
        .map(|byte| match byte {
            b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF => char::from(byte),
            _ => others.next().unwrap_or_default(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_letters_of_gpt2() {
        let letters = byte_letters();
        assert_eq!((letters[usize::from(b' ')], letters[usize::from(b'\n')]), ('Ġ', 'Ċ'));
        assert_eq!((letters[usize::from(b'a')], letters[0xAD]), ('a', 'Ń'));
    }
}
