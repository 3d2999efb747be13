//! The table of word vectors, a row of 512 numbers for each piece.
//!
//! The published table has 6 bits a number, most of which are zero or nearly so. Each row is therefore
//! written with a Huffman code, without loss: 23 MB instead of 65, and the few rows that a text needs are
//! unpacked in a microsecond each.
//!
//! ```text
//! table.rows      bytes: for each row the number of its code, then the bits, the highest of a byte first
//! table.offsets   where each row begins, and the end of the last
//! table.codes     [code][next 12 bits]: length of the symbol in bits × 256 + the symbol, a signed byte
//! table.scale     number = symbol × scale + shift, by row modulo the length of these two
//! table.shift
//! ```

use super::EMBEDDING;
use crate::pack::{Pack, PackError, Tensor};

/// No symbol is longer.
const CODE_BITS: u32 = 12;
const CODE_SIZE: usize = 1 << CODE_BITS;

/// See the [module](self).
pub(super) struct Table {
    rows: Tensor<u8>,
    offsets: Tensor<u32>,
    codes: Tensor<u16>,
    scale: Tensor<f32>,
    shift: Tensor<f32>,
}

impl Table {
    /// A table with so many rows.
    pub(super) fn load(pack: &Pack, rows: usize) -> Result<Self, PackError> {
        let codes: Tensor<u16> = pack.tensor_of_any_shape("table.codes")?;
        let scale: Tensor<f32> = pack.tensor_of_any_shape("table.scale")?;
        if codes.is_empty() || !codes.len().is_multiple_of(CODE_SIZE) || scale.is_empty() {
            return Err(PackError::content("the table of word vectors has no code or no scale"));
        }
        Ok(Self {
            rows: pack.tensor_of_any_shape("table.rows")?,
            offsets: pack.tensor("table.offsets", &[rows + 1])?,
            shift: pack.tensor("table.shift", &[scale.len()])?,
            codes,
            scale,
        })
    }

    /// Unpacks a row. A row that is not there is as good as zero.
    pub(super) fn row(&self, row: usize) -> [f32; EMBEDDING] {
        let Some((code, bits)) = self.packed(row) else { return [0.0; EMBEDDING] };
        let group = row % self.scale.len();
        let (scale, shift) = (self.scale[group], self.shift[group]);
        unpack(code, bits).map(|symbol| f32::from(symbol) * scale + shift)
    }

    fn packed(&self, row: usize) -> Option<(&[u16; CODE_SIZE], &[u8])> {
        let start = usize::try_from(*self.offsets.get(row)?).ok()?;
        let end = usize::try_from(*self.offsets.get(row + 1)?).ok()?;
        let (code, bits) = self.rows.get(start..end)?.split_first()?;
        let code = self.codes.as_chunks::<CODE_SIZE>().0.get(usize::from(*code))?;
        Some((code, bits))
    }
}

/// Reads as many symbols as a row has; beyond the end of the bits there are zeros.
fn unpack(code: &[u16; CODE_SIZE], bits: &[u8]) -> [i8; EMBEDDING] {
    let mut bytes = bits.iter();
    // The next bits, left-aligned, and how many of them there are.
    let (mut window, mut filled) = (0_u64, 0_u32);
    std::array::from_fn(|_| {
        while filled < CODE_BITS {
            let byte = bytes.next().copied().unwrap_or(0);
            window |= u64::from(byte) << (56 - filled);
            filled += 8;
        }
        let entry = code[(window >> (64 - CODE_BITS)) as usize];
        let [symbol, length] = entry.to_le_bytes();
        let length = u32::from(length).min(CODE_BITS);
        window <<= length;
        filled -= length;
        symbol.cast_signed()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_different_lengths_are_read_in_order() {
        // 0 is the symbol 0, 10 is 7, 11 is -1.
        let code: [u16; CODE_SIZE] = std::array::from_fn(|bits| match bits >> (CODE_BITS - 2) {
            0 | 1 => 0x0100,
            2 => 0x0207,
            _ => 0x02ff,
        });
        let symbols = unpack(&code, &[0b1011_0010, 0b1100_0000]);
        assert_eq!(symbols[..8], [7, -1, 0, 0, 7, -1, 0, 0]);
        assert!(symbols[8..].iter().all(|symbol| *symbol == 0));
    }
}
