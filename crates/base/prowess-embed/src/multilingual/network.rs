//! From word vectors to the vector of a text.
//!
//! ```text
//! words [n × 512] ── projection, norm ── [n × 3 × 256] ── three branches, each two convolutions over
//!   │                                                     windows of 2, 3 or 5 words, with skips
//!   └────────────────── features [n × 1280] ──────────────────┘
//!                          │ norm, sum over words, matrix, ÷ √n
//!                        [512] ── four dense layers, two skips ── tanh ── unit length
//! ```

use super::EMBEDDING;
use super::linear::Linear;
use crate::kernel::Path;
use crate::pack::{Pack, PackError, Tensor};

/// Numbers of a branch at each word.
const CHANNELS: usize = 256;
/// The number of words that each branch sees at once, and how many of them lie before the word itself.
const WINDOWS: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];
const BRANCHES: usize = WINDOWS.len() * CHANNELS;
const FEATURES: usize = EMBEDDING + BRANCHES;
const HIDDEN: usize = 320;

/// See the [module](self).
pub(super) struct Network {
    path: Path,
    projection: Linear,
    projection_bias: Tensor<f32>,
    projection_norm: Norm,
    branches: Vec<Branch>,
    features_norm: Norm,
    sum: Linear,
    sum_bias: Tensor<f32>,
    dense: [Linear; 4],
    /// Around the second and around the fourth dense layer.
    skips: [Linear; 2],
}

impl Network {
    /// A network that computes with the instructions of a given path, which must be available.
    pub(super) fn load(pack: &Pack, path: Path) -> Result<Self, PackError> {
        let branches = WINDOWS.into_iter().map(|(window, before)| Branch::load(pack, window, before));
        Ok(Self {
            path,
            projection: Linear::load(pack, "projection", EMBEDDING, BRANCHES)?,
            projection_bias: pack.tensor("projection.bias", &[BRANCHES])?,
            projection_norm: Norm::load(pack, "projection.norm", BRANCHES)?,
            branches: branches.collect::<Result<_, _>>()?,
            features_norm: Norm::load(pack, "features.norm", FEATURES)?,
            sum: Linear::load(pack, "sum", FEATURES, EMBEDDING)?,
            sum_bias: pack.tensor("sum.bias", &[EMBEDDING])?,
            dense: [
                Linear::load(pack, "dense.1", EMBEDDING, HIDDEN)?,
                Linear::load(pack, "dense.2", HIDDEN, HIDDEN)?,
                Linear::load(pack, "dense.3", HIDDEN, EMBEDDING)?,
                Linear::load(pack, "dense.4", EMBEDDING, EMBEDDING)?,
            ],
            skips: [
                Linear::load(pack, "dense.2.skip", EMBEDDING, HIDDEN)?,
                Linear::load(pack, "dense.4.skip", HIDDEN, EMBEDDING)?,
            ],
        })
    }

    /// The vector of a text of at least one word; none if the weights give no direction.
    pub(super) fn run(&self, words: &[[f32; EMBEDDING]]) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; FEATURES];
        for word in self.features(words).chunks_exact(FEATURES) {
            add(&mut sum, word);
        }
        let count = words.len() as f32;
        let mut mean = self.sum.apply(self.path, &sum);
        for (mean, bias) in mean.iter_mut().zip(&*self.sum_bias) {
            *mean = (*mean + count * bias) / count.sqrt();
        }
        unit(self.head(&mean))
    }

    /// Returns the features of each word: its own vector, and what each branch sees around it.
    fn features(&self, words: &[[f32; EMBEDDING]]) -> Vec<f32> {
        let mut projected = self.projection.apply(self.path, words.as_flattened());
        for word in projected.chunks_exact_mut(BRANCHES) {
            add(word, &self.projection_bias);
            self.projection_norm.apply(word);
        }
        let mut features = vec![0.0; words.len() * FEATURES];
        for (features, word) in features.chunks_exact_mut(FEATURES).zip(words) {
            features[..EMBEDDING].copy_from_slice(word);
        }
        for (index, branch) in self.branches.iter().enumerate() {
            let columns = index * CHANNELS..(index + 1) * CHANNELS;
            let input: Vec<f32> =
                projected.chunks_exact(BRANCHES).flat_map(|word| &word[columns.clone()]).copied().collect();
            let output = branch.run(self.path, input);
            for (features, output) in features.chunks_exact_mut(FEATURES).zip(output.chunks_exact(CHANNELS)) {
                features[EMBEDDING..][columns.clone()].copy_from_slice(output);
            }
        }
        for word in features.chunks_exact_mut(FEATURES) {
            self.features_norm.apply(word);
        }
        features
    }

    fn head(&self, mean: &[f32]) -> Vec<f32> {
        let apply = |linear: &Linear, input: &[f32]| linear.apply(self.path, input);
        let [first, second, third, fourth] = &self.dense;
        let [skip_second, skip_fourth] = &self.skips;
        let mut hidden = apply(second, &rectified(apply(first, mean)));
        add(&mut hidden, &apply(skip_second, mean));
        let hidden = rectified(hidden);
        let mut output = apply(fourth, &rectified(apply(third, &hidden)));
        add(&mut output, &apply(skip_fourth, &hidden));
        output.iter().map(|number| number.tanh()).collect()
    }
}

/// Two convolutions over the words, each added to what it was given.
struct Branch {
    window: usize,
    before: usize,
    steps: [(Linear, Tensor<f32>); 2],
}

impl Branch {
    fn load(pack: &Pack, window: usize, before: usize) -> Result<Self, PackError> {
        let step = |step: usize| -> Result<_, PackError> {
            let name = format!("convolution.{window}.{step}");
            let linear = Linear::load(pack, &name, window * CHANNELS, CHANNELS)?;
            Ok((linear, pack.tensor(&format!("{name}.bias"), &[CHANNELS])?))
        };
        Ok(Self { window, before, steps: [step(1)?, step(2)?] })
    }

    fn run(&self, path: Path, mut words: Vec<f32>) -> Vec<f32> {
        let count = words.len() / CHANNELS;
        for (linear, bias) in &self.steps {
            // Beyond both ends of the text there are words of zeros.
            let mut padded = vec![0.0; (count + self.window - 1) * CHANNELS];
            padded[self.before * CHANNELS..][..words.len()].copy_from_slice(&words);
            let mut seen = linear.apply_to_windows(path, &padded, CHANNELS);
            for word in seen.chunks_exact_mut(CHANNELS) {
                add(word, bias);
            }
            add(&mut words, &rectified(seen));
        }
        words
    }
}

/// Brings the numbers of a word to mean zero and deviation one, then to a learnt scale and shift.
struct Norm {
    scale: Tensor<f32>,
    shift: Tensor<f32>,
}

impl Norm {
    const EPSILON: f32 = 1e-12;

    fn load(pack: &Pack, name: &str, width: usize) -> Result<Self, PackError> {
        Ok(Self {
            scale: pack.tensor(&format!("{name}.scale"), &[width])?,
            shift: pack.tensor(&format!("{name}.shift"), &[width])?,
        })
    }

    fn apply(&self, numbers: &mut [f32]) {
        let width = numbers.len() as f32;
        let mean = numbers.iter().sum::<f32>() / width;
        let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f32>() / width;
        let factor = (variance + Self::EPSILON).sqrt().recip();
        for ((number, scale), shift) in numbers.iter_mut().zip(&*self.scale).zip(&*self.shift) {
            *number = (*number - mean) * factor * scale + shift;
        }
    }
}

fn add(numbers: &mut [f32], others: &[f32]) {
    for (number, other) in numbers.iter_mut().zip(others) {
        *number += other;
    }
}

fn rectified(mut numbers: Vec<f32>) -> Vec<f32> {
    for number in &mut numbers {
        *number = number.max(0.0);
    }
    numbers
}

/// The direction of a vector, if it has one.
fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if !(length.is_finite() && length > 1e-6) {
        return None;
    }
    for number in &mut vector {
        *number /= length;
    }
    Some(vector)
}
