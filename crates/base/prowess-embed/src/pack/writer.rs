//! Writing packs, the same bytes every time.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::bytes::{ALIGNMENT, bytes_of};
use super::{DType, Element, Header, MAGIC, PREFACE, PackError, TensorInfo, VERSION};

struct Data {
    dtype: DType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// Collects tensors and writes them as a pack. See [`Pack`](crate::Pack) for an example.
///
/// The bytes depend on the header and the tensors alone, not on the order in which these were added.
pub struct PackWriter {
    header: Header,
    tensors: BTreeMap<String, Data>,
}

impl PackWriter {
    /// A pack with this header; its list of tensors is made by the writer.
    pub fn new(header: Header) -> Self {
        Self { header, tensors: BTreeMap::new() }
    }

    /// Adds a tensor. Its shape must hold exactly the numbers that are given, and its name be new.
    pub fn tensor<T: Element>(
        &mut self,
        name: &str,
        shape: &[usize],
        numbers: &[T],
    ) -> Result<&mut Self, PackError> {
        let layout = || PackError::Layout(name.to_owned());
        let count = shape.iter().try_fold(1_usize, |count, n| count.checked_mul(*n)).ok_or_else(layout)?;
        let data = Data { dtype: T::DTYPE, shape: shape.to_vec(), bytes: bytes_of(numbers).to_vec() };
        if count != numbers.len() || self.tensors.insert(name.to_owned(), data).is_some() {
            return Err(layout());
        }
        Ok(self)
    }

    /// The bytes of the pack.
    pub fn finish(mut self) -> Result<Vec<u8>, PackError> {
        if cfg!(target_endian = "big") {
            return Err(PackError::BigEndian);
        }
        let mut offset = 0;
        self.header.tensors.clear();
        for (name, data) in &self.tensors {
            let (dtype, shape, length) = (data.dtype, data.shape.clone(), data.bytes.len());
            self.header.tensors.insert(name.clone(), TensorInfo { dtype, shape, offset, length });
            offset = (offset + length).next_multiple_of(ALIGNMENT);
        }
        let mut header = serde_json::to_vec(&self.header).map_err(PackError::Header)?;
        header.resize(header.len().next_multiple_of(ALIGNMENT), b' ');
        let length = u32::try_from(header.len()).map_err(|_| PackError::content("the header is too long"))?;

        let mut pack = Vec::with_capacity(PREFACE + header.len() + offset);
        pack.extend_from_slice(MAGIC);
        pack.extend_from_slice(&VERSION.to_le_bytes());
        pack.extend_from_slice(&length.to_le_bytes());
        pack.resize(PREFACE, 0);
        pack.extend_from_slice(&header);
        for data in self.tensors.values() {
            pack.extend_from_slice(&data.bytes);
            pack.resize(pack.len().next_multiple_of(ALIGNMENT), 0);
        }
        let checksum = Sha256::digest(&pack[PREFACE..]);
        pack[16..48].copy_from_slice(&checksum);
        Ok(pack)
    }
}
