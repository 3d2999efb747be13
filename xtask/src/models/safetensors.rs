//! Reading safetensors: a length, a header in JSON, and the numbers.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};
use prowess_embed::F16;
use serde_json::Value;

/// The tensors of a file, as floats.
pub(super) struct Tensors(BTreeMap<String, Vec<f32>>);

impl Tensors {
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let (length, rest) = bytes.split_first_chunk::<8>().context("no safetensors file: too short")?;
        let length = usize::try_from(u64::from_le_bytes(*length))?;
        let (header, data) = rest.split_at_checked(length).context("the header is cut off")?;
        let header: BTreeMap<String, Value> = serde_json::from_slice(header)?;
        let tensors = header.iter().filter(|(name, _)| *name != "__metadata__");
        tensors
            .map(|(name, entry)| Ok((name.clone(), floats(name, entry, data)?)))
            .collect::<Result<_>>()
            .map(Self)
    }

    /// Returns true if there is such a tensor.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Gives a tensor another name; without effect if there is none.
    pub(super) fn rename(&mut self, from: &str, to: &str) {
        if let Some(numbers) = self.0.remove(from) {
            self.0.insert(to.to_owned(), numbers);
        }
    }

    /// Takes out a tensor of any size.
    pub(super) fn take_any(&mut self, name: &str) -> Result<Vec<f32>> {
        self.0.remove(name).with_context(|| format!("tensor `{name}` is missing"))
    }

    /// The names of the tensors that were not taken out.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Takes out a tensor of so many numbers.
    pub(super) fn take(&mut self, name: &str, count: usize) -> Result<Vec<f32>> {
        let numbers = self.take_any(name)?;
        ensure!(numbers.len() == count, "tensor `{name}` has {} numbers, expected {count}", numbers.len());
        Ok(numbers)
    }
}

fn floats(name: &str, entry: &Value, data: &[u8]) -> Result<Vec<f32>> {
    let offset = |index: usize| entry["data_offsets"][index].as_u64().map(usize::try_from);
    let (Some(start), Some(end)) = (offset(0), offset(1)) else { bail!("tensor `{name}` has no place") };
    let bytes = data.get(start?..end?).with_context(|| format!("tensor `{name}` is cut off"))?;
    let numbers = match entry["dtype"].as_str() {
        Some("F16") => bytes.as_chunks().0.iter().map(|b| F16(u16::from_le_bytes(*b)).to_f32()).collect(),
        Some("F32") => bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect(),
        other => bail!("tensor `{name}` holds {other:?}, expected F16 or F32"),
    };
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_and_floats_are_read() {
        let header = br#"{"__metadata__":{},"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#;
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header);
        bytes.extend([0x00, 0x3C, 0x00, 0xC0]);
        bytes.extend(0.1_f32.to_le_bytes());
        let mut tensors = Tensors::read(&bytes).unwrap();
        assert_eq!(tensors.take("a", 2).unwrap(), [1.0, -2.0]);
        assert_eq!(tensors.take("b", 1).unwrap(), [0.1]);
        assert!(tensors.take("b", 1).is_err());
        let mut tensors = Tensors::read(&bytes).unwrap();
        tensors.rename("a", "c");
        tensors.rename("x", "b");
        assert_eq!(tensors.names().collect::<Vec<_>>(), ["b", "c"]);
        assert!(Tensors::read(&bytes[..bytes.len() - 1]).is_err());
        assert!(Tensors::read(&bytes[..20]).is_err());
    }
}
