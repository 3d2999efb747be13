//! Many texts at once, on all cores.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::encoder::{EncodeError, Encoder};

/// The vectors of the texts, in their order; each core takes the next text when it is done with one.
pub(crate) fn encode_all(encoder: &impl Encoder, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(texts.len());
    let next = AtomicUsize::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < texts.len());
    let work = || -> Result<Vec<(usize, Vec<f32>)>, EncodeError> {
        std::iter::from_fn(take).map(|index| Ok((index, encoder.encode(texts[index])?))).collect()
    };
    let mut vectors = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut vectors = work()?;
        for other in others {
            vectors.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok::<_, EncodeError>(vectors)
    })?;
    vectors.sort_unstable_by_key(|(index, _)| *index);
    Ok(vectors.into_iter().map(|(_, vector)| vector).collect())
}
