//! Sentence encoders behind one trait, with int8 inference.
//!
//! An [`Encoder`] turns a text into a vector; texts with close meanings have close vectors. The built-in ones are
//! computed here, from a [`Pack`]: one file with weights and tokenizer, mapped or embedded and used where it lies.
//! [`EndpointEncoder`] asks an OpenAI-compatible server instead.
//!
//! What this crate refuses to do: download anything, keep vectors, or choose. It knows nothing of skills.
//!
//! ```no_run
//! use std::path::Path;
//!
//! let encoder = prowess_embed::load(prowess_embed::Pack::open(Path::new("models/prowess-minilm.pack"))?)?;
//! let message = encoder.encode("will it rain tomorrow?")?;
//! let skill = encoder.encode("Weather forecast for any city")?;
//! let cosine: f32 = message.iter().zip(&skill).map(|(a, b)| a * b).sum();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::inline_always, reason = "a job is compiled as a whole for the instructions of its path")]
#![cfg_attr(test, allow(clippy::float_cmp, reason = "what is exact is compared exactly"))]

#[cfg(test)]
extern crate self as prowess_embed;

mod bert;
mod encoder;
mod endpoint;
mod endpoint_error;
mod f16;
mod kernel;
mod load;
mod multilingual;
mod pack;
mod parallel;
mod tokenizer;

#[cfg(test)]
#[path = "../tests/it/tiny.rs"]
mod tiny;

pub use bert::{ReadError, Reader, Tokens};
pub use encoder::{EncodeError, Encoder};
pub use endpoint::{EndpointEncoder, EndpointKey, EndpointOptions};
pub use endpoint_error::EndpointError;
pub use f16::F16;
pub use load::load;
pub use pack::{DType, Element, Header, Pack, PackError, PackWriter, Tensor, TensorInfo};
