//! All skills at hand, ready to be compared with a message.

use std::collections::BTreeMap;

use crate::commands::Names;
use crate::document::SelectDocument;
use crate::lexical::LexicalIndex;
use crate::paths::Paths;
use crate::phrases::Phrases;
use crate::vectors::{self, VectorError, VectorTable};

/// So many rows tell how an encoder's cosines are spread.
const SAMPLE: usize = 256;

/// Rows of skills, in the caller's order.
///
/// The words are indexed at once; vectors may follow one by one, and a row without one is judged by its words
/// and by the encoders that know it.
///
/// ```
/// use prowess_select::{Calibration, Index, Query, SelectDecision, SelectDocument, SelectOptions};
///
/// let skill = |name: &str, description: &str| SelectDocument {
///     name: name.to_owned(),
///     description: description.to_owned(),
///     ..SelectDocument::default()
/// };
/// let index = Index::new(&[
///     skill("weather", "Forecasts and current weather for a place"),
///     skill("release-notes", "Write release notes from a list of commits"),
/// ]);
/// let calibration = Calibration::default();
/// let route = calibration.route(true, &[]);
/// let selection = index.select(&Query::new("/weather Oslo"), route, &SelectOptions::default());
/// assert_eq!(selection.decision, SelectDecision::Load { rows: vec![0] });
/// ```
#[derive(Clone, Debug, Default)]
pub struct Index {
    pub(crate) rows: usize,
    pub(crate) lexical: LexicalIndex,
    pub(crate) names: Names,
    pub(crate) phrases: Phrases,
    pub(crate) paths: Paths,
    pub(crate) encoders: BTreeMap<String, Encoded>,
}

/// What one encoder made of the rows and of the null sentences.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoded {
    pub(crate) table: VectorTable,
    /// Unit length.
    pub(crate) nulls: Vec<Vec<f32>>,
}

impl Index {
    /// Indexes the words of the documents.
    pub fn new(documents: &[SelectDocument]) -> Self {
        let mut index = Self { rows: documents.len(), ..Self::default() };
        for (row, document) in (0..).zip(documents) {
            index.lexical.push(document);
            index.names.add(&document.name, row);
            index.phrases.add(&document.triggers, row);
        }
        index.paths = Paths::new((0..).zip(documents.iter().map(|document| &document.paths[..])));
        index
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Sets the vector that an encoder made of [`SelectDocument::passage`]; any length, only the direction counts.
    pub fn set_vector(&mut self, encoder: &str, row: usize, vector: &[f32]) -> Result<(), VectorError> {
        if row >= self.rows {
            return Err(VectorError::NoSuchRow { row, rows: self.rows });
        }
        let unit = self.checked(encoder, vector)?;
        self.encoded(encoder, vector.len()).table.set(row, &unit);
        Ok(())
    }

    /// Sets the vectors that an encoder made of [`Calibration::null_sentences`](crate::Calibration::null_sentences).
    pub fn set_nulls(&mut self, encoder: &str, vectors: &[Vec<f32>]) -> Result<(), VectorError> {
        let units: Result<Vec<_>, _> = vectors.iter().map(|vector| self.checked(encoder, vector)).collect();
        let units = units?;
        if let Some(first) = units.first() {
            let dimensions = first.len();
            if let Some(other) = units.iter().find(|unit| unit.len() != dimensions) {
                return Err(dimensions_differ(encoder, other.len(), dimensions));
            }
            self.encoded(encoder, dimensions).nulls = units;
        }
        Ok(())
    }

    /// Takes over the vectors that another index has for the same texts, as pairs of a row here and a row there, and
    /// its null sentences.
    pub fn inherit(&mut self, from: &Self, rows: &[(usize, usize)]) {
        for (encoder, encoded) in &from.encoders {
            let own = self.encoded(encoder, encoded.table.dimensions());
            if own.table.dimensions() != encoded.table.dimensions() {
                continue;
            }
            own.nulls.clone_from(&encoded.nulls);
            for &(here, there) in rows {
                own.table.copy(here, &encoded.table, there);
            }
        }
    }

    /// Returns true if the null sentences of an encoder were set.
    pub fn has_nulls(&self, encoder: &str) -> bool {
        self.encoders.get(encoder).is_some_and(|encoded| !encoded.nulls.is_empty())
    }

    /// The cosines of rows (of many, a sample spread over all) with the null sentences: what
    /// [`Voice::measured`](crate::Voice::measured) needs.
    pub fn null_cosines(&self, encoder: &str) -> Vec<f32> {
        let Some(Encoded { table, nulls }) = self.encoders.get(encoder) else { return Vec::new() };
        let rows = || (0..self.rows).step_by(self.rows.div_ceil(SAMPLE).max(1));
        nulls.iter().flat_map(|null| rows().filter_map(|row| table.cosine(row, null))).collect()
    }

    /// The rows that an encoder has not seen yet.
    pub fn rows_without(&self, encoder: &str) -> Vec<usize> {
        let table = self.encoders.get(encoder).map(|encoded| &encoded.table);
        (0..self.rows).filter(|&row| !table.is_some_and(|table| table.has(row))).collect()
    }

    /// The vector with unit length, if it fits the encoder's others.
    fn checked(&self, encoder: &str, vector: &[f32]) -> Result<Vec<f32>, VectorError> {
        let expected = self.encoders.get(encoder).map(|encoded| encoded.table.dimensions());
        match expected {
            Some(expected) if expected != vector.len() => {
                Err(dimensions_differ(encoder, vector.len(), expected))
            }
            _ => {
                vectors::unit(vector).ok_or_else(|| VectorError::NoDirection { encoder: encoder.to_owned() })
            }
        }
    }

    fn encoded(&mut self, encoder: &str, dimensions: usize) -> &mut Encoded {
        self.encoders
            .entry(encoder.to_owned())
            .or_insert_with(|| Encoded { table: VectorTable::new(dimensions), nulls: Vec::new() })
    }
}

fn dimensions_differ(encoder: &str, found: usize, expected: usize) -> VectorError {
    VectorError::Dimensions { encoder: encoder.to_owned(), found, expected }
}

#[cfg(test)]
mod inherit_tests {
    use super::*;

    fn named(names: &[&str]) -> Vec<SelectDocument> {
        let document = |name: &&str| SelectDocument { name: (*name).to_owned(), ..SelectDocument::default() };
        names.iter().map(document).collect()
    }

    #[test]
    fn inherited_vectors_are_the_same_and_others_stay_missing() {
        let mut before = Index::new(&named(&["one", "two"]));
        before.set_vector("encoder", 0, &[1.0, 0.25]).unwrap();
        before.set_vector("encoder", 1, &[0.5, 2.0]).unwrap();
        before.set_nulls("encoder", &[vec![1.0, 1.0]]).unwrap();
        let mut after = Index::new(&named(&["two", "new", "one"]));
        after.inherit(&before, &[(0, 1), (2, 0)]);
        assert_eq!(after.rows_without("encoder"), [1]);
        assert!(after.has_nulls("encoder"));
        let cosine = |index: &Index, row| index.encoders["encoder"].table.cosine(row, &[1.0, 0.0]);
        assert_eq!(cosine(&after, 0), cosine(&before, 1));
        assert_eq!(cosine(&after, 2), cosine(&before, 0));
    }
}
