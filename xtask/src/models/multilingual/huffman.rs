//! Packing the rows of a table of small numbers, each with the Huffman code that suits it best.
//!
//! Rare pieces have small vectors and frequent ones large: a few codes, for rows that differ in how far
//! their numbers reach, pack better than one for all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use anyhow::{Result, ensure};

/// No symbol is longer than this many bits.
const CODE_BITS: usize = 12;
/// Entries by which a code is read, one for each value of its next bits.
pub(super) const CODE_SIZE: usize = 1 << CODE_BITS;
/// Codes to choose from. More than these save less than 0.5 %.
const CODES: usize = 8;
const SYMBOLS: usize = 256;

/// See `multilingual/table.rs` of `prowess-embed` for the layout.
pub(super) struct Packed {
    pub(super) rows: Vec<u8>,
    pub(super) offsets: Vec<u32>,
    pub(super) codes: Vec<u16>,
}

/// Packs the rows.
pub(super) fn pack(rows: &[&[i8]]) -> Result<Packed> {
    let classes = classes(rows);
    let mut counts = vec![[0_u64; SYMBOLS]; CODES];
    for (row, class) in rows.iter().zip(&classes) {
        for symbol in *row {
            counts[*class][index(*symbol)] += 1;
        }
    }
    let codes: Vec<Code> = counts.iter().map(Code::new).collect();
    let mut packed = Packed { rows: Vec::new(), offsets: vec![0], codes: Vec::new() };
    for (row, class) in rows.iter().zip(&classes) {
        packed.rows.push(u8::try_from(*class)?);
        codes[*class].write(row, &mut packed.rows);
        packed.offsets.push(u32::try_from(packed.rows.len())?);
    }
    for code in &codes {
        packed.codes.extend(code.entries()?);
    }
    Ok(packed)
}

/// Which code each row gets: the rows, ordered by how far their numbers reach, in equal parts.
fn classes(rows: &[&[i8]]) -> Vec<usize> {
    let reach = |row: &[i8]| row.iter().map(|symbol| u64::from(symbol.unsigned_abs())).sum::<u64>();
    let mut order: Vec<(u64, usize)> = rows.iter().enumerate().map(|(row, it)| (reach(it), row)).collect();
    order.sort_unstable();
    let mut classes = vec![0; rows.len()];
    for (rank, (_, row)) in order.iter().enumerate() {
        classes[*row] = rank * CODES / rows.len();
    }
    classes
}

fn index(symbol: i8) -> usize {
    usize::from(symbol.cast_unsigned())
}

/// A canonical code: bits and their number for each symbol; none for symbols that do not occur.
struct Code([(u32, usize); SYMBOLS]);

impl Code {
    fn new(counts: &[u64; SYMBOLS]) -> Self {
        let mut lengths = lengths(counts);
        // Rare symbols are made less rare until no code is too long.
        let mut counts = *counts;
        while lengths.iter().any(|length| *length > CODE_BITS) {
            for count in counts.iter_mut().filter(|count| **count > 0) {
                *count = *count / 2 + 1;
            }
            lengths = self::lengths(&counts);
        }
        let mut order: Vec<usize> = (0..SYMBOLS).filter(|symbol| lengths[*symbol] > 0).collect();
        order.sort_by_key(|symbol| (lengths[*symbol], *symbol));
        let mut code = Self([(0, 0); SYMBOLS]);
        let (mut next, mut before) = (0_u32, 0);
        for symbol in order {
            let length = lengths[symbol];
            next <<= length - before;
            code.0[symbol] = (next, length);
            next += 1;
            before = length;
        }
        code
    }

    /// Appends the bits of the row, the first in the highest bit of a byte; the last byte is filled with zero.
    fn write(&self, row: &[i8], out: &mut Vec<u8>) {
        let (mut window, mut filled) = (0_u32, 0);
        for symbol in row {
            let (bits, length) = self.0[index(*symbol)];
            window = window << length | bits;
            filled += length;
            while filled >= 8 {
                filled -= 8;
                out.push((window >> filled).to_le_bytes()[0]);
            }
        }
        if filled > 0 {
            out.push((window << (8 - filled)).to_le_bytes()[0]);
        }
    }

    fn entries(&self) -> Result<Vec<u16>> {
        let mut entries = vec![0; CODE_SIZE];
        for (symbol, (bits, length)) in (0..).zip(self.0) {
            if length > 0 {
                let shift = CODE_BITS - length;
                let first = usize::try_from(bits)? << shift;
                entries[first..first + (1 << shift)].fill(u16::try_from(length)? << 8 | symbol);
            }
        }
        ensure!(entries.iter().any(|entry| *entry > 0), "a code without symbols");
        Ok(entries)
    }
}

/// The lengths of the codes that Huffman's algorithm gives.
fn lengths(counts: &[u64; SYMBOLS]) -> [usize; SYMBOLS] {
    let mut lengths = [0; SYMBOLS];
    let mut heap: BinaryHeap<Reverse<(u64, Vec<usize>)>> = (0..SYMBOLS)
        .filter(|symbol| counts[*symbol] > 0)
        .map(|symbol| Reverse((counts[symbol], vec![symbol])))
        .collect();
    if let [Reverse((_, only))] = heap.as_slice() {
        lengths[only[0]] = 1;
    }
    while let (Some(Reverse(one)), Some(Reverse(other))) = (heap.pop(), heap.pop()) {
        let symbols = [one.1, other.1].concat();
        for symbol in &symbols {
            lengths[*symbol] += 1;
        }
        heap.push(Reverse((one.0 + other.0, symbols)));
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row as the reader sees it.
    fn unpack(packed: &Packed, row: usize, length: usize) -> Vec<i8> {
        let (start, end) = (packed.offsets[row] as usize, packed.offsets[row + 1] as usize);
        let code = &packed.codes[usize::from(packed.rows[start]) * CODE_SIZE..][..CODE_SIZE];
        let bits: Vec<u8> = packed.rows[start + 1..end]
            .iter()
            .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
            .collect();
        let mut place = 0;
        let symbols = (0..length).map(|_| {
            let next = (0..CODE_BITS).map(|bit| usize::from(bits.get(place + bit).copied().unwrap_or(0)));
            let [symbol, length] = code[next.fold(0, |bits, bit| bits << 1 | bit)].to_le_bytes();
            place += usize::from(length);
            symbol.cast_signed()
        });
        symbols.collect()
    }

    #[test]
    fn rows_survive() {
        // Numbers that are mostly small, with a long tail that would need longer codes.
        let number = |row: u32, column: u32| {
            let noise = (row * 512 + column).wrapping_mul(2_654_435_761) >> 7;
            i8::try_from(noise.trailing_zeros().min(30)).unwrap() * if row.is_multiple_of(2) { 1 } else { -3 }
        };
        let rows: Vec<Vec<i8>> =
            (0..100).map(|row| (0..512).map(|column| number(row, column)).collect()).collect();
        let rows: Vec<&[i8]> = rows.iter().map(Vec::as_slice).collect();
        let packed = pack(&rows).unwrap();
        for (index, row) in rows.iter().enumerate() {
            assert_eq!(unpack(&packed, index, row.len()), *row, "row {index}");
        }
        assert!(packed.rows.len() < 100 * 512 / 3, "{}", packed.rows.len());
    }

    #[test]
    fn one_symbol_alone_has_a_code() {
        let row = [5; 16];
        let packed = pack(&[&row[..]; 8]).unwrap();
        assert_eq!(unpack(&packed, 3, 16), row);
    }
}
