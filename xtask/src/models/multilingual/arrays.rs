//! Reading the arrays of an `.npz` file: a zip of `.npy` members.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use anyhow::{Context as _, Result, bail, ensure};

/// One array, in the order of its rows.
#[derive(Debug, Default)]
pub(super) struct Array {
    pub(super) shape: Vec<usize>,
    /// Its numbers, if they are of single precision.
    pub(super) floats: Vec<f32>,
    /// Its numbers, if they are bytes.
    bytes: Vec<u8>,
}

/// The arrays by name.
pub(super) struct Arrays(BTreeMap<String, Array>);

impl Arrays {
    pub(super) fn read(archive: &[u8]) -> Result<Self> {
        let mut archive = zip::ZipArchive::new(Cursor::new(archive))?;
        let mut arrays = BTreeMap::new();
        for index in 0..archive.len() {
            let mut member = archive.by_index(index)?;
            let name = member.name()?.trim_end_matches(".npy").to_owned();
            let mut bytes = Vec::new();
            member.read_to_end(&mut bytes)?;
            let array = parse(&bytes).with_context(|| format!("cannot read the array `{name}`"))?;
            arrays.insert(name, array);
        }
        Ok(Self(arrays))
    }

    pub(super) fn get(&self, name: &str) -> Result<&Array> {
        self.0.get(name).with_context(|| format!("there is no array `{name}`"))
    }

    pub(super) fn floats(&self, name: &str, shape: &[usize]) -> Result<&[f32]> {
        let array = self.get(name)?;
        ensure!(array.shape == shape, "`{name}` has shape {:?}, expected {shape:?}", array.shape);
        Ok(&array.floats)
    }

    pub(super) fn bytes(&self, name: &str) -> Result<&[u8]> {
        Ok(&self.get(name)?.bytes)
    }
}

/// The format of numpy, version 1: magic, length of a header that looks like Python, numbers.
fn parse(file: &[u8]) -> Result<Array> {
    let rest = file.strip_prefix(b"\x93NUMPY\x01\x00").context("not a numpy array of version 1")?;
    let (length, rest) = rest.split_first_chunk::<2>().context("the array is cut off")?;
    let length = usize::from(u16::from_le_bytes(*length));
    let (header, data) = rest.split_at_checked(length).context("the array is cut off")?;
    let header = std::str::from_utf8(header)?;
    ensure!(header.contains("'fortran_order': False"), "the numbers are stored by column");
    let (_, shape) = header.split_once("'shape': (").context("no shape")?;
    let (shape, _) = shape.split_once(')').context("no shape")?;
    let shape = shape.split(',').map(str::trim).filter(|size| !size.is_empty()).map(str::parse);
    let shape: Vec<usize> = shape.collect::<Result<_, _>>()?;

    let mut array = Array { shape, ..Array::default() };
    let count: usize = array.shape.iter().product();
    if header.contains("'<f4'") {
        array.floats = data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        ensure!(array.floats.len() == count, "the shape does not fit the numbers");
    } else if header.contains("'|u1'") {
        array.bytes = data.to_vec();
        ensure!(array.bytes.len() == count, "the shape does not fit the numbers");
    } else if !array.shape.is_empty() && array.shape != [1] {
        bail!("unknown numbers: {header}");
    }
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(header.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
    }

    #[test]
    fn reads_floats_and_bytes_by_row() {
        let floats = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }\n";
        let array = parse(&file(floats, &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0])).unwrap();
        assert_eq!((array.shape, array.floats), (vec![2, 1], vec![1.0, -2.0]));
        let bytes = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n";
        assert_eq!(parse(&file(bytes, &[7, 8, 9])).unwrap().bytes, [7, 8, 9]);
    }

    #[test]
    fn refuses_what_it_would_misread() {
        let by_column = "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }\n";
        assert!(parse(&file(by_column, &[0; 4])).is_err());
        let too_short = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
        assert!(parse(&file(too_short, &[0; 4])).is_err());
        let doubles = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n";
        assert!(parse(&file(doubles, &[0; 16])).is_err());
    }
}
