//! Many texts at once, on all cores.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::encoder::{EncodeError, Encoder};

/// The vectors of the texts, in their order.
pub(crate) fn encode_all(encoder: &impl Encoder, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
    map_all(texts, |text| encoder.encode(text))
}

/// The answers for all items, in their order; each core takes the next item when it is done with one.
pub(crate) fn map_all<I: Sync, T: Send, E: Send>(
    items: &[I],
    answer: impl Fn(&I) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let next = AtomicUsize::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < items.len());
    let work = || -> Result<Vec<(usize, T)>, E> {
        std::iter::from_fn(take).map(|index| Ok((index, answer(&items[index])?))).collect()
    };
    let mut answers = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut answers = work()?;
        for other in others {
            answers.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok::<_, E>(answers)
    })?;
    answers.sort_unstable_by_key(|(index, _)| *index);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}
