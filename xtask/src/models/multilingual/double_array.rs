//! Building a trie as a double array in the layout of darts-clone, which `prowess-embed` reads.

use anyhow::{Result, ensure};

/// A unit that nothing leads to: its label fits no byte.
const FREE: u32 = 1 << 31;
const HAS_VALUE: u32 = 1 << 8;
/// Children share the high bits of their place, so places come in blocks of as many as there are bytes.
const BLOCK: usize = 256;
/// After so many failed attempts the first free places are left to nodes with fewer children.
const PATIENCE: usize = 512;

/// The trie of the keys, in which the value of each is its index.
pub(super) fn build(keys: &[&[u8]]) -> Result<Vec<u32>> {
    let mut sorted: Vec<(&[u8], u32)> = keys.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    ensure!(
        sorted.iter().all(|(key, _)| !key.is_empty() && !key.contains(&0)),
        "a key is empty or holds zero"
    );
    ensure!(sorted.is_sorted_by(|one, other| one.0 < other.0), "a key occurs twice");
    let mut builder = Builder::default();
    builder.grow();
    builder.take(0, 0);
    let mut waiting = vec![(0, 0, &sorted[..])];
    while let Some((place, depth, keys)) = waiting.pop() {
        builder.node(place, depth, keys, &mut waiting)?;
    }
    Ok(builder.units)
}

/// Place of a node, length of the prefix it stands for, and the keys that begin with it.
type Node<'a> = (usize, usize, &'a [(&'a [u8], u32)]);

#[derive(Default)]
struct Builder {
    units: Vec<u32>,
    is_taken: Vec<bool>,
    /// Places that are the base of some node; two nodes with one base could not be told apart.
    is_base: Vec<bool>,
    /// The place where the search for a free place begins.
    first: usize,
}

impl Builder {
    fn grow(&mut self) {
        self.units.resize(self.units.len() + BLOCK, FREE);
        self.is_taken.resize(self.units.len(), false);
        self.is_base.resize(self.units.len(), false);
    }

    fn take(&mut self, place: usize, unit: u32) {
        self.units[place] = unit;
        self.is_taken[place] = true;
    }

    fn node<'a>(
        &mut self,
        place: usize,
        depth: usize,
        keys: &'a [(&'a [u8], u32)],
        waiting: &mut Vec<Node<'a>>,
    ) -> Result<()> {
        let children: Vec<Node<'a>> = keys
            .chunk_by(|one, other| one.0.get(depth) == other.0.get(depth))
            .map(|keys| (usize::from(keys[0].0.get(depth).copied().unwrap_or(0)), depth + 1, keys))
            .collect();
        let labels: Vec<usize> = children.iter().map(|(label, ..)| *label).collect();
        let base = self.base(&labels);
        self.is_base[base] = true;
        let distance = u32::try_from(place ^ base)?;
        ensure!(distance < 1 << 21, "the trie is too large for its layout");
        self.units[place] |= distance << 10;
        for (label, depth, keys) in children {
            if label == 0 {
                // The key ends at the node itself.
                self.units[place] |= HAS_VALUE;
                self.take(base, FREE | keys[0].1);
            } else {
                self.take(base ^ label, u32::try_from(label)?);
                waiting.push((base ^ label, depth, keys));
            }
        }
        Ok(())
    }

    /// A base for children with these labels, all of whose places are free.
    fn base(&mut self, labels: &[usize]) -> usize {
        let mut attempts = 0;
        let mut place = self.first;
        loop {
            if place == self.units.len() {
                self.grow();
            }
            let base = place ^ labels[0];
            if !self.is_base[base] && labels.iter().all(|label| !self.is_taken[base ^ label]) {
                return base;
            }
            place += 1;
            attempts += 1;
            if attempts == PATIENCE {
                self.first = place;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of the key, by the rules of darts-clone.
    fn find(units: &[u32], key: &[u8]) -> Option<u32> {
        let children = |place: usize| place ^ (units[place] >> 10) as usize;
        let mut place = 0;
        for byte in key {
            let next = children(place) ^ usize::from(*byte);
            if units[next] & 0x8000_00ff != u32::from(*byte) {
                return None;
            }
            place = next;
        }
        (units[place] & HAS_VALUE != 0).then(|| units[children(place)] & !FREE)
    }

    #[test]
    fn finds_its_keys_and_no_others() {
        let keys: Vec<String> =
            (0..5000_u32).map(|n| format!("{:x}", n.wrapping_mul(2_654_435_761))).collect();
        let mut keys: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
        keys.extend(["▁".as_bytes(), "▁de".as_bytes(), b"\xff"]);
        let units = build(&keys).unwrap();
        for (value, key) in (0..).zip(&keys) {
            assert_eq!(find(&units, key), Some(value), "{key:?}");
        }
        for other in [&b""[..], b"zz", b"\0", "▁d".as_bytes(), b"12345678\0"] {
            assert_eq!(find(&units, other), None, "{other:?}");
        }
    }

    #[test]
    fn refuses_keys_that_it_cannot_hold() {
        assert!(build(&[b"a", b"a"]).is_err());
        assert!(build(&[b""]).is_err());
        assert!(build(&[b"a\0"]).is_err());
    }
}
