//! A tensor that keeps its pack alive.

use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::sync::Arc;

use super::bytes::{Bytes, cast};
use super::element::Element;

/// The numbers of a tensor, where they lie in the pack: a slice that an encoder can own.
#[derive(Clone)]
pub struct Tensor<T> {
    bytes: Arc<Bytes>,
    range: Range<usize>,
    element: PhantomData<T>,
}

impl<T: Element> Tensor<T> {
    /// `None` if the range does not lie within the bytes or is not aligned.
    pub(super) fn new(bytes: Arc<Bytes>, range: Range<usize>) -> Option<Self> {
        cast::<T>(bytes.as_slice().get(range.clone())?)?;
        Some(Self { bytes, range, element: PhantomData })
    }
}

impl<T: Element> Deref for Tensor<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // Both steps succeeded in `new`, and the bytes do not move.
        self.bytes.as_slice().get(self.range.clone()).and_then(cast).unwrap_or_default()
    }
}

impl<T> std::fmt::Debug for Tensor<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tensor").field("range", &self.range).finish_non_exhaustive()
    }
}
