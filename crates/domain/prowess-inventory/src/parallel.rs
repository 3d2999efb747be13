//! The same work for many items, on all cores.

use std::thread;

/// Below this many items, threads cost more than they give.
const FROM: usize = 64;
/// More threads do not read faster from one disk.
const MOST_THREADS: usize = 8;

/// Does `work` for every item; the results are in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    if items.len() < FROM || threads == 1 {
        return items.into_iter().map(work).collect();
    }
    let size = items.len().div_ceil(threads);
    let mut chunks: Vec<Vec<T>> = Vec::new();
    let mut rest = items;
    while rest.len() > size {
        let tail = rest.split_off(size);
        chunks.push(std::mem::replace(&mut rest, tail));
    }
    chunks.push(rest);
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> = chunks
            .into_iter()
            .map(|chunk| scope.spawn(move || chunk.into_iter().map(work).collect::<Vec<_>>()))
            .collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<R>>| match worker.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        workers.into_iter().flat_map(join).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_kept_whatever_the_number() {
        for count in [0, 1, FROM - 1, FROM, FROM + 1, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let expected: Vec<usize> = items.iter().map(|item| item * 2).collect();
            assert_eq!(map(items, |item| item * 2), expected);
        }
    }
}
