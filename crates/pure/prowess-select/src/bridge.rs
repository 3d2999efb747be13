//! A map from the vectors of one encoder to those of another.
//!
//! A multilingual encoder understands a Chinese message but is a weak judge of skills; the English one judges
//! well but cannot read the message. A linear map, fitted on texts that both can read, lets the first read for the second.

use crate::vectors;

/// A linear map between the spaces of two encoders.
#[derive(Clone, Debug, PartialEq)]
pub struct Bridge {
    columns: usize,
    /// Row by row.
    matrix: Vec<f32>,
}

impl Bridge {
    /// A map that takes vectors of `columns` numbers; one number of the result by row of the matrix. None if the
    /// matrix has no whole number of rows.
    pub fn new(columns: usize, matrix: Vec<f32>) -> Option<Self> {
        let is_whole = columns > 0 && !matrix.is_empty() && matrix.len().is_multiple_of(columns);
        is_whole.then_some(Self { columns, matrix })
    }

    /// The vector on the other side, of unit length; none if the vector does not fit or leads nowhere.
    ///
    /// ```
    /// # use prowess_select::Bridge;
    /// let swap = Bridge::new(2, vec![0.0, 1.0, 1.0, 0.0]).unwrap();
    /// assert_eq!(swap.carry(&[0.0, 3.0]), Some(vec![1.0, 0.0]));
    /// assert_eq!(swap.carry(&[0.0]), None);
    /// ```
    pub fn carry(&self, vector: &[f32]) -> Option<Vec<f32>> {
        if vector.len() != self.columns {
            return None;
        }
        let rows = self.matrix.chunks_exact(self.columns);
        vectors::unit(&rows.map(|row| vectors::dot(row, vector)).collect::<Vec<f32>>())
    }
}
