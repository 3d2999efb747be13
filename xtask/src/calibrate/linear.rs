//! The little linear algebra that a fit needs.

/// The dot product.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds `factor * other` to a vector.
pub(super) fn add(vector: &mut [f64], factor: f64, other: &[f64]) {
    vector.iter_mut().zip(other).for_each(|(value, other)| *value += factor * other);
}

/// A symmetric matrix that grows by products of vectors with themselves.
pub(super) struct Symmetric {
    /// Only what is right of the diagonal is kept up.
    rows: Vec<Vec<f64>>,
}

impl Symmetric {
    /// A matrix with these numbers on its diagonal.
    pub(super) fn diagonal(numbers: &[f64]) -> Self {
        let row = |(at, &number): (usize, &f64)| {
            let mut row = vec![0.0; numbers.len()];
            row[at] = number;
            row
        };
        Self { rows: numbers.iter().enumerate().map(row).collect() }
    }

    /// Adds `factor` times the product of a vector with itself.
    pub(super) fn add_square(&mut self, factor: f64, vector: &[f64]) {
        for (at, row) in self.rows.iter_mut().enumerate() {
            add(&mut row[at..], factor * vector[at], &vector[at..]);
        }
    }

    /// Solves the system for each column of the right side, given row by row, by Gaussian elimination.
    pub(super) fn solve(mut self, mut right: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let size = self.rows.len();
        for row in 1..size {
            let (above, rest) = self.rows.split_at_mut(row);
            above.iter().zip(&mut rest[0]).for_each(|(other, cell)| *cell = other[row]);
        }
        // The matrices here are positive definite, so that no rows need to be exchanged.
        for column in 0..size {
            let (above, below) = self.rows.split_at_mut(column + 1);
            let (right_above, right_below) = right.split_at_mut(column + 1);
            let pivot = &above[column];
            for (row, right_row) in below.iter_mut().zip(right_below) {
                let factor = -row[column] / pivot[column];
                add(&mut row[column..], factor, &pivot[column..]);
                add(right_row, factor, &right_above[column]);
            }
        }
        for row in (0..size).rev() {
            let (upper, lower) = right.split_at_mut(row + 1);
            for (solved, factor) in lower.iter().zip(&self.rows[row][row + 1..]) {
                add(&mut upper[row], -factor, solved);
            }
            upper[row].iter_mut().for_each(|number| *number /= self.rows[row][row]);
        }
        right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_for_several_right_sides() {
        let mut matrix = Symmetric::diagonal(&[1.0, 1.0]);
        matrix.add_square(1.0, &[1.0, 2.0]);
        // (2 2; 2 5) x = (2, 5) and (4, 4)
        let solution = matrix.solve(vec![vec![2.0, 4.0], vec![5.0, 4.0]]);
        let expected = [[0.0, 2.0], [1.0, 0.0]];
        for (row, expected) in solution.iter().zip(expected) {
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{solution:?}");
        }
    }
}
