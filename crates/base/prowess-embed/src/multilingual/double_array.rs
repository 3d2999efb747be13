//! A trie in a double array, used where it lies: the darts-clone layout, in which sentencepiece ships its
//! normalisation rules and in which we keep the vocabulary.
//!
//! Each unit of 32 bits holds the label that leads to it, whether a key ends there, and the distance (by
//! exclusive or) to the place of its children. The value of a key lies in the child with label zero, and has
//! its highest bit set, so that no byte of a text can lead to it.

use crate::pack::Tensor;

/// See the [module](self).
pub(super) struct DoubleArray {
    units: Tensor<u32>,
}

/// A prefix of some key.
#[derive(Clone, Copy)]
pub(super) struct Node {
    children: usize,
    is_key: bool,
}

impl DoubleArray {
    pub(super) fn new(units: Tensor<u32>) -> Self {
        Self { units }
    }

    /// The empty prefix.
    pub(super) fn root(&self) -> Node {
        let unit = self.units.first().copied().unwrap_or_default();
        Node { children: distance(unit), is_key: false }
    }

    /// The prefix that is one byte longer, if a key begins with it.
    pub(super) fn child(&self, node: Node, byte: u8) -> Option<Node> {
        let place = node.children ^ usize::from(byte);
        let unit = *self.units.get(place)?;
        let label = unit & 0x8000_00ff;
        (label == u32::from(byte))
            .then(|| Node { children: place ^ distance(unit), is_key: unit & 0x100 != 0 })
    }

    /// The value of the prefix, if it is a key.
    pub(super) fn value(&self, node: Node) -> Option<usize> {
        let unit = if node.is_key { self.units.get(node.children)? } else { return None };
        usize::try_from(unit & 0x7fff_ffff).ok()
    }
}

fn distance(unit: u32) -> usize {
    // Far children lie at a multiple of 256, which leaves more bits for the rest.
    let shift = if unit & 0x200 == 0 { 0 } else { 8 };
    ((unit >> 10) as usize) << shift
}
