//! Fits the bridge from the multilingual encoder to the English one.

use anyhow::{Context as _, Result};
use prowess_embed::{F16, Header, PackWriter};
use prowess_select::Bridge;

use super::linear::{Symmetric, add};

/// The penalty on the squared entries of the matrix.
const PENALTY: f64 = 1.0;

/// The matrix, in the precision in which it is shipped.
pub(super) struct Fitted {
    columns: usize,
    matrix: Vec<F16>,
}

impl Fitted {
    /// Ridge regression over texts that both encoders can read: pairs of their vectors.
    pub(super) fn new<'a>(pairs: impl Iterator<Item = (&'a [f32], &'a [f32])>) -> Self {
        let mut pairs = pairs.peekable();
        let (columns, rows) = pairs.peek().map_or((0, 0), |(from, to)| (from.len(), to.len()));
        let mut squares = Symmetric::diagonal(&vec![PENALTY; columns]);
        let mut products = vec![vec![0.0; rows]; columns];
        for (from, to) in pairs {
            let wide = |vector: &[f32]| vector.iter().map(|&number| f64::from(number)).collect::<Vec<f64>>();
            let (from, to) = (wide(from), wide(to));
            squares.add_square(1.0, &from);
            products.iter_mut().zip(&from).for_each(|(line, factor)| add(line, *factor, &to));
        }
        let solution = squares.solve(products);
        #[expect(clippy::cast_possible_truncation, reason = "it is shipped in half precision")]
        let entry = |row: usize, column: usize| F16::from_f32(solution[column][row] as f32);
        let matrix = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Self { columns, matrix: matrix.map(|(row, column)| entry(row, column)).collect() }
    }

    pub(super) fn bridge(&self) -> Result<Bridge> {
        let numbers = self.matrix.iter().map(|number| number.to_f32()).collect();
        Bridge::new(self.columns, numbers).context("there are no texts to fit the bridge on")
    }

    /// The file that ships it.
    pub(super) fn pack(&self, from: &str, to: &str) -> Result<Vec<u8>> {
        let rows = self.matrix.len() / self.columns.max(1);
        let mut writer = PackWriter::new(Header {
            name: format!("{from}-to-{to}"),
            kind: "bridge".to_owned(),
            dimensions: rows,
            licence: "MIT OR Apache-2.0".to_owned(),
            source: "ridge regression over public skills and messages: cargo xtask calibrate".to_owned(),
            settings: serde_json::json!({ "from": from, "to": to }),
            ..Header::default()
        });
        writer.tensor("matrix", &[rows, self.columns], &self.matrix)?;
        Ok(writer.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_map_that_was_there() {
        let from: Vec<[f32; 2]> =
            (0..200).map(|n| [(n as f32).sin() * 30.0, (n as f32 * 1.7).cos() * 30.0]).collect();
        let to: Vec<[f32; 3]> = from.iter().map(|[a, b]| [*b, a - b, 0.5 * a]).collect();
        let fitted = Fitted::new(from.iter().zip(&to).map(|(from, to)| (&from[..], &to[..])));
        let found: Vec<f32> = fitted.matrix.iter().map(|number| number.to_f32()).collect();
        for (found, expected) in found.iter().zip([0.0, 1.0, 1.0, -1.0, 0.5, 0.0]) {
            assert!((found - expected).abs() < 1e-2, "{found} {expected}");
        }
    }
}
