//! Packs: the one file that holds an encoder, its weights and its tokenizer.
//!
//! A pack is made to be mapped or embedded and used where it lies: reading the header is all that opening
//! costs. Any bytes may be given to it: what is damaged or hostile is a [`PackError`], never a panic, and
//! every view of a tensor is checked for bounds, type, shape and alignment.
//!
//! ```text
//! offset  size  content (numbers are little-endian)
//!      0     8  magic, "PROWPACK"
//!      8     4  version of the format, 1
//!     12     4  length of the header, H
//!     16    32  SHA-256 of everything from offset 64 on
//!     48    16  zero
//!     64     H  header: JSON (see `Header`), padded with spaces to a multiple of 64
//!   64+H     …  tensors, each at a multiple of 64; offsets count from here; zero between them
//! ```
//!
//! The same header and tensors always give the same bytes ([`PackWriter`]).

mod bytes;
mod element;
mod error;
mod header;
mod tensor;
mod writer;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use self::bytes::{ALIGNMENT, Bytes};
pub use self::element::{DType, Element};
pub use self::error::PackError;
pub use self::header::{Header, TensorInfo};
pub use self::tensor::Tensor;
pub use self::writer::PackWriter;

const MAGIC: &[u8; 8] = b"PROWPACK";
const VERSION: u32 = 1;
const PREFACE: usize = 64;

/// An opened pack; cheap to clone.
///
/// ```
/// use prowess_embed::{Header, Pack, PackWriter};
///
/// let mut writer = PackWriter::new(Header { name: "tiny".into(), kind: "bert".into(), ..Header::default() });
/// writer.tensor("weights", &[2, 3], &[1_i8, 2, 3, 4, 5, 6])?;
/// let pack = Pack::from_bytes(writer.finish()?)?;
/// assert_eq!(&pack.tensor::<i8>("weights", &[2, 3])?[..], &[1, 2, 3, 4, 5, 6]);
/// # Ok::<(), prowess_embed::PackError>(())
/// ```
#[derive(Clone)]
pub struct Pack {
    bytes: Arc<Bytes>,
    header: Arc<Header>,
    /// The offset at which the tensors begin.
    data: usize,
    checksum: [u8; 32],
}

impl Pack {
    /// Maps a pack file and compares its checksum.
    pub fn open(path: &Path) -> Result<Self, PackError> {
        let fail = |source| PackError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(fail)?;
        let pack = Self::read(Bytes::map(&file).map_err(fail)?)?;
        pack.verify()?;
        Ok(pack)
    }

    /// A pack inside the program, best by [`include_pack!`](crate::include_pack). The checksum is not
    /// compared, so that starting costs no pass over the weights; [`Pack::verify`] does it.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, PackError> {
        Self::read(Bytes::Static(bytes))
    }

    /// A pack in memory; compares its checksum. The bytes are copied to aligned memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, PackError> {
        let pack = Self::read(Bytes::aligned(&bytes))?;
        pack.verify()?;
        Ok(pack)
    }

    fn read(bytes: Bytes) -> Result<Self, PackError> {
        if cfg!(target_endian = "big") {
            return Err(PackError::BigEndian);
        }
        let slice = bytes.as_slice();
        let preface: &[u8; PREFACE] = slice.first_chunk().ok_or(PackError::NotAPack)?;
        let (magic, rest) = preface.split_first_chunk::<8>().ok_or(PackError::NotAPack)?;
        if magic != MAGIC {
            return Err(PackError::NotAPack);
        }
        let (version, rest) = split_u32(rest).ok_or(PackError::NotAPack)?;
        if version != VERSION {
            return Err(PackError::Version { found: version, known: VERSION });
        }
        let (length, rest) = split_u32(rest).ok_or(PackError::NotAPack)?;
        let (checksum, _) = rest.split_first_chunk::<32>().ok_or(PackError::NotAPack)?;
        let checksum = *checksum;
        let data = usize::try_from(length).ok().and_then(|length| length.checked_add(PREFACE));
        let data = data.filter(|data| data.is_multiple_of(ALIGNMENT)).ok_or(PackError::Truncated)?;
        let header = slice.get(PREFACE..data).ok_or(PackError::Truncated)?;
        let header: Header = serde_json::from_slice(header).map_err(PackError::Header)?;
        header.check(slice.len() - data)?;
        Ok(Self { header: Arc::new(header), bytes: Arc::new(bytes), data, checksum })
    }

    /// Compares the checksum with the bytes.
    pub fn verify(&self) -> Result<(), PackError> {
        let found = Sha256::digest(self.bytes.as_slice().get(PREFACE..).unwrap_or_default());
        if found.as_slice() == self.checksum { Ok(()) } else { Err(PackError::Checksum) }
    }

    /// What the pack says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The name, and a digest of the content and of the revision of the arithmetic that will read it, such
    /// as `prowess-minilm-1a2b3c4d`: vectors with the same id may be compared.
    pub fn id(&self, revision: u32) -> String {
        let digest =
            Sha256::new().chain_update(self.checksum).chain_update(revision.to_le_bytes()).finalize();
        format!("{}-{}", self.header.name, short_hex(&digest))
    }

    /// A tensor of the given type and shape; anything else is an error.
    pub fn tensor<T: Element>(&self, name: &str, shape: &[usize]) -> Result<Tensor<T>, PackError> {
        let tensor = self.tensor_of_any_shape(name)?;
        let found = self.shape(name)?;
        if found == shape {
            Ok(tensor)
        } else {
            Err(PackError::Shape { name: name.to_owned(), found: found.to_vec(), expected: shape.to_vec() })
        }
    }

    /// A tensor of the given type, whatever its shape: tables whose size the pack decides.
    pub fn tensor_of_any_shape<T: Element>(&self, name: &str) -> Result<Tensor<T>, PackError> {
        let info = self.header.tensors.get(name).ok_or_else(|| PackError::Missing(name.to_owned()))?;
        if info.dtype != T::DTYPE {
            let name = name.to_owned();
            return Err(PackError::Type { name, found: info.dtype, expected: T::DTYPE });
        }
        // `Header::check` has seen that this lies within the bytes.
        let start = self.data + info.offset;
        Tensor::new(Arc::clone(&self.bytes), start..start + info.length)
            .ok_or_else(|| PackError::Alignment(name.to_owned()))
    }

    /// The type of the numbers of a tensor.
    pub fn dtype(&self, name: &str) -> Result<DType, PackError> {
        let info = self.header.tensors.get(name).ok_or_else(|| PackError::Missing(name.to_owned()))?;
        Ok(info.dtype)
    }

    /// The shape of a tensor.
    pub fn shape(&self, name: &str) -> Result<&[usize], PackError> {
        let info = self.header.tensors.get(name).ok_or_else(|| PackError::Missing(name.to_owned()))?;
        Ok(&info.shape)
    }
}

impl std::fmt::Debug for Pack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pack").field("header", &self.header).finish_non_exhaustive()
    }
}

/// The first four bytes of a digest, as eight letters.
pub(crate) fn short_hex(digest: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&digest[..digest.len().min(4)])
}

fn split_u32(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// Embeds a pack file in the program, aligned as its tensors need it: a `&'static [u8]` for
/// [`Pack::from_static`].
///
/// ```ignore
/// static MINILM: &[u8] = prowess_embed::include_pack!("../../../models/prowess-minilm.pack");
/// ```
#[macro_export]
macro_rules! include_pack {
    ($path:expr $(,)?) => {{
        #[repr(C, align(64))]
        struct Aligned<T: ?Sized>(T);
        static ALIGNED: &Aligned<[u8]> = &Aligned(*include_bytes!($path));
        &ALIGNED.0
    }};
}

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
