//! JSON5 that remembers how it was written.
//!
//! One parser serves everything that is JSON5 here: the config file, which is edited in place, and the
//! `metadata` line of a skill, of which only the value matters. [`parse`] reads a text into a
//! [`Json5Document`] whose every value knows its bytes; [`Json5Document::set`] and [`Json5Document::remove`] change
//! one value and leave every other byte, comments included, as the author wrote it.
//!
//! What this crate refuses to do: read or write files, know what a key means, or guess at broken
//! input. It never panics on any text, and nesting is bounded, so no input can exhaust the stack.
//!
//! ```
//! let mut document = prowess_json5::parse("{\n  // keep me\n  a: 1,\n}\n")?;
//! document.set(&["b", "c"], &serde_json::json!(true))?;
//! assert_eq!(document.text(), "{\n  // keep me\n  a: 1,\n  b: {\n    c: true,\n  },\n}\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cursor;
mod document;
mod edit;
mod error;
mod limits;
mod literal;
mod parse;
mod position;
mod style;
mod tree;

#[cfg(test)]
mod testing;

pub use document::Json5Document;
pub use error::{Json5EditError, Json5ParseError};
pub use limits::MAX_DEPTH;
pub use position::Position;

use serde_json::Value;

/// Reads a JSON5 text.
pub fn parse(text: &str) -> Result<Json5Document, Json5ParseError> {
    Json5Document::parse(text)
}

/// The value of a JSON5 text, for callers that do not care how it was written.
///
/// Keys keep their order; of equal keys the last one counts. Integers that fit 64 bits stay exact.
/// `NaN` and the infinities, which JSON cannot say, become null.
///
/// ```
/// let value = prowess_json5::to_value("{bins: ['gh', 'git',], /* all */}")?;
/// assert_eq!(value, serde_json::json!({ "bins": ["gh", "git"] }));
/// # Ok::<(), prowess_json5::Json5ParseError>(())
/// ```
pub fn to_value(text: &str) -> Result<Value, Json5ParseError> {
    parse::root(text).map(|node| node.value())
}
