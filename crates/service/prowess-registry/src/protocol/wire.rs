//! The few places where the wire does not say what serde would assume.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Milliseconds since 1970. A fraction, which some servers send, is dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, schemars::JsonSchema)]
pub struct Millis(pub i64);

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<'de> Deserialize<'de> for Millis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        if let Some(whole) = number.as_i64() {
            return Ok(Self(whole));
        }
        let float = number.as_f64().filter(|float| float.abs() < 9e15);
        #[expect(clippy::cast_possible_truncation, reason = "the range was checked, the fraction is dropped")]
        float.map(|float| Self(float as i64)).ok_or_else(|| D::Error::custom("not a time in milliseconds"))
    }
}

/// A field that must be there but may be `null`: without this, serde takes a missing one for `null`.
pub(super) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer)
}

/// A field that must be `true`.
pub(super) fn yes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    if bool::deserialize(deserializer)? { Ok(true) } else { Err(D::Error::custom("expected `true`")) }
}
