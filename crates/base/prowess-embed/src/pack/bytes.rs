//! Where the bytes of a pack lie, and how a run of them becomes a slice of numbers.
//!
//! The only places of the reader that need `unsafe`: mapping a file, and looking at bytes as wider elements.

#![allow(
    unsafe_code,
    reason = "mapping a file and casting checked bytes to numbers have no safe form in std"
)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

use super::element::Element;

/// Alignment of every tensor, and of the bytes that the crate allocates itself.
pub(crate) const ALIGNMENT: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Block([u8; ALIGNMENT]);

/// The bytes of a pack, wherever they come from.
pub(super) enum Bytes {
    Static(&'static [u8]),
    Mapped(Mmap),
    Owned { blocks: Box<[Block]>, length: usize },
}

impl Bytes {
    /// Maps a file. Nobody may change the file while it is mapped; packs are replaced, never written in place.
    pub(super) fn map(file: &File) -> io::Result<Self> {
        // SAFETY: the map is read only and private to this process. A pack that another program truncates
        // while it is mapped would end this one with SIGBUS, as for every mapped file; nothing is executed
        // or trusted on the ground of these bytes, every view of them is checked.
        let map = unsafe { Mmap::map(file)? };
        Ok(Self::Mapped(map))
    }

    /// Copies bytes to aligned memory.
    pub(super) fn aligned(bytes: &[u8]) -> Self {
        let blocks = bytes.chunks(ALIGNMENT).map(|chunk| {
            let mut block = Block([0; ALIGNMENT]);
            block.0[..chunk.len()].copy_from_slice(chunk);
            block
        });
        Self::Owned { blocks: blocks.collect(), length: bytes.len() }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Mapped(map) => map,
            Self::Owned { blocks, length } => {
                // SAFETY: `Block` is 64 plain bytes without padding, the blocks lie side by side, and
                // `length` is at most their total size.
                unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast::<u8>(), *length) }
            }
        }
    }
}

/// The bytes as elements; `None` if they are not aligned or do not divide evenly.
pub(super) fn cast<T: Element>(bytes: &[u8]) -> Option<&[T]> {
    // SAFETY: `Element` is sealed and implemented only for plain numbers without padding, for which every
    // bit pattern is a value.
    let (before, elements, after) = unsafe { bytes.align_to::<T>() };
    (before.is_empty() && after.is_empty()).then_some(elements)
}

/// The bytes of elements, as they lie in memory.
pub(super) fn bytes_of<T: Element>(elements: &[T]) -> &[u8] {
    // SAFETY: as above; a plain number may always be looked at as bytes.
    unsafe { elements.align_to::<u8>().1 }
}
