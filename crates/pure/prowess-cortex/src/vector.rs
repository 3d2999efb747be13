//! Vectors of tasks: which way their meaning points, in whole numbers of one byte.

use serde::{Deserialize, Serialize};

use data_encoding::BASE64;

/// Encoders have fewer dimensions than this.
const MAX_DIMENSIONS: usize = 4096;
/// Vectors that are nearer to each other than this say the same.
const SAME: f32 = 0.97;

/// The vector of a task, after the entity filter.
///
/// Only vectors of the same encoder can be compared, so it says which one it is of. Each number takes a byte, in the units
/// of the largest; that changes a cosine by less than 0.01.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TaskVector {
    /// The id of the encoder.
    pub encoder: String,
    /// The numbers, as Base64 of signed bytes.
    pub values: String,
}

impl TaskVector {
    /// The vector that an encoder made; none if it has no direction.
    pub fn new(encoder: &str, vector: &[f32]) -> Option<Self> {
        let largest = vector.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        if !largest.is_finite() || largest <= 0.0 || vector.len() > MAX_DIMENSIONS {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "scaled to fit")]
        let bytes: Vec<u8> =
            vector.iter().map(|value| ((value / largest * 127.0).round() as i8).cast_unsigned()).collect();
        Some(Self { encoder: encoder.to_owned(), values: BASE64.encode(&bytes) })
    }

    /// The numbers, of unit length; none if a file says something that is not a vector.
    pub fn unit(&self) -> Option<Vec<f32>> {
        if self.values.len() > MAX_DIMENSIONS * 2 {
            return None;
        }
        let bytes = BASE64.decode(self.values.as_bytes()).ok()?;
        let values: Vec<f32> = bytes.iter().map(|byte| f32::from(byte.cast_signed())).collect();
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        (length > 0.0).then(|| values.iter().map(|value| value / length).collect())
    }

    /// Returns true if both say the same, so that one of them is enough.
    pub fn is_same(&self, other: &Self) -> bool {
        if self.encoder != other.encoder {
            return false;
        }
        let (Some(one), Some(other)) = (self.unit(), other.unit()) else { return self == other };
        one.len() == other.len() && one.iter().zip(&other).map(|(a, b)| a * b).sum::<f32>() >= SAME
    }
}

/// Adds vectors that say something new. The oldest go when there are too many, but never the first: the
/// region was made for it.
pub(crate) fn merge_vectors(known: &mut Vec<TaskVector>, new: &[TaskVector], most: usize) {
    for vector in new {
        if vector.unit().is_some() && !known.iter().any(|known| known.is_same(vector)) {
            known.push(vector.clone());
        }
    }
    cap_vectors(known, most);
}

/// Drops the oldest but the first.
pub(crate) fn cap_vectors(known: &mut Vec<TaskVector>, most: usize) {
    let surplus = known.len().saturating_sub(most.max(1));
    if surplus > 0 {
        known.drain(1..=surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_survives_in_bytes() {
        let vector = [0.6, -0.3, 0.0, 0.74];
        let kept = TaskVector::new("tiny-1", &vector).unwrap();
        let read = kept.unit().unwrap();
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        for (value, read) in vector.iter().zip(read) {
            assert!((value / length - read).abs() < 0.01);
        }
        assert!(
            kept.is_same(&kept) && !kept.is_same(&TaskVector::new("tiny-1", &[0.0, 1.0, 0.0, 0.0]).unwrap())
        );
        assert!(!kept.is_same(&TaskVector { encoder: "tiny-2".to_owned(), ..kept.clone() }));
    }

    #[test]
    fn other_values_are_not_vectors() {
        assert_eq!(TaskVector::new("tiny-1", &[]), None);
        assert_eq!(TaskVector::new("tiny-1", &[0.0, 0.0]), None);
        assert_eq!(TaskVector::new("tiny-1", &[f32::NAN, f32::INFINITY]), None);
        for values in ["", "!", "AAAA", "not base64"] {
            let vector = TaskVector { encoder: "tiny-1".to_owned(), values: values.to_owned() };
            assert_eq!(vector.unit(), None, "{values}");
        }
    }

    #[test]
    fn the_first_vector_stays() {
        let vector = |place: usize| {
            let mut values = [0.0_f32; 12];
            values[place] = 1.0;
            TaskVector::new("tiny-1", &values).unwrap()
        };
        let mut known = Vec::new();
        for place in 0..12 {
            merge_vectors(&mut known, &[vector(place), vector(place)], 4);
        }
        assert_eq!(known, [vector(0), vector(9), vector(10), vector(11)]);
        cap_vectors(&mut known, 0);
        assert!(known.len() <= 1);
    }
}
