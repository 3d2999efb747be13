//! Encoders of a few kilobytes: real in every part, but with arbitrary weights.

use prowess_embed::{F16, Header, Pack, PackError, PackWriter, Reader};
use serde_json::{Value, json};

const WIDTH: usize = 32;
const INNER: usize = 64;
const GROUP: usize = 8;
const MAX_TOKENS: usize = 64;

/// A pack of kind `bert` with a WordPiece tokenizer: letters, a few words and pieces.
pub(crate) fn wordpiece() -> Result<Vec<u8>, PackError> {
    let special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
    let letters: Vec<String> = ('a'..='z').map(String::from).collect();
    let words = ["hello", "skill", "weather", "!", "?", ".", "天"].map(String::from);
    let first: Vec<String> =
        special.map(String::from).into_iter().chain(letters.clone()).chain(words).collect();
    let next: Vec<String> = letters.into_iter().chain(["ing", "s", "er"].map(String::from)).collect();
    let vocabulary = first.len() + next.len();
    let settings = json!({
        "first": 2, "last": 3, "unknown": 1,
        "special": [{"text": "[SEP]", "id": 3}, {"text": "[CLS]", "id": 2}],
    });
    let mut writer = network("bert", "wordpiece", "mean", vocabulary, &settings)?;
    lexicon(&mut writer, "wordpiece.first", &first, 0)?;
    lexicon(&mut writer, "wordpiece.next", &next, first.len())?;
    writer.finish()
}

/// A pack of kind `roberta` with byte pairs: all bytes and a few merges.
pub(crate) fn byte_pairs() -> Result<Vec<u8>, PackError> {
    // Left, right and result, in the order of their ranks; bytes are their own tokens.
    let (h, e, l, o) = (0x68, 0x65, 0x6C, 0x6F);
    let merges: [(u32, u32, u32); 5] =
        [(l, l, 260), (h, e, 261), (261, 260, 262), (262, o, 263), (0x20, 263, 264)];
    let vocabulary = 265;
    let settings = json!({
        "first": 256, "last": 257, "unknown": 258,
        "special": [{"text": "</s>", "id": 257}, {"text": "<mask>", "id": 259, "takes_space_before": true}],
    });
    let mut writer = network("roberta", "byte-bpe", "first", vocabulary, &settings)?;
    let mut sorted: Vec<(u32, u32, u32, u32)> =
        (0..).zip(merges).map(|(rank, (left, right, merged))| (left, right, rank, merged)).collect();
    sorted.sort_unstable();
    let column = |pick: fn(&(u32, u32, u32, u32)) -> u32| sorted.iter().map(pick).collect::<Vec<u32>>();
    let start = |left: usize| count(sorted.partition_point(|merge| (merge.0 as usize) < left));
    let starts: Vec<u32> = (0..=vocabulary).map(start).collect();
    writer.tensor("bpe.bytes", &[256], &(0..256).collect::<Vec<u32>>())?;
    writer.tensor("bpe.starts", &[starts.len()], &starts)?;
    writer.tensor("bpe.rights", &[sorted.len()], &column(|merge| merge.1))?;
    writer.tensor("bpe.ranks", &[sorted.len()], &column(|merge| merge.2))?;
    writer.tensor("bpe.merged", &[sorted.len()], &column(|merge| merge.3))?;
    writer.finish()
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn lexicon(writer: &mut PackWriter, name: &str, words: &[String], start: usize) -> Result<(), PackError> {
    let mut sorted: Vec<(&[u8], u32)> =
        words.iter().enumerate().map(|(index, word)| (word.as_bytes(), count(start + index))).collect();
    sorted.sort_unstable();
    sorted.dedup_by_key(|(word, _)| *word);
    let text: Vec<u8> = sorted.iter().flat_map(|(word, _)| *word).copied().collect();
    let ids: Vec<u32> = sorted.iter().map(|(_, id)| *id).collect();
    let ends = sorted.iter().scan(0, |end, (word, _)| {
        *end += count(word.len());
        Some(*end)
    });
    let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
    writer.tensor(&format!("{name}.text"), &[text.len()], &text)?;
    writer.tensor(&format!("{name}.offsets"), &[offsets.len()], &offsets)?;
    writer.tensor(&format!("{name}.ids"), &[ids.len()], &ids)?;
    Ok(())
}

fn network(
    kind: &str,
    tokenizer: &str,
    pooling: &str,
    vocabulary: usize,
    tokenizer_settings: &Value,
) -> Result<PackWriter, PackError> {
    let mut writer = PackWriter::new(Header {
        name: format!("tiny-{tokenizer}"),
        kind: kind.to_owned(),
        dimensions: WIDTH,
        max_tokens: MAX_TOKENS,
        tokenizer: tokenizer.to_owned(),
        licence: "CC0-1.0".to_owned(),
        source: "arbitrary numbers".to_owned(),
        settings: json!({
            "vocabulary": vocabulary, "layers": 1, "heads": 2, "width": WIDTH, "inner": INNER, "group": GROUP,
            "word_group": WIDTH, "epsilon": 1e-12, "pooling": pooling, "tokenizer": tokenizer_settings,
        }),
        ..Header::default()
    });
    let mut numbers = Numbers(1);
    writer.tensor("words", &[vocabulary, WIDTH], &numbers.codes(vocabulary * WIDTH))?;
    writer.tensor("words.scales", &[vocabulary, 1], &vec![0.01_f32; vocabulary])?;
    writer.tensor("positions", &[MAX_TOKENS, WIDTH], &numbers.floats(MAX_TOKENS * WIDTH))?;
    norm(&mut writer, "embedding.norm", WIDTH)?;
    layers(&mut writer, &mut numbers, 1, &TINY)?;
    Ok(writer)
}

/// The widths of a network.
pub(crate) struct Widths {
    pub(crate) heads: usize,
    pub(crate) width: usize,
    pub(crate) inner: usize,
    pub(crate) group: usize,
    /// Width inside the head of a reader, and the number of its outputs.
    pub(crate) hidden: usize,
    pub(crate) outputs: usize,
    pub(crate) message_tokens: usize,
    pub(crate) document_tokens: usize,
}

/// The widths of the small encoders and of a reader on top of them.
pub(crate) const TINY: Widths = Widths {
    heads: 2,
    width: WIDTH,
    inner: INNER,
    group: GROUP,
    hidden: 16,
    outputs: 2,
    message_tokens: 6,
    document_tokens: 9,
};

/// A reader pack with arbitrary weights, on top of an encoder of the same width.
pub(crate) fn reader(base: &Pack, count: usize, widths: &Widths) -> Result<Vec<u8>, PackError> {
    let Widths { heads, width, inner, group, hidden, outputs, message_tokens, document_tokens } = *widths;
    let max_tokens = message_tokens + document_tokens + 3;
    let mut writer = PackWriter::new(Header {
        name: "tiny-reader".to_owned(),
        kind: "reader".to_owned(),
        dimensions: outputs,
        max_tokens,
        tokenizer: base.header().tokenizer.clone(),
        licence: "CC0-1.0".to_owned(),
        source: "arbitrary numbers".to_owned(),
        settings: json!({
            "base": Reader::base_digest(base)?, "message_tokens": message_tokens, "document_tokens": document_tokens,
            "layers": count, "heads": heads, "width": width, "inner": inner, "group": group, "epsilon": 1e-12,
            "hidden": hidden, "outputs": outputs,
        }),
        ..Header::default()
    });
    let mut numbers = Numbers(2);
    let positions: Vec<F16> = numbers.floats(max_tokens * width).into_iter().map(F16::from_f32).collect();
    writer.tensor("positions", &[max_tokens, width], &positions)?;
    writer.tensor("segments", &[2, width], &numbers.floats(2 * width))?;
    layers(&mut writer, &mut numbers, count, widths)?;
    linear(&mut writer, &mut numbers, "head.inner", 2 * width, hidden, group)?;
    writer.tensor("head.output.weight", &[outputs, hidden], &numbers.floats(outputs * hidden))?;
    writer.tensor("head.output.bias", &[outputs], &numbers.floats(outputs))?;
    writer.finish()
}

fn layers(
    writer: &mut PackWriter,
    numbers: &mut Numbers,
    count: usize,
    widths: &Widths,
) -> Result<(), PackError> {
    let Widths { width, inner, group, .. } = *widths;
    for index in 0..count {
        let name = |part: &str| format!("layers.{index}.{part}");
        linear(writer, numbers, &name("attention"), width, 3 * width, group)?;
        linear(writer, numbers, &name("attention.output"), width, width, group)?;
        norm(writer, &name("attention.norm"), width)?;
        linear(writer, numbers, &name("inner"), width, inner, group)?;
        linear(writer, numbers, &name("output"), inner, width, group)?;
        norm(writer, &name("output.norm"), width)?;
    }
    Ok(())
}

fn norm(writer: &mut PackWriter, name: &str, width: usize) -> Result<(), PackError> {
    writer.tensor(&format!("{name}.weight"), &[width], &vec![1.0_f32; width])?;
    writer.tensor(&format!("{name}.bias"), &[width], &vec![0.0_f32; width])?;
    Ok(())
}

fn linear(
    writer: &mut PackWriter,
    numbers: &mut Numbers,
    name: &str,
    inputs: usize,
    outputs: usize,
    group: usize,
) -> Result<(), PackError> {
    let (strips, groups) = (outputs / 16, inputs / group);
    let weights = numbers.codes(inputs * outputs);
    writer.tensor(&format!("{name}.weight"), &[strips, inputs / 2, 16, 2], &weights)?;
    writer.tensor(&format!("{name}.scales"), &[strips, groups, 16], &vec![0.004_f32; outputs * groups])?;
    writer.tensor(&format!("{name}.bias"), &[outputs], &numbers.floats(outputs))?;
    Ok(())
}

/// Numbers without a pattern, the same every time.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> i8 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0.to_be_bytes()[0].cast_signed()
    }

    fn codes(&mut self, count: usize) -> Vec<i8> {
        (0..count).map(|_| self.next()).collect()
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| f32::from(self.next()) / 256.0).collect()
    }
}
