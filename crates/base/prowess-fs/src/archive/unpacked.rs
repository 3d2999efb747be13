//! A compressed stream that stops when it grows out of proportion.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use super::{ArchiveError, ArchiveLimits};

/// Up to here anything may be made of anything.
pub(super) const FREE: u64 = 8 << 20;

/// The unpacked side of a stream.
pub(super) struct Unpacked<D> {
    decoder: D,
    packed: Rc<Cell<u64>>,
    given: u64,
    ratio: u64,
    /// Headers and padding count too, so it is more than the files may have.
    limit: u64,
}

/// The packed side, which counts what was taken.
pub(super) struct Packed<R> {
    source: R,
    taken: Rc<Cell<u64>>,
}

impl<R: Read> Read for Packed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.taken.set(self.taken.get() + count as u64);
        Ok(count)
    }
}

impl<D> Unpacked<D> {
    pub(super) fn new<R: Read>(
        source: R,
        limits: &ArchiveLimits,
        decode: impl FnOnce(Packed<R>) -> D,
    ) -> Self {
        let packed = Rc::new(Cell::new(0));
        let decoder = decode(Packed { source, taken: Rc::clone(&packed) });
        Self { decoder, packed, given: 0, ratio: limits.ratio, limit: limits.total.saturating_mul(2) }
    }
}

impl<D: Read> Read for Unpacked<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.given += count as u64;
        if self.given > FREE && self.given > self.packed.get().saturating_mul(self.ratio) {
            return Err(io::Error::other(ArchiveError::Bomb { ratio: self.ratio }));
        }
        if self.given > self.limit {
            return Err(io::Error::other(ArchiveError::TotalTooLarge { limit: self.limit }));
        }
        Ok(count)
    }
}
