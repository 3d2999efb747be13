//! The numbers a tensor can hold.

use serde::{Deserialize, Serialize};

use crate::F16;

/// How the numbers of a tensor are stored; always little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DType {
    /// Signed bytes.
    I8,
    /// Bytes: text, tables, packed bits.
    U8,
    /// 16-bit numbers without a sign.
    U16,
    /// 32-bit numbers with a sign.
    I32,
    /// 32-bit numbers without a sign.
    U32,
    /// IEEE half precision.
    F16,
    /// IEEE single precision.
    F32,
}

impl DType {
    /// Bytes of one number.
    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that a tensor can be viewed as: a plain number, for which every bit pattern is a value.
pub trait Element: sealed::Sealed + Copy + Default + Send + Sync + 'static {
    /// How it is called in the header.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($type:ty => $dtype:ident),*) => {
        $(
            impl sealed::Sealed for $type {}
            impl Element for $type {
                const DTYPE: DType = DType::$dtype;
            }
        )*
    };
}

elements!(i8 => I8, u8 => U8, u16 => U16, i32 => I32, u32 => U32, F16 => F16, f32 => F32);
